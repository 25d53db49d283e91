"""`memoryrail-bot register`: the link that opens GitHub's form for a new app, filled in."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, quote, urlencode, urlsplit

import click
import yaml

PATH: Final = "/webhook"  # where memoryrail-bot serve takes deliveries

_CHECKOUT: Final = Path(__file__).parents[2] / "app.yml"
_ORGANIZATION: Final = re.compile(r"(?=.{1,39}$)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_MAX_NAME: Final = 34  # characters, of an app's name; GitHub's form takes no more


@click.command(name="register")
@click.option("--webhook-url", help="Where GitHub sends events: your server's address + /webhook.")
@click.option("--homepage-url", help="What the app's page links to.  [default: your server]")
@click.option("--organization", help="Register it for an organization, not for your account.")
@click.option("--name", help="Another name: names of apps are unique on GitHub.")
@click.option("--host", default="https://github.com", show_default=True, help="Your GitHub.")
def command(
    webhook_url: str | None,
    homepage_url: str | None,
    organization: str | None,
    name: str | None,
    host: str,
) -> None:
    """Print the link that registers the app on GitHub.

    Open it, choose a webhook secret (openssl rand -hex 32 makes one) and press the button; then
    create a private key there.
    """
    for option, address in (("--homepage-url", homepage_url), ("--host", host)):
        if address is not None and not _server(address):
            raise click.UsageError(f"{option} should begin with https:// and name a server")
    if webhook_url is not None:
        webhook_url = _webhook_url(webhook_url)
    if organization is not None and not _ORGANIZATION.fullmatch(organization):
        raise click.UsageError(
            "--organization should be its name on GitHub: letters and digits, with single hyphens "
            "between them"
        )
    if name is not None and not (name.strip() and name.isprintable() and len(name) <= _MAX_NAME):
        raise click.UsageError(f"--name should have 1 to {_MAX_NAME} characters on one line")
    if webhook_url is None:
        click.echo(f"Note: the form wants your server's address + {PATH} from you", err=True)
    app = manifest()
    if not app.public:
        owner = organization or "your account"
        click.echo(
            f"Note: the app can be installed on {owner} only. For others too: "
            "Advanced, Make public, on its settings page",
            err=True,
        )
    click.echo(
        link(
            app,
            host=host.rstrip("/"),
            organization=organization,
            name=name,
            webhook_url=webhook_url,
            homepage_url=homepage_url or (webhook_url or "").removesuffix(PATH) or None,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """app.yml: what the app is called, what it may do and what it hears of."""

    name: str
    description: str
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
    homepage_url: str | None = None,
) -> str:
    """The address of GitHub's form with an app's values in its query.

    https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-using-url-parameters
    """
    query = [
        ("name", name or app.name),
        ("description", app.description),
        *([("url", homepage_url)] if homepage_url else []),
        ("public", "true" if app.public else "false"),
        *([("webhook_active", "true"), ("webhook_url", webhook_url)] if webhook_url else []),
        *app.permissions.items(),
        *(("events[]", event) for event in app.events),
    ]
    owner = f"organizations/{quote(organization)}/" if organization else ""
    return f"{host}/{owner}settings/apps/new?{urlencode(query, safe='[]:/')}"


def _webhook_url(text: str) -> str:
    """An address where `memoryrail-bot serve` listens; raises UsageError, no wrong link is made."""
    server = _server(text)
    if server is None or (server.scheme != "https" and not _is_loopback(server.hostname or "")):
        raise click.UsageError(
            "--webhook-url should begin with https:// and name a server; http:// would let anybody "
            "on the way read the events"
        )
    path = server.path.rstrip("/") or PATH
    if not path.endswith(PATH) or server.query or server.fragment:
        raise click.UsageError(f"--webhook-url should end in {PATH}, where the bot listens")
    return server._replace(path=path).geturl()


def _server(text: str) -> SplitResult | None:
    """The parts of a web address; None when it is none."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return parts if parts.scheme in {"http", "https"} and parts.hostname else None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
