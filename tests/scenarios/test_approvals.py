"""Who may approve what, and how long an approval holds."""

import pytest

from bot.sandbox.state.pulls import PullRequest
from tests.scenarios.commanding import (
    NEW,
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
from tests.scenarios.conftest import CODE, MEMORIES, POOL, Team, memory, said, synced, verdicts

OPENERS_APPROVE = "commands: {approve: {own-pull-request: true}}\n"


def written(
    team: Team, *, opener: str, author: str | None = None, unlinked: tuple[str, str] | None = None
) -> PullRequest:
    """A pull request whose proposal is in a commit of its own. unlinked: an author's address.

    Who opened it may approve.
    """
    repository = team.repository({**SHOP, ".github/memoryrail.yml": OPENERS_APPROVE})
    team.github.user("coder[bot]", type="Bot")
    repository.grant("ada", "maintain")
    repository.branch("feature")
    repository.commit("feature", files={"a.txt": "1"}, login=opener)
    repository.commit("feature", files=proposal(), login=author, author=unlinked)
    pull = repository.open_pull(head="feature", user=opener)
    team.settle()
    return pull


def approve(team: Team, pull: PullRequest) -> str:
    """What ada is told when she approves; "" when it is done."""
    commits = len(pull.commits)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    assert len(pull.commits) == commits + (not answers(pull))
    return "".join(answers(pull))


def test_a_maintainer_does_not_approve_her_own_commit_in_an_agents_pull_request(team: Team) -> None:
    pull = written(team, opener="coder[bot]", author="ada")
    sha = pull.head_sha[:7]
    assert f"is your own proposal: commit {sha} names you as its author." in approve(team, pull)
    assert audit(team)[0][2] == "refused"


@pytest.mark.parametrize(("opener", "is_hers"), [("ada", True), ("coder[bot]", False)])
def test_what_an_unknown_address_wrote_counts_as_the_openers(
    team: Team, opener: str, is_hers: bool
) -> None:
    pull = written(team, opener=opener, unlinked=("Ada", "ada@home.invalid"))
    answer = approve(team, pull)
    assert ("and you opened this pull request" in answer) == is_hers
    assert bool(answer) == is_hers


def test_a_renamed_proposal_stays_its_authors(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.grant("ada", "maintain")
    repository.branch("feature")
    (text,) = proposal().values()
    other = ".memoryrail/memories/tmp.md"
    repository.commit("feature", files={other: text}, login="ada")
    repository.commit("feature", rename={other: PATH}, login="bob")
    pull = repository.open_pull(head="feature", user="bob")
    team.settle()
    assert "is your own proposal" in approve(team, pull)


def test_what_is_refused_in_the_end_approves_nothing(team: Team) -> None:
    """The plan was written down before the head moved, and what came is not what was seen."""
    pull = opened(team, proposal())
    held = team.github.faults.add("^POST /graphql Commit", hang=True)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert held.waiting.wait(20)
    assert rows(team, "SELECT path FROM approvals") == [(PATH,)]
    (text,) = proposal().values()
    pull.push(files={PATH: text.replace("Because.", "Evil.")}, login="coder[bot]")
    held.release()
    team.settle()
    assert "has changed since" in answers(pull)[0]
    assert audit(team)[0][2] == "refused"
    assert rows(team, "SELECT path FROM approvals") == []


def test_a_pull_request_that_is_closed_meanwhile_approves_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    held = team.github.faults.add("^POST /graphql Branch", hang=True)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert held.waiting.wait(20)
    pull.close()
    held.release()
    team.settle()
    (answer,) = answers(pull)
    assert "closed and was not merged" in answer
    assert "git apply" not in answer
    assert rows(team, "SELECT path FROM approvals") == []


def test_an_approval_is_undone_by_rejecting(team: Team) -> None:
    old = memory("20260310-direct", "decision", "Orders are placed directly")
    (old_path,) = old
    both = {**MEMORIES, **old}
    repository = team.repository({**CODE, **both, "AGENTS.md": synced(both)})
    repository.grant("ada", "maintain")
    team.github.user("coder[bot]", type="Bot")
    repository.branch("feature")
    files = proposal(more='supersedes: "20260310-direct"\n')
    repository.commit("feature", files=dict(files), login="coder[bot]")
    pull = repository.open_pull(head="feature", user="coder[bot]")
    team.settle()
    agents = content(repository, pull.head_sha, "AGENTS.md")
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.settle()
    approved = {
        path: content(repository, pull.head_sha, path) for path in (PATH, old_path, "AGENTS.md")
    }
    assert NEW in str(approved[old_path])
    comment = say(team, pull, "ada", f"/memoryrail reject {REF}: on second thoughts")
    team.settle()
    assert reactions(comment) == {"eyes", "+1"}
    assert content(repository, pull.head_sha, PATH) is None
    assert content(repository, pull.head_sha, old_path) == old[old_path]
    assert content(repository, pull.head_sha, "AGENTS.md") == agents
    assert set(verdicts(pull).values()) == {"success"}
    assert rows(team, "SELECT path FROM approvals") == []
    pull.push(files={path: str(text) for path, text in approved.items()}, login="coder[bot]")
    team.settle()
    assert verdicts(pull)["memory"] == "failure"


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_a_settled_memory_is_not_decided_on_by_relabelling_it(team: Team, verb: str) -> None:
    pool = f".memoryrail/memories/{POOL}.md"
    pull = opened(team, {pool: MEMORIES[pool].replace('"active"', '"proposed"')})
    before = pull.head_sha
    assert "Waits for a maintainer" not in said(pull)[0]
    assert verdicts(pull)["memory"] == "failure"
    titles = [run.title for run in pull.check_runs() if run.name == "memoryrail/memory"]
    assert titles == ["1 fault in this change to the project memory"]
    say(team, pull, "ada", f"/memoryrail {verb} CON-7475\n/memoryrail {verb}")
    team.settle()
    assert pull.head_sha == before
    (answer,) = answers(pull)
    assert f"is active on the base branch, so it is no proposal to decide on. Restore {pool}" in (
        answer.replace("\\", "")
    )
    assert f"There is nothing to {verb}" in answer


def test_an_approval_holds_for_who_shares_the_head_though_an_old_delivery_comes_late(
    team: Team,
) -> None:
    """The late one tells of a head that the pull request had, and not of the one that is shared."""
    pull = opened(team, proposal())
    pull.repository.branch("release")
    twin = pull.repository.open_pull(head="feature", base="release", user="bob")
    team.settle()
    (late,) = [one for one in team.github.deliveries if one.action == "opened"][:1]
    assert approve(team, pull) == ""
    assert verdicts(twin) == PASS
    team.github.deliver(late.event, late.payload)
    team.settle()
    assert verdicts(twin) == PASS
