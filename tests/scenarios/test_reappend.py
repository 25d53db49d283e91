"""Two branches that append to one file of entries, and the merge that ends their conflict."""

from bot.sandbox.state.pulls import PullRequest
from tests.formats.cursor.making import BODY, entry
from tests.scenarios.commanding import answers, audit, content, reactions, say
from tests.scenarios.conftest import CODE, Team, said, verdicts

HANDOFF = ".cursor/memory/session-handoff.md"
FIRST = entry("100-0-state", correlation_id="100-0")
MINE = entry("200-0-state", correlation_id="200-0", at="2026-04-23T08:00:00Z")
THEIRS = entry("300-0-state", correlation_id="300-0", at="2026-04-23T09:00:00Z")
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def both(team: Team, *, mine: str = MINE, theirs: str = THEIRS, **more: str) -> PullRequest:
    """alice's branch and main have each appended to the hand-off; more: files of main's commit."""
    repository = team.repository({**CODE, HANDOFF: FIRST})
    for login, role in (("ada", "maintain"), ("bob", "write")):
        repository.grant(login, role)
    repository.branch("feature")
    files = {HANDOFF: f"{FIRST}\n{mine}", "src/db/pool.py": "SIZE = 9\n"}
    repository.commit("feature", files=files, login="alice")
    repository.commit(
        "main", files={HANDOFF: f"{FIRST}\n{theirs}", "src/new.py": "1\n", **more}, login="alice"
    )
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    return pull


def handoff(pull: PullRequest) -> str | None:
    return content(pull.repository, pull.head_sha, HANDOFF)


def branches(pull: PullRequest) -> set[str]:
    return set(pull.repository.git.branches())


def test_one_merge_puts_own_entries_behind_those_of_the_base(team: Team) -> None:
    pull = both(team)
    git, head, base = pull.repository.git, pull.head_sha, pull.base_tip
    say(team, pull, "bob", "/memoryrail reappend --dry-run")
    team.settle()
    assert "\n+id: 300-0-state\n" in answers(pull)[0]
    assert pull.head_sha == head
    comment = say(team, pull, "bob", "/memoryrail reappend")
    team.settle()
    assert handoff(pull) == f"{FIRST}\n{THEIRS}\n{MINE}"
    commit = git.commit_at(pull.head_sha)
    assert commit is not None
    assert commit.parents == (head, base)
    assert commit.message.splitlines()[0] == ("memoryrail: reappend 1 entry behind those of main")
    assert content(pull.repository, pull.head_sha, "src/new.py") == "1\n"
    assert content(pull.repository, pull.head_sha, "src/db/pool.py") == "SIZE = 9\n"
    assert git.merge(pull.head_sha, base, message="", signature=commit.author)  # no conflict
    assert branches(pull) == {"main", "feature"}
    assert (len(answers(pull)), reactions(comment)) == (1, {"eyes", "+1"})
    assert audit(team)[1:] == [("reappend", "", "done", pull.head_sha)]
    assert verdicts(pull) == PASS
    say(team, pull, "ada", "/memoryrail reappend")
    say(team, pull, "ada", "/memoryrail undo")
    team.settle()
    again, undo = answers(pull)[1:]
    assert "Nothing had to be changed" in again
    assert "a merge is not undone here" in undo
    assert len(pull.commits) == 2


def test_it_is_offered_before_github_knows_of_the_conflict_and_numbers_ids_anew(team: Team) -> None:
    rival = entry("300-0-state", correlation_id="300-0", body=f"{BODY} Of this branch.")
    pull = both(team, mine=rival)
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    offer = "`/memoryrail reappend` merges it"
    assert offer in said(pull)[0]
    comment = say(team, pull, "bob", "/memoryrail reappend")
    team.settle()
    new = rival.replace("id: 300-0-state\n", "id: 300-0-state-2\n")
    assert handoff(pull) == f"{FIRST}\n{THEIRS}\n{new}"
    assert answers(pull) == [
        "Reappended: 1 entry behind those of main. 300-0-state is 300-0-state-2 now."
    ]
    assert reactions(comment) == {"eyes", "+1"}
    assert verdicts(pull) == PASS
    assert offer not in said(pull)[0]


def test_where_more_is_in_conflict_a_person_merges_with_what_the_answer_gives(team: Team) -> None:
    pull = both(team, **{"src/db/pool.py": "SIZE = 7\n"})
    head = pull.head_sha
    comment = say(team, pull, "bob", "/memoryrail reappend")
    team.settle()
    assert pull.head_sha == head
    assert branches(pull) == {"main", "feature"}
    (text,) = answers(pull)
    assert "\n\nOther files are in conflict with the base branch, too" in text
    assert "\ngit fetch origin main\ngit merge FETCH_HEAD\nmemoryrail-bot cursor reappend\n" in text
    assert "\n+id: 200-0-state\n" in text  # the patch upon what main has
    assert "300-0-state\n+" not in text
    assert reactions(comment) == {"eyes", "-1"}
    assert [outcome for _, _, outcome, _ in audit(team)] == ["refused"]


def test_a_fork_gets_the_steps_and_who_only_reads_a_refusal(team: Team) -> None:
    repository = team.repository({**CODE, HANDOFF: FIRST})
    repository.grant("bob", "write")
    fork = repository.fork("eve")
    fork.commit("main", files={HANDOFF: f"{FIRST}\n{MINE}"}, login="eve")
    repository.commit("main", files={HANDOFF: f"{FIRST}\n{THEIRS}"})
    pull = repository.open_pull(head=(fork, "main"), user="eve")
    team.settle()
    say(team, pull, "eve", "/memoryrail reappend")
    say(team, pull, "bob", "/memoryrail reappend")
    team.settle()
    refused, steps = answers(pull)
    assert "`@eve` has read" in refused
    assert "The branch lies in another repository" in steps
    assert f"git fetch {team.github.url}/octo/shop main\n" in steps
    assert fork.git.branch("main") == pull.head_sha


def test_a_merge_that_nobody_heard_of_is_made_once(team: Team) -> None:
    pull = both(team)
    head = pull.head_sha
    held = team.github.faults.add("graphql MergeBase$", after_effect=True, cut=True, hang=True)
    comment = say(team, pull, "bob", "/memoryrail reappend")
    assert held.waiting.wait(20)
    team.github.faults.add("graphql Branch$", status=502, times=4)
    held.release()
    team.settle()
    commit = pull.repository.git.commit_at(pull.head_sha)
    assert commit is not None
    assert commit.parents == (head, pull.base_tip)
    assert handoff(pull) == f"{FIRST}\n{THEIRS}\n{MINE}"
    assert branches(pull) == {"main", "feature"}
    assert reactions(comment) == {"eyes", "+1"}
    assert audit(team) == [("reappend", "", "done", pull.head_sha)]


def test_a_head_that_moves_meanwhile_is_planned_on_anew(team: Team) -> None:
    pull = both(team)
    held = team.github.faults.add("graphql MergeBase$", hang=True)
    say(team, pull, "bob", "/memoryrail reappend")
    assert held.waiting.wait(20)
    moved = pull.push(files={"src/db/pool.py": "SIZE = 10\n"})
    held.release()
    team.settle()
    commit = pull.repository.git.commit_at(pull.head_sha)
    assert commit is not None
    assert commit.parents == (moved, pull.base_tip)
    assert handoff(pull) == f"{FIRST}\n{THEIRS}\n{MINE}"
