"""The bot put together: what it says and does when it starts and stops."""

import logging
from pathlib import Path

import pytest

from bot.app import Bot
from bot.core.errors import SettingsError
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


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "GitHub knows this app as memoryrail"),
        ({"MEMORYRAIL_APP_ID": "4711"}, "GitHub does not take the app's credentials"),
    ],
    ids=["right", "wrong id"],
)
def test_credentials_are_tried_at_the_start(
    github: Sandbox,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    changed: dict[str, str],
    told: str,
) -> None:
    caplog.set_level(logging.INFO)
    with github:
        bot = Bot(settings(github, tmp_path, **changed))
        with Background(bot.web) as served:
            served.run(bot.greet())
        assert told in caplog.text
        github.violations.clear()


def test_a_second_bot_on_the_same_file_is_refused(github: Sandbox, tmp_path: Path) -> None:
    with github:
        bot = Bot(settings(github, tmp_path))
        with Background(bot.web), pytest.raises(SettingsError, match="another process works on"):
            Bot(settings(github, tmp_path))
