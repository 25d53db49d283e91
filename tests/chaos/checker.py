"""Was anything lost, or done twice? Asked of GitHub as it stands, of git, and of the bot's records.

It shares no code with what it checks, but for the review itself (expected.py).
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import sqlalchemy as sa

from bot.core.check_run import CheckRun as Verdict
from bot.core.comment import COMMENT_MARKER, reply_marker
from bot.core.report import Check
from bot.render.check_runs import DECISIONS
from bot.sandbox import CheckRun, Sandbox, Violation
from bot.sandbox.deliveries import Delivery
from bot.sandbox.state.repositories import Repository
from bot.settings import Settings
from bot.store import overview
from bot.store.database import Database
from tests.chaos.expected import bases, commits_for, should_say, should_show, should_show_on
from tests.chaos.merge_queue import Group
from tests.chaos.scenery import Change, Scenery

_MADE: Final = ("check_run", "created")
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
    with github.world.lock:
        for change in scenery.changes:
            if change.is_open:
                found += _verdicts(change, scenery.sharing(change), github, settings)
            found += [*_one_comment(change), *_commands(change, github)]
        found += _commits_of_nobody(scenery, github)
        for group in scenery.groups:
            found += _group_verdicts(group, scenery, github, settings)
        taken_back = _began_in_progress(github)
        for repository in scenery.repositories:
            found += _repeated_runs(repository, taken_back)
    return found


def _against_contract(violation: Violation) -> Wrong:
    return Wrong(kind="lost", where="GitHub's contract", what=str(violation))


def _name(change: Change) -> str:
    return f"{change.pull.repository.full_name}#{change.pull.number}"


def _verdicts(
    change: Change, sharing: Sequence[Change], github: Sandbox, settings: Settings
) -> Iterator[Wrong]:
    """Newest head: the right verdicts; the comment, where one is due, with its text."""
    pull, where = change.pull, _name(change)
    key, tips = _fingerprint_key(pull.repository, settings), list(bases(sharing))
    compared = (
        list(
            _compared(
                should_show(sharing, github, each, fingerprint_key=key),
                pull.check_runs(),
                where,
                pull.head_sha,
            )
        )
        for each in tips
    )
    yield from _best(compared)
    said = _said(change)
    standing = said[0] if said else None
    bodies = [
        should_say(change, sharing, github, each, fingerprint_key=key, standing=standing)
        for each in tips
    ]
    if standing is None and None not in bodies:
        yield Wrong(kind="lost", where=where, what="the comment is missing")
    elif standing is not None and standing.strip() not in [(one or "").strip() for one in bodies]:
        yield Wrong(kind="lost", where=where, what=f"the comment is not of {pull.head_sha[:12]}")


def _best(compared: Iterable[list[Wrong]]) -> list[Wrong]:
    """Nothing where one of them found nothing, else what the first one found."""
    first: list[Wrong] | None = None
    for found in compared:
        if not found:
            return []
        first = first or found
    return first or []


def _one_comment(change: Change) -> Iterator[Wrong]:
    """No two comments with verdicts, closed pull requests included."""
    if (count := len(_said(change))) > 1:
        yield Wrong(kind="doubled", where=_name(change), what=f"{count} comments with verdicts")


def _said(change: Change) -> list[str]:
    comments = (one for one in change.pull.comments if one.app is not None)
    return [one.body for one in comments if one.body.startswith(COMMENT_MARKER)]


def _group_verdicts(
    group: Group, scenery: Scenery, github: Sandbox, settings: Settings
) -> Iterator[Wrong]:
    """The right verdicts, under all four names.

    What became of its pull requests after it was merged or left the queue is not told by it.
    """
    changes = [one for pull in group.pulls for one in scenery.changes if one.pull is pull]
    where = f"group {group.repository.full_name}" + "".join(f"#{one.number}" for one in group.pulls)
    if group.stands:
        key = _fingerprint_key(group.repository, settings)
        wanted = should_show_on(group, changes, github, fingerprint_key=key)
        yield from _compared(wanted, group.runs, where, group.head_sha)
    elif not group.has_verdicts:
        yield Wrong(kind="lost", where=where, what=f"verdicts went from {group.head_sha[:12]}")


def _compared(
    wanted: Sequence[Verdict], found: Sequence[CheckRun], where: str, sha: str
) -> Iterator[Wrong]:
    shown = {run.name: run for run in found}
    for run in wanted:
        stands = shown.get(run.name)
        if stands is None or stands.status != "completed":
            what = f"{run.name} has no verdict on {sha[:12]}"
            yield Wrong(kind="lost", where=where, what=what)
        elif _words(stands) != (run.conclusion, run.title, run.summary, _text(run.text)):
            says = f"{stands.conclusion} ({stands.title})"
            what = f"{run.name} says {says}, not {run.conclusion} ({run.title})"
            yield Wrong(kind="lost", where=where, what=f"{what} on {sha[:12]}")


def _fingerprint_key(repository: Repository, settings: Settings) -> bytes:
    installed = repository.world.installations.values()
    installation = next(one for one in installed if repository in one.repositories)
    return hmac.digest(settings.fingerprint_key, str(installation.id).encode(), hashlib.sha256)


def _words(run: CheckRun) -> tuple[str | None, str | None, str | None, str]:
    """Without the commands that were given: they are looked at on their own."""
    return run.conclusion, run.title, run.summary, _text(run.text)


def _text(text: str | None) -> str:
    return (text or "").partition(DECISIONS)[0].rstrip("\n")


def _began_in_progress(github: Sandbox) -> set[int]:
    """Ids of check runs that took a verdict back, until there was a new one."""
    made = (one.payload for one in github.deliveries if (one.event, one.action) == _MADE)
    return {one["check_run"]["id"] for one in made if one["check_run"]["status"] != "completed"}


def _repeated_runs(repository: Repository, taken_back: set[int]) -> Iterator[Wrong]:
    """No run says again what the one before it says on the same commit, and still said.

    Two edits that undo each other make three runs, of which the first and the last are alike.
    """
    for suite in repository.check_suites.values():
        for check in Check:
            runs = [run for run in suite.check_runs if run.name == check.value]
            again = sum(
                one.external_id == other.external_id and other.id not in taken_back
                for one, other in pairwise(runs)
            )
            if again:
                what = f"{check.value} says the same {again + 1} times on {suite.head_sha[:12]}"
                yield Wrong(kind="doubled", where=repository.full_name, what=what)


def _commands(change: Change, github: Sandbox) -> Iterator[Wrong]:
    """Each command is one commit and a thumb; each question has one answer."""
    where, replies = _name(change), [one.body for one in change.pull.comments if one.app]
    comments = {one.id: one for one in change.pull.comments}
    for asked in change.asked:
        commits = commits_for(change, github, asked.comment_id)
        what = f"{asked.verb} of comment {asked.comment_id}"
        thumbs = {one.content for one in comments[asked.comment_id].reactions}
        if not commits:
            answer = [
                one
                for one in replies
                if one.startswith(reply_marker(f"issuecomment-{asked.comment_id}"))
            ]
            told = (
                " ".join(answer[0].partition("\n")[2].split())[:500]
                if answer
                else f"no answer, {thumbs or 'no reaction'}"
            )
            yield Wrong(kind="lost", where=where, what=f"{what} made no commit ({told})")
        elif len(commits) > 1:
            yield Wrong(kind="doubled", where=where, what=f"{what} made {len(commits)} commits")
        elif "+1" not in thumbs:
            yield Wrong(kind="lost", where=where, what=f"{what} got no thumb")
    for comment_id in (*change.questions, *(one.comment_id for one in change.asked)):
        count = sum(one.startswith(reply_marker(f"issuecomment-{comment_id}")) for one in replies)
        if count > 1:
            what = f"comment {comment_id} was answered {count} times"
            yield Wrong(kind="doubled", where=where, what=what)
        if not count and comment_id in change.questions:
            what = f"comment {comment_id} was not answered"
            yield Wrong(kind="lost", where=where, what=what)


def _commits_of_nobody(scenery: Scenery, github: Sandbox) -> Iterator[Wrong]:
    """Each commit of the bot's is one that a command asked for."""
    known = {
        sha
        for change in scenery.changes
        for asked in change.asked
        for sha in commits_for(change, github, asked.comment_id)
    }
    for change in scenery.changes:
        for commit in change.pull.commits:
            if commit.oid in github.world.signed and commit.oid not in known:
                what = f"nobody asked for commit {commit.oid[:12]}"
                yield Wrong(kind="doubled", where=_name(change), what=what)


def not_taken(github: Sandbox, database: Database) -> dict[str, Delivery]:
    """The deliveries that mean something and that the bot has not got, by their GUID.

    One that it wrote down and was killed before it could say so is not lost.
    """
    lacking: dict[str, Delivery] = {}
    for one in github.deliveries:
        if one.status is not None and 200 <= one.status < 300:
            lacking.pop(one.guid, None)
        elif one.event not in _NOISE and not one.redelivery:
            lacking[one.guid] = one
    if lacking:
        known = _recorded(database).keys()
        lacking = {guid: one for guid, one in lacking.items() if guid not in known}
    return lacking


def _deliveries(github: Sandbox, database: Database) -> Iterator[Wrong]:
    """Each delivery was taken, at last; each that was taken is on record, and has ended."""
    for one in not_taken(github, database).values():
        yield Wrong(kind="lost", where=_title(one), what="it was never acknowledged")
    recorded = _recorded(database)
    taken = {
        one.guid: one
        for one in github.deliveries
        if one.guid in recorded or (one.status is not None and 200 <= one.status < 300)
    }
    for guid, one in taken.items():
        if guid not in recorded:
            what = "it was acknowledged, and is not on record"
            yield Wrong(kind="lost", where=_title(one), what=what)
        elif recorded[guid] not in {"done", "ignored"}:
            yield Wrong(kind="lost", where=_title(one), what=f"it is {recorded[guid]}")


def _title(delivery: Delivery) -> str:
    what = f"{delivery.event} {delivery.action or ''}".strip()
    return f"delivery {delivery.guid} ({what})"


def _recorded(database: Database) -> dict[str, str]:
    """What became of each delivery, by its GUID, as the bot has it."""
    with database.engine.connect() as connection:
        rows = connection.execute(sa.text("SELECT guid, outcome FROM deliveries"))
        return {row.guid: row.outcome for row in rows}


def _jobs(database: Database) -> Iterator[Wrong]:
    with database.engine.connect() as connection:
        jobs = (
            *overview.unfinished(connection, now_ms=0, limit=1000),
            *overview.given_up(connection, now_ms=0, limit=1000),
        )
    for job in jobs:
        yield Wrong(kind="lost", where=job.name, what=f"its job is {job.state} ({job.error})")
