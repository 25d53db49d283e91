"""Reads single fields out of a payload that may have any shape.

GitHub leaves fields out or sends null where a fork, a user or an installation is gone, and adds
events and fields at any time. So nothing here raises: what is missing or is not what it should be
reads as None.
"""

import re
from collections.abc import Mapping
from typing import Final

from bot.handlers.parser import Parsed
from bot.store.work import RepositoryNews, Work

Payload = Mapping[str, object] | Parsed

_MAX_ID: Final = 2**63 - 1  # what the database can hold
_SHA: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ACTION: Final = re.compile(r"[a-z][a-z_]{0,63}")
_BRANCH: Final = "refs/heads/"
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9_-]{1,100}/[A-Za-z0-9._-]{1,100}")


def action(payload: Payload) -> str | None:
    """What happened, such as `opened`; ping and push have none."""
    return _text(payload, "action", pattern=_ACTION)


def installation_id(payload: Payload) -> int | None:
    """The installation that a delivery to an app comes from."""
    return number(payload, "installation", "id")


def repository_id(payload: Payload) -> int | None:
    return number(payload, "repository", "id")


def repository(payload: Payload) -> str | None:
    """The repository as owner/name."""
    return _text(payload, "repository", "full_name", pattern=_REPOSITORY)


def full_name(repository: Payload) -> str | None:
    """The owner/name of a repository that stands in a list."""
    return _text(repository, "full_name", pattern=_REPOSITORY)


def sha(payload: Payload, *path: str) -> str | None:
    """A commit's id at a path of keys."""
    return _text(payload, *path, pattern=_SHA)


def branch(payload: Payload, *path: str) -> str | None:
    """The name of a branch at a path of keys where a full ref stands; None for a tag."""
    ref = words(payload, *path) or ""
    return ref.removeprefix(_BRANCH) if ref.startswith(_BRANCH) and _is_plain(ref) else None


def number(payload: Payload, *path: str) -> int | None:
    """An id or a number, from 1, at a path of keys."""
    value = _at(payload, path)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 < value <= _MAX_ID else None


def words(payload: Payload, *path: str, max_length: int = 1_000) -> str | None:
    """Any text at a path of keys, if it is not too long."""
    value = _at(payload, path)
    return value if isinstance(value, str) and len(value) <= max_length else None


def items(payload: Payload, *path: str) -> tuple[object, ...] | None:
    """The members of a list at a path of keys; None where there is no list."""
    value = _at(payload, path)
    return tuple(value) if isinstance(value, list) else None


def flag(payload: Payload, *path: str) -> bool:
    """Whether true stands at a path of keys."""
    return _at(payload, path) is True


def repository_news(payload: Payload, *work: Work) -> RepositoryNews | None:
    """Work for the repository that a delivery is about; None where it does not say which."""
    name, installation = repository(payload), installation_id(payload)
    id_ = repository_id(payload)
    if id_ is None or name is None or installation is None:
        return None
    return RepositoryNews(
        repository_id=id_, installation_id=installation, repository=name, work=work
    )


def has(payload: Payload, *path: str) -> bool:
    """Whether an object stands at a path of keys."""
    return isinstance(_at(payload, path), Mapping)


def _text(payload: Payload, *path: str, pattern: re.Pattern[str]) -> str | None:
    value = _at(payload, path)
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def _at(payload: Payload, path: tuple[str, ...]) -> object:
    value: object = payload.holding(path) if isinstance(payload, Parsed) else payload
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _is_plain(ref: str) -> bool:
    """Whether a database can hold it: no control characters, no halves of surrogate pairs."""
    return ref.isprintable()
