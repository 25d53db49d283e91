"""Commands while GitHub cannot be reached, limits us, or our process stops: late, or not at all."""

from datetime import timedelta

import pytest

from tests.scenarios.commanding import (
    PASS,
    PATH,
    REF,
    SHOP,
    answers,
    audit,
    content,
    opened,
    proposal,
    reactions,
    rows,
    say,
)
from tests.scenarios.conftest import Team, verdicts

LATE = "This could not be run within an hour"
READ = "^GET .*/issues/comments/"


@pytest.mark.parametrize(
    ("pattern", "times"),
    [(READ, 20), ("^(GET|POST) .*(issues/comments|/graphql PullRequest)", 30)],
    ids=["comments", "everything that is read"],
)
def test_a_command_outlasts_an_outage(team: Team, pattern: str, times: int) -> None:
    pull = opened(team, proposal())
    fault = team.github.faults.add(pattern, status=502, times=times)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert fault.hits == times
    assert len(pull.commits) == 2
    assert reactions(comment) == {"eyes", "+1"}
    assert audit(team) == [("approve", REF, "done", pull.head_sha)]


def test_a_push_is_reviewed_while_a_command_waits(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.faults.add(READ, status=502, times=12)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    pull.push(files={"src/late.py": "1\n"}, login="coder[bot]")
    team.settle()
    assert verdicts(pull) == PASS


def test_a_command_that_waited_too_long_is_given_up_in_words(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = opened(team, proposal())
    monkeypatch.setattr("bot.handlers.turn.PATIENCE", timedelta(0))
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    say(team, pull, "eve", "What does `/memoryrail` do?")
    team.settle()
    assert len(pull.commits) == 1
    (answer,) = answers(pull)
    assert answer.startswith(LATE)
    assert reactions(comment) == {"-1"}
    assert audit(team) == [("approve", REF, "failed", None)]


def test_a_commit_that_github_never_takes_leaves_nothing_behind(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = opened(team, proposal())
    held = team.github.faults.add("^POST /graphql Commit", status=502, hang=True, times=100)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert held.waiting.wait(20)
    assert audit(team) == [("approve", REF, "planned", None)]
    monkeypatch.setattr("bot.handlers.turn.PATIENCE", timedelta(0))
    held.release()
    team.settle()
    assert answers(pull)[0].startswith(LATE)
    assert reactions(comment) == {"eyes", "-1"}
    assert audit(team) == [("approve", REF, "failed", None)]
    assert rows(team, "SELECT path FROM approvals") == []


@pytest.mark.parametrize("deleted", [True, False])
def test_a_comment_that_is_taken_back_after_a_crash_leaves_nothing_planned(
    team: Team, deleted: bool
) -> None:
    pull = opened(team, proposal())
    held = team.github.faults.add("^POST /graphql Commit", status=502, hang=True, times=3)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert held.waiting.wait(20)
    if deleted:
        comment.delete(user=team.github.user("ada"))
    else:
        comment.edit("No, wait.", user=team.github.user("ada"))
    held.release()
    team.settle()
    assert (len(pull.commits), answers(pull)) == (1, [])
    assert audit(team) == [("approve", REF, "gone" if deleted else "edited", None)]
    assert rows(team, "SELECT path FROM approvals") == []


@pytest.mark.parametrize(
    ("edit", "more"),
    [("no, wait", []), ("/memoryrail reject DEC-ffff", [("reject", "DEC-ffff", "refused", None)])],
)
def test_a_comment_is_read_again_when_the_head_has_moved(
    team: Team, edit: str, more: list[tuple[object, ...]]
) -> None:
    pull = opened(team, proposal())
    held = team.github.faults.add("^POST /graphql Commit", hang=True)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert held.waiting.wait(20)
    comment.edit(edit, user=team.github.user("ada"))
    pushed = pull.push(files={"x": "1"}, login="coder[bot]")
    held.release()
    team.settle()
    assert pull.head_sha == pushed
    assert audit(team) == [("approve", REF, "edited", None), *more]


def test_a_limit_between_commit_and_answer_loses_no_word(team: Team) -> None:
    broken = SHOP["AGENTS.md"].replace("<!-- memoryrail:end -->", "")
    pull = opened(team, {**proposal(), "AGENTS.md": broken})
    limit = team.github.faults.add("^POST /graphql Reply", status=403, headers={"retry-after": "1"})
    lines = [f"approve {REF}", "aprove FOO", "reject DEC-ffff"]
    comment = say(team, pull, "ada", "".join(f"/memoryrail {line}\n\n" for line in lines))
    team.settle()
    assert limit.hits == 1
    assert len(pull.commits) == 2
    (answer,) = answers(pull)
    assert "AGENTS.md was left alone" in answer
    assert "`/memoryrail aprove FOO` is no command." in answer
    assert "`reject DEC-ffff`: Nothing was changed. There is no memory DEC-ffff." in answer
    assert reactions(comment) == {"eyes", "-1"}
    assert [row[:3] for row in audit(team)] == [
        ("approve", REF, "done"),
        ("reject", "DEC-ffff", "refused"),
    ]


def test_where_nothing_can_be_said_nothing_waits_for_ever(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = opened(team, proposal())
    fault = team.github.faults.add("^(GET|POST) .*(pulls/|issues/|graphql)", status=404, times=200)
    monkeypatch.setattr("bot.handlers.turn.LAST_WORD", timedelta(0))
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert 0 < fault.hits < fault.times
    assert rows(team, "SELECT outcome FROM waiting_commands") == [("failed",)]
    assert content(pull.repository, pull.head_sha, PATH) == proposal()[PATH]


def test_a_command_outlasts_a_pull_request_that_is_out_of_reach(
    team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    """The 404s end: those of the comment, of the pull request, and when that is given up."""
    pull = opened(team, proposal())
    fault = team.github.faults.add("^(GET|POST) .*(pulls/|issues/|graphql)", status=404, times=12)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert fault.hits == fault.times
    assert "is out of reach" in caplog.text
    assert reactions(comment) == {"eyes", "+1"}
    assert audit(team) == [("approve", REF, "done", pull.head_sha)]


def test_a_refusal_is_said_when_github_lets_us(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = {
        "data": {"node": None},
        "errors": [{"type": "NOT_FOUND", "path": ["node"], "message": "Could not resolve to it."}],
    }
    pull = opened(team, proposal())
    monkeypatch.setattr("bot.handlers.turn.PATIENCE", timedelta(0))
    fault = team.github.faults.add("graphql Newest", status=200, body=unknown, times=3)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert fault.hits == fault.times
    assert [answer[: len(LATE)] for answer in answers(pull)] == [LATE]
    assert reactions(comment) == {"-1"}
    assert audit(team) == [("approve", REF, "failed", None)]


def test_what_a_replica_does_not_know_yet_keeps_no_command_from_running(team: Team) -> None:
    """A 404 for a comment, a maintainer, a repository or a commit may be over in a second."""
    unknown = {
        "data": {"repository": None},
        "errors": [{"type": "NOT_FOUND", "path": ["repository"], "message": "Could not resolve."}],
    }
    pull = opened(team, proposal())
    pull.push(files={"src/api/orders.py": "x\n"}, login="alice")
    faults = [
        team.github.faults.add("GET .*/issues/comments/", status=404),
        team.github.faults.add("GET .*/permission", status=404),
        team.github.faults.add("graphql (PullRequest|Branch)", status=200, body=unknown),
        team.github.faults.add("graphql Trees", status=200, body=unknown),
    ]
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert reactions(comment) == {"eyes", "+1"}
    assert [row[:3] for row in audit(team)] == [("approve", REF, "done")]
    assert [fault.hits for fault in faults] == [1, 1, 1, 1]
