"""Commands on a pull request that is merged: on its base branch, or in one of the bot's own."""

import pytest

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.commanding import (
    PASS,
    PATH,
    REF,
    SHOP,
    answers,
    audit,
    content,
    proposal,
    reactions,
    say,
)
from tests.scenarios.conftest import MEMORIES, POOL, Team, on_both, synced, verdicts

ALLOWED = {".github/memoryrail.yml": "commands:\n  commit-after-merge: true\n"}
APPROVE = f"/memoryrail approve {REF}"


def merged(team: Team, settings: dict[str, str] | None = None) -> PullRequest:
    """An agent's proposal, reviewed and merged as one; ada maintains, bob writes."""
    repository = team.repository({**SHOP, **(settings or {})})
    team.github.user("coder[bot]", type="Bot")
    repository.grant("ada", "maintain")
    repository.grant("bob", "write")
    repository.branch("feature")
    repository.commit("feature", files=proposal(), login="coder[bot]")
    pull = repository.open_pull(head="feature", user="coder[bot]")
    team.settle()
    pull.merge(user="ada")
    team.settle()
    return pull


def status(repository: Repository, branch: str) -> str:
    text = content(repository, repository.git.branch(branch) or "", PATH) or ""
    return next(line for line in text.splitlines() if line.startswith("status"))


def own(repository: Repository) -> list[str]:
    return [name for name in repository.git.branches() if name.startswith("memoryrail/")]


@on_both
def test_it_is_a_pull_request_of_the_bots_own(team: Team) -> None:
    pull = merged(team)
    repository = pull.repository
    before = repository.git.branch("main")
    comment = say(team, pull, "ada", APPROVE)
    team.settle()
    assert repository.git.branch("main") == before
    (branch,) = own(repository)
    assert branch.startswith(f"memoryrail/pr-1-approve-{REF}-")
    brought = repository.pulls[2]
    assert (brought.head_ref, brought.base_ref) == (branch, "main")
    assert brought.title == f'memoryrail: approve {REF} "Orders go through a queue"'
    assert f"[on #1]({team.github.url}/octo/shop/pull/1#issuecomment-{comment.id})" in (
        brought.body or ""
    )
    (made,) = brought.commits
    assert made.parents == (before,)
    assert made.oid in team.github.world.signed
    assert status(repository, branch) == 'status: "active"'
    (answer,) = answers(pull)
    assert f"[#2]({team.github.url}/octo/shop/pull/2)" in answer
    assert reactions(comment) == {"eyes", "+1"}
    assert verdicts(brought) == PASS  # what was approved there is approved here
    assert audit(team) == [("approve", REF, "done", made.oid)]


def test_it_is_a_commit_on_the_base_branch_where_settings_say_so(team: Team) -> None:
    pull = merged(team, ALLOWED)
    repository = pull.repository
    before = repository.git.branch("main")
    comment = say(team, pull, "ada", APPROVE)
    team.settle()
    tip = repository.git.branch("main") or ""
    made = repository.git.commit_at(tip)
    assert made is not None
    assert made.parents == (before,)
    assert status(repository, "main") == 'status: "active"'
    assert own(repository) == []
    assert list(repository.pulls) == [1]
    assert answers(pull) == [f"Committed to `main` as {tip[:12]}, as this is merged."]
    assert reactions(comment) == {"eyes", "+1"}
    # What follows is decided on what that commit left.
    say(team, pull, "ada", f"/memoryrail archive {REF} : it did not work out")
    team.settle()
    assert status(repository, "main") == 'status: "archived"'


def test_a_protected_base_branch_takes_a_pull_request(team: Team) -> None:
    pull = merged(team, ALLOWED)
    pull.repository.protected.add("main")
    say(team, pull, "ada", APPROVE)
    team.settle()
    assert len(own(pull.repository)) == 1
    assert "[#2](" in answers(pull)[0]


def test_where_no_pull_request_can_be_opened_there_is_a_patch(team: Team) -> None:
    pull = merged(team)
    problem = {"type": "FORBIDDEN", "path": ["pull"], "message": "Resource not accessible"}
    body = {"data": {"pull": None}, "errors": [problem]}
    team.github.faults.add("POST /graphql OpenPull$", status=200, body=body)
    comment = say(team, pull, "ada", APPROVE)
    team.settle()
    (answer,) = answers(pull)
    assert "GitHub does not let the app open a pull request" in answer
    assert "```diff" in answer
    assert reactions(comment) == {"eyes", "-1"}


def test_what_is_refused_changes_nothing(team: Team) -> None:
    pull = merged(team)
    for login, text, answer in (
        ("bob", APPROVE, "`@bob` has write."),
        ("ada", "/memoryrail undo", "revert the commit there."),
        ("ada", "/memoryrail recheck", "is not reviewed any more."),
        ("ada", "/memoryrail approve CON-21ec", "is active already"),
    ):
        say(team, pull, login, text)
        team.settle()
        assert answer in answers(pull)[-1]
    assert own(pull.repository) == []


def test_who_wrote_it_does_not_approve_it_after_the_merge_either(team: Team) -> None:
    repository = team.repository(SHOP)
    for login in ("ada", "zoe"):
        repository.grant(login, "maintain")
    repository.branch("feature")
    repository.commit("feature", files=proposal(), login="zoe")
    pull = repository.open_pull(head="feature", user="bob")
    team.settle()
    pull.merge(user="ada")
    team.settle()
    say(team, pull, "zoe", APPROVE)
    team.settle()
    assert "is your own proposal" in answers(pull)[0]
    assert own(repository) == []


def test_what_others_wrote_on_the_base_since_is_not_approved(team: Team) -> None:
    pull = merged(team)
    reworded = {path: text.replace("Because.", "Or not.") for path, text in proposal().items()}
    pull.repository.commit("main", files=reworded, login="bob")
    say(team, pull, "ada", APPROVE)
    team.settle()
    assert "is not changed by this pull request" in answers(pull)[0]
    say(team, pull, "ada", f"I have read it.\n\n{APPROVE}")
    team.settle()
    assert own(pull.repository) == []  # its commits do not tell who wrote what stands there now


def test_a_weakened_memory_passes_in_the_bots_pull_request(team: Team) -> None:
    pull = merged(team)
    say(team, pull, "ada", "/memoryrail archive CON-7475 : the layer is gone")
    team.settle()
    brought = pull.repository.pulls[2]
    assert verdicts(brought)["memory"] == "success"
    assert 'status: "archived"' in (
        content(pull.repository, brought.head_sha, f".memoryrail/memories/{POOL}.md") or ""
    )
    left = {path: text for path, text in MEMORIES.items() if POOL not in path}
    assert content(pull.repository, brought.head_sha, "AGENTS.md") == synced(left)


def test_a_button_may_be_pressed_after_the_merge(team: Team) -> None:
    pull = merged(team)
    run = next(one for one in pull.check_runs() if one.name == "memoryrail/memory")
    run.press(team.github.user("ada"), "approve-all")
    team.settle()
    (branch,) = own(pull.repository)
    assert status(pull.repository, branch) == 'status: "active"'
    body = pull.repository.pulls[2].body or ""
    assert body.startswith(f"ada asked for this [on #1]({team.github.url}/octo/shop/runs/{run.id}#")
    assert answers(pull)[0].startswith("`@ada` pressed “Approve all”.\n\nThis is merged")


def test_a_closed_pull_request_still_refuses(team: Team) -> None:
    pull = merged(team)
    other = pull.repository
    other.branch("other")
    other.commit("other", files={"src/db/pool.py": "SIZE = 9\n"}, login="bob")
    closed = other.open_pull(head="other", user="bob")
    team.settle()
    closed.close(user="bob")
    say(team, closed, "ada", APPROVE)
    team.settle()
    assert answers(closed)[0].startswith("Nothing was done. This pull request is closed")


@pytest.mark.parametrize(
    ("lost", "look"),
    [("MakeBranch", "Landed"), ("Commit", "Branch"), ("OpenPull", "Landed")],
)
@pytest.mark.parametrize("failing", [0, 30], ids=["unheard", "given up"])
def test_each_of_the_three_writes_is_made_once(
    team: Team, lost: str, look: str, failing: int
) -> None:
    """A write lands and is not heard of; and then the try ends, so that another one begins."""
    pull = merged(team)
    repository = pull.repository
    held = team.github.faults.add(f"POST /graphql {lost}$", after_effect=True, cut=True, hang=True)
    comment = say(team, pull, "ada", APPROVE)
    assert held.waiting.wait(20)
    if failing:
        team.github.faults.add(f"POST /graphql {look}$", status=502, times=failing)
    held.release()
    team.settle()
    assert len(own(repository)) == 1
    assert sorted(repository.pulls) == [1, 2]
    assert len(repository.pulls[2].commits) == 1
    assert len(answers(pull)) == 1
    assert "[#2](" in answers(pull)[0]
    assert reactions(comment) == {"eyes", "+1"}
    assert [outcome for _, _, outcome, _ in audit(team)] == ["done"]


def test_a_commit_on_the_base_that_nobody_heard_of_is_made_once(team: Team) -> None:
    pull = merged(team, ALLOWED)
    before = pull.repository.git.branch("main")
    held = team.github.faults.add("POST /graphql Commit$", after_effect=True, cut=True, hang=True)
    say(team, pull, "ada", APPROVE)
    assert held.waiting.wait(20)
    team.github.faults.add("POST /graphql Branch$", status=502, times=30)
    held.release()
    team.settle()
    tip = pull.repository.git.branch("main") or ""
    made = pull.repository.git.commit_at(tip)
    assert made is not None
    assert made.parents == (before,)
    assert answers(pull) == [f"Committed to `main` as {tip[:12]}, as this is merged."]
    assert [outcome for _, _, outcome, _ in audit(team)] == ["done"]
