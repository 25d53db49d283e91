"""memoryrail-bot jobs: what the bot has to do, read beside the running bot.

Nothing here needs the bot to run, and nothing stops it: what is asked for is a row that it finds.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli import asking
from bot.core.errors import UserError

if TYPE_CHECKING:
    import sqlalchemy as sa

    from bot.store.overview import JobRow

_NAME: Final = re.compile(r"([\w.-]+/[\w.-]+)(?:#(\d{1,9}))?", re.ASCII)
_KEY: Final = re.compile(r"(\d{1,18}):(\d{1,9})", re.ASCII)
_SHOWN: Final = 10  # deliveries of one job
_CANCELLED: Final = "Cancelled"  # stands where the class of a failure does


@click.group()
def command() -> None:
    """See what waits, runs or was given up, and have it done again.

    A job brings one pull request up to date. It is called owner/name#NUMBER; what is to be done for
    a repository itself is called owner/name.
    """


@command.command(name="list", short_help="List what waits, runs or was given up.")
@click.option("--given-up", "only_given_up", is_flag=True, help="Only those that were given up.")
@asking.limit
@asking.as_json
@asking.env_file
def list_(*, only_given_up: bool, limit: int, as_json: bool, env_file: Path | None) -> None:
    """List the jobs that have not ended, the oldest first, and those that were given up.

    \b
    Examples:
      memoryrail-bot jobs list --env-file .env
      memoryrail-bot jobs list --given-up --json
    """
    from bot.store import overview

    now = asking.now_ms()

    def read(connection: "sa.Connection") -> tuple["JobRow", ...]:
        waits = () if only_given_up else overview.unfinished(connection, now_ms=now, limit=limit)
        left = limit - len(waits)
        failed = overview.given_up(connection, now_ms=now, limit=left) if left else ()
        return waits + failed

    with asking.opened(env_file) as database:
        found = database.transact_here(read)
    if as_json:
        asking.document([_document(one) for one in found])
    elif found:
        head = ("JOB", "STATE", "SINCE", "ATTEMPTS", "LAST ERROR")
        asking.table(head, [_row(one) for one in found])
    else:
        click.echo(
            "No job was given up." if only_given_up else "No job waits, runs or was given up."
        )


@command.command()
@click.argument("name")
@asking.as_json
@asking.env_file
def show(*, name: str, as_json: bool, env_file: Path | None) -> None:
    """Show a job, and the deliveries that woke it.

    NAME: owner/name#NUMBER, owner/name, or the ids that the log names, such as 7:3.
    """
    from bot.cli.deliveries import document_of, rows_of
    from bot.store import overview

    with asking.opened(env_file) as database:
        row = database.transact_here(lambda connection: _found(connection, name))
        came = database.transact_here(
            lambda connection: overview.deliveries_of(connection, row.key, limit=_SHOWN)
        )
    shown = _document(row)
    if as_json:
        asking.document({**shown, "deliveries": [document_of(one) for one in came]})
        return
    for label, value in shown.items():
        click.echo(f"{label.replace('_', ' '):<14}{'-' if value is None else value}")
    if came:
        click.echo()
        rows_of(came)


@command.command(short_help="Have jobs done again, now.")
@click.argument("names", nargs=-1)
@click.option("--given-up", "all_given_up", is_flag=True, help="All that were given up.")
@asking.env_file
def retry(*, names: tuple[str, ...], all_given_up: bool, env_file: Path | None) -> None:
    """Have jobs done again, from the beginning and without waiting for a pause to end.

    NAMES: owner/name#NUMBER, owner/name or ids. Doing a job again changes nothing that is right.

    \b
    Examples:
      memoryrail-bot jobs retry octo/shop#12 --env-file .env
      memoryrail-bot jobs retry --given-up       after an outage
    """
    from bot.jobs.queue import Queue
    from bot.store import overview
    from bot.store.pulls import Wake

    if bool(names) == all_given_up:
        raise click.UsageError("Name jobs, or say --given-up.")
    now = asking.now_ms()
    with asking.opened(env_file) as database:
        queue = Queue(database, workers=1, poll=timedelta(seconds=1))

        def ask(connection: "sa.Connection") -> Sequence["JobRow"]:
            wanted = (
                overview.given_up(connection, now_ms=now, limit=10_000)
                if all_given_up
                else tuple(_found(connection, name) for name in names)
            )
            for one in wanted:
                wake = Wake(
                    key=one.key, installation_id=one.installation_id, repository=one.repository
                )
                queue.wake(connection, wake)
            return [_by_key(connection, f"{one.key}") for one in wanted]

        for row in database.transact_here(ask):
            click.echo(f"{row.name}: {row.state}, {asking.span(row.since_ms)}")
        queue.close()


@command.command()
@click.argument("names", nargs=-1, required=True)
@asking.env_file
def cancel(*, names: tuple[str, ...], env_file: Path | None) -> None:
    """Give jobs up that wait. What has begun ends by itself, and is not tried again.

    The pull request's checks stay as they are until something new happens there, or `jobs retry`.
    """
    from bot.store import pulls
    from bot.store.overview import JobState
    from bot.store.pulls import Failure, Job

    with asking.opened(env_file) as database:

        def ask(connection: "sa.Connection") -> list[tuple[str, bool]]:
            rows = [_found(connection, name) for name in names]
            unfinished = [row.state not in {JobState.DONE, JobState.GIVEN_UP} for row in rows]
            for row, is_unfinished in zip(rows, unfinished, strict=True):
                if is_unfinished:
                    pulls.finish(
                        connection,
                        Job(key=row.key, seq=row.seq),
                        now_ms=asking.now_ms(),
                        failure=Failure(error=_CANCELLED, request_id=""),
                    )
            return list(zip((row.name for row in rows), unfinished, strict=True))

        for name, is_unfinished in database.transact_here(ask):
            click.echo(f"{name}: {'cancelled' if is_unfinished else 'has ended already'}")


def _found(connection: "sa.Connection", name: str) -> "JobRow":
    """The job that a person named. Raises UserError."""
    from bot.store import overview

    if _KEY.fullmatch(name):
        return _by_key(connection, name)
    match = _NAME.fullmatch(name)
    if match is None:
        raise UserError(f"{name!r} should be owner/name#NUMBER, owner/name or ids such as 7:3")
    found = overview.named(connection, match[1], int(match[2] or 0), now_ms=asking.now_ms())
    if not found:
        raise UserError(f"nothing was heard of {name} yet")
    if len(found) > 1:
        keys = " or ".join(str(one.key) for one in found)
        raise UserError(f"several repositories were called {name}: say {keys}")
    return found[0]


def _by_key(connection: "sa.Connection", key: str) -> "JobRow":
    from bot.store import overview
    from bot.store.pulls import PullKey

    repository_id, _, number = key.partition(":")
    row = overview.job(
        connection,
        PullKey(repository_id=int(repository_id), number=int(number)),
        now_ms=asking.now_ms(),
    )
    if row is None:
        raise UserError(f"nothing was heard of {key} yet")
    return row


def _row(job: "JobRow") -> tuple[str, ...]:
    error = " ".join(filter(None, (job.error, job.request_id))) or "-"
    return job.name, str(job.state), asking.span(job.since_ms), str(job.attempts), error


def _document(job: "JobRow") -> dict[str, object]:
    return {
        "name": job.name,
        "id": str(job.key),
        "state": str(job.state),
        "since": asking.moment(job.since_ms),
        "attempts": job.attempts,
        "error": job.error,
        "request_id": job.request_id or None,
        "head_sha": job.head_sha,
        "installation": job.installation_id,
    }
