"""The operator's settings, read once from the environment; deploy/example.env lists them.

Settings of a repository are something else: those stand in its `.github/memoryrail.yml`.
"""

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from difflib import get_close_matches
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Final, Self, TypeVar
from urllib.parse import urlsplit

import sqlalchemy as sa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from dotenv.parser import Binding, parse_stream

from bot.core.errors import SettingsError
from bot.logs import LogFormat

T = TypeVar("T")

PREFIX: Final = "MEMORYRAIL_"
DEFAULTS: Final[Mapping[str, str]] = {
    "DATABASE_URL": "sqlite:///memoryrail.sqlite",
    "GITHUB_URL": "https://api.github.com",
    "HOST": "127.0.0.1",
    "PORT": "8080",
    "WORKERS": "4",
    "RETENTION_DAYS": "14",
    "READY_QUEUE_MINUTES": "30",
    "METRICS_HOST": "127.0.0.1",
    "RECONCILE_MINUTES": "5",
    "SECONDS_BETWEEN_WRITES": "1",
    "WRITES_A_MINUTE": "80",
    "WRITES_AN_HOUR": "500",
    "INDEX_MEGABYTES": "256",
}
NAMES: Final = frozenset(
    [
        *DEFAULTS,
        "APP_ID",
        "PRIVATE_KEY",
        "PRIVATE_KEY_FILE",
        "WEBHOOK_SECRET",
        "FINGERPRINT_KEY",
        "METRICS_PORT",
        "LOG_FORMAT",
        "COMMAND_ALIAS",
    ]
)
_WHERE: Final[Mapping[str, str]] = {  # what has no default is to be had
    "APP_ID": "a number on the app's settings page on GitHub",
    "PRIVATE_KEY_FILE": 'the app\'s settings page on GitHub has "Generate a private key"',
    "WEBHOOK_SECRET": "the one on the app's settings page on GitHub",
}
MIN_SECRET: Final = 16  # characters; a signature's strength is that of its secret

_HOST_NAME: Final = re.compile(
    r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*"
    r"(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?",  # digits alone end an address, not a name
    re.IGNORECASE,
)
_ALIAS: Final = re.compile(r"/[A-Za-z][A-Za-z0-9-]{0,38}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the operator decides. A representation of it shows no secret."""

    app_id: int
    private_key: str = field(repr=False)  # PEM, as GitHub gave it out
    webhook_secrets: tuple[bytes, ...] = field(repr=False)  # two while one replaces the other
    fingerprint_key: bytes = field(repr=False)  # 32 bytes; found secrets are told apart under it
    database_url: str = field(repr=False)  # may hold a password
    github_url: str  # of the REST API, without a slash at the end
    host: str
    port: int
    workers: int  # pull requests at a time
    retention: timedelta  # of ended deliveries and jobs
    ready_queue: timedelta  # for which a job may wait while this process calls itself ready
    metrics_host: str
    metrics_port: int | None  # None: nothing listens there
    log_format: LogFormat | None  # None: text on a terminal, JSON elsewhere
    reconcile_every: timedelta  # how often what GitHub has is compared with what we did
    seconds_between_writes: timedelta  # of one installation, each of which creates content
    writes_a_minute: int  # of one installation; 0 for any number
    writes_an_hour: int  # likewise
    index_megabytes: int  # of one process, for the indexes of repositories' memories
    command_alias: str | None  # a second name for commands, in lower case

    @classmethod
    def read(cls, environment: Mapping[str, str], *, env_file: Path | None = None) -> Self:
        """The settings in environment, which wins over the file of `NAME=value` lines.

        A relative path starts at the folder of the file that sets it, and at the working directory
        where the environment does. The default database stands in the state directory of a service
        (systemd's STATE_DIRECTORY), else beside the file, so that the working directory of a start
        does not choose it; a plain DATABASE_URL of the environment comes before that default only.
        Raises SettingsError, which names everything that is missing, malformed
        or unknown, or all lines of the file that say nothing.
        """
        values = _values(environment, env_file)
        private_key = values.private_key()
        settings = {
            "app_id": values.get("APP_ID", _whole_number),
            "private_key": private_key,
            "webhook_secrets": values.get("WEBHOOK_SECRET", _secrets),
            "fingerprint_key": values.fingerprint_key(private_key),
            "database_url": values.database_url(),
            "github_url": values.get("GITHUB_URL", _github_url),
            "host": values.get("HOST", _host),
            "port": values.get("PORT", _port),
            "workers": values.get("WORKERS", _whole_number),
            "retention": values.get("RETENTION_DAYS", _days),
            "ready_queue": values.get("READY_QUEUE_MINUTES", _minutes),
            "metrics_host": values.get("METRICS_HOST", _host),
            "metrics_port": values.maybe("METRICS_PORT", _port),
            "log_format": values.maybe("LOG_FORMAT", _log_format),
            "reconcile_every": values.get("RECONCILE_MINUTES", _minutes),
            "seconds_between_writes": values.get("SECONDS_BETWEEN_WRITES", _seconds),
            "writes_a_minute": values.get("WRITES_A_MINUTE", _count),
            "writes_an_hour": values.get("WRITES_AN_HOUR", _count),
            "index_megabytes": values.get("INDEX_MEGABYTES", _whole_number),
            "command_alias": values.maybe("COMMAND_ALIAS", _alias),
        }
        if values.problems:
            raise SettingsError(tuple(values.problems))
        return cls(**settings)  # type: ignore[arg-type]  # None only where it may be

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no line of a log may show."""
        url = sa.make_url(self.database_url)
        webhook = (secret.decode() for secret in self.webhook_secrets)
        more = (str(value) for name, value in url.query.items() if "password" in name)
        return tuple(filter(None, (self.private_key, *webhook, url.password, *more)))


def database_url(environment: Mapping[str, str], *, env_file: Path | None = None) -> str:
    """The database of these settings, whatever else is missing or wrong with them.

    Raises SettingsError.
    """
    values = _values(environment, env_file)
    url = values.database_url()
    if url is None:
        raise SettingsError(tuple(values.problems))
    return url


def _values(environment: Mapping[str, str], env_file: Path | None) -> "_Values":
    """What is set; unknown names are problems already."""
    in_file = _in_file(env_file) if env_file else {}
    in_environment = {
        name.removeprefix(PREFIX): value
        for name, value in environment.items()
        if name.startswith(PREFIX)
    }
    plain = environment.get("DATABASE_URL", "")  # the name that hosting platforms give it
    if plain and not in_environment.get("DATABASE_URL") and not in_file.get("DATABASE_URL"):
        in_environment["DATABASE_URL"] = plain
    given = in_file | in_environment
    problems = [_unknown(name) for name in given if name not in NAMES]
    folder = env_file.parent if env_file else Path()
    state = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    folders = {
        "DATABASE_URL": Path(state) if state else folder,
        **dict.fromkeys(filter(in_file.get, in_file), folder),  # an empty one sets nothing
        **dict.fromkeys(filter(in_environment.get, in_environment), Path()),
    }
    return _Values(given, folders, problems)


class _Values:
    """Reads one setting after another, and gathers what is wrong with them."""

    def __init__(
        self, given: Mapping[str, str], folders: Mapping[str, Path], problems: list[str]
    ) -> None:
        """folders: where a relative path starts, by setting; else at the working directory."""
        self._given, self._folders, self.problems = given, folders, problems

    def get(self, name: str, parse: Callable[[str], T]) -> T | None:
        """The setting, by default its default; None when there is a problem with it."""
        text = self._text(name) or DEFAULTS.get(name)
        if text is None:
            self._missing(name)
            return None
        try:
            return parse(text)
        except ValueError as error:
            self._problem(name, str(error))
            return None

    def maybe(self, name: str, parse: Callable[[str], T]) -> T | None:
        """The setting; None where it is not set, and when there is a problem with it."""
        return self.get(name, parse) if self._text(name) else None

    def private_key(self) -> str | None:
        """The key from PRIVATE_KEY, or from the file that PRIVATE_KEY_FILE names."""
        text, file = self._text("PRIVATE_KEY"), self._text("PRIVATE_KEY_FILE")
        if text and file:
            self._problem("PRIVATE_KEY", "and MEMORYRAIL_PRIVATE_KEY_FILE are both set")
        elif text:
            return self.get("PRIVATE_KEY", _private_key)
        elif file:
            folder = self._folder("PRIVATE_KEY_FILE")
            return self.get("PRIVATE_KEY_FILE", partial(_private_key_in, folder=folder))
        else:
            self._missing("PRIVATE_KEY_FILE")
        return None

    def fingerprint_key(self, private_key: str | None) -> bytes | None:
        """The key given, or one that only this private key leads to."""
        given = self._text("FINGERPRINT_KEY")
        if given or private_key:
            derive = HKDF(hashes.SHA256(), length=32, salt=None, info=b"memoryrail fingerprints")
            return derive.derive((given or private_key or "").encode())
        return None

    def database_url(self) -> str | None:
        """The database's address; a SQLite file's with its path resolved."""
        folder = self._folder("DATABASE_URL")
        return self.get("DATABASE_URL", partial(_database_url, folder=folder))

    def _folder(self, name: str) -> Path:
        return self._folders.get(name, Path())

    def _text(self, name: str) -> str | None:
        return self._given.get(name, "").strip() or None

    def _missing(self, name: str) -> None:
        self._problem(name, f"is missing: {_WHERE[name]}; see deploy/example.env")

    def _problem(self, name: str, problem: str) -> None:
        self.problems.append(f"{PREFIX}{name} {problem}")


def _in_file(file: Path) -> dict[str, str]:
    """The settings that a file sets, by name without prefix.

    Raises SettingsError for a file that cannot be read, and for all its lines that cannot: what
    they would have set is then not known, so nothing else is said of it.
    """
    try:
        data = file.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise SettingsError((f"{file} cannot be read: {error.strerror}",)) from None
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        raise SettingsError((f"{file}: line {number}: is not UTF-8 text",)) from None
    bindings = tuple(parse_stream(StringIO(text)))
    bad = [
        _first_line(binding)
        for binding in bindings
        if binding.error or ((binding.key or "").startswith(PREFIX) and binding.value is None)
    ]
    if bad:
        lines = f"line{'' if len(bad) == 1 else 's'} {', '.join(map(str, bad))}"
        right = "NAME=value or a # comment; a value of several lines stands in quotes"
        raise SettingsError((f"{file}: {lines}: should be {right}",))
    return {
        binding.key.removeprefix(PREFIX): binding.value or ""
        for binding in bindings
        if binding.key and binding.key.startswith(PREFIX)
    }


def _first_line(binding: Binding) -> int:
    """The number of a binding's line, not of the empty ones before it."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


def _unknown(name: str) -> str:
    close = get_close_matches(name.upper(), sorted(NAMES), n=1)
    hint = f"; did you mean {PREFIX}{close[0]}?" if close else ""
    return f"{PREFIX}{name} is not a setting{hint}"


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise ValueError("should be a whole number above 0")
    return int(text)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**16):
        raise ValueError("should be a port: 0 (any free one) to 65535")
    return int(text)


def _days(text: str) -> timedelta:
    return timedelta(days=_whole_number(text))


def _minutes(text: str) -> timedelta:
    return timedelta(minutes=_whole_number(text))


def _seconds(text: str) -> timedelta:
    return timedelta(seconds=_count(text))


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 10**9):
        raise ValueError("should be a whole number, or 0 for no limit")
    return int(text)


def _alias(text: str) -> str:
    if not _ALIAS.fullmatch(text):
        raise ValueError("should be a slash and a name, such as /mr; letters, digits and dashes")
    return text.lower()


def _log_format(text: str) -> LogFormat:
    try:
        return LogFormat(text)
    except ValueError:
        raise ValueError(f"should be {' or '.join(LogFormat)}") from None


def _secrets(text: str) -> tuple[bytes, ...]:
    secrets = [secret.strip() for secret in text.replace(",", "\n").splitlines()]
    found = tuple(secret.encode() for secret in secrets if secret)
    if not found:
        raise ValueError("holds no secret")
    if any(len(secret) < MIN_SECRET for secret in found):
        raise ValueError(
            f"holds a secret shorter than {MIN_SECRET} characters; make one: openssl rand -hex 32"
        )
    return found


def _private_key(text: str) -> str:
    pem = text.replace("\\n", "\n").strip() + "\n"
    try:
        is_rsa = isinstance(load_pem_private_key(pem.encode(), password=None), RSAPrivateKey)
    except (ValueError, TypeError):  # TypeError: it is encrypted
        is_rsa = False
    if not is_rsa:
        raise ValueError("should be the RSA private key of the app, as a PEM text")
    return pem


def _private_key_in(name: str, folder: Path) -> str:
    path = folder / os.path.expanduser(name)  # noqa: PTH111 - Path's raises for an unknown user
    try:
        return _private_key(path.read_text("ascii"))
    except OSError as error:
        raise ValueError(f"names {path}, which cannot be read: {error.strerror}") from None
    except ValueError:
        raise ValueError(
            f"names {path}, which should hold the RSA private key of the app, as GitHub gave it out"
        ) from None


def _database_url(text: str, folder: Path) -> str:
    if text.startswith("postgres://"):  # as some platforms still spell it
        text = text.replace("postgres", "postgresql", 1)
    try:
        url = sa.make_url(text)
    except sa.exc.ArgumentError:
        url = None
    if url is not None and url.get_backend_name() == "postgresql":
        return text
    file = url.database if url is not None and url.drivername == "sqlite" else None
    if url is None or not file or file.startswith((":memory:", "file:")):
        raise ValueError(
            "(or DATABASE_URL) should be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
        )
    path = Path.cwd() / folder / os.path.expanduser(file)  # noqa: PTH111 - see above
    if not path.parent.is_dir():
        raise ValueError(f"names {path}, but there is no directory {path.parent}")
    return url.set(database=str(path)).render_as_string(hide_password=False)


def _host(text: str) -> str:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        if not _HOST_NAME.fullmatch(text):
            raise ValueError("should be an IP address or a host name, without a port") from None
    return text


def _github_url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme == "https" and url.hostname:
        return text.rstrip("/")
    if url.scheme == "http" and url.hostname and _is_loopback(url.hostname):
        return text.rstrip("/")
    raise ValueError("should be an https:// address (http:// on this machine only)")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
