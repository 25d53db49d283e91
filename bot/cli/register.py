"""`memoryrail-bot register`: the link that opens GitHub's form for a new app, filled in."""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

import click
import yaml

_CHECKOUT: Final = Path(__file__).parents[2] / "app.yml"
_ORGANIZATION: Final = re.compile(r"(?=.{1,39}$)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_MAX_NAME: Final = 34  # characters, of an app's name; GitHub's form takes no more


@click.command(name="register")
@click.option("--webhook-url", help="Where GitHub sends events: your server's address + /webhook.")
@click.option("--organization", help="Register it for an organization, not for your account.")
@click.option("--name", help="Another name: names of apps are unique on GitHub.")
@click.option("--host", default="https://github.com", show_default=True, help="Your GitHub.")
def command(webhook_url: str | None, organization: str | None, name: str | None, host: str) -> None:
    """Print the link that registers the app on GitHub.

    Open it, choose a webhook secret (openssl rand -hex 32 makes one) and press the button; then
    create a private key there.
    """
    for option, address in (("--webhook-url", webhook_url), ("--host", host)):
        if address is not None and not _is_web_address(address):
            raise click.UsageError(f"{option} should begin with https:// and name a server")
    if organization is not None and not _ORGANIZATION.fullmatch(organization):
        raise click.UsageError(
            "--organization should be its name on GitHub: letters and digits, with single hyphens "
            "between them"
        )
    if name is not None and not (name.strip() and name.isprintable() and len(name) <= _MAX_NAME):
        raise click.UsageError(f"--name should have 1 to {_MAX_NAME} characters on one line")
    for doubt in _doubts(webhook_url):
        click.echo(f"Warning: {doubt}", err=True)
    click.echo(
        link(
            manifest(),
            host=host.rstrip("/"),
            organization=organization,
            name=name,
            webhook_url=webhook_url,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """app.yml: what the app is called, what it may do and what it hears of."""

    name: str
    description: str
    url: str
    public: bool
    permissions: Mapping[str, str]  # permission -> read or write
    events: tuple[str, ...]


def manifest() -> App:
    """app.yml: the packaged copy, or in a checkout the file itself."""
    packaged = resources.files("bot.cli") / "app.yml"
    values = yaml.safe_load((packaged if packaged.is_file() else _CHECKOUT).read_text("utf-8"))
    return App(**{**values, "events": tuple(values["events"])})


def link(
    app: App,
    *,
    host: str,
    organization: str | None = None,
    name: str | None = None,
    webhook_url: str | None = None,
) -> str:
    """The address of GitHub's form with an app's values in its query.

    https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-using-url-parameters
    """
    query = [
        ("name", name or app.name),
        ("description", app.description),
        ("url", app.url),
        ("public", "true" if app.public else "false"),
        *([("webhook_active", "true"), ("webhook_url", webhook_url)] if webhook_url else []),
        *app.permissions.items(),
        *(("events[]", event) for event in app.events),
    ]
    owner = f"organizations/{quote(organization)}/" if organization else ""
    return f"{host}/{owner}settings/apps/new?{urlencode(query, safe='[]:/')}"


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def _doubts(webhook_url: str | None) -> Iterator[str]:
    """Why GitHub's events may not arrive."""
    if webhook_url is None:
        yield "without --webhook-url, the form needs your server's address + /webhook from you"
        return
    parts = urlsplit(webhook_url)
    if parts.scheme != "https" and not _is_loopback(parts.hostname or ""):
        yield "--webhook-url is not https://, so anybody on the way can read the events"
    if not parts.path.endswith("/webhook"):
        yield "--webhook-url does not end in /webhook, where memoryrail-bot serve listens"


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
