"""Who may approve what, and how long an approval holds."""

import pytest

from bot.sandbox.state.pulls import PullRequest
from tests.scenarios.commanding import PATH, REF, SHOP, answers, audit, proposal, say
from tests.scenarios.conftest import Team


def written(
    team: Team, *, opener: str, author: str | None = None, unlinked: tuple[str, str] | None = None
) -> PullRequest:
    """A pull request whose proposal is in a commit of its own. unlinked: an author's address."""
    repository = team.repository(SHOP)
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
