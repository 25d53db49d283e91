"""memoryrail-bot audit: which commands people gave on pull requests, and what came of each."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli import asking
from bot.core.errors import UserError
from bot.render.terminal import plain

if TYPE_CHECKING:
    from bot.store.audit import AuditEntry

_NAME: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:#(\d{1,9}))?", re.ASCII)


@click.command()
@click.argument("name", required=False)
@click.option("--actor", metavar="LOGIN", help="Only what one account asked for.")
@click.option("--verb", metavar="VERB", help="Only one command, such as approve.")
@click.option("--since", metavar="DATE", help="Only since a day, such as 2026-10-01.")
@asking.limit
@asking.as_json
@asking.env_file
def command(
    *,
    name: str | None,
    actor: str | None,
    verb: str | None,
    since: str | None,
    limit: int,
    as_json: bool,
    env_file: Path | None,
) -> None:
    """List the commands that people gave, the newest first.

    NAME: owner/name#NUMBER or owner/name. Each row says who asked for what and where, what GitHub
    said they may do, which head it was decided on, and what came of it.

    \b
    Examples:
      memoryrail-bot audit octo/shop#12 --env-file .env
      memoryrail-bot audit --actor ada --verb approve --since 2026-10-01 --json
    """
    from bot.store import audit

    match = _NAME.fullmatch(name or "")
    if name and match is None:
        raise UserError(f"{name!r} should be owner/name#NUMBER or owner/name")
    since_ms = _day(since) if since else 0
    with asking.opened(env_file) as database:
        found = database.transact_here(
            lambda connection: audit.newest(
                connection,
                repository=match[1] if match else None,
                number=int(match[2]) if match and match[2] else None,
                actor=actor.lstrip("@") if actor else None,
                verb=verb,
                since_ms=since_ms,
                limit=limit,
            )
        )
    if as_json:
        asking.document([_document(one) for one in found])
    elif found:
        head = ("WHEN", "WHERE", "WHO", "MAY", "COMMAND", "OUTCOME", "COMMIT")
        asking.table(head, [_cells(one) for one in found])
    else:
        click.echo("No such command.")


def _day(text: str) -> int:
    """A day's beginning in Unix milliseconds."""
    try:
        return int(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    except ValueError:
        raise UserError(f"{text!r} is no date such as 2026-10-01") from None


def _cells(one: "AuditEntry") -> tuple[str, ...]:
    row = one.row
    return (
        asking.moment(one.at_ms),
        one.name,
        row.actor or str(row.actor_id or "-"),
        row.permission or "-",
        plain(" ".join(filter(None, [row.verb, row.refs]))) or "(not read)",
        str(row.outcome),
        (row.commit_sha or "-")[:12],
    )


def _document(one: "AuditEntry") -> dict[str, object]:
    row = one.row
    return {
        "at": asking.moment(one.at_ms),
        "about": one.name,
        "repository_id": one.key.repository_id,
        "comment": row.comment,
        "position": row.position,
        "actor": row.actor or None,
        "actor_id": row.actor_id,
        "permission": row.permission or None,
        "verb": row.verb or None,
        "refs": row.refs.split(),
        "outcome": str(row.outcome),
        "head_sha": row.head_sha or None,
        "commit_sha": row.commit_sha,
    }
