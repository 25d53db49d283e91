"""Which commit of commands is the last that still stands."""

from collections.abc import Sequence
from functools import partial

import pytest

from bot.core.snapshot import Commit
from bot.handlers.turn import Turn
from bot.handlers.undoing import last_commit
from bot.store import audit
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.database import Database
from tests.handlers.conftest import KEY
from tests.making import commit, snapshot

A, B, C, D = (one * 40 for one in "abcd")


def ours(sha: str, *, undoes: str = "") -> Commit:
    """A merge, of which nothing more is asked of GitHub."""
    message = "memoryrail: reappend" if not undoes else f"x\n\nThis reverts commit {undoes}.\n"
    return commit(sha, message=message, is_ours=True, parents=2)


@pytest.mark.parametrize(
    ("commits", "last"),
    [
        ([], None),
        ([commit(A)], None),  # somebody else's, whatever the audit says
        ([ours(A), ours(B)], B),
        ([ours(A), ours(B, undoes=A)], None),
        ([ours(A), ours(B), ours(C, undoes=B)], A),
        ([ours(A), ours(B), ours(C, undoes=B), ours(D, undoes=A)], None),
        ([ours(A), ours("e" * 40)], A),  # of another pull request
    ],
    ids=["none", "not ours", "two", "undone", "one of two", "both", "unknown"],
)
async def test_what_is_undone_and_the_undoing_are_passed_over(
    database: Database, turn: Turn, commits: Sequence[Commit], last: str | None
) -> None:
    rows = [
        AuditRow(
            comment=f"issuecomment-{number}",
            digest="d",
            position=0,
            actor_id=5,
            verb="pin",
            refs="",
            outcome=AuditOutcome.DONE,
            commit_sha=sha,
        )
        for number, sha in enumerate((A, B, C, D))
    ]
    database.transact_here(partial(audit.write_down, key=KEY, rows=rows, now_ms=9))
    found = await last_commit(turn, database, snapshot(commits=commits))
    assert (found and (found.sha, found.at_ms, found.is_merge)) == (last and (last, 9, True))
