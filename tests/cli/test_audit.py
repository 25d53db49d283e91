"""`audit`: who asked for what, read beside the bot."""

import json
from pathlib import Path

import pytest

from bot.store import audit, pulls
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.database import Database
from bot.store.pulls import PullKey, Wake
from tests.cli.running import run


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two commands of ada's on octo/shop#12, one of an agent's on #13."""
    monkeypatch.setenv("MEMORYRAIL_DATABASE_URL", f"sqlite:///{tmp_path / 'bot.sqlite'}")
    database = Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")
    at = 1_791_633_600_000  # 2026-10-10T12:00:00Z

    def write(number: int, verb: str, outcome: AuditOutcome, actor: str, *, day: int) -> None:
        key = PullKey(repository_id=7, number=number)
        row = AuditRow(
            comment=f"issuecomment-{day}",
            digest="d",
            position=0,
            actor_id=day,
            actor=actor,
            permission="maintain" if actor == "ada" else "",
            head_sha="b" * 40,
            verb=verb,
            refs="DEC-a3f9",
            outcome=outcome,
            commit_sha="a" * 40 if outcome is AuditOutcome.DONE else None,
        )
        wake = Wake(key=key, installation_id=5, repository="octo/shop")
        with database.engine.begin() as connection:
            pulls.wake(connection, wake, now_ms=at)
            audit.write_down(connection, key, [row], now_ms=at + day * 86_400_000)

    write(12, "approve", AuditOutcome.DONE, "ada", day=0)
    write(13, "approve", AuditOutcome.REFUSED, "coder[bot]", day=1)
    write(12, "reject", AuditOutcome.REFUSED, "ada", day=2)
    database.close()


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["octo/shop", "--limit", "2"], [("octo/shop#12", "reject"), ("octo/shop#13", "approve")]),
        (["Octo/shop#12"], [("octo/shop#12", "reject"), ("octo/shop#12", "approve")]),
        (["octo/shop", "--verb", "approve", "--limit", "1"], [("octo/shop#13", "approve")]),
        (["--actor", "@ADA", "--since", "2026-10-12"], [("octo/shop#12", "reject")]),
        (["octo/other"], []),
    ],
)
def test_commands_are_found(arguments: list[str], found: list[tuple[str, str]]) -> None:
    shown = json.loads(run("audit", *arguments, "--json").stdout)
    assert [(one["about"], one["verb"]) for one in shown] == found


@pytest.mark.usefixtures("told")
def test_a_row_says_who_what_where_and_what_came_of_it() -> None:
    (one,) = json.loads(run("audit", "--verb", "approve", "--actor", "ada", "--json").stdout)
    assert one == {
        "at": "2026-10-10T12:00:00Z",
        "about": "octo/shop#12",
        "repository_id": 7,
        "comment": "issuecomment-0",
        "position": 0,
        "actor": "ada",
        "actor_id": 0,
        "permission": "maintain",
        "verb": "approve",
        "refs": ["DEC-a3f9"],
        "outcome": "done",
        "head_sha": "b" * 40,
        "commit_sha": "a" * 40,
    }
    table = run("audit").stdout
    assert "approve DEC-a3f9" in table
    assert "aaaaaaaaaaaa" in table


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    ("arguments", "said"), [(["shop"], "owner/name#NUMBER"), (["--since", "today"], "2026-10-01")]
)
def test_bad_questions_say_what_would_be_right(arguments: list[str], said: str) -> None:
    refused = run("audit", *arguments)
    assert refused.exit_code == 2
    assert said in refused.stderr
