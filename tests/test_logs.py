import json
import logging
import sqlite3
import sys
import threading
from collections.abc import Iterator
from io import StringIO
from types import TracebackType

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from sqlalchemy.exc import OperationalError

from bot.core.errors import GitHubError, UserError
from bot.logs import PAUSE, LogFormat, Sparse, about, set_up
from bot.store.deliveries import NotDurableError
from tests.core.secrets.vectors import case

WEBHOOK = "a-webhook-" * 3
PASSWORD = "pass/word-of-the-database"
TOKENS = (
    f"{'ghs'}_{'a1B2c3D4e5' * 4}",
    f"{'ghs'}_123_{'eyJ'}hbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl",  # stateless
    f"{'github'}_pat_{'a1B2c3D4e5' * 4}",
    f"{'eyJ'}hbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl",
    "v1." + "0123456789" * 4,
)


class Log:
    """The root logger as set_up leaves it, and what was written to it."""

    def __init__(self) -> None:
        self.stream = StringIO()

    def set_up(self, log_format: LogFormat | None, *secrets: str) -> None:
        logging.getLogger().handlers.clear()  # pytest's: else nothing is set up
        set_up(log_format, secrets=secrets, stream=self.stream)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def log() -> Iterator[Log]:
    root = logging.getLogger()
    handlers, level = root.handlers.copy(), root.level
    hooks = sys.excepthook, threading.excepthook
    yield Log()
    root.handlers[:] = handlers
    root.setLevel(level)
    sys.excepthook, threading.excepthook = hooks
    logging.captureWarnings(capture=False)


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


def test_a_line_of_json_says_what_it_is_about(log: Log) -> None:
    log.set_up(LogFormat.JSON)
    with about(delivery="72d3", repository="octo/cat", number=3, installation=5):
        with about(job="7:3:1"):
            logging.getLogger("bot.jobs").info("tried\nagain")
        logging.getLogger("bot.web").warning("waits")
    logging.getLogger("bot.app").info("ends")
    first, second, third = log.lines
    assert str(first.pop("time")).endswith("Z")
    assert first == {
        "level": "INFO",
        "logger": "bot.jobs",
        "message": "tried\nagain",
        "delivery": "72d3",
        "repository": "octo/cat",
        "pull_request": "octo/cat#3",
        "installation": 5,
        "job": "7:3:1",
    }
    assert "job" not in second
    assert third.keys() == {"time", "level", "logger", "message"}


def test_a_line_of_text_repeats_nothing_and_cannot_be_broken(log: Log) -> None:
    log.set_up(LogFormat.TEXT)
    with about(delivery="72d3", repository="octo/cat", number=3):
        logging.getLogger("bot.web").info("delivery 72d3 octo/cat#3\n2026 INFO forged")
        logging.getLogger("bot.web").info("done")
    first, second = (line.partition(" ")[2] for line in log.text.splitlines())
    assert first == r"INFO bot.web delivery 72d3 octo/cat#3\x0a2026 INFO forged"
    assert second.startswith("INFO bot.web done [delivery 72d3, repository octo/cat, ")


def test_text_is_for_a_terminal(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.set_up(None)
    logging.getLogger("bot").info("one")
    assert log.lines[0]["message"] == "one"
    monkeypatch.setattr(log.stream, "isatty", lambda: True)
    log.set_up(None)
    logging.getLogger("bot").info("two")
    assert log.text.splitlines()[1].endswith(" INFO bot two")


@pytest.mark.parametrize("log_format", LogFormat)
def test_no_secret_gets_out_by_whatever_way(log: Log, pem: str, log_format: LogFormat) -> None:
    log.set_up(log_format, pem, WEBHOOK, PASSWORD)
    logger, foreign = logging.getLogger("bot.jobs.worker"), logging.getLogger("asyncio")
    texts = (
        *TOKENS,
        WEBHOOK,
        PASSWORD,
        pem,
        pem.splitlines()[3],
        repr(pem),
        f"Authorization: Bearer {TOKENS[0]}",
        "sha256=" + "0f" * 32,
        "postgresql://bot:pass%2Fword-of-the-database@db/bot",
        json.dumps({"webhook": WEBHOOK, "key": pem}),
    )
    for text in texts:
        logger.info("given %s", text)
        foreign.error("Task exception was never retrieved\nfuture: <exception=%r>", text)
        for error in (
            RuntimeError(text),
            GitHubError(f"answered {text}"),
            ConnectionError(1, text),
            OperationalError("SELECT :x", {"x": text}, sqlite3.OperationalError(text)),
        ):
            logger.error("job failed", exc_info=error)
        sys.excepthook(RuntimeError, RuntimeError(text), None)
        threading.excepthook(_crash(RuntimeError(text)))
    written = log.text
    secrets = [
        *(part for token in TOKENS for part in (token, token[8:24])),
        WEBHOOK,
        PASSWORD,
        "pass%2Fword",
        *(line for line in pem.splitlines() if not line.startswith("-")),
        "0f" * 32,
    ]
    assert [secret for secret in secrets if secret in written] == []
    assert written.count("stopped by an error that nothing caught") == 2 * len(texts)


def _crash(error: BaseException) -> threading.ExceptHookArgs:
    trace: TracebackType | None = None
    return threading.ExceptHookArgs((type(error), error, trace, None))


@pytest.mark.parametrize("log_format", LogFormat)
def test_an_exception_quotes_nothing_of_what_was_at_hand(log: Log, log_format: LogFormat) -> None:
    """Its text may hold a payload: the class and the places in the code find the bug."""
    log.set_up(log_format)
    payload = '{"comment": {"body": "said in confidence"}}'
    try:
        try:
            json.loads(payload + "!")
        except ValueError as error:
            raise KeyError(payload) from error
    except KeyError:
        logging.getLogger("bot.web").exception("cannot be read")
    assert "confidence" not in log.text
    assert "KeyError <- JSONDecodeError" in log.text
    assert "test_logs.py:" in log.text
    assert " in raw_decode" in log.text or " in decode" in log.text  # of the cause, too


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (GitHubError("POST /graphql was answered 502 (request id 1F)"), "answered 502"),
        (
            OperationalError("SELECT 1", {}, sqlite3.OperationalError("database is locked")),
            "locked",
        ),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (TimeoutError(), "TimeoutError"),
    ],
    ids=["GitHub", "database", "connection", "time-out"],
)
@pytest.mark.parametrize("log_format", LogFormat)
def test_an_outage_is_one_line(
    log: Log, log_format: LogFormat, error: Exception, told: str
) -> None:
    log.set_up(log_format)
    failure = NotDurableError("not kept")
    failure.__cause__ = error
    logging.getLogger("bot.jobs").error("job 7:3:1 failed", exc_info=failure)
    (line,) = log.text.splitlines()
    assert "NotDurableError: not kept <- " in line
    assert told in line


def test_an_error_or_a_warning_shows_no_credential_of_any_kind(log: Log) -> None:
    log.set_up(LogFormat.JSON)
    secret = case("slack-token-1").secret
    logging.getLogger("bot.web").warning("there is no file %s", secret)
    logging.getLogger("bot.web").info("it failed", exc_info=UserError(f"No memory {secret}."))
    assert [log.lines[0]["message"], log.lines[1]["error"]] == [
        "there is no file [secret]",
        "UserError: No memory [secret].",
    ]


def test_a_message_that_cannot_be_made_shows_no_arguments(log: Log) -> None:
    log.set_up(LogFormat.JSON)
    logging.getLogger("bot").info("%d files", WEBHOOK)
    (line,) = log.lines
    assert line["message"] == "%d files (its arguments do not fit)"


def test_a_library_says_a_thing_once_in_a_while_and_we_always() -> None:
    now = [0.0]
    sparse = Sparse(clock=lambda: now[0])

    def passes(name: str, line: int) -> bool:
        record = logging.LogRecord(name, logging.WARNING, "queue.py", line, "away", None, None)
        return sparse.filter(record)

    assert [passes("dbos", 1), passes("dbos", 1), passes("dbos", 2)] == [True, False, True]
    assert passes("bot.jobs", 1)
    assert passes("bot.jobs", 1)
    now[0] = PAUSE
    assert passes("dbos", 1)
