"""Maintainers' commands over HTTP: from a comment to a signed commit, checks and answers."""

import re
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot.handlers.turn import now_ms
from bot.sandbox.state.pulls import PullRequest
from bot.store import shown
from bot.store.commands import MAX_AN_HOUR, digest
from bot.store.pulls import PullKey
from tests.scenarios.commanding import (
    NEW,
    PASS,
    PATH,
    REF,
    SHOP,
    TWIN,
    answers,
    audit,
    content,
    opened,
    proposal,
    reactions,
    say,
)
from tests.scenarios.conftest import (
    CODE,
    CONFIG,
    MEMORIES,
    Team,
    memory,
    on_both,
    said,
    synced,
    verdicts,
)


@on_both
def test_a_maintainer_approves(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    comment = say(team, pull, "ada", f"Good.\n\n/memoryrail approve {REF}")
    team.settle()
    repository = pull.repository
    (made,) = pull.commits[-1:]
    assert made.parents == (before,)
    assert pull.head_sha == made.oid != before
    was, now = content(repository, before, PATH), content(repository, made.oid, PATH)
    assert was is not None
    assert now is not None
    lines = now.splitlines()
    updated = lines[6].removeprefix('updated: "').removesuffix('"')
    assert abs(datetime.now(UTC) - datetime.fromisoformat(updated)).total_seconds() < 600
    assert now == was.replace("proposed", "active").replace(was.splitlines()[6], lines[6])
    agents = content(repository, made.oid, "AGENTS.md")
    assert agents is not None
    assert f"- {REF}: Orders go through a queue" in agents
    assert made.message == (
        f'memoryrail: approve {REF} "Orders go through a queue"\n\n'
        f"Approved-by: ada ({team.github.url}/ada)\nMemoryRail-Comment: {team.github.url}"
        f"/octo/shop/pull/1#issuecomment-{comment.id} ({digest(comment.body)[:12]})"
    )
    assert reactions(comment) == {"eyes", "+1"}
    assert answers(pull) == []
    assert verdicts(pull) == PASS
    assert "Waits for a maintainer" not in said(pull)[0]
    assert audit(team) == [("approve", REF, "done", made.oid)]


def test_a_supersession_is_done_on_both_sides(team: Team) -> None:
    old = memory("20260310-direct", "decision", "Orders are placed directly")
    both = {**MEMORIES, **old}
    repository = team.repository({**CODE, **both, "AGENTS.md": synced(both)})
    repository.grant("ada", "admin")
    repository.branch("feature")
    files = proposal(more='supersedes: "20260310-direct"\n')
    repository.commit("feature", files=dict(files), login="bob")
    pull = repository.open_pull(head="feature", user="bob")
    team.settle()
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    (old_path,) = old
    superseded = content(repository, pull.head_sha, old_path)
    assert superseded is not None
    assert 'status: "superseded"' in superseded
    assert f'superseded_by: "{NEW}"' in superseded
    assert verdicts(pull) == PASS


REFUSED = (
    ("bob", f"/memoryrail approve {REF}", "can approve here; `@bob` has write."),
    ("eve", f"/memoryrail approve {REF}", "can approve here; `@eve` has read."),
    ("ada", "/memoryrail approve DEC-ffff", "There is no memory DEC-ffff."),
    ("ada", "/memoryrail approve CON-21ec", "is active already"),
    ("ada", "/memoryrail aprove DEC-ffff", "approve"),
    ("ada", f"`/memoryrail approve {REF}`", "memoryrail approve"),
)


def test_what_is_refused_is_answered_and_commits_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    for number, (login, text, answer) in enumerate(REFUSED, start=1):
        comment = say(team, pull, login, text)
        team.settle()
        assert pull.head_sha == before
        assert len(answers(pull)) == number
        assert answer in answers(pull)[-1]
        assert reactions(comment) == {"eyes", "-1"}


def test_a_ref_of_two_memories_decides_nothing(team: Team) -> None:
    twin = memory(TWIN, "decision", "Orders go through topics", status="proposed")
    pull = opened(team, {**proposal(), **twin})
    before = pull.head_sha
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert pull.head_sha == before
    (answer,) = answers(pull)
    assert NEW in answer
    assert TWIN in answer
    assert "-1" in reactions(comment)


def test_only_a_line_of_its_own_commands(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    for text in (
        f"```\n/memoryrail approve {REF}\n```",
        f"> /memoryrail approve {REF}",
        f"<!--\n/memoryrail approve {REF}\n-->",
        f"    /memoryrail approve {REF}",
        f"please /memoryrail approve {REF}",
    ):
        say(team, pull, "ada", text)
    team.settle()
    assert pull.head_sha == before
    assert audit(team) == []


def test_bots_and_agents_do_not_approve(team: Team) -> None:
    pull = opened(team, proposal())
    pull.repository.grant("coder[bot]", "admin")
    before = pull.head_sha
    say(team, pull, "coder[bot]", f"/memoryrail approve {REF}")
    team.settle()
    assert (pull.head_sha, answers(pull)) == (before, [])
    assert audit(team) == [("approve", REF, "refused", None)]


def test_nobody_approves_their_own_proposal(team: Team) -> None:
    pull = opened(team, proposal(), author="ada")
    before = pull.head_sha
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert pull.head_sha == before
    assert answers(pull)[0].startswith("You opened this pull request, so somebody else approves")


def test_a_rejected_proposal_is_deleted(team: Team) -> None:
    pull = opened(team, proposal())
    comment = say(team, pull, "ada", f"/memoryrail reject {REF} : we use streams")
    team.settle()
    assert content(pull.repository, pull.head_sha, PATH) is None
    assert reactions(comment) == {"eyes", "+1"}
    assert audit(team)[0][:3] == ("reject", REF, "done")


def test_an_approval_holds_for_what_was_approved(team: Team) -> None:
    pull = opened(team, proposal())
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert verdicts(pull) == PASS
    now = content(pull.repository, pull.head_sha, PATH)
    assert now is not None
    pull.push(files={PATH: now.replace("Because.", "Because I say so.")}, login="coder[bot]")
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    assert "was approved and edited afterwards" in said(pull)[0]
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert verdicts(pull) == PASS


def test_an_approval_holds_for_every_pull_request_with_that_head(team: Team) -> None:
    pull = opened(team, proposal())
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    pull.repository.branch("release", start="main")
    twin = pull.repository.open_pull(head="feature", base="release", user="coder[bot]")
    team.settle()
    assert twin.head_sha == pull.head_sha
    assert verdicts(twin) == PASS


def test_a_fork_gets_a_patch(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.grant("ada", "maintain")
    fork = repository.fork("mallory")
    fork.branch("feature")
    fork.commit("feature", files=dict(proposal()), login="mallory")
    pull = repository.open_pull(head=(fork, "feature"), user="mallory")
    team.settle()
    before = pull.head_sha
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert pull.head_sha == before
    (answer,) = answers(pull)
    assert "git apply" in answer
    assert applied(answer, pull) == {
        PATH: str(content(fork, before, PATH)).replace("proposed", "active"),
        "AGENTS.md": synced({**MEMORIES, **memory(NEW, "decision", "Orders go through a queue")}),
    }
    assert verdicts(pull)["memory"] == "success"
    assert pull.repository.reviews == {}  # the block lies outside of what the change shows


def applied(answer: str, pull: PullRequest) -> dict[str, str]:
    """The files as `git apply` leaves them, of the patch in an answer, but for the time."""
    patch = answer.split("```diff\n")[1].split("\n```", maxsplit=1)[0] + "\n"
    git, paths = pull.repository.git, re.findall(r"^\+\+\+ b/(\S+)", patch, re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path in paths:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(git.run("cat-file", "blob", f"{pull.head_sha}:{path}"))
        subprocess.run(["git", "apply"], cwd=root, input=patch.encode(), check=True)
        found = {path: (root / path).read_text() for path in paths}
    was = 'updated: "2026-03-01T09:00:00.000Z"'
    return {
        path: re.sub("^updated: .*$", was, text, flags=re.MULTILINE) for path, text in found.items()
    }


def test_an_author_in_a_fork_gets_suggestions_where_all_fits_on_added_lines(team: Team) -> None:
    repository = team.repository({**CODE, ".memoryrail/config.json": CONFIG})
    repository.grant("ada", "maintain")
    fork = repository.fork("mallory")
    fork.branch("feature")
    fork.commit("feature", files=dict(proposal()), login="mallory")
    pull = repository.open_pull(head=(fork, "feature"), user="mallory")
    team.settle()
    text = str(content(fork, pull.head_sha, PATH))
    # GitHub takes the review, and the bot does not hear of it
    team.github.faults.add("POST /graphql Suggest", after_effect=True, status=502)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert "git apply" in answers(pull)[0]
    (review,) = repository.reviews.values()
    assert "as suggestions" in review.body
    assert review.state == "commented"
    lines = text.splitlines(keepends=True)
    for comment in review.comments:
        assert comment.path == PATH
        opening, *new, closing = comment.body.splitlines(keepends=True)
        assert (opening, closing) == ("```suggestion\n", "```")
        start = comment.start_line or comment.line
        lines[start - 1 : comment.line] = new
    after = "".join(lines)
    assert 'status: "active"' in after
    pull.push(files={PATH: after}, login="mallory")  # by a click
    team.settle()
    assert verdicts(pull) == PASS


def test_where_a_commit_dismisses_reviews_the_answer_says_so(team: Team) -> None:
    """GitHub is asked for it with the branch: a command costs no request more."""
    pull = opened(team, proposal())
    pull.repository.dismissing.add("main")
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert len(pull.commits) == 2
    (answer,) = answers(pull)
    assert answer == (
        "A rule of `main` dismisses reviews at each push, and this commit was one: who had "
        "approved the pull request has to do so again."
    )
    assert reactions(comment) == {"eyes", "+1"}


def test_a_protected_branch_gets_a_patch(team: Team) -> None:
    pull = opened(team, proposal())
    pull.repository.protected.add("feature")
    before = pull.head_sha
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert pull.head_sha == before
    (answer,) = answers(pull)
    assert "This branch is protected" in answer
    assert "It says: Changes must be made through a pull request." in answer
    assert '+status: "active"' in answer
    assert "-1" in reactions(comment)


def test_a_pull_request_from_the_default_branch_gets_a_patch(team: Team) -> None:
    """Opened backwards, by whoever reads; the default branch is never written to."""
    repository = team.repository(SHOP)
    repository.grant("ada", "maintain")
    repository.branch("release")
    repository.commit("main", files=dict(proposal()), login="bob")
    pull = repository.open_pull(head="main", base="release", user="eve")
    team.settle()
    before = pull.head_sha
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert pull.head_sha == before
    assert '+status: "active"' in answers(pull)[0]


def test_in_a_locked_conversation_a_command_runs_without_a_word(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}\n/memoryrail help")
    pull.lock()
    team.github.resume_deliveries()
    team.settle()
    assert len(pull.commits) == 2
    assert (answers(pull), reactions(comment)) == ([], set())
    assert verdicts(pull) == PASS


def test_whose_account_is_gone_commands_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    comment.author.gone = True
    team.github.resume_deliveries()
    team.settle()
    assert len(pull.commits) == 1
    assert verdicts(pull) == PASS
    assert audit(team)[0][:3] == ("approve", REF, "refused")


def test_a_head_that_moves_meanwhile_is_planned_on_anew(team: Team) -> None:
    pull = opened(team, proposal())
    held = team.github.faults.add("^POST /graphql (Branch|Commit)", hang=True)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert held.waiting.wait(20)
    pull.push(files={"src/api/late.py": "1\n"}, login="coder[bot]")
    held.release()
    team.settle()
    assert content(pull.repository, pull.head_sha, "src/api/late.py") == "1\n"
    approved = content(pull.repository, pull.head_sha, PATH)
    assert approved is not None
    assert 'status: "active"' in approved
    assert verdicts(pull) == PASS


def test_what_was_pushed_after_the_comment_is_not_approved(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    (text,) = proposal().values()
    pushed = pull.push(files={PATH: text.replace("Because.", "No checks.")}, login="coder[bot]")
    team.github.resume_deliveries()
    team.settle()
    assert pull.head_sha == pushed
    assert f"`{PATH}` has changed since" in answers(pull)[0]
    assert reactions(comment) == {"eyes", "-1"}
    assert audit(team)[0][:3] == ("approve", REF, "refused")
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    approved = content(pull.repository, pull.head_sha, PATH)
    assert approved is not None
    assert "No checks." in approved
    assert 'status: "active"' in approved


def test_a_head_that_was_never_shown_is_not_decided_on(team: Team) -> None:
    team.github.pause_deliveries()
    repository = team.repository(SHOP)
    repository.grant("ada", "maintain")
    repository.branch("feature")
    repository.commit("feature", files=dict(proposal()), login="bob")
    pull = repository.open_pull(head="feature", user="bob")
    pull.comment("ada", f"/memoryrail approve {REF}")
    team.github.resume_deliveries()
    team.settle()
    assert len(pull.commits) == 1
    assert "I had not shown anything" in answers(pull)[0]


def test_a_crash_before_it_was_written_down_what_is_shown_refuses_no_maintainer(team: Team) -> None:
    """GitHub's own time on the check runs proves what could be seen."""
    pull = opened(team, proposal())
    with team.bot.database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM shown_heads")
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert audit(team) == [("approve", REF, "done", pull.head_sha)]


def test_what_a_crash_may_have_shown_is_not_passed_over(team: Team) -> None:
    """The maintainer may have read a version that was pushed over since."""
    pull = opened(team, proposal())
    head = pull.head_sha
    team.github.pause_deliveries()
    (text,) = proposal().values()
    read = pull.push(files={PATH: text.replace("Because.", "No checks.")}, login="coder[bot]")
    with team.bot.database.engine.begin() as connection:
        key = PullKey(repository_id=pull.repository.id, number=pull.number)
        shown.begin_to_show(connection, key, read, now_ms=now_ms())
    pull.repository.move("feature", head, sender=team.github.user("coder[bot]"))
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.github.resume_deliveries()
    team.settle()
    assert f"`{PATH}` has changed since {read[:7]}" in answers(pull)[0]
    assert len(pull.commits) == 1


def test_a_comment_that_cannot_be_answered_stands_in_the_way_of_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.faults.add("^POST /graphql Reply", status=502, times=7)
    say(team, pull, "eve", "/memoryrail why")
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert len(pull.commits) == 2
    assert verdicts(pull) == PASS
    assert len(answers(pull)) == 1  # at last
    asked = [each.operation for each in team.github.requests]
    assert asked.index("graphql Commit") < len(asked) - asked[::-1].index("graphql Reply") - 1


def test_one_author_cannot_flood_a_pull_request(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.pause_deliveries()
    for _ in range(30):
        say(team, pull, "eve", "/memoryrail help")
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.github.resume_deliveries()
    team.settle()
    *helped, once = answers(pull)
    assert len(helped) == MAX_AN_HOUR
    assert "I run the commands of 15 comments of one author" in once
    assert len(pull.commits) == 2
    assert [row[2] for row in audit(team)] == ["answered"] * 15 + ["too many"] * 15 + ["done"]


def test_talk_of_commands_drops_no_command(team: Team) -> None:
    pull = opened(team, proposal())
    for _ in range(MAX_AN_HOUR + 1):
        say(team, pull, "ada", "> /memoryrail approve X\n\nno, `/memoryrail` is not for this")
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert len(pull.commits) == 2
    assert [row[2] for row in audit(team)] == ["done"]


def test_a_closed_pull_request_says_so(team: Team) -> None:
    pull = opened(team, proposal())
    pull.close()
    team.settle()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}\n/memoryrail help")
    team.settle()
    (answer,) = answers(pull)
    assert answer.startswith("Nothing was done. This pull request is closed and was not merged.")
    assert reactions(comment) == {"-1"}
    assert [row[:3] for row in audit(team)] == [
        ("approve", REF, "refused"),
        ("help", "", "refused"),
    ]


def test_a_deleted_comment_commands_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    comment.delete(user=team.github.user("ada"))
    team.github.resume_deliveries()
    team.settle()
    assert (pull.head_sha, answers(pull)) == (before, [])
    assert audit(team) == [("", "", "gone", None)]


def test_an_edited_comment_commands_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail reject {REF}")
    comment.edit(f"/memoryrail approve {REF}", user=team.github.user("eve"))
    team.github.resume_deliveries()
    team.settle()
    assert pull.head_sha == before
    assert "was edited before it could run" in answers(pull)[0]
    assert reactions(comment) == {"-1"}
    assert audit(team) == [("", "", "edited", None)]


def test_the_same_delivery_twice_makes_one_commit(team: Team) -> None:
    pull = opened(team, proposal())
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    commits = len(pull.commits)
    (first,) = [
        one
        for one in team.github.deliveries
        if one.event == "issue_comment"
        and "approve" in one.payload["comment"]["body"]
        and one.payload["sender"]["login"] == "ada"
    ]
    team.github.redeliver(first)
    team.settle()
    assert len(pull.commits) == commits == 2


@on_both
def test_a_crash_after_the_commit_makes_no_second_one(team: Team) -> None:
    """The answer to the commit is lost and the process stops; the next one only says so."""
    pull = opened(team, proposal())
    team.github.faults.add("^POST /graphql React", status=502, times=1)
    team.github.faults.add("^POST /graphql Commit", status=502, after_effect=True)
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert len(pull.commits) == 2
    assert "+1" in reactions(comment)
    assert audit(team)[0][:3] == ("approve", REF, "done")


def test_two_commands_in_one_comment_make_one_commit(team: Team) -> None:
    other = memory("20260402-other", "gotcha", "Mind the gap", status="proposed")
    pull = opened(team, {**proposal(), **other})
    say(team, pull, "ada", f"/memoryrail approve {REF}\n\n/memoryrail reject 20260402-other")
    team.settle()
    assert len(pull.commits) == 2
    (path,) = other
    assert content(pull.repository, pull.head_sha, path) is None
    assert [row[:3] for row in audit(team)] == [
        ("approve", REF, "done"),
        ("reject", "20260402-other", "done"),
    ]


@on_both
def test_comments_at_once_run_in_their_order_and_none_twice(team: Team) -> None:
    other = memory("20260402-other", "gotcha", "Mind the gap", status="proposed")
    pull = opened(team, {**proposal(), **other})
    pull.repository.grant("zoe", "maintain")
    team.github.pause_deliveries()
    first = say(team, pull, "ada", f"/memoryrail approve {REF}")
    same = say(team, pull, "zoe", f"/memoryrail approve {REF}")
    last = say(team, pull, "ada", "/memoryrail approve 20260402-other")
    team.github.resume_deliveries()
    team.settle()
    assert [commit.message.partition("\n")[0] for commit in pull.commits[1:]] == [
        f'memoryrail: approve {REF} "Orders go through a queue"',
        'memoryrail: approve GOT-6415 "Mind the gap"',
    ]
    assert [reactions(one) for one in (first, same, last)] == [
        {"eyes", "+1"},
        {"eyes", "-1"},
        {"eyes", "+1"},
    ]
    (answer,) = answers(pull)
    assert f"{REF} (Orders go through a queue) is active already" in answer
    assert verdicts(pull) == PASS


def test_anyone_may_ask_why_and_for_help(team: Team) -> None:
    pull = opened(team, {**proposal(), "src/api/orders.py": "import sqlite3\n"})
    say(team, pull, "eve", "/memoryrail why")
    say(team, pull, "eve", "/memoryrail help")
    team.settle()
    why, help_ = answers(pull)
    assert "CON-7475" in why
    assert "/memoryrail approve REF" in help_


def test_checks_that_are_asked_for_again_are_made_anew(team: Team) -> None:
    pull = opened(team, proposal())
    before = {run.id for run in pull.check_runs()}
    run = pull.check_runs()[0]
    run.rerequest(team.github.user("ada"))
    team.settle()
    after = {run.id for run in pull.check_runs()}
    assert (len(after), after & before) == (4, set())
    run.suite.rerequest(team.github.user("ada"))
    team.settle()
    assert {run.id for run in pull.check_runs()} & after == set()
    assert verdicts(pull) == PASS


def test_a_credential_in_the_place_of_a_ref_is_kept_nowhere(team: Team) -> None:
    pull = opened(team, proposal())
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"
    say(team, pull, "ada", f"/memoryrail approve {token} {'x' * 900}")
    team.settle()
    ((verb, refs, outcome, _),) = audit(team)
    assert (verb, outcome) == ("approve", "refused")
    assert str(refs).endswith(f" {'x' * 200}")
    team.stop()  # what was written is in the file
    files = list(Path(team.database_url.removeprefix("sqlite:///")).parent.iterdir())
    assert files
    assert all(token.encode() not in file.read_bytes() for file in files)
    assert token not in answers(pull)[0]
