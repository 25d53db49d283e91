"""The bot put together: what it says and does when it starts and stops."""

import hashlib
import hmac
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bot.app import Bot
from bot.core.errors import SettingsError
from bot.github.client import Timing
from bot.handlers import reconcile
from bot.jobs.queue import now_ms
from bot.sandbox import Sandbox
from bot.settings import Settings
from bot.store import pulls
from bot.store.pulls import PullKey, Wake
from bot.web.background import Background


def settings(github: Sandbox, folder: Path, **changed: str) -> Settings:
    app = github.create_app()
    return Settings.read(
        {
            "MEMORYRAIL_APP_ID": str(app.id),
            "MEMORYRAIL_PRIVATE_KEY": app.private_key_pem,
            "MEMORYRAIL_WEBHOOK_SECRET": app.webhook_secret,
            "MEMORYRAIL_GITHUB_URL": github.url,
            "MEMORYRAIL_DATABASE_URL": f"sqlite:///{folder / 'bot.sqlite'}",
            **changed,
        }
    )


@pytest.fixture
def github(tmp_path: Path) -> Sandbox:
    return Sandbox.start(tmp_path / "github")


def test_the_app_is_named_at_the_start(
    github: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with github:
        bot = Bot(settings(github, tmp_path))
        with Background(bot.web) as served:
            served.run(bot.greet())
            assert "GitHub knows this app as memoryrail" in caplog.text
            assert httpx.get(f"{served.url}/readyz").text == "ready\n"


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (401, "the private key does not belong to app 4711 (401)"),
        (404, "GitHub knows no app 4711 (404)"),
    ],
)
def test_credentials_that_are_refused_show_in_the_log_and_in_readyz(
    github: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, status: int, why: str
) -> None:
    said = (
        f"GitHub refuses the app's credentials: {why}. "
        "See MEMORYRAIL_APP_ID and MEMORYRAIL_PRIVATE_KEY_FILE"
    )
    with github:
        github.faults.add("GET /app", status=status, times=9)
        timing = Timing(sleep=_at_once)
        bot = Bot(settings(github, tmp_path, MEMORYRAIL_APP_ID="4711"), timing=timing)
        with Background(bot.web) as served:
            served.run(bot.greet())
            answer = httpx.get(f"{served.url}/readyz")
        assert (answer.status_code, answer.text) == (503, f"not ready: {said}\n")
    errors = {one.getMessage() for one in caplog.records if one.levelno == logging.ERROR}
    assert errors == {f"{said}. Nothing can be reviewed until that is mended"}


def test_refusals_that_pass_leave_readyz_ready(
    github: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing else asks GitHub, as in a process that only receives."""
    monkeypatch.setattr("bot.app._ASK_AGAIN", timedelta(seconds=0.02))
    with github:
        refused = github.faults.add("GET /app", status=401, times=5)
        bot = Bot(settings(github, tmp_path), timing=Timing(sleep=_at_once), compares=False)
        with Background(bot.web) as served, httpx.Client(base_url=served.url) as client:
            end = time.monotonic() + 20
            while client.get("/readyz").status_code != 200 or refused.hits < 5:
                assert time.monotonic() < end


def test_a_github_out_of_reach_is_no_reason_to_stop(
    github: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with github:
        github.faults.add("GET /app", status=502, times=99)
        bot = Bot(settings(github, tmp_path), timing=Timing(sleep=_at_once))
        with Background(bot.web) as served:
            served.run(bot.greet())
            assert "GitHub cannot be asked who this app is: " in caplog.text
            assert httpx.get(f"{served.url}/readyz").status_code == 200


def test_a_queue_that_stands_still_shows_in_readyz(github: Sandbox, tmp_path: Path) -> None:
    told = (
        "not ready: the oldest of 1 jobs that wait or run has been due for 3 minutes; "
        "memoryrail-bot jobs list shows them\n"
    )
    key = PullKey(repository_id=7, number=1)
    wake = Wake(key=key, installation_id=5, repository="octo/cat")
    with github:
        bot = Bot(settings(github, tmp_path, MEMORYRAIL_READY_QUEUE_MINUTES="2"))
        with Background(bot.web) as served, httpx.Client(base_url=served.url) as client:
            assert client.get("/readyz").status_code == 200
            since_ms = now_ms() - 200_000
            job, _ = bot.database.transact_here(
                lambda connection: pulls.wake(connection, wake, now_ms=since_ms)
            )
            assert client.get("/readyz").text == told
            assert client.get("/healthz").status_code == 200
            bot.database.transact_here(
                lambda connection: pulls.finish(connection, job, now_ms=now_ms())
            )
            assert client.get("/readyz").status_code == 200


def test_while_the_database_is_away_the_bot_lives_and_says_so(
    github: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A delivery is answered 503 then, and only then; nothing shows where the database is."""
    with github:
        app_settings = settings(github, tmp_path)
        bot = Bot(app_settings)
        with Background(bot.web) as served, httpx.Client(base_url=served.url) as client:
            body = b"{}"
            digest = hmac.new(app_settings.webhook_secrets[0], body, hashlib.sha256).hexdigest()
            headers = {
                "content-type": "application/json",
                "x-github-event": "ping",
                "x-github-delivery": "one",
                "x-hub-signature-256": f"sha256={digest}",
            }
            with _away(bot):
                ready = client.get("/readyz")
                answer = client.post("/webhook", content=body, headers=headers)
                figures = served.run(bot.figures())
                assert client.get("/healthz").status_code == 200
            assert (ready.status_code, ready.text) == (
                503,
                "not ready: the database does not answer\n",
            )
            assert (answer.status_code, str(tmp_path) in answer.text) == (503, False)
            assert b"memoryrail_database_up 0.0" in figures
            again = client.post("/webhook", content=body, headers=headers)
            assert (again.status_code, again.text) == (202, "Accepted.\n")
            figures = served.run(bot.figures())
            assert b'{event="ping",outcome="lost"} 1.0' in figures
            assert b'{event="ping",outcome="accepted"} 1.0' in figures
    assert "delivery one ping could not be kept" in caplog.text


@contextmanager
def _away(bot: Bot) -> Iterator[None]:
    """No transaction begins: as if the server of the database had gone."""

    def refuse(_connection: sa.Connection) -> None:
        raise OperationalError("BEGIN", {}, OSError("server closed the connection"))

    sa.event.listen(bot.database.engine, "begin", refuse)
    try:
        yield
    finally:
        sa.event.remove(bot.database.engine, "begin", refuse)


def test_it_compares_with_github_at_the_start_until_it_is_stopped(
    github: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_AT_START", 0.0)
    with github:
        held = github.faults.add("GET /app/installations", hang=True)
        bot = Bot(settings(github, tmp_path))
        with Background(bot.web):
            assert held.waiting.wait(20)
        held.release()
        again = Bot(settings(github, tmp_path))
        with again.database.engine.begin() as connection:
            lease = connection.exec_driver_sql("SELECT leased_until_ms FROM reconciliation")
            assert lease.scalar_one() == 0
        again.database.close()


async def _at_once(_seconds: float) -> None:
    """Sleep no time."""


def test_a_second_bot_on_the_same_file_is_refused(github: Sandbox, tmp_path: Path) -> None:
    with github:
        bot = Bot(settings(github, tmp_path))
        with Background(bot.web), pytest.raises(SettingsError, match="another process works on"):
            Bot(settings(github, tmp_path))
