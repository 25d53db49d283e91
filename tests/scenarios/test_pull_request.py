"""A pull request is opened, pushed to and edited; the bot comments once and gives four verdicts."""

import pytest

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import (
    CODE,
    CONFIG,
    MEMORIES,
    POOL,
    Team,
    memory,
    on_both,
    said,
    synced,
    verdicts,
)

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}
BINDS_ONE = "### MemoryRail: 1 constraint binds this change\n"  # the pinned one
BINDS_TWO = "### MemoryRail: 2 constraints bind this change\n"


def opened(
    repository: Repository, files: dict[str, str | bytes], *, title: str = "Change", body: str = ""
) -> PullRequest:
    """A pull request of alice's with one commit."""
    repository.branch("feature")
    repository.commit("feature", files=files, login="alice")
    return repository.open_pull(head="feature", user="alice", title=title, body=body)


def titles(pull: PullRequest) -> dict[str, str]:
    return {run.name.partition("/")[2]: str(run.title) for run in pull.check_runs()}


def test_opened_gives_one_comment_and_four_checks(team: Team) -> None:
    pull = opened(team.repository(SHOP), {"src/api/orders.py": "import sqlite3\n"})
    team.settle()
    assert verdicts(pull) == PASS
    assert titles(pull) == {
        "precheck": "2 constraints bind this change",
        "secrets": "No secrets in this change",
        "memory": "This change leaves the project memory as it is",
        "sync": "AGENTS.md in step with the project memory",
    }
    (text,) = said(pull)
    assert text.startswith(BINDS_TWO)
    assert "why: `src/api` is linked" in text
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/precheck"]
    assert [(note.path, note.start_line) for note in run.annotations] == [("src/api/orders.py", 1)]


@on_both
def test_a_second_push_edits_the_same_comment(team: Team) -> None:
    pull = opened(team.repository(SHOP), {"README.md": "# The shop\n"})
    team.settle()
    (first,) = pull.comments
    assert said(pull)[0].startswith(BINDS_ONE)
    known = first.id
    pull.push(files={"src/api/new.py": "x = 1\n"})
    team.settle()
    (second,) = pull.comments
    assert second.id == known
    assert said(pull)[0].startswith(BINDS_TWO)
    assert "**CON-7475** · new · Only src/db opens connections" in said(pull)[0]
    assert verdicts(pull) == PASS


def test_an_equal_push_writes_the_checks_of_the_new_head_only(team: Team) -> None:
    pull = opened(team.repository({**CODE, ".memoryrail/config.json": CONFIG}), {"a.py": "1\n"})
    team.settle()
    old = pull.head_sha
    pull.push(files={"a.py": "2\n"})
    team.settle()
    assert (said(pull), len(pull.check_runs(old)), len(pull.check_runs())) == ([], 4, 4)


def test_a_renamed_file_counts_under_its_old_name(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", rename={"src/api/orders.py": "src/http/orders.py"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert "why: renamed from `src/api/orders.py`" in said(pull)[0]


def test_a_failed_attempt_is_found_by_its_words(team: Team) -> None:
    pull = opened(
        team.repository(SHOP),
        {"src/http/place.py": "x = 1\n"},
        title="Retry orders inside the request after a gateway timeout",
        body="The gateway charged late, so retrying the charge in the request.",
    )
    team.settle()
    (text,) = said(pull)
    assert text.startswith(
        "### MemoryRail: 1 constraint binds this change, and one way of doing it failed before\n"
    )
    assert "> **ATT-335f** · Retrying orders inside the request charged twice" in text


def test_editing_the_words_is_a_new_review(team: Team) -> None:
    pull = opened(team.repository(SHOP), {"README.md": "# The shop\n"})
    team.settle()
    pull.edit(body="See [per CON-ffff].")
    team.settle()
    assert "\\[per CON-ffff\\] names no memory." in said(pull)[0]
    assert verdicts(pull)["precheck"] == "success"


def test_a_stale_block_fails_until_it_is_synced(team: Team) -> None:
    new = memory("20260401-use-queues", "decision", "Orders go through a queue")
    pull = opened(team.repository(SHOP), dict(new))
    team.settle()
    assert verdicts(pull) == {**PASS, "sync": "failure"}
    assert titles(pull)["sync"] == "AGENTS.md out of date after this change"
    assert "+- DEC-" in said(pull)[0]
    pull.push(files={"AGENTS.md": synced({**MEMORIES, **new})})
    team.settle()
    assert verdicts(pull) == PASS


def test_a_broken_memory_file_fails_at_its_line(team: Team) -> None:
    broken = memory("20260401-broken", "rule", "Not a type")
    pull = opened(team.repository(SHOP), dict(broken))
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/memory"]
    (path,) = broken
    assert [(note.path, note.start_line, note.title) for note in run.annotations] == [
        (path, 3, "bad-type")
    ]


def test_a_settled_memory_reworded_fails(team: Team) -> None:
    reworded = memory(
        POOL, "constraint", "Anything may open connections", more='links: ["src/api"]\n'
    )
    pull = opened(
        team.repository(SHOP),
        {**reworded, "AGENTS.md": synced({**MEMORIES, **reworded})},
    )
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    assert "is settled and reworded in place" in said(pull)[0]


def test_a_deleted_constraint_still_binds_the_change_that_deletes_it(team: Team) -> None:
    repository = team.repository(SHOP)
    (path,) = [path for path in MEMORIES if POOL in path]
    repository.branch("feature")
    repository.commit(
        "feature", files={"src/api/orders.py": "import sqlite3\n"}, delete=[path], login="alice"
    )
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert said(pull)[0].startswith(
        "### MemoryRail: 2 constraints bind this change; 1 fault in memory files; "
    )
    assert verdicts(pull) == {**PASS, "memory": "failure", "sync": "failure"}


def test_a_repository_without_memories_hears_nothing_and_passes(team: Team) -> None:
    pull = opened(team.repository(CODE), {"src/api/orders.py": "import sqlite3\n"})
    team.settle()
    assert (said(pull), verdicts(pull)) == ([], PASS)
    assert titles(pull)["memory"] == "Nothing to check: there is no project memory here"


def test_the_first_memories_are_read_and_do_not_bind_yet(team: Team) -> None:
    pull = opened(team.repository(CODE), {**MEMORIES, "src/api/orders.py": "import sqlite3\n"})
    team.settle()
    assert verdicts(pull) == PASS
    assert titles(pull) == {
        "precheck": "No memory binds yet",
        "secrets": "No secrets in this change",
        "memory": "3 memories added",
        "sync": "Nothing to check: no file holds a generated block",
    }


def test_a_store_in_a_subfolder_governs_what_lies_there(team: Team) -> None:
    nested = {f"packages/api/{path}": text for path, text in MEMORIES.items()}
    nested["packages/api/AGENTS.md"] = synced(MEMORIES)
    files = {"packages/api/src/api/a.py": "1\n", "src/api/b.py": "2\n"}
    pull = opened(team.repository({**CODE, **nested}), dict(files))
    team.settle()
    (text,) = said(pull)
    assert "why: `src/api` is linked" in text
    assert "src/api/b.py" not in text


def test_a_fork_and_a_draft_are_judged_like_any_other(team: Team) -> None:
    """Also when fork and author are gone; asked for again, GitHub names no pull request."""
    repository = team.repository(SHOP)
    fork = repository.fork("mallory")
    fork.branch("feature")
    fork.commit("feature", files={"src/api/orders.py": "import sqlite3\n"}, login="mallory")
    pull = repository.open_pull(head=(fork, "feature"), user="mallory", draft=True)
    team.settle()
    assert verdicts(pull) == PASS
    assert said(pull)[0].startswith(BINDS_TWO)
    seen = {run.id for run in pull.check_runs()}
    run = pull.check_runs()[0]
    for ask in (run, run.suite):
        ask.rerequest(repository.owner)
        team.settle()
        (sent,) = [one for one in team.github.deliveries[-9:] if one.action == "rerequested"]
        assert sent.payload[sent.event]["pull_requests"] == []
        now = {run.id for run in pull.check_runs()}
        assert (len(now), now & seen) == (4, set())
        seen |= now
    fork.delete()
    pull.user.gone = True
    pull.ready(user="octo")
    pull.edit(title="Orders", body="[per CON-ffff]", user="octo")
    team.settle()
    assert verdicts(pull) == PASS
    assert "\\[per CON-ffff\\] names no memory." in said(pull)[0]


def test_an_agent_cannot_write_what_nobody_approved(team: Team) -> None:
    new = memory("20260401-mine", "decision", "Agents decide")
    repository = team.repository(SHOP)
    team.github.user("coder[bot]", type="Bot")
    repository.branch("feature")
    files = {**new, "AGENTS.md": synced({**MEMORIES, **new})}
    repository.commit("feature", files=files, login="coder[bot]")
    pull = repository.open_pull(head="feature", user="coder[bot]")
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    assert "Here agents propose and people approve" in said(pull)[0]
    pull.force_push(files=dict(memory("20260401-mine", "decision", "I propose", status="proposed")))
    team.settle()
    assert verdicts(pull) == PASS
    assert "| Waits" not in said(pull)[0]
    assert "**Waits for a maintainer**" in said(pull)[0]


def test_settings_come_from_the_default_branch(team: Team) -> None:
    settings = "precheck:\n  require: pinned\n"
    repository = team.repository({**SHOP, ".github/memoryrail.yml": settings})
    pull = opened(repository, {".github/memoryrail.yml": "precheck:\n  require: none\n"})
    team.settle()
    assert verdicts(pull) == {**PASS, "precheck": "action_required"}
    pull.edit(body="Keeps to it [per CON-21ec].")
    team.settle()
    assert verdicts(pull) == PASS


@pytest.mark.parametrize(
    ("on_base", "in_pull", "expected"),
    [
        ("nonsense: 1\n", None, "success"),
        (None, "nonsense: 1\n", "failure"),
        ("nonsense: 1\n", "agents: [robo]\n", "success"),
    ],
    ids=["stood there", "brought", "mended"],
)
def test_broken_settings_fail_only_who_breaks_them(
    team: Team, on_base: str | None, in_pull: str | None, expected: str
) -> None:
    base = {".github/memoryrail.yml": on_base} if on_base else {}
    change = {".github/memoryrail.yml": in_pull} if in_pull else {"a.py": "1\n"}
    pull = opened(team.repository({**SHOP, **base}), dict(change))
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": expected}


def test_a_closed_pull_request_is_left_alone_until_it_is_reopened(team: Team) -> None:
    team.github.pause_deliveries()
    pull = opened(team.repository(SHOP), {"src/api/orders.py": "import sqlite3\n"})
    pull.close()
    team.github.resume_deliveries()
    team.settle()
    assert (said(pull), pull.check_runs()) == ([], ())
    pull.reopen()
    team.settle()
    assert verdicts(pull) == PASS
    assert said(pull)[0].startswith(BINDS_TWO)


def test_a_foreign_comment_with_our_marker_is_not_ours(team: Team) -> None:
    team.github.pause_deliveries()
    pull = opened(team.repository(SHOP), {"src/api/orders.py": "import sqlite3\n"})
    fake = pull.comment("mallory", "<!-- memoryrail-bot {} -->\nAll is well.")
    team.github.resume_deliveries()
    team.settle()
    assert fake.body.endswith("All is well.")
    assert [comment.author.login for comment in pull.comments] == ["mallory", "memoryrail[bot]"]


def test_a_linked_directory_that_is_moved_away_is_told(team: Team) -> None:
    repository = team.repository({**SHOP, "src/api/v1/a.py": "1\n"})
    repository.branch("feature")
    moves = {"src/api/orders.py": "src/web/orders.py", "src/api/v1/a.py": "src/web/v1/a.py"}
    repository.commit("feature", rename=moves, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert "`src/api` is renamed to `src/web` here. Mend its `links`." in said(pull)[0]
    assert titles(pull)["memory"] == "1 warning"
