"""The link that registers the app says what app.yml says."""

from urllib.parse import parse_qs, urlsplit

from click.testing import CliRunner

from bot.cli.register import command, link, manifest


def test_the_link_carries_every_permission_and_event() -> None:
    app = manifest()
    address = urlsplit(link(app, host="https://github.com"))
    query = parse_qs(address.query)
    assert (address.netloc, address.path) == ("github.com", "/settings/apps/new")
    assert {name: query[name] for name in app.permissions} == {
        name: [access] for name, access in app.permissions.items()
    }
    assert tuple(query["events[]"]) == app.events
    assert query["webhook_active"] == ["true"]
    assert "webhook_url" not in query


def test_options_go_into_the_link() -> None:
    options = "--name Ours --host https://ghe.example/ --webhook-url https://bot.example/webhook"
    result = CliRunner().invoke(command, ["--organization", "octo org", *options.split()])
    assert result.exit_code == 0
    address = urlsplit(result.output.strip())
    assert address.geturl().startswith(
        "https://ghe.example/organizations/octo%20org/settings/apps/new?name=Ours&"
    )
    assert parse_qs(address.query)["webhook_url"] == ["https://bot.example/webhook"]


def test_an_address_without_scheme_is_refused() -> None:
    result = CliRunner().invoke(command, ["--webhook-url", "bot.example/webhook"])
    assert result.exit_code == 2
    assert "--webhook-url should begin with https://" in result.output
