"""Who counts as an agent."""

import pytest

from bot.core.agents import is_agent, is_by_agent
from bot.core.snapshot import Actor, Commit
from tests.making import ALICE, ROBOT, commit, snapshot

AGENTS = ("helper-x",)


@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        (ALICE, False),
        (ROBOT, True),
        (Actor(id=3, login="Helper-X"), True),
        (None, False),
    ],
    ids=["person", "bot", "named in settings, any case", "deleted account"],
)
def test_an_account_is_an_agent(actor: Actor | None, expected: bool) -> None:
    assert is_agent(actor, AGENTS) is expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (commit(), False),
        (commit(author=ROBOT), True),
        (commit(author=None, author_email="noreply@anthropic.com"), True),
        (commit(message="Do\n\nCo-Authored-By: Claude <noreply@anthropic.com>"), True),
        (commit(message="Do\n\nAssisted-by: Crush <crush@charm.land>"), True),
        (commit(author_email="223556219+Copilot@users.noreply.github.com"), True),
        (commit(message="Do\n\nCo-authored-by: Bob <bob@example.com>"), False),
        (commit(author_email="12+helper-x@users.noreply.github.com"), True),
        (commit(author_email="12+robot[bot]@users.noreply.github.com"), True),
        (commit(author_email="12+alice@users.noreply.github.com"), False),
        (commit(message="we thank <noreply@anthropic.com>"), False),
    ],
    ids=[
        "person",
        "bot account",
        "agent's address",
        "agent as co-author",
        "agent that assisted",
        "an agent's account",
        "person as co-author",
        "named login's address",
        "a bot's address",
        "a person's address",
        "named in prose",
    ],
)
def test_a_commit_is_by_an_agent(made: Commit, expected: bool) -> None:
    assert is_by_agent(made, snapshot().pull, AGENTS) is expected


def test_all_commits_of_a_pull_request_that_a_bot_opened_are_its_own() -> None:
    assert is_by_agent(commit(), snapshot(author=ROBOT).pull, ())
