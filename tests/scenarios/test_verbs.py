"""Every other verb over HTTP: what a maintainer does, sees, and takes back."""

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
from tests.scenarios.conftest import (
    CODE,
    MEMORIES,
    MONEY,
    POOL,
    RETRY,
    Team,
    memory,
    synced,
    verdicts,
)

AT = {id_: f".memoryrail/memories/{id_}.md" for id_ in (POOL, MONEY, RETRY)}


def told(team: Team, pull: PullRequest, login: str, text: str) -> str:
    """What the bot answers to a comment; "" for a reaction alone."""
    known = len(answers(pull))
    say(team, pull, login, text)
    team.settle()
    return "".join(answers(pull)[known:])


def at_head(pull: PullRequest, path: str) -> str:
    return content(pull.repository, pull.head_sha, path) or ""


def approvals(team: Team) -> list[tuple[object, ...]]:
    return rows(team, "SELECT path FROM approvals ORDER BY path")


def test_settled_memories_are_kept_true_and_the_checks_pass(team: Team) -> None:
    pull = opened(team, proposal())
    before = {path: at_head(pull, path) for path in (*AT.values(), "AGENTS.md")}
    comment = say(
        team,
        pull,
        "ada",
        "/memoryrail archive ATT-335f: it works since March\n"
        "/memoryrail unpin CON-21ec\n"
        "/memoryrail relink CON-7475 src/api src/db\n"
        "/memoryrail confirm CON-7475\n",
    )
    team.settle()
    assert 'status: "archived"' in at_head(pull, AT[RETRY])
    assert "pinned: false" in at_head(pull, AT[MONEY])
    assert 'links: ["src/db"]' in at_head(pull, AT[POOL])
    assert "ATT-335f" not in at_head(pull, "AGENTS.md")
    assert verdicts(pull) == PASS
    assert (reactions(comment), answers(pull)) == ({"eyes", "+1"}, [])
    made = pull.commits[-1].message
    for verb in ("Archived", "Unpinned", "Relinked", "Confirmed"):
        assert f"{verb}-by: ada ({team.github.url}/ada)\n" in made
    assert "Reason for ATT-335f: it works since March" in made
    assert [row[2] for row in audit(team)] == ["done"] * 4

    # What a maintainer did holds for just that: an agent that goes further is stopped.
    more = at_head(pull, AT[POOL]).replace('links: ["src/db"]\n', "")
    head = pull.head_sha
    pull.push(files={AT[POOL]: more}, login="coder[bot]")
    team.settle()
    assert verdicts(pull)["memory"] == "failure"
    assert "no longer covers" in told(team, pull, "ada", "/memoryrail confirm CON-7475")
    pull.push(files={AT[POOL]: content(pull.repository, head, AT[POOL]) or ""}, login="coder[bot]")
    team.settle()
    assert verdicts(pull) == PASS

    assert told(team, pull, "ada", "/memoryrail undo") == ""
    assert {path: at_head(pull, path) for path in before} == before
    assert (verdicts(pull), approvals(team)) == (PASS, [])


def test_what_cannot_be_done_is_said_and_commits_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    answer = told(team, pull, "bob", "/memoryrail archive CON-7475\n/memoryrail undo --dry-run")
    assert "can archive here; `@bob` has write." in answer
    assert "can undo here; `@bob` has write." in answer
    refused = {
        f"archive {REF}": "is proposed, so it cannot be archived",
        "resolve CON-7475": "Only a thread can be resolved",
        f"confirm {REF}": "is proposed, so it cannot be confirmed",
        "relink CON-7475 src/api src/none": "nothing is there",
        "relink CON-7475 src/apy src/db": "Did you mean src/api?",
        "pin ATT-335f": "Only a constraint can be pinned",
        "unpin CON-7475": "is not pinned",
        "supersede CON-7475": "Write `/memoryrail supersede OLD with NEW`.",
        "sync": "no generated block at the head is out of step",
        "undo": "There is nothing to undo",
        "edit CON-7476": "Did you mean CON-7475",
    }
    answer = told(team, pull, "ada", "\n".join(f"/memoryrail {one}" for one in refused))
    for part, says in zip(answer.split("\n\n"), refused.values(), strict=True):
        assert says in part
    assert (pull.head_sha, approvals(team)) == (before, [])


def test_anyone_may_look(team: Team) -> None:
    pull = opened(team, proposal())
    answer = told(
        team,
        pull,
        "eve",
        "/memoryrail list proposed\n/memoryrail show CON-7475\n/memoryrail edit CON-7475",
    )
    assert f"- **{REF}** · decision, proposed · Orders go through a queue" in answer
    assert "```\nHandlers go through the repository layer.\n```" in answer
    page = f"{team.github.url}/octo/shop"
    assert f"({page}/blob/{pull.head_sha}/{AT[POOL]})" in answer
    assert f"({page}/edit/feature/{AT[POOL]})" in answer


def test_an_approval_is_taken_back_with_its_commit(team: Team) -> None:
    other = memory("20260402-other", "gotcha", "Mind the gap", status="proposed")
    (path,) = other
    pull = opened(team, {**proposal(), **other})
    assert told(team, pull, "ada", f"/memoryrail approve {REF}") == ""
    assert told(team, pull, "ada", "/memoryrail approve all") == (
        "Approved **GOT-6415** · Mind the gap."
    )
    assert approvals(team) == [(PATH,), (path,)]
    undone, undo = pull.head_sha, say(team, pull, "ada", "/memoryrail undo")
    team.settle()
    made = pull.commits[-1].message
    assert made.startswith('memoryrail: undo approve GOT-6415 "Mind the gap"\n')
    assert f"\nThis reverts commit {undone}.\n" in made
    assert f"\nUndone-by: ada ({team.github.url}/ada)\nMemoryRail-Comment: " in made
    assert f"#issuecomment-{undo.id} (" in made
    assert 'status: "proposed"' in at_head(pull, path)
    assert approvals(team) == [(PATH,)]
    assert verdicts(pull) == PASS
    # Undoing once more goes back one step more, and never forward.
    assert told(team, pull, "ada", "/memoryrail undo") == ""
    assert 'status: "proposed"' in at_head(pull, PATH)
    assert approvals(team) == []
    assert "There is nothing to undo" in told(team, pull, "ada", "/memoryrail undo")
    # What was approved once is not approved for having been so.
    active = content(pull.repository, undone, PATH)
    pull.push(files={PATH: active or ""}, login="coder[bot]")
    team.settle()
    assert verdicts(pull)["memory"] == "failure"


def test_what_was_touched_since_is_not_undone(team: Team) -> None:
    pull = opened(team, proposal())
    assert told(team, pull, "ada", f"/memoryrail approve {REF}") == ""
    team.github.pause_deliveries()
    say(team, pull, "ada", "/memoryrail undo")
    pull.push(files={PATH: at_head(pull, PATH) + "More.\n"}, login="coder[bot]")
    team.github.resume_deliveries()
    team.settle()
    commits = len(pull.commits)
    assert f"{PATH} is no longer as commit" in answers(pull)[-1]
    assert len(pull.commits) == commits
    assert approvals(team) == [(PATH,)]


def test_what_was_not_shown_yet_is_not_undone(team: Team) -> None:
    """Two maintainers at once: nobody takes back a commit that they cannot have seen."""
    pull = opened(team, proposal())
    pull.repository.grant("kim", "maintain")
    team.github.pause_deliveries()
    say(team, pull, "kim", f"/memoryrail reject {REF}")
    say(team, pull, "ada", "/memoryrail undo")
    team.github.resume_deliveries()
    team.settle()
    assert f"`{PATH}` has changed since" in answers(pull)[-1]
    assert at_head(pull, PATH) == ""


def test_a_crash_after_an_undo_takes_the_approval_back_all_the_same(team: Team) -> None:
    pull = opened(team, proposal())
    assert told(team, pull, "ada", f"/memoryrail approve {REF}") == ""
    team.github.faults.add("^POST /graphql React", status=502, times=1)
    team.github.faults.add("^POST /graphql Commit", status=502, after_effect=True)
    assert told(team, pull, "ada", "/memoryrail undo") == ""
    assert (len(pull.commits), approvals(team)) == (3, [])
    assert [row[:3] for row in audit(team)] == [("approve", REF, "done"), ("undo", "", "done")]


def test_a_dry_run_changes_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    comment = say(
        team,
        pull,
        "ada",
        f"/memoryrail approve {REF} --dry-run\n/memoryrail archive CON-7475 --dry-run",
    )
    team.settle()
    (answer,) = answers(pull)
    assert '+status: "active"' in answer
    assert '+status: "archived"' in answer
    assert (pull.head_sha, approvals(team)) == (before, [])
    assert reactions(comment) == {"eyes", "+1"}
    assert audit(team) == [
        ("approve", REF, "dry run", None),
        ("archive", "CON-7475", "dry run", None),
    ]


def test_a_block_is_brought_into_step_and_a_memory_superseded(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.grant("ada", "admin")
    repository.branch("feature")
    new = memory(NEW, "constraint", "Money is integer mills")
    repository.commit("feature", files={**CODE, **new}, login="bob")
    pull = repository.open_pull(head="feature", user="bob")
    team.settle()
    assert verdicts(pull)["sync"] == "failure"
    assert told(team, pull, "ada", "/memoryrail sync") == ""
    assert pull.commits[-1].message.startswith("memoryrail: sync AGENTS.md\n\nSynced-by: ada (")
    assert at_head(pull, "AGENTS.md") == synced({**MEMORIES, **new})
    assert verdicts(pull) == PASS
    assert told(team, pull, "ada", f"/memoryrail supersede CON-21ec with {NEW}") == ""
    assert f'superseded_by: "{NEW}"' in at_head(pull, AT[MONEY])
    assert f'supersedes: "{MONEY}"' in at_head(pull, PATH)
    assert verdicts(pull) == PASS
