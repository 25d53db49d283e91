"""A credential in any commit fails, and its value is nowhere to be seen."""

import json
import re

import pytest

from bot.store.dismissals import Dismissal, dismiss
from tests.databases import contents
from tests.making import github_token
from tests.scenarios.conftest import CODE, Team, on_both, said, verdicts

TOKEN = github_token()


@on_both
def test_a_secret_that_a_later_commit_removes(team: Team, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    repository = team.repository(CODE)
    repository.branch("feature")
    first = repository.commit("feature", files={"deploy.env": f"TOKEN={TOKEN}\n"}, login="alice")
    repository.commit("feature", files={"deploy.env": "TOKEN=\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()

    assert verdicts(pull)["secrets"] == "failure"
    (text,) = said(pull)
    assert text.startswith("### MemoryRail: 1 secret to revoke\n")
    assert f"added by {first[:7]}, and it stays in the history" in text
    team.stop()
    shown = json.dumps(
        [
            [comment.body for comment in pull.comments],
            [[run.title, run.summary, run.text, str(run.annotations)] for run in pull.check_runs()],
            caplog.text,
        ]
    )
    stored = contents(team.database_url)
    assert TOKEN not in shown
    assert pull.head_sha in stored
    assert TOKEN not in stored


def test_a_secret_in_the_newest_push_is_found_after_a_clean_start(team: Team) -> None:
    repository = team.repository(CODE)
    repository.branch("feature")
    repository.commit("feature", files={"a.py": "1\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull)["secrets"] == "success"
    pull.push(files={"deploy.env": f"x\nTOKEN={TOKEN}\n"})
    team.settle()
    assert verdicts(pull)["secrets"] == "failure"
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/secrets"]
    assert [(note.path, note.start_line, note.title) for note in run.annotations] == [
        ("deploy.env", 2, "github-token")
    ]


def test_what_the_repository_says_is_no_secret(team: Team) -> None:
    """By the base's list; the pull request's own list hides nothing that is certain."""
    repository = team.repository(CODE)
    repository.branch("feature")
    sha = repository.commit("feature", files={"old.env": f"TOKEN={TOKEN}\n"}, login="alice")
    repository.commit("main", files={".gitleaksignore": f"{sha}:old.env:github-token:1\n"})
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull)["secrets"] == "success"
    more = {".gitleaksignore": "new.env:github-token:1\n", "new.env": f"OTHER={TOKEN}\n"}
    pull.push(files=more)
    team.settle()
    assert verdicts(pull)["secrets"] == "failure"


@on_both
def test_what_a_maintainer_dismissed_blocks_no_more(team: Team) -> None:
    repository = team.repository(CODE)
    repository.branch("feature")
    repository.commit("feature", files={"deploy.env": f"TOKEN={TOKEN}\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    (fingerprint,) = set(re.findall(r"fingerprint `([0-9a-f]{16})`", said(pull)[0]))
    with team.bot.database.engine.begin() as connection:
        dismissal = Dismissal(fingerprint=fingerprint, actor_id=1, number=1, comment=None)
        dismiss(connection, repository.id, dismissal, written_ms=1, now_ms=1)
    pull.push(files={"README.md": "# Shop, again\n"})
    team.settle()
    assert verdicts(pull)["secrets"] == "success"
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/secrets"]
    assert "A maintainer says that it is none." in str(run.summary)
