"""`ignored`: what is no secret, listed and taken back beside the bot."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.jobs.queue import Queue
from bot.store import pulls, work
from bot.store.database import Database
from bot.store.dismissals import Dismissal, dismiss, dismissed
from bot.store.pulls import PullKey, Wake
from tests.cli.running import run

ONE, TWO = "0123456789abcdef", "fedcba9876543210"
AT = 1_791_633_600_000  # 2026-10-10T12:00:00Z


def ignore(database: Database, id_: int, name: str, fingerprint: str, *, at: int) -> None:
    wake = Wake(key=PullKey(repository_id=id_, number=12), installation_id=5, repository=name)
    one = Dismissal(fingerprint=fingerprint, actor_id=3, number=12, comment="issuecomment-9")
    with database.engine.begin() as connection:
        pulls.wake(connection, wake, now_ms=at)
        dismiss(connection, id_, one, written_ms=at, now_ms=at)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two findings are ignored in octo/shop, one of them in octo/other too."""
    url = f"sqlite:///{tmp_path / 'bot.sqlite'}"
    monkeypatch.setenv("MEMORYRAIL_DATABASE_URL", url)
    database = Database(url)
    for at, (id_, name, fingerprint) in enumerate(
        ((7, "octo/shop", ONE), (7, "octo/shop", TWO), (8, "octo/other", ONE)), start=AT
    ):
        ignore(database, id_, name, fingerprint, at=at)
    database.close()
    return url


@pytest.mark.usefixtures("url")
def test_what_is_ignored_is_listed() -> None:
    shown = json.loads(run("ignored", "list", "--json").stdout)
    assert [(one["about"], one["fingerprint"]) for one in shown] == [
        ("octo/other#12", ONE),
        ("octo/shop#12", TWO),
        ("octo/shop#12", ONE),
    ]
    (row,) = run("ignored", "list", "Octo/Shop", "--limit", "1").stdout.splitlines()[1:]
    assert row.split() == [TWO, "octo/shop#12", "issuecomment-9", "3", "2026-10-10T12:00:00Z"]
    assert run("ignored", "list", "octo/none").stdout == "Nothing is ignored.\n"


def test_what_is_taken_back_counts_again_and_wakes_the_repository(url: str) -> None:
    database = Database(url)
    ignore(database, 6, "octo/shop", ONE, at=AT - 1)  # a repository that had the name before
    queue = Queue(database, workers=1, poll=timedelta(seconds=1))
    queue.open()
    queue.close()
    refused = run("ignored", "undo", "octo/shop", ONE, "00ff")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "octo/shop does not ignore 00ff; nothing was undone" in refused.stderr
    done = run("ignored", "undo", "octo/shop", ONE)
    assert (done.stdout, done.stderr) == (f"{ONE} counts again.\n", "")
    with database.engine.begin() as connection:
        assert dismissed(connection, 6) == frozenset()
        assert dismissed(connection, 7) == {TWO}
        assert dismissed(connection, 8) == {ONE}
        assert [one.work.kind for one in work.waiting(connection, 7)] == [work.WorkKind.WAKE]
        woken = pulls.state(connection, work.key_of(7))
    database.close()
    assert woken is not None
    assert (woken.busy, woken.installation_id) == (True, 5)
