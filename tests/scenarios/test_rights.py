"""Who may command, as settings and GitHub say it when the command runs."""

from datetime import timedelta

import pytest

from bot.sandbox.state.pulls import PullRequest
from tests.scenarios.commanding import PASS, PATH, REF, SHOP, answers, audit, proposal, say
from tests.scenarios.conftest import Team, verdicts

SETTINGS = ".github/memoryrail.yml"
CREW = "commands:\n  approve:\n    permission: admin\n    users: [zoe]\n    teams: [crew]\n"
HOUR = timedelta(hours=1)  # after which a token is minted anew


def opened(team: Team, settings: str = CREW, *, author: str = "alice") -> PullRequest:
    """A pull request that proposes; ada maintains, bob writes, kim reads."""
    repository = team.repository({**SHOP, SETTINGS: settings})
    for login, role in (("ada", "maintain"), ("bob", "write"), ("kim", "read")):
        repository.grant(login, role)
    repository.branch("feature")
    repository.commit("feature", files=proposal(), login=author)
    pull = repository.open_pull(head="feature", user=author)
    team.settle()
    return pull


def approve(team: Team, pull: PullRequest, login: str) -> str:
    """What somebody is told who approves; "" when it is done."""
    before = len(answers(pull))
    say(team, pull, login, f"/memoryrail approve {REF}")
    team.settle()
    return "".join(answers(pull)[before:])


def asked_for_teams(team: Team) -> int:
    return sum(one.operation.startswith("teams/") for one in team.github.requests)


def test_settings_say_who_approves_and_teams_are_asked_last(team: Team) -> None:
    team.github.team("octo/crew", "kim")
    pull = opened(team)
    assert "`@ada` has maintain." in approve(team, pull, "ada")
    assert asked_for_teams(team) == 1
    assert approve(team, pull, "kim") == ""  # with read access
    assert verdicts(pull) == PASS
    say(team, pull, "ada", f"/memoryrail reject {REF}")  # which settings leave to maintainers
    team.settle()
    assert pull.repository.git.entry(pull.head_sha, PATH) is None
    assert asked_for_teams(team) == 2
    outcomes = [(verb, outcome) for verb, _, outcome, _ in audit(team)]
    assert outcomes == [("approve", "refused"), ("approve", "done"), ("reject", "done")]


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("permission", "the app may not read members here"),
        ("error", "is not known: GitHub did not say"),
    ],
)
def test_a_team_rule_refuses_where_it_cannot_be_asked(team: Team, trouble: str, said: str) -> None:
    team.github.team("octo/crew", "kim")
    pull = opened(team)
    if trouble == "permission":
        team.installation.permissions.pop("members")
        team.clock.ahead += HOUR
        team.github.advance(HOUR)
    else:
        team.github.faults.add("GET /orgs/octo/teams", status=502, times=99)
    before = pull.head_sha
    assert said in approve(team, pull, "kim")
    assert pull.head_sha == before


def test_who_maintains_alone_approves_what_is_their_own_where_settings_say_so(team: Team) -> None:
    own = "commands: {approve: {own-pull-request: true, own-memory: true}}\n"
    pull = opened(team, own, author="ada")
    assert approve(team, pull, "ada") == ""
    assert verdicts(pull) == PASS


def test_a_permission_that_is_revoked_before_the_command_runs_is_gone(team: Team) -> None:
    pull = opened(team, "")
    team.github.pause_deliveries()
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    pull.repository.grant("ada", "read")
    team.github.resume_deliveries()
    team.settle()
    assert "`@ada` has read." in answers(pull)[0]


def test_the_owners_settings_hold_everywhere_and_a_push_reaches_every_pull_request(
    team: Team,
) -> None:
    pull = opened(team, "")
    owners = team.repository({"README.md": "octo\n"}, "octo/.github")
    assert verdicts(pull) == PASS
    text = "memory: {require-decision: true}\ncommands: {approve: {permission: admin}}\n"
    owners.commit("main", files={SETTINGS: text})
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "action_required"}
    assert "Only people with the admin permission can approve" in approve(team, pull, "ada")
    pull.repository.commit("main", files={SETTINGS: "commands: {approve: {permission: push}}\n"})
    team.settle()
    assert approve(team, pull, "bob") == ""
    assert verdicts(pull) == PASS


def test_the_pull_request_that_mends_broken_settings_is_not_held_up_by_them(team: Team) -> None:
    broken = "commands:\n  approve:\n    permission: write\n  aprove: {}\n"
    pull = opened(team, broken)
    assert verdicts(pull) == PASS
    (run,) = (run for run in pull.check_runs() if run.name == "memoryrail/memory")
    places = [(note.path, note.start_line) for note in run.annotations]
    assert places == [(SETTINGS, 3), (SETTINGS, 4)]
    pull.push(files={SETTINGS: "commands:\n  approve:\n    permission: push\n  aprove: {}\n"})
    team.settle()
    assert verdicts(pull) == PASS
    assert "with the maintain or admin permission" in approve(team, pull, "bob")  # until merged
