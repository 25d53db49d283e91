"""config.json of a store (spec/memoryrail.md, "Configuration")."""

import json
import re
from dataclasses import dataclass
from typing import Final

from bot.core.model import Problem, TreeFile
from bot.formats.memoryrail.unread import unread_problem

VERSION: Final = 1

_REVIEWS: Final = ("off", "agents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a store's config.json decides, as far as it can be read."""

    gated: bool  # memories by agents wait for a person; also when the file does not tell
    is_supported: bool = True  # False: a version that is not described here, so nothing is read
    problems: tuple[Problem, ...] = ()


def read_config(file: TreeFile) -> Config:
    """Read config.json. What it does not say clearly counts as the stricter choice."""
    if (problem := unread_problem(file)) is not None:
        return Config(gated=True, problems=(problem,))
    try:
        text = (file.data or b"").decode("utf-8-sig")
        document = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        return _bad(file.path, getattr(error, "lineno", 1), _no_json(error))
    if not isinstance(document, dict):
        return _bad(file.path, 1, 'Expected an object such as { "version": 1, "review": "off" }.')
    return _judge(document, file.path, text)


def _no_json(error: Exception) -> str:
    """Why a text is no JSON that means one thing, as a sentence."""
    if isinstance(error, _RepeatedKeyError):
        return f"The key {str(error)!r} is given twice. Keep one."
    if isinstance(error, json.JSONDecodeError):
        return f"The file is not valid JSON: {error.msg}."
    if isinstance(error, RecursionError):
        return "The file is nested too deeply."
    return "The file is not valid JSON in UTF-8."


class _RepeatedKeyError(ValueError):
    """A key that an object has twice: readers differ in which one they take."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return found


def _judge(document: dict[str, object], path: str, text: str) -> Config:
    version, review = document.get("version"), document.get("review", "off")
    if isinstance(version, bool) or not isinstance(version, int | float):
        return _bad(path, _line(text, "version"), "`version` must be the number 1.")
    if version != VERSION:
        problem = Problem(
            path=path,
            line=_line(text, "version"),
            rule="unsupported-version",
            message=f"Version {version} of the format is not known here, only version {VERSION} is."
            " The store is not read.",
        )
        return Config(gated=True, is_supported=False, problems=(problem,))
    if review not in _REVIEWS:
        return _bad(path, _line(text, "review"), '`review` must be "off" or "agents".')
    return Config(gated=review == "agents")


def _bad(path: str, line: int, message: str) -> Config:
    problem = Problem(path=path, line=line, rule="bad-config", message=message)
    return Config(gated=True, problems=(problem,))


def _line(text: str, key: str) -> int:
    found = re.search(rf'"{key}"\s*:', text)
    return 1 + text.count("\n", 0, found.start()) if found else 1
