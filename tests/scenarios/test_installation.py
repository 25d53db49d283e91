"""From the moment of its installation the checks can be required, and what is open is checked."""

from datetime import timedelta

import pytest

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, on_both, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def on_main(repository: Repository) -> dict[str, str]:
    tip = repository.git.branch("main")
    suites = [suite for suite in repository.check_suites.values() if suite.head_sha == tip]
    return {run.name: str(run.title) for suite in suites for run in suite.latest}


def test_the_checks_can_be_chosen_and_open_pull_requests_are_checked(team: Team) -> None:
    repository = team.github.create_repository("octo/shop", files=SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import db\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert pull.check_runs() == ()
    team.app.install(repository)
    team.settle()
    assert sorted(on_main(repository)) == [
        "memoryrail/memory",
        "memoryrail/precheck",
        "memoryrail/secrets",
        "memoryrail/sync",
    ]
    assert set(on_main(repository).values()) == {"Ready: pull requests are checked from now on"}
    assert verdicts(pull) == PASS
    assert len(said(pull)) == 1


def opened(repository: Repository, branch: str = "feature") -> PullRequest:
    repository.branch(branch)
    repository.commit(branch, files={"src/api/orders.py": "import db\n"}, login="alice")
    return repository.open_pull(head=branch, user="alice")


def test_what_stands_on_the_default_branch_is_left_alone(team: Team) -> None:
    repository = team.repository(SHOP, announced=True)
    count = len(repository.check_runs)
    team.app.suspend(team.installation)
    team.app.unsuspend(team.installation)
    team.settle()
    assert len(repository.check_runs) == count == 4


def test_a_repository_without_a_commit_needs_nothing(team: Team) -> None:
    repository = team.github.create_repository("octo/empty")
    team.app.install(repository)
    team.settle()
    assert repository.check_runs == {}
    repository.commit("main", files=SHOP)
    pull = opened(repository)
    team.settle()
    assert verdicts(pull) == PASS


@on_both
def test_a_repository_that_is_added_later_begins_too(team: Team) -> None:
    team.repository(SHOP)
    site = team.github.create_repository("octo/site", files=SHOP)
    pull = opened(site)
    team.settle()
    assert pull.check_runs() == ()
    team.app.install(site)
    team.settle()
    assert len(on_main(site)) == 4
    assert verdicts(pull) == PASS


def test_what_was_opened_while_the_app_was_suspended_is_checked_afterwards(team: Team) -> None:
    repository = team.repository(SHOP)
    team.app.suspend(team.installation)
    pull = opened(repository)
    team.settle()
    assert pull.check_runs() == ()
    team.app.unsuspend(team.installation)
    team.settle()
    assert verdicts(pull) == PASS


def test_permissions_that_are_granted_later_bring_the_verdicts(team: Team) -> None:
    repository = team.github.create_repository("octo/shop", files=SHOP)
    fewer = {name: level for name, level in team.app.permissions.items() if name != "checks"}
    installation = team.app.install(repository, permissions=fewer)
    pull = opened(repository)
    team.settle()
    assert pull.check_runs() == ()
    installation.permissions["checks"] = "write"
    team.clock.ahead += timedelta(minutes=5)  # the bot has an older token
    team.github.deliver("installation", accepted(team), app=team.app)
    team.settle()
    assert verdicts(pull) == PASS
    assert len(on_main(repository)) == 4


@pytest.mark.parametrize("end", ["uninstalled", "suspended", "removed", "deleted"])
def test_work_of_what_is_gone_is_dropped(team: Team, end: str) -> None:
    """The job ends; nothing is tried for ever (else the bot would never be idle)."""
    repository = team.repository({**SHOP})
    repository.private = True
    pull = opened(repository)
    team.settle()
    team.stop()
    team.start()  # without a token at hand
    team.github.pause_deliveries()
    pull.push(files={"src/api/b.py": "2\n"})
    pull.enqueue()
    repository.commit("main", files={".memoryrail/config.json": "{}\n"})
    if end == "uninstalled":
        team.app.uninstall(team.installation)
    elif end == "suspended":
        team.app.suspend(team.installation)
    elif end == "removed":
        team.app.remove(team.installation, repository)
    else:
        repository.delete()
    team.github.resume_deliveries()
    team.settle()
    assert team.unfinished() == ()


def test_an_archived_repository_is_let_be(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.archived = True
    pull = opened(repository)
    team.settle()
    assert pull.check_runs() == ()
    assert team.unfinished() == ()


@on_both
def test_a_renamed_repository_goes_on_working(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    repository.rename("store")
    team.settle()
    assert team.label(repository) == "octo/store"
    pull.push(files={"src/api/b.py": "2\n"})
    team.settle()
    assert verdicts(pull) == PASS
    assert len(said(pull)) == 1
    sha = pull.enqueue()
    team.settle()
    assert len(pull.check_runs(sha)) == 4


def test_a_repository_that_is_given_away_goes_on_under_its_new_owner(team: Team) -> None:
    """By another installation, and without its old name."""
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    team.repository(SHOP, "corp/site")
    repository.transfer("corp")
    team.settle()
    assert team.label(repository) == "corp/shop"
    before = len(team.github.requests)
    pull.push(files={"src/api/b.py": "2\n"})
    sha = pull.enqueue()
    team.settle()
    assert verdicts(pull) == PASS
    assert (len(said(pull)), len(pull.check_runs(sha))) == (1, 4)
    assert not any("octo/shop" in each.path for each in team.github.requests[before:])


def test_a_rename_that_nobody_told_is_found_out(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    team.app.events = tuple(one for one in team.app.events if one != "repository")
    repository.rename("store")
    pull.title = "Another title"
    team.wake(pull, repository="octo/shop")
    assert team.label(repository) == "octo/store"
    assert verdicts(pull) == PASS


def test_another_repository_under_the_old_name_is_not_touched(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    repository.rename("store")
    other = team.github.create_repository("octo/shop", files=SHOP)
    team.app.install(other)
    foreign = opened(other)
    team.settle()
    before = len(other.check_runs)
    for run in [*pull.check_runs()]:
        run.external_id = ""  # so that there is something to write
    team.wake(pull, repository="octo/shop")
    assert team.label(repository) == "octo/store"
    assert team.label(other) == "octo/shop"
    assert verdicts(pull) == verdicts(foreign) == PASS
    assert len(other.check_runs) == before
    assert len([run for run in repository.check_runs.values() if run.external_id == ""]) == 4


def accepted(team: Team) -> dict[str, object]:
    """What GitHub sends when an owner grants what the app asks for."""
    return {
        "action": "new_permissions_accepted",
        "installation": {"id": team.app.installations[0].id},
        "sender": {"id": 1, "login": "octo"},
    }


def test_the_successes_on_the_default_branch_are_made_anew_when_asked_for(team: Team) -> None:
    repository = team.repository(SHOP, announced=True)
    seen = set(repository.check_runs)
    (suite,) = repository.check_suites.values()
    for ask in (suite, suite.latest[0]):
        ask.rerequest(team.github.user("octo"))
        team.settle()
        now = {run.id for run in suite.latest}
        assert (len(now), now & seen) == (4, set())
        seen |= now
    assert set(on_main(repository).values()) == {"Ready: pull requests are checked from now on"}


def test_another_default_branch_is_made_ready_and_judges_anew(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    repository.branch("next")
    repository.commit(
        "next",
        files={".github/memoryrail.yml": "precheck:\n  require: all\n"},
        login="alice",
    )
    team.settle()
    assert verdicts(pull) == PASS
    repository.choose_default_branch("next")
    team.settle()
    assert verdicts(pull)["precheck"] == "action_required"
    tip = repository.git.branch("next")
    runs = [run for run in repository.check_runs.values() if run.suite.head_sha == tip]
    assert {run.title for run in runs} == {"Ready: pull requests are checked from now on"}
