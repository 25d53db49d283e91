"""Maintainers accept what applies, and have memories written, from the pull request."""

import re
from datetime import timedelta

from bot.sandbox.state.pulls import PullRequest
from tests.making import github_token
from tests.scenarios.commanding import (
    PASS,
    SHOP,
    answers,
    audit,
    content,
    opened,
    reactions,
    rows,
    say,
)
from tests.scenarios.conftest import MONEY, Team, memory, said, verdicts

PINNED = ".github/memoryrail.yml"


def test_an_acknowledgement_lets_a_required_constraint_pass_until_it_changes(team: Team) -> None:
    pull = opened(team, {"src/pay/new.py": "x = 1\n"})
    repository = pull.repository
    repository.commit("main", files={PINNED: "precheck:\n  require: pinned\n"})
    team.settle()
    assert verdicts(pull) == {**PASS, "precheck": "action_required"}
    refused = say(team, pull, "bob", "/memoryrail ack CON-21ec")
    team.settle()
    assert reactions(refused) == {"eyes", "-1"}
    comment = say(team, pull, "ada", "/memoryrail ack CON-21ec: cents come with the next one")
    team.settle()
    assert (verdicts(pull), reactions(comment)) == (PASS, {"eyes", "+1"})
    assert len(pull.commits) == 1
    (run,) = (one for one in pull.check_runs() if one.name == "memoryrail/memory")
    assert "`@ada` (maintain): `ack CON-21ec`, done" in str(run.text)
    assert "`@bob` (write): `ack CON-21ec`, refused" in str(run.text)
    assert [one[:3] for one in audit(team)] == [
        ("ack", "CON-21ec", "refused"),
        ("ack", "CON-21ec", "done"),
    ]
    assert rows(team, "SELECT actor, reason, comment FROM acknowledgements") == [
        ("ada", "cents come with the next one", f"issuecomment-{comment.id}")
    ]
    group = pull.enqueue()
    team.settle()
    runs = {run.name: run.conclusion for run in pull.check_runs(group)}
    assert runs["memoryrail/precheck"] == "success"
    changed = memory(MONEY, "constraint", "Money is integer tenths", more="pinned: true\n")
    team.github.pause_deliveries()
    blind = say(team, pull, "ada", "/memoryrail ack CON-21ec")
    repository.commit("main", files=changed)
    team.github.resume_deliveries()
    team.settle()
    assert (reactions(blind), verdicts(pull)["precheck"]) == ({"eyes", "-1"}, "action_required")
    assert "CON-21ec (Money is integer tenths) is not the text on main that" in answers(pull)[-1]
    say(team, pull, "ada", "/memoryrail ack CON-21ec")
    team.settle()
    assert verdicts(pull) == PASS
    say(team, pull, "ada", "/memoryrail undo")
    team.settle()
    assert verdicts(pull)["precheck"] == "action_required"
    assert answers(pull)[-1].strip() == "Undone: `ack CON-21ec`."
    again = say(team, pull, "ada", "/memoryrail undo ack CON-21ec")
    team.settle()
    assert reactions(again) == {"eyes", "-1"}


def test_what_somebody_has_written_waits_for_somebody_else(team: Team) -> None:
    pull = opened(team, {"src/pay/new.py": "x = 1\n"})
    team.github.advance(timedelta(seconds=5))
    text = '/memoryrail remember gotcha "Never retry inside the request"\n\nIt charges twice.\n'
    review = pull.review("ada", "", ("src/pay/new.py", 1, text))
    team.settle()
    assert reactions(review.comments[0]) == {"eyes", "+1"}
    (path,) = (
        change.path for change in pull.changes if change.path.startswith(".memoryrail/memories/")
    )
    written = content(pull.repository, pull.head_sha, path) or ""
    assert 'status: "proposed"\n' in written
    assert 'links: ["src/pay/new.py"]\n---\n\nIt charges twice.\n' in written
    assert "Remembered **GOT-" in answers(pull)[0]
    ref = answers(pull)[0].partition("**")[2].partition("**")[0]
    own = say(team, pull, "ada", f"/memoryrail approve {ref}")
    team.settle()
    assert reactions(own) == {"eyes", "-1"}
    assert "you had it written by commit" in answers(pull)[1]
    pull.repository.grant("kim", "maintain")
    other = say(team, pull, "kim", f"/memoryrail approve {ref}")
    team.settle()
    assert (reactions(other), verdicts(pull)) == ({"eyes", "+1"}, PASS)


def test_where_settings_allow_it_a_maintainer_writes_what_is_active(team: Team) -> None:
    pull = opened(team, {"src/pay/new.py": "x = 1\n"})
    settings = "commands:\n  remember:\n    active: true\n"
    pull.repository.commit("main", files={**SHOP, PINNED: settings})
    team.settle()
    say(team, pull, "ada", '/memoryrail remember decision "Orders are placed once"\nBecause.')
    team.settle()
    (path,) = (
        change.path for change in pull.changes if change.path.startswith(".memoryrail/memories/")
    )
    assert 'status: "active"\n' in (content(pull.repository, pull.head_sha, path) or "")
    assert "Orders are placed once" in (content(pull.repository, pull.head_sha, "AGENTS.md") or "")
    assert verdicts(pull) == PASS


def test_a_false_alarm_is_ignored_for_good(team: Team) -> None:
    pull = opened(team, {"src/pay/key.py": f'TOKEN = "{github_token()}"\n'})
    assert verdicts(pull)["secrets"] == "failure"
    (run,) = (one for one in pull.check_runs() if one.name == "memoryrail/secrets")
    shown = "\n".join(str(text) for text in (run.summary, run.text, said(pull)))
    command = re.search(r"/memoryrail ignore [0-9a-f]{16} : ", shown)
    assert command is not None
    refused = say(team, pull, "bob", f"{command[0]}made up")
    team.settle()
    assert (reactions(refused), verdicts(pull)["secrets"]) == ({"eyes", "-1"}, "failure")
    comment = say(team, pull, "ada", f"{command[0]}made up")
    team.settle()
    assert (reactions(comment), verdicts(pull)["secrets"]) == ({"eyes", "+1"}, "success")
    other = branched(team, pull)
    assert verdicts(other)["secrets"] == "success"
    # Taken back by name on another pull request, it counts on both again.
    fingerprint = command[0].split()[2]
    refused = say(team, other, "bob", f"/memoryrail undo ignore {fingerprint}")
    team.settle()
    assert (reactions(refused), verdicts(pull)["secrets"]) == ({"eyes", "-1"}, "success")
    undo = say(team, other, "ada", f"/memoryrail undo ignore {fingerprint}")
    team.settle()
    assert reactions(undo) == {"eyes", "+1"}
    assert [verdicts(one)["secrets"] for one in (pull, other)] == ["failure", "failure"]
    # Ignored once more, and undone without a name, although the answer was lost at first.
    say(team, pull, "ada", f"{command[0]}made up all the same")
    team.settle()
    assert verdicts(pull)["secrets"] == "success"
    team.github.faults.add("^POST /graphql Reply", status=502, times=1)
    say(team, pull, "ada", "/memoryrail undo")
    team.settle()
    assert verdicts(pull)["secrets"] == "failure"
    assert answers(pull)[-1].strip() == f"Undone: `ignore {fingerprint}`."
    assert [one[:3] for one in audit(team)] == [
        ("ignore", fingerprint, "refused"),
        ("ignore", fingerprint, "done"),
        ("undo", f"ignore {fingerprint}", "refused"),
        ("undo", f"ignore {fingerprint}", "done"),
        ("ignore", fingerprint, "done"),
        ("undo", f"ignore {fingerprint}", "done"),
    ]


def branched(team: Team, pull: PullRequest) -> PullRequest:
    """Another pull request with the same change."""
    pull.repository.branch("another")
    pull.repository.commit("another", files={"src/pay/key.py": f'TOKEN = "{github_token()}"\n'})
    other = pull.repository.open_pull(head="another", user="bob")
    team.settle()
    return other


def test_who_had_a_memory_written_stays_its_author_through_a_rewrite(team: Team) -> None:
    pull = opened(team, {"src/pay/new.py": "x = 1\n"})
    say(team, pull, "ada", '/memoryrail remember gotcha "Never retry"\n\nIt.')
    team.settle()
    changed = {
        one.path: content(pull.repository, pull.head_sha, one.path) or "" for one in pull.changes
    }
    (path,) = (one for one in changed if "/memories/" in one)
    pull.force_push(files=changed, message=pull.commits[-1].message)
    team.settle()
    own = say(team, pull, "ada", f"/memoryrail approve {path}")
    team.settle()
    assert reactions(own) == {"eyes", "-1"}
