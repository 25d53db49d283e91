import importlib.metadata
import logging
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
import uvicorn
from click.testing import CliRunner
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.cli import main
from bot.cli.serve import http_address, listen, start_line
from bot.core.errors import SettingsError
from bot.settings import Settings

SECRET = "not-a-" * 5
DATABASE = Path.cwd() / "memoryrail.sqlite"


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
    """serve sets up the log of the whole process; it is put back."""
    loggers = [logging.getLogger(name) for name in ("httpx", "dbos")]
    before = [logger.level for logger in loggers]
    hooks = sys.excepthook, threading.excepthook
    yield
    sys.excepthook, threading.excepthook = hooks
    logging.captureWarnings(capture=False)
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {},
            f"127.0.0.1:8080, app 123 of https://api.github.com, SQLite file {DATABASE}",
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
    read = Settings.read(environment | settings)
    shown = start_line(read, f"at {http_address(read)}")
    assert shown == f"memoryrail-bot {version} at http://{line}"


@pytest.mark.usefixtures("levels")
def test_serve_logs_one_line_of_its_own(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    served: list[tuple[object, ...]] = []

    def run(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        served.extend(one.getsockname() for one in sockets)
        server.started = True

    monkeypatch.setattr(uvicorn.Server, "run", run)

    def bot(_settings: Settings, *, private: Sequence[socket.socket], takes_jobs: bool) -> object:
        assert takes_jobs
        served.extend(one.getsockname() for one in private)
        return SimpleNamespace(web=None)

    monkeypatch.setattr("bot.app.Bot", bot)
    caplog.set_level(logging.INFO)
    environment |= {"MEMORYRAIL_PORT": "0", "MEMORYRAIL_METRICS_PORT": "0"}
    result = CliRunner().invoke(main, ["serve"], env=environment)
    assert (result.exit_code, result.stderr) == (0, "")
    assert [host for host, _ in served] == ["127.0.0.1", "127.0.0.1"]
    assert len({port for _, port in served}) == 2
    assert [record.name for record in caplog.records] == ["bot.cli.serve"]
    assert SECRET not in caplog.text


@pytest.mark.usefixtures("levels")
@pytest.mark.parametrize("which", ["", "METRICS_"])
@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("127.0.0.1", "MEMORYRAIL_{which}PORT {port} is in use on 127.0.0.1: "),
        ("192.0.2.1", "MEMORYRAIL_{which}HOST 192.0.2.1 is no address of this machine\n"),
    ],
    ids=["busy port", "foreign address"],
)
def test_where_it_cannot_listen_nothing_is_announced(
    environment: dict[str, str], caplog: pytest.LogCaptureFixture, which: str, host: str, told: str
) -> None:
    caplog.set_level(logging.INFO)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        place = {
            "MEMORYRAIL_PORT": "0",
            f"MEMORYRAIL_{which}HOST": host,
            f"MEMORYRAIL_{which}PORT": str(port),
        }
        result = CliRunner().invoke(main, ["serve"], env=environment | place)
    assert (result.exit_code, result.stdout, caplog.text) == (2, "", "")
    assert result.stderr.startswith(f"Error: {told.format(port=port, which=which)}")


@pytest.mark.usefixtures("levels")
def test_settings_that_cannot_be_used_are_named_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "bot.env"
    file.write_text("MEMORYRAIL_APP_IDD=1\n")
    result = CliRunner().invoke(main, ["serve", "--env-file", str(file)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "MEMORYRAIL_APP_IDD is not a setting; did you mean MEMORYRAIL_APP_ID?" in result.stderr
    assert "MEMORYRAIL_WEBHOOK_SECRET is missing" in result.stderr


def test_a_host_without_an_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(
        SettingsError, match=r"^MEMORYRAIL_HOST bot-1 is a name without an address$"
    ):
        listen("bot-1", 8080)
