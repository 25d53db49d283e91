"""The link that registers the app says what app.yml says."""

from urllib.parse import parse_qs, urlsplit

import pytest
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
    assert not {"webhook_active", "webhook_url"} & query.keys()


def test_options_go_into_the_link() -> None:
    options = "--name Ours --host https://ghe.example/ --webhook-url https://bot.example/webhook"
    result = CliRunner().invoke(command, ["--organization", "octo-org", *options.split()])
    assert (result.exit_code, result.stderr) == (0, "")
    address = urlsplit(result.stdout.strip())
    assert address.geturl().startswith(
        "https://ghe.example/organizations/octo-org/settings/apps/new?name=Ours&"
    )
    query = parse_qs(address.query)
    assert query["webhook_url"] == ["https://bot.example/webhook"]
    assert query["webhook_active"] == ["true"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--webhook-url", "bot.example/webhook"),
        ("--webhook-url", "https:///webhook"),
        ("--webhook-url", "https://[bot/webhook"),
        ("--host", "ftp://ghe.example"),
        ("--organization", "octo org"),
        ("--organization", "octo--org"),
        ("--organization", "-octo"),
        ("--organization", "octo/../else"),
        ("--organization", "o" * 40),
        ("--organization", ""),
        ("--name", "n" * 35),
        ("--name", " "),
        ("--name", "a\nb"),
    ],
)
def test_what_github_would_not_take_is_refused(option: str, value: str) -> None:
    result = CliRunner().invoke(command, [option, value])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option} should " in result.stderr


@pytest.mark.parametrize(
    ("address", "doubt"),
    [
        (None, "without --webhook-url"),
        ("http://bot.example/webhook", "is not https://"),
        ("https://bot.example", "does not end in /webhook"),
        ("https://bot.example/webhook/", "does not end in /webhook"),
    ],
)
def test_where_events_may_not_arrive_a_warning_stands_beside_the_link(
    address: str | None, doubt: str
) -> None:
    result = CliRunner().invoke(command, ["--webhook-url", address] if address else [])
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert result.stderr.startswith("Warning: ")
    assert doubt in result.stderr


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:9"])
def test_this_machine_needs_no_https(host: str) -> None:
    result = CliRunner().invoke(command, ["--webhook-url", f"http://{host}/webhook"])
    assert (result.exit_code, result.stderr) == (0, "")
