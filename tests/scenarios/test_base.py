"""A pull request gets another base, or builds upon another one: old verdicts do not stand."""

import threading

from tests.scenarios.conftest import CODE, MEMORIES, POOL, Team, memory, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}
NEW = memory("20260501-utc", "constraint", "Times are in UTC", more='links: ["src/api"]\n')


def test_under_another_base_no_verdict_stands_while_it_is_judged(team: Team) -> None:
    """Else it could be merged under a lax branch's verdict. A crash leaves nothing in progress."""
    repository = team.repository(CODE)
    repository.branch("old")
    repository.commit("main", files=SHOP)
    repository.branch("feature")
    repository.commit("feature", delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"])
    pull = repository.open_pull(head="feature", base="old", user="alice", title="Tidy")
    team.settle()
    assert verdicts(pull) == PASS
    reading = team.github.faults.add("graphql PullRequest", hang=True)
    pull.edit(base="main")
    assert reading.waiting.wait(20)
    assert [run.status for run in pull.check_runs()] == ["in_progress"] * 4
    killer = threading.Thread(target=team.stop)  # it waits for the job that hangs
    killer.start()
    reading.release()
    killer.join()
    team.start()
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    on_head = [run for run in repository.check_runs.values() if run.head_sha == pull.head_sha]
    assert [run.status for run in on_head] == ["completed"] * 8


def test_no_verdict_stands_while_commands_run_under_another_base(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("v1")
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import db\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    reading = team.github.faults.add("^GET .*/issues/comments/", hang=True)
    team.github.pause_deliveries()
    pull.edit(base="v1")
    pull.comment("alice", "/memoryrail help")
    team.github.resume_deliveries()
    assert reading.waiting.wait(20)
    assert [run.status for run in pull.check_runs()] == ["in_progress"] * 4
    reading.release()
    team.settle()
    assert verdicts(pull) == PASS


def test_a_stack_is_judged_by_the_branch_below_until_that_is_merged(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("below")
    repository.commit("below", files=NEW, login="alice")
    below = repository.open_pull(head="below", user="alice", title="Note the time zone")
    repository.branch("above", start="below")
    repository.commit("above", files={"src/api/orders.py": "import utc\n"}, login="bob")
    above = repository.open_pull(head="above", base="below", user="bob", title="Use it")
    team.settle()
    assert verdicts(above) == PASS
    assert "Times are in UTC" in said(above)[0]
    below.push(delete=list(NEW))
    team.settle()
    assert "Times are in UTC" not in said(above)[0]
    below.push(files=NEW)
    below.merge(user="octo")
    repository.delete_branch("below")
    above.edit(base="main", user="octo")  # as GitHub does when the branch below goes
    team.settle()
    assert verdicts(above) == PASS
    assert "Times are in UTC" in said(above)[0]
    assert len(said(above)) == 1
