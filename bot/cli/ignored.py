"""memoryrail-bot ignored: what maintainers say is no secret, and taking that back."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import asking
from bot.core.errors import UserError

if TYPE_CHECKING:
    import sqlalchemy as sa

    from bot.store.dismissals import Standing


@click.group()
def command() -> None:
    """See which findings maintainers ignore as no secrets, and take that back.

    No value is kept: a finding goes by the fingerprint that its check gave.
    """


@command.command(name="list")
@click.argument("name", metavar="[OWNER/NAME]", required=False)
@asking.limit
@asking.as_json
@asking.env_file
def list_(*, name: str | None, limit: int, as_json: bool, env_file: Path | None) -> None:
    """List what is ignored, the newest first. Why it is stands in the comment.

    \b
    Examples:
      memoryrail-bot ignored list octo/shop --env-file .env
    """
    from bot.store import dismissals

    with asking.opened(env_file) as database:
        found = database.transact_here(
            lambda connection: dismissals.newest(connection, repository=name, limit=limit)
        )
    if as_json:
        asking.document([_document(one) for one in found])
    elif found:
        asking.table(("FINGERPRINT", "WHERE", "COMMENT", "BY ACCOUNT", "SINCE"), _cells(found))
    else:
        click.echo("Nothing is ignored.")


@command.command()
@click.argument("name", metavar="OWNER/NAME")
@click.argument("fingerprints", metavar="FINGERPRINT...", nargs=-1, required=True)
@asking.env_file
def undo(*, name: str, fingerprints: tuple[str, ...], env_file: Path | None) -> None:
    """Let findings count again in a repository. Its open pull requests are reviewed anew.

    \b
    Examples:
      memoryrail-bot ignored undo octo/shop 0123456789abcdef --env-file .env
    """
    from bot.core.kept import Kept
    from bot.jobs.queue import Queue
    from bot.store import dismissals, kept
    from bot.store.pulls import PullKey
    from bot.store.work import RepositoryNews, Work, WorkKind

    wanted = dict.fromkeys(one.lower() for one in fingerprints)
    with asking.opened(env_file) as database:
        queue = Queue(database, workers=1, poll=timedelta(seconds=1))

        def take_back(connection: "sa.Connection") -> None:
            standing = dismissals.newest(connection, repository=name)
            found = [one for one in standing if one.dismissal.fingerprint in wanted]
            known = {one.dismissal.fingerprint for one in found}
            if unknown := [one for one in wanted if one not in known]:
                raise UserError(f"{name} does not ignore {', '.join(unknown)}; nothing was undone")
            now = asking.now_ms()
            for one in found:  # several of one, where a repository had the name before
                key = PullKey(repository_id=one.repository_id, number=one.dismissal.number)
                undone = Kept(
                    verb="ignore",
                    name=one.dismissal.fingerprint,
                    number=key.number,
                    comment=one.dismissal.comment or "",
                    at_ms=one.at_ms,
                )
                kept.undo(connection, key, [undone], by="operator", written_ms=now)
                news = RepositoryNews(
                    repository_id=one.repository_id,
                    installation_id=one.installation_id,
                    repository=one.repository,
                    work=(Work(kind=WorkKind.WAKE),),
                )
                queue.hear(connection, news)

        database.transact_here(take_back)
        queue.close()
    for fingerprint in wanted:
        click.echo(f"{fingerprint} counts again.")


def _cells(found: tuple["Standing", ...]) -> list[tuple[str, ...]]:
    return [
        (
            one.dismissal.fingerprint,
            f"{one.repository}#{one.dismissal.number}",
            one.dismissal.comment or "-",
            str(one.dismissal.actor_id),
            asking.moment(one.at_ms),
        )
        for one in found
    ]


def _document(one: "Standing") -> dict[str, object]:
    return {
        "fingerprint": one.dismissal.fingerprint,
        "about": f"{one.repository}#{one.dismissal.number}",
        "repository_id": one.repository_id,
        "comment": one.dismissal.comment,
        "actor_id": one.dismissal.actor_id,
        "at": asking.moment(one.at_ms),
    }
