"""The log: one line for each event, with what it is about, and never a secret or a payload.

    with about(delivery=guid, repository="octo/cat", number=3):
        log.info("accepted")    # the line carries all three, and so do those of the functions below

A secret can get into a line by an exception's text, which may quote whatever was at hand. So of an
exception only its class and the places in the code are written, and its text where the text is our
own, the operating system's or the database's. What is known to be secret, or looks like a token,
is struck out of the finished line in any case. Of errors and warnings, which may quote paths and
names, every credential of any kind is.
"""

import json
import logging
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TextIO
from urllib.parse import quote

from sqlalchemy import exc as database_errors

from bot.core.errors import BotError
from bot.core.secrets import redacted

log = logging.getLogger(__name__)

REDACTED: Final = "[redacted]"
PAUSE: Final = 10.0  # seconds between two lines from one place of a library's code
_OURS: Final = ("bot.", "uvicorn.")  # loggers whose messages are one line, and quote nothing
_MAX_FRAMES: Final = 40
_MAX_CAUSES: Final = 5
_SHORTEST_SECRET: Final = 8  # characters; a shorter text would be struck out of ordinary words
_CONTROLS: Final = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_SECRETS: Final = {  # what each of them holds for certain -> its whole form
    "-----BEGIN ": re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", re.DOTALL
    ),
    "gh": re.compile(r"\bgh[a-z]_[\w.-]{16,}"),
    "github_pat_": re.compile(r"\bgithub_pat_\w{16,}"),
    "v1.": re.compile(r"\bv1\.[0-9a-f]{40}"),
    "eyJ": re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"),  # a JWT
    "earer ": re.compile(r"(?<=\b[Bb]earer )\S+"),
    "Basic ": re.compile(r"(?<=\bBasic )\S+"),
    "://": re.compile(r"(?<=://)[^\s/@]*:[^\s/@]*(?=@)"),  # user and password of a URL
    "sha256=": re.compile(r"\bsha256=[0-9a-f]{64}"),  # a signature
}
_ABOUT: ContextVar[Mapping[str, str | int]] = ContextVar("about", default=MappingProxyType({}))


class LogFormat(StrEnum):
    """How a line is written."""

    TEXT = "text"
    JSON = "json"


@contextmanager
def about(
    *,
    delivery: str | None = None,
    repository: str | None = None,
    number: int | None = None,
    installation: int | None = None,
    job: str | None = None,
) -> Iterator[None]:
    """Say what the lines are about that are written until the end of the block.

    delivery: its GUID. repository: owner/name. number: of the pull request, 0 for none.
    """
    fields: dict[str, str | int | None] = {
        "delivery": delivery,
        "repository": repository,
        "pull_request": f"{repository}#{number}" if repository and number else None,
        "installation": installation,
        "job": job,
    }
    known = {name: value for name, value in fields.items() if value is not None}
    token = _ABOUT.set({**_ABOUT.get(), **known})
    try:
        yield
    finally:
        _ABOUT.reset(token)


def set_up(
    log_format: LogFormat | None, *, secrets: Sequence[str] = (), stream: TextIO | None = None
) -> None:
    """Let the whole process log this way, uncaught exceptions included.

    log_format: None for text on a terminal, JSON elsewhere. secrets: to be struck out wherever they
    turn up. stream: by default standard error.
    """
    stream = stream or sys.stderr
    if log_format is None:
        log_format = LogFormat.TEXT if stream.isatty() else LogFormat.JSON
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines(log_format, secrets=secrets))
    handler.addFilter(Sparse())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda _kind, error, _trace: _uncaught(error)
    threading.excepthook = lambda args: _uncaught(args.exc_value or args.exc_type())


class Lines(logging.Formatter):
    """Writes a record as one line of text or JSON; a bug's places in the code follow in text."""

    def __init__(self, log_format: LogFormat, *, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._write = _json if log_format is LogFormat.JSON else _text
        self._known = _any_of(secrets)

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        error = record.exc_info[1] if record.exc_info else None
        fields: dict[str, str | int] = {
            "time": _time(record.created),
            "level": record.levelname,
            "logger": record.name,
            "message": self._struck(_message(record), is_odd=record.levelno >= logging.WARNING),
            **_ABOUT.get(),
        }
        if error is not None:
            fields["error"] = self._struck(" <- ".join(map(_said, _chain(error))), is_odd=True)
            if not is_outage(error):
                fields["traceback"] = "\n".join(_places(error))
        return self._write(fields)

    def _struck(self, text: str, *, is_odd: bool) -> str:
        for part, form in _SECRETS.items():
            if part in text:  # most lines hold none, and a search for all forms takes its time
                text = form.sub(REDACTED, text)
        text = self._known.sub(REDACTED, text) if self._known else text
        return redacted(text) if is_odd else text  # not of every line: it takes its time


class Sparse(logging.Filter):
    """Lets a library say a thing once in PAUSE: while the database is away, dbos says so ten times
    a second. Our own lines all pass."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: gives seconds."""
        super().__init__()
        self._clock = clock
        self._last: dict[tuple[str, int], float] = {}  # place in the code -> when it last spoke

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        if record.name.startswith(_OURS):
            return True
        now, place = self._clock(), (record.pathname, record.lineno)
        if now - self._last.get(place, -PAUSE) < PAUSE:
            return False
        self._last[place] = now
        return True


def is_outage(error: BaseException) -> bool:
    """Whether something outside failed, which its one line says; anything else is a bug of ours."""
    return isinstance(
        error,
        BotError
        | OSError
        | database_errors.OperationalError
        | database_errors.InterfaceError
        | database_errors.TimeoutError,
    )


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def _message(record: logging.LogRecord) -> str:
    try:
        message = record.getMessage()
    except (TypeError, ValueError):  # logging itself would print the arguments
        message = f"{record.msg} (its arguments do not fit)"
    if not record.name.startswith(_OURS):
        message = message.partition("\n")[0]  # what follows quotes exceptions and SQL
    return message


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and what led to it, as Python would show them."""
    one: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if one is None:
            return
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _said(error: BaseException) -> str:
    """The class of an exception, and its text where that cannot quote anything."""
    text = ""
    if isinstance(error, BotError):
        text = str(error)
    elif isinstance(error, OSError):
        text = error.strerror or ""
    elif isinstance(error, database_errors.OperationalError | database_errors.InterfaceError):
        text = str(error.orig).partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _places(error: BaseException) -> Iterator[str]:
    """Where in the code it happened, the innermost last: no line shows a value."""
    for one in _chain(error):
        yield type(one).__name__
        for frame in traceback.extract_tb(one.__traceback__)[-_MAX_FRAMES:]:
            yield f"  {frame.filename}:{frame.lineno} in {frame.name}"


_json: Final = json.JSONEncoder(ensure_ascii=False).encode  # dumps would make one for each line


def _text(fields: Mapping[str, str | int]) -> str:
    head = ("time", "level", "logger", "message", "error", "traceback")
    line = " ".join(_one_line(fields[name]) for name in head[:4])
    if "error" in fields:
        line += f": {_one_line(fields['error'])}"
    more = [
        f"{name} {_one_line(value)}"
        for name, value in fields.items()
        if name not in head and str(value) not in line
    ]
    line += f" [{', '.join(more)}]" if more else ""
    return f"{line}\n{fields['traceback']}" if "traceback" in fields else line


def _one_line(value: str | int) -> str:
    return str(value).translate(_CONTROLS)


def _any_of(secrets: Sequence[str]) -> re.Pattern[str] | None:
    """What finds any of these texts, as they are, in a URL or in a quoted text, line by line."""
    lines = {line.strip() for secret in secrets for line in re.split(r"\n|\\n", secret)}
    long = {
        line for line in lines if len(line) >= _SHORTEST_SECRET and not line.startswith("-----")
    }
    forms = long | {quote(line, safe="") for line in long} | {repr(line)[1:-1] for line in long}
    ordered = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))) if ordered else None


def _uncaught(error: BaseException) -> None:
    if not isinstance(error, KeyboardInterrupt | SystemExit):
        log.critical("stopped by an error that nothing caught", exc_info=error)
