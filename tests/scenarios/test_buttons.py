"""Buttons on our check runs: a press does what a comment with the command would."""

from datetime import timedelta

from bot.sandbox.state.checks import CheckRun
from bot.sandbox.state.pulls import PullRequest
from tests.scenarios.commanding import (
    PASS,
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
from tests.scenarios.conftest import MEMORIES, Team, memory, synced, verdicts


def check(pull: PullRequest, name: str) -> CheckRun:
    return next(run for run in pull.check_runs() if run.name == f"memoryrail/{name}")


def labels(pull: PullRequest) -> dict[str, list[str]]:
    return {
        run.name.partition("/")[2]: [action["label"] for action in run.actions]
        for run in pull.check_runs()
    }


def press(team: Team, pull: PullRequest, login: str, identifier: str, *, on: str) -> None:
    check(pull, on).press(team.github.user(login), identifier)
    team.settle()


def test_a_maintainer_approves_all_by_a_button(team: Team) -> None:
    pull = opened(team, proposal())
    assert labels(pull) == {
        "precheck": [],
        "secrets": [],
        "memory": ["Approve all"],
        "sync": [],
    }
    run = check(pull, "memory")
    press(team, pull, "ada", "approve-all", on="memory")
    (made,) = pull.commits[-1:]
    assert made.oid in team.github.world.signed
    subject, _, body = made.message.partition("\n\n")
    assert subject == f'memoryrail: approve {REF} "Orders go through a queue"'
    approved, comment = body.splitlines()
    assert approved == f"Approved-by: ada ({team.github.url}/ada)"
    assert comment.startswith(
        f"MemoryRail-Comment: {team.github.url}/octo/shop/runs/{run.id}#press-{run.id}-"
    )
    assert verdicts(pull) == PASS
    assert answers(pull) == []  # the checks show it
    assert not any(labels(pull).values())
    assert audit(team) == [("approve", "all", "done", made.oid)]
    # GitHub delivers it once more, long after the delivery was forgotten
    pressed = next(one for one in team.github.deliveries if one.action == "requested_action")
    with team.bot.database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM deliveries")
    team.github.redeliver(pressed)
    team.settle()
    assert pull.commits[-1].oid == made.oid
    assert len(audit(team)) == 1
    assert answers(pull) == []


def test_who_may_not_command_may_not_press(team: Team) -> None:
    pull = opened(team, proposal())
    before = pull.head_sha
    press(team, pull, "bob", "approve-all", on="memory")
    assert pull.head_sha == before
    (answer,) = answers(pull)
    assert answer.startswith("`@bob` pressed “Approve all”.\n\nOnly people with the maintain")
    assert "`@bob` has write." in answer
    pull.repository.grant("bob", "maintain")
    press(team, pull, "bob", "approve-all", on="memory")  # a press of its own
    assert pull.head_sha != before
    assert [outcome for _, _, outcome, _ in audit(team)] == ["refused", "done"]
    assert rows(team, "SELECT actor, permission FROM audit ORDER BY at_ms, outcome DESC") == [
        ("bob", "write"),
        ("bob", "maintain"),
    ]


def test_a_button_of_an_older_head_does_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    run = check(pull, "memory")
    pull.push(files={"src/db/pool.py": "SIZE = 9\n"}, login="coder[bot]")
    head = pull.head_sha
    team.settle()
    run.press(team.github.user("ada"), "approve-all")
    team.settle()
    assert pull.head_sha == head
    (answer,) = answers(pull)
    assert "Something was pushed since" in answer
    assert [outcome for _, _, outcome, _ in audit(team)] == ["refused"]


def test_a_double_click_does_it_once_and_is_not_talked_about(team: Team) -> None:
    pull = opened(team, proposal())
    run = check(pull, "memory")
    team.github.pause_deliveries()
    for _ in range(2):
        run.press(team.github.user("ada"), "approve-all")
    team.github.resume_deliveries()
    team.settle()
    assert (len(pull.commits), verdicts(pull), answers(pull)) == (2, PASS, [])
    assert [outcome for _, _, outcome, _ in audit(team)] == ["done", "refused"]


def test_a_press_on_a_run_of_another_app_or_pull_request_does_nothing(team: Team) -> None:
    pull = opened(team, proposal())
    run = check(pull, "memory")
    for change in ("app", "pull request"):
        team.stop()  # so that it is delivered as it was, and asked for as it is
        run.press(team.github.user("ada"), "approve-all")
        external_id, app = run.external_id, run.suite.app
        if change == "app":
            run.suite.app = team.github.create_app(name="other")
        else:
            run.external_id = external_id.replace(":1:", ":2:")
        team.start()
        team.github.redeliver(team.github.deliveries[-1])
        team.settle()
        run.external_id, run.suite.app = external_id, app
    assert len(pull.commits) == 1
    assert answers(pull) == []
    assert [outcome for _, _, outcome, _ in audit(team)] == ["gone", "gone"]


def test_who_moves_a_pull_request_to_another_base_has_no_more_approved_by_it(team: Team) -> None:
    other = memory("20260402-other", "decision", "Mind the gap", status="proposed")  # DEC-6415
    repository = team.repository(SHOP)
    repository.grant("ada", "maintain")
    repository.branch("dev")
    repository.commit("dev", files=other, login="eve")
    repository.branch("feature", start=repository.git.branch("dev"))
    repository.commit("feature", files=proposal(), login="eve")
    pull = repository.open_pull(head="feature", user="eve", base="dev")
    team.settle()
    head, run = pull.head_sha, check(pull, "memory")
    team.github.pause_deliveries()
    run.press(team.github.user("ada"), "approve-all")
    say(team, pull, "ada", "/memoryrail approve all")
    pull.edit(base="main", user="eve")
    team.github.resume_deliveries()
    team.settle()
    assert pull.head_sha == head
    says = "This pull request was for `dev` when you wrote, and is for `main` now."
    assert [says in answer for answer in answers(pull)] == [True, True]
    team.github.pause_deliveries()
    named = say(team, pull, "ada", "/memoryrail approve DEC-4243")
    pull.edit(base="dev", user="eve")
    team.github.resume_deliveries()
    team.settle()
    assert reactions(named) == {"eyes", "+1"}  # whatever it is for, that is what was shown
    pull.edit(base="main", user="eve")
    team.settle()
    press(team, pull, "ada", "approve-all", on="memory")  # as it is shown since
    assert pull.commits[-1].message.startswith("memoryrail: approve DEC-6415 ")


def out_of_step(team: Team) -> PullRequest:
    repository = team.repository(SHOP)
    repository.grant("bob", "write")
    repository.branch("feature")
    stale = synced(MEMORIES).replace("Money is integer cents", "Money is a float")
    repository.commit("feature", files={"AGENTS.md": stale}, login="bob")
    pull = repository.open_pull(head="feature", user="bob")
    team.settle()
    return pull


def test_sync_blocks_are_fixed_by_a_button(team: Team) -> None:
    pull = out_of_step(team)
    assert labels(pull)["sync"] == ["Fix sync blocks", "Re-check"]
    press(team, pull, "bob", "sync", on="sync")
    assert content(pull.repository, pull.head_sha, "AGENTS.md") == SHOP["AGENTS.md"]
    assert verdicts(pull)["sync"] == "success"
    assert answers(pull) == []


def test_a_check_again_shows_as_new_runs(team: Team) -> None:
    pull = out_of_step(team)
    before = {run.name: run.id for run in pull.check_runs()}
    team.wake(pull, repository="octo/shop")
    assert {run.name: run.id for run in pull.check_runs()} == before  # buttons and all are the same
    press(team, pull, "eve", "recheck", on="sync")
    assert all(run.id != before[run.name] for run in pull.check_runs())
    assert answers(pull) == []
    assert [row[:3] for row in audit(team)] == [("recheck", "", "answered")]


def test_a_press_that_cannot_be_run_now_is_run_later(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.faults.add("GET /user/", status=502, times=6)
    press(team, pull, "ada", "approve-all", on="memory")
    team.github.advance(timedelta(minutes=1))
    team.settle()
    assert verdicts(pull) == PASS
