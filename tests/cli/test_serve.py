import importlib.metadata
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import uvicorn
from click.testing import CliRunner
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.cli import main
from bot.cli.serve import start_line
from bot.settings import Settings

SECRET = "not-a-" * 5


@pytest.fixture(scope="module")
def pem() -> str:
    return (
        rsa.generate_private_key(public_exponent=65537, key_size=2048)
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
        .decode()
    )


@pytest.fixture
def environment(pem: str) -> dict[str, str]:
    return {
        "MEMORYRAIL_APP_ID": "123",
        "MEMORYRAIL_PRIVATE_KEY": pem,
        "MEMORYRAIL_WEBHOOK_SECRET": SECRET,
    }


@pytest.fixture
def levels() -> Iterator[None]:
    """serve sets levels for the whole process; they are put back."""
    loggers = [logging.getLogger(name) for name in ("httpx", "dbos")]
    before = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {},
            "127.0.0.1:8080, app 123 of https://api.github.com, SQLite file memoryrail.sqlite",
        ),
        (
            {
                "MEMORYRAIL_HOST": "::1",
                "MEMORYRAIL_DATABASE_URL": f"postgresql://me:{SECRET}@db/bot?sslpassword={SECRET}",
                "MEMORYRAIL_GITHUB_URL": "https://ghe.example/api/v3",
            },
            "[::1]:8080, app 123 of https://ghe.example/api/v3, PostgreSQL database bot at db",
        ),
    ],
)
def test_the_start_line_says_what_is_started_and_no_secret(
    environment: dict[str, str], settings: dict[str, str], line: str
) -> None:
    version = importlib.metadata.version("memoryrail-bot")
    shown = start_line(Settings.read(environment | settings))
    assert shown == f"memoryrail-bot {version} at http://{line}"


@pytest.mark.usefixtures("levels")
def test_serve_logs_one_line_of_its_own(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    served: list[dict[str, object]] = []
    monkeypatch.setattr(uvicorn, "run", lambda _web, **options: served.append(options))
    monkeypatch.setattr("bot.app.Bot", lambda _settings: SimpleNamespace(web=None))
    caplog.set_level(logging.INFO)
    result = CliRunner().invoke(main, ["serve"], env=environment)
    assert (result.exit_code, result.stderr) == (0, "")
    assert [(one["host"], one["port"]) for one in served] == [("127.0.0.1", 8080)]
    assert [record.name for record in caplog.records] == ["bot.cli.serve"]
    assert SECRET not in caplog.text


@pytest.mark.usefixtures("levels")
def test_settings_that_cannot_be_used_are_named_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "bot.env"
    file.write_text("MEMORYRAIL_APP_IDD=1\n")
    result = CliRunner().invoke(main, ["serve", "--env-file", str(file)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "MEMORYRAIL_APP_IDD is not a setting; did you mean MEMORYRAIL_APP_ID?" in result.stderr
    assert "MEMORYRAIL_WEBHOOK_SECRET is missing" in result.stderr
