"""Was anything lost, or done twice? Asked of GitHub as it stands, of git, and of the bot's records.

It shares no code with what it checks, but for the review itself (expected.py).
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import sqlalchemy as sa

from bot.core.comment import COMMENT_MARKER, reply_marker
from bot.core.report import Check
from bot.sandbox import CheckRun, Sandbox, Violation
from bot.settings import Settings
from bot.store import overview
from bot.store.database import Database
from tests.chaos.expected import commits_for, should_show
from tests.chaos.scenery import Change, Scenery

_NOISE: Final = {"check_run", "check_suite"}  # of our own runs and pushes: nothing follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Something that is not as it has to be. kind: "lost" too little, "doubled" too much."""

    kind: Literal["lost", "doubled"]
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind:<8} {self.where}: {self.what}"


def all_that_is_wrong(
    scenery: Scenery, github: Sandbox, database: Database, settings: Settings
) -> list[Wrong]:
    """Everything; empty when nothing was lost and nothing doubled."""
    found = [*_deliveries(github, database), *_jobs(database)]
    found += [_against_contract(each) for each in github.violations]
    for change in scenery.changes:
        with github.world.lock:
            found += [
                *_verdicts(change, github, settings),
                *_repeated_runs(change),
                *_commands(change, github),
            ]
    return found


def _against_contract(violation: Violation) -> Wrong:
    return Wrong(kind="lost", where="GitHub's contract", what=str(violation))


def _name(change: Change) -> str:
    return f"{change.pull.repository.full_name}#{change.pull.number}"


def _verdicts(change: Change, github: Sandbox, settings: Settings) -> Iterator[Wrong]:
    """Newest head: the right verdicts; exactly one comment where one is due, with its text."""
    pull, where = change.pull, _name(change)
    installation = next(
        i for i in pull.world.installations.values() if pull.repository in i.repositories
    )
    key = hmac.digest(settings.fingerprint_key, str(installation.id).encode(), hashlib.sha256)
    said = [
        one.body
        for one in pull.comments
        if one.app is not None and one.body.startswith(COMMENT_MARKER)
    ]
    wanted, body = should_show(
        change, github, fingerprint_key=key, standing=said[0] if said else None
    )
    shown = {run.name: run for run in pull.check_runs()}
    for run in wanted:
        stands = shown.get(run.name)
        if stands is None or stands.status != "completed":
            what = f"{run.name} has no verdict on {pull.head_sha[:12]}"
            yield Wrong(kind="lost", where=where, what=what)
        elif _words(stands) != (run.conclusion, run.title, run.summary, run.text or None):
            says = f"{stands.conclusion} ({stands.title})"
            what = f"{run.name} says {says}, not {run.conclusion} ({run.title})"
            yield Wrong(kind="lost", where=where, what=f"{what} on {pull.head_sha[:12]}")
    if len(said) > 1:
        yield Wrong(kind="doubled", where=where, what=f"{len(said)} comments with verdicts")
    if body is not None and not said:
        yield Wrong(kind="lost", where=where, what="the comment is missing")
    elif said and said[0].strip() != (body or "").strip():
        yield Wrong(kind="lost", where=where, what=f"the comment is not of {pull.head_sha[:12]}")


def _words(run: CheckRun) -> tuple[str | None, str | None, str | None, str | None]:
    return run.conclusion, run.title, run.summary, run.text


def _repeated_runs(change: Change) -> Iterator[Wrong]:
    """No run says again what the one before it says on the same commit.

    Two edits that undo each other make three runs, of which the first and the last are alike.
    """
    suites = change.pull.repository.check_suites.values()
    heads = set(change.heads) | {change.pull.head_sha}
    for suite in (one for one in suites if one.head_sha in heads):
        for check in Check:
            ids = [run.external_id for run in suite.check_runs if run.name == check.value]
            again = sum(one == other for one, other in pairwise(ids))
            if again:
                what = f"{check.value} says the same {again + 1} times on {suite.head_sha[:12]}"
                yield Wrong(kind="doubled", where=_name(change), what=what)


def _commands(change: Change, github: Sandbox) -> Iterator[Wrong]:
    """Each command is one commit and a thumb; each question has one answer; no commit is extra."""
    where, replies = _name(change), [one.body for one in change.pull.comments if one.app]
    comments = {one.id: one for one in change.pull.comments}
    known: set[str] = set()
    for asked in change.asked:
        commits = commits_for(change, github, asked.comment_id)
        known.update(commits)
        what = f"{asked.verb} of comment {asked.comment_id}"
        thumbs = {one.content for one in comments[asked.comment_id].reactions}
        if not commits:
            answer = [
                one
                for one in replies
                if one.startswith(reply_marker(f"issuecomment-{asked.comment_id}"))
            ]
            told = (
                answer[0].partition("\n")[2][:200]
                if answer
                else f"no answer, {thumbs or 'no reaction'}"
            )
            yield Wrong(kind="lost", where=where, what=f"{what} made no commit ({told})")
        elif len(commits) > 1:
            yield Wrong(kind="doubled", where=where, what=f"{what} made {len(commits)} commits")
        elif "+1" not in thumbs:
            yield Wrong(kind="lost", where=where, what=f"{what} got no thumb")
    extra = [
        commit.oid
        for commit in change.pull.commits
        if commit.oid in github.world.signed and commit.oid not in known
    ]
    for sha in extra:
        yield Wrong(kind="doubled", where=where, what=f"nobody asked for commit {sha[:12]}")
    for comment_id in (*change.questions, *(one.comment_id for one in change.asked)):
        count = sum(one.startswith(reply_marker(f"issuecomment-{comment_id}")) for one in replies)
        if count > 1:
            what = f"comment {comment_id} was answered {count} times"
            yield Wrong(kind="doubled", where=where, what=what)
        if not count and comment_id in change.questions:
            what = f"comment {comment_id} was not answered"
            yield Wrong(kind="lost", where=where, what=what)


def _deliveries(github: Sandbox, database: Database) -> Iterator[Wrong]:
    """Each delivery was taken, at last; each that was taken is on record, and has ended."""
    taken: dict[str, bool] = {}
    names: dict[str, str] = {}
    for one in github.deliveries:
        names[one.guid] = f"{one.event} {one.action or ''}".strip()
        is_taken = one.status is not None and 200 <= one.status < 300
        if is_taken or one.event not in _NOISE:
            taken[one.guid] = taken.get(one.guid, False) or is_taken
    with database.engine.connect() as connection:
        rows = connection.execute(sa.text("SELECT guid, outcome FROM deliveries"))
        recorded = {row.guid: row.outcome for row in rows}
    for guid, is_taken in taken.items():
        where = f"delivery {guid} ({names[guid]})"
        if not is_taken:
            yield Wrong(kind="lost", where=where, what="it was never acknowledged")
        elif guid not in recorded:
            yield Wrong(kind="lost", where=where, what="it was acknowledged, and is not on record")
        elif recorded[guid] not in {"done", "ignored"}:
            yield Wrong(kind="lost", where=where, what=f"it is {recorded[guid]}")


def _jobs(database: Database) -> Iterator[Wrong]:
    with database.engine.connect() as connection:
        jobs = (
            *overview.unfinished(connection, now_ms=0, limit=1000),
            *overview.given_up(connection, now_ms=0, limit=1000),
        )
    for job in jobs:
        yield Wrong(kind="lost", where=job.name, what=f"its job is {job.state} ({job.error})")
