"""The bot put together: what it says and does when it starts and stops."""

import logging
from pathlib import Path

import httpx
import pytest

from bot.app import Bot
from bot.core.errors import SettingsError
from bot.github.client import Timing
from bot.sandbox import Sandbox
from bot.settings import Settings
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
        bot = Bot(settings(github, tmp_path, MEMORYRAIL_APP_ID="4711"))
        with Background(bot.web) as served:
            served.run(bot.greet())
            answer = httpx.get(f"{served.url}/readyz")
        assert (answer.status_code, answer.text) == (503, f"not ready: {said}\n")
    errors = {one.getMessage() for one in caplog.records if one.levelno == logging.ERROR}
    assert errors == {f"{said}. Nothing can be reviewed until that is mended"}


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


async def _at_once(_seconds: float) -> None:
    """Sleep no time."""


def test_a_second_bot_on_the_same_file_is_refused(github: Sandbox, tmp_path: Path) -> None:
    with github:
        bot = Bot(settings(github, tmp_path))
        with Background(bot.web), pytest.raises(SettingsError, match="another process works on"):
            Bot(settings(github, tmp_path))
