"""The operator's settings, read once from the environment; deploy/example.env lists them.

Settings of a repository are something else: those stand in its `.github/memoryrail.yml`.
"""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final, Self, TypeVar
from urllib.parse import urlsplit

import sqlalchemy as sa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from dotenv import dotenv_values

from bot.core.errors import SettingsError

T = TypeVar("T")

PREFIX: Final = "MEMORYRAIL_"
DEFAULTS: Final[Mapping[str, str]] = {
    "DATABASE_URL": "sqlite:///memoryrail.sqlite",
    "GITHUB_URL": "https://api.github.com",
    "HOST": "127.0.0.1",
    "PORT": "8080",
    "WORKERS": "4",
    "RETENTION_DAYS": "14",
}


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

    @classmethod
    def read(cls, environment: Mapping[str, str], *, env_file: Path | None = None) -> Self:
        """The settings in environment, which wins over the file of `NAME=value` lines.

        Raises SettingsError, which names everything that is missing or malformed.
        """
        given, problems = _given(environment, env_file)
        values = _Values(given, problems)
        private_key = values.private_key()
        settings = {
            "app_id": values.get("APP_ID", _whole_number),
            "private_key": private_key,
            "webhook_secrets": values.get("WEBHOOK_SECRET", _secrets),
            "fingerprint_key": values.fingerprint_key(private_key),
            "database_url": values.get("DATABASE_URL", _database_url),
            "github_url": values.get("GITHUB_URL", _github_url),
            "host": values.get("HOST", str),
            "port": values.get("PORT", _port),
            "workers": values.get("WORKERS", _whole_number),
            "retention": values.get("RETENTION_DAYS", _days),
        }
        if problems:
            raise SettingsError(tuple(problems))
        return cls(**settings)  # type: ignore[arg-type]  # None only beside a problem


class _Values:
    """Reads one setting after another, and gathers what is wrong with them."""

    def __init__(self, given: Mapping[str, str], problems: list[str]) -> None:
        self._given, self._problems = given, problems

    def get(self, name: str, parse: Callable[[str], T]) -> T | None:
        """The setting, by default its default; None when there is a problem with it."""
        text = self._text(name) or DEFAULTS.get(name)
        if text is None:
            self._problem(name, "is missing")
            return None
        try:
            return parse(text)
        except ValueError as error:
            self._problem(name, str(error))
            return None

    def private_key(self) -> str | None:
        """The key from PRIVATE_KEY, or from the file that PRIVATE_KEY_FILE names."""
        text, file = self._text("PRIVATE_KEY"), self._text("PRIVATE_KEY_FILE")
        if text and file:
            self._problem("PRIVATE_KEY", "and MEMORYRAIL_PRIVATE_KEY_FILE are both set")
        elif text:
            return self.get("PRIVATE_KEY", _private_key)
        elif file:
            return self.get("PRIVATE_KEY_FILE", _private_key_in)
        else:
            self._problem("PRIVATE_KEY", "or MEMORYRAIL_PRIVATE_KEY_FILE is missing")
        return None

    def fingerprint_key(self, private_key: str | None) -> bytes | None:
        """The key given, or one that only this private key leads to."""
        given = self._text("FINGERPRINT_KEY")
        if given or private_key:
            derive = HKDF(hashes.SHA256(), length=32, salt=None, info=b"memoryrail fingerprints")
            return derive.derive((given or private_key or "").encode())
        return None

    def _text(self, name: str) -> str | None:
        return self._given.get(name, "").strip() or None

    def _problem(self, name: str, problem: str) -> None:
        self._problems.append(f"{PREFIX}{name} {problem}")


def _given(environment: Mapping[str, str], file: Path | None) -> tuple[dict[str, str], list[str]]:
    """The settings that are set, by name without prefix."""
    problems: list[str] = []
    given: dict[str, str | None] = {}
    if file is not None:
        if file.is_file():
            given = dict(dotenv_values(file, interpolate=False))
        else:
            problems.append(f"{file} is not a file")
    merged = given | dict(environment)
    return {
        name.removeprefix(PREFIX): value or ""
        for name, value in merged.items()
        if name.startswith(PREFIX)
    }, problems


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


def _secrets(text: str) -> tuple[bytes, ...]:
    secrets = [secret.strip() for secret in text.replace(",", "\n").splitlines()]
    found = tuple(secret.encode() for secret in secrets if secret)
    if not found:
        raise ValueError("holds no secret")
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


def _private_key_in(path: str) -> str:
    try:
        text = Path(path).read_text("ascii")
    except (OSError, ValueError):
        raise ValueError("names a file that cannot be read") from None
    return _private_key(text)


def _database_url(text: str) -> str:
    try:
        url = sa.make_url(text)
    except sa.exc.ArgumentError:
        url = None
    in_file = (
        url is not None
        and url.drivername == "sqlite"
        and url.database not in (None, "", ":memory:")
    )
    if not in_file and (url is None or url.get_backend_name() != "postgresql"):
        raise ValueError("should be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
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
