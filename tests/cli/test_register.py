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
    assert not {"webhook_active", "webhook_url", "url"} & query.keys()


def test_options_go_into_the_link() -> None:
    options = "--name Ours --host https://ghe.example/ --webhook-url https://bot.example/webhook"
    result = CliRunner().invoke(command, ["--organization", "octo-org", *options.split()])
    assert result.exit_code == 0
    assert result.stderr.startswith("Note: the app can be installed on octo-org only. For others ")
    assert result.stderr.count("\n") == 1
    address = urlsplit(result.stdout.strip())
    assert address.geturl().startswith(
        "https://ghe.example/organizations/octo-org/settings/apps/new?name=Ours&"
    )
    query = parse_qs(address.query)
    assert query["webhook_url"] == ["https://bot.example/webhook"]
    assert query["webhook_active"] == ["true"]
    assert query["url"] == ["https://bot.example"]


def test_the_homepage_is_the_operators(capsys: pytest.CaptureFixture[str]) -> None:
    command(
        ["--homepage-url", "https://intra.example/bot", "--webhook-url", "https://bot.example"],
        standalone_mode=False,
    )
    query = parse_qs(urlsplit(capsys.readouterr().out.strip()).query)
    assert query["url"] == ["https://intra.example/bot"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--webhook-url", "bot.example/webhook"),
        ("--webhook-url", "https:///webhook"),
        ("--webhook-url", "https://[bot/webhook"),
        ("--webhook-url", "http://bot.example/webhook"),
        ("--webhook-url", "https://bot.example/hooks"),
        ("--webhook-url", "https://bot.example/webhooks"),
        ("--webhook-url", "https://bot.example/webhook?key=1"),
        ("--homepage-url", "bot.example"),
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
    ("given", "linked"),
    [
        ("https://bot.example", "https://bot.example/webhook"),
        ("https://bot.example/", "https://bot.example/webhook"),
        ("https://bot.example/webhook/", "https://bot.example/webhook"),
        ("https://example.com/bot/webhook", "https://example.com/bot/webhook"),
        ("http://localhost:8080", "http://localhost:8080/webhook"),
        ("http://127.0.0.1/webhook", "http://127.0.0.1/webhook"),
        ("http://[::1]:9/webhook", "http://[::1]:9/webhook"),
    ],
)
def test_the_link_sends_events_to_where_the_bot_listens(given: str, linked: str) -> None:
    """This machine needs no https; a bare address is completed."""
    result = CliRunner().invoke(command, ["--webhook-url", given])
    assert result.exit_code == 0
    assert parse_qs(urlsplit(result.stdout.strip()).query)["webhook_url"] == [linked]


def test_without_an_address_the_form_asks_for_it() -> None:
    result = CliRunner().invoke(command, [])
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert result.stderr.startswith("Note: the form wants your server's address + /webhook")
