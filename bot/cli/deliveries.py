"""memoryrail-bot deliveries: what GitHub sent, read beside the running bot; no payloads."""

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli import asking
from bot.core.errors import UserError

if TYPE_CHECKING:
    from bot.github.tokens import Credentials
    from bot.settings import Settings
    from bot.store.overview import DeliveryRow

_GUID: Final = re.compile(r"[0-9A-Za-z-]{1,64}")
_SPREAD_MS: Final = 600_000  # between GitHub's clock and ours, and on the way


@click.group()
def command() -> None:
    """See what GitHub sent, what came of it, and ask for it again."""


@command.command(name="list")
@click.option(
    "--outcome",
    type=click.Choice(["failed", "pending"]),
    help="Only those whose job was given up, or whose job has not ended.",
)
@asking.limit
@asking.as_json
@asking.env_file
def list_(*, outcome: str | None, limit: int, as_json: bool, env_file: Path | None) -> None:
    """List deliveries, the newest first.

    \b
    Examples:
      memoryrail-bot deliveries list --env-file .env
      memoryrail-bot deliveries list --outcome failed
    """
    from bot.store import overview
    from bot.store.deliveries import Outcome

    wanted = Outcome(outcome) if outcome else None
    with asking.opened(env_file) as database:
        found = database.transact_here(
            lambda connection: overview.newest(connection, outcome=wanted, limit=limit)
        )
    if as_json:
        asking.document([document_of(one) for one in found])
    elif found:
        rows_of(found)
    else:
        click.echo("No such delivery.")


@command.command()
@click.argument("guid")
@asking.as_json
@asking.env_file
def show(*, guid: str, as_json: bool, env_file: Path | None) -> None:
    """Show a delivery. GUID: as in the log, and on the app's page on GitHub."""
    row = _row(guid, env_file)
    if row is None:
        raise UserError(f"no delivery {guid} came, or it is forgotten; replay asks GitHub for it")
    if as_json:
        asking.document(document_of(row))
        return
    for label, value in document_of(row).items():
        click.echo(f"{label.replace('_', ' '):<14}{'-' if value is None else value}")


@command.command(short_help="Ask GitHub to send a delivery again.")
@click.argument("guid")
@asking.env_file
def replay(*, guid: str, env_file: Path | None) -> None:
    """Ask GitHub to send a delivery again, and have it acted on as if it were new.

    GitHub keeps deliveries for three days, also those that never reached the bot. What the delivery
    was about is done as it is now: `jobs retry` does the same without GitHub's help.
    """
    from bot.settings import Settings
    from bot.store.deliveries import Outcome

    row = _row(guid, env_file)
    if row is not None and row.outcome is Outcome.PENDING:
        raise UserError(f"{guid} is being worked on: memoryrail-bot jobs show {row.name}")
    settings = Settings.read(os.environ, env_file=env_file)
    asyncio.run(_replay(settings, guid, row, env_file))
    click.echo(f"GitHub sends {guid} again.")


async def _replay(
    settings: "Settings", guid: str, row: "DeliveryRow | None", env_file: Path | None
) -> None:
    from bot.github.delivery_log import redeliver
    from bot.github.installation import GitHubApp
    from bot.store import deliveries

    github = GitHubApp(
        app_id=str(settings.app_id),
        private_key=settings.private_key,
        api_url=settings.github_url,
    )
    try:
        since_ms = row.received_ms if row else 0
        id_ = await _find(github.credentials, guid, since_ms=since_ms)
        if id_ is None:
            raise UserError(f"GitHub's log of this app's deliveries has no {guid} (any longer)")
        if row is not None:  # before it comes, or it would be taken for known
            with asking.opened(env_file) as database:
                database.transact_here(lambda connection: deliveries.reopen(connection, guid))
        if not await redeliver(github.credentials, id_):
            raise UserError(f"GitHub can send {guid} no longer")
    finally:
        await github.aclose()


async def _find(credentials: "Credentials", guid: str, *, since_ms: int) -> int | None:
    """The id of the newest attempt to deliver guid; None where the log has none since then."""
    from bot.github.delivery_log import read_log

    cursor = None
    while page := await read_log(credentials, only_failures=False, cursor=cursor):
        for one in page.deliveries:
            if one.guid == guid:
                return one.id
            if one.delivered_at.timestamp() * 1000 < since_ms - _SPREAD_MS:
                return None
        cursor = page.cursor
        if cursor is None:
            break
    return None


def _row(guid: str, env_file: Path | None) -> "DeliveryRow | None":
    from bot.store import overview

    if not _GUID.fullmatch(guid):
        raise UserError(f"{guid!r} is no GUID of a delivery")
    with asking.opened(env_file) as database:
        return database.transact_here(lambda connection: overview.delivery(connection, guid))


def rows_of(found: Sequence["DeliveryRow"]) -> None:
    """Print a table of deliveries."""
    head = ("DELIVERY", "EVENT", "ABOUT", "CAME", "OUTCOME", "REASON")
    asking.table(
        head,
        [
            (
                one.guid,
                f"{one.event}.{one.action}" if one.action else one.event,
                one.name or "-",
                asking.span(one.received_ms),
                str(one.outcome),
                one.reason or "-",
            )
            for one in found
        ],
    )


def document_of(one: "DeliveryRow") -> dict[str, object]:
    """A delivery for programs."""
    return {
        "guid": one.guid,
        "event": one.event,
        "action": one.action,
        "about": one.name or None,
        "installation": one.installation_id,
        "repository_id": one.repository_id,
        "received": asking.moment(one.received_ms),
        "outcome": str(one.outcome),
        "reason": one.reason,
    }
