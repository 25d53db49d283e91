"""The rules as data: reads rules.toml once, when the first scan asks for it.

The file has the shape that gitleaks reads (`id`, `description`, `regex`, `secretGroup`, `keywords`,
`entropy`, `[[rules.allowlists]]` with `stopwords`). The other keys are ours; other tools pass them
over.
"""

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any, Final

from bot.core.secrets.model import Level

_KEYS: Final[dict[str, type]] = {
    "id": str,
    "description": str,
    "regex": str,
    "secretGroup": int,
    "keywords": list,  # for other tools; our prefilter is made from the regex
    "entropy": float,
    "allowlists": list,
    "prefilter": str,
    "level": str,
    "anywhere": bool,
    "judge": str,
    "checksum": str,
    "near": list,
    "facts": str,
    "revoke": str,
    "since": str,
    "checked": date,
}
_REQUIRED: Final = ("id", "description", "regex", "level")
# The last quantifier of a regex, and what may follow it for a shorter match to stay a match.
_TAIL = re.compile(r"\{(\d+)(?:,\d+)?\}(\)*)(?:\\b|\(\?:\[\^[^\]]+\]\|\$\))?$")
# The boundary that a regex begins with.
_START = re.compile(r"^(?:(\\b)|\(\?:(\^\|\[\^[^\]]+\])\))")
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
# What ends in a letter, a digit or `_` and is no part of the value after it: a name, a spelled
# newline, %3D of an address, =3D of a mail, a colour of a terminal.
_ESCAPE: Final = (
    r"_|\\(?:[abefnrtv]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0-7]{1,3})"
    r"|%(?:25){0,3}[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\[[0-9;]{0,12}m"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # a rule is itself: hashed often
class Rule:
    """One kind of credential.

    Where two rules claim the same characters, the one that stands first in the file wins, so
    `rank` runs from the most specific to the most general.
    """

    id: str
    rank: int
    description: str
    regex: str  # RE2 syntax, every quantifier bounded
    secret_group: int = 0  # which group is the value; 0: the first that matched, or else all
    prefilter: str  # a cheaper regex that matches wherever regex does
    level: Level
    anywhere: bool  # proof by itself: holds in lock files too, not lowered in tests and docs
    judge: str = "token"  # who decides about a match: a name in judges.JUDGES
    checksum: str = ""  # a name in checksums.CHECKSUMS; "" when the kind has none
    entropy: float = 2.5  # least Shannon entropy of the value, in bits a character
    near: tuple[str, ...] = ()  # lower-case words of which one must stand near the line
    published: tuple[str, ...] = ()  # pieces of well-known documentation values
    facts: str = ""  # address of the provider's page
    revoke: str = ""  # and of that on which it is revoked; the same where there is no other
    since: str = ""  # when the provider began to issue this shape
    checked: date | None = None  # last comparison with public facts; None: second-hand


@cache
def default_rules() -> tuple[Rule, ...]:
    """The rules that come with the bot."""
    source = resources.files(__package__).joinpath("rules.toml").read_text("utf-8")
    return parse_rules(source)


def parse_rules(source: str) -> tuple[Rule, ...]:
    """Rules of a TOML text, in file order.

    Raises an error that names the rule: ValueError for a missing or unknown key, TypeError for a
    value of another type.
    """
    tables = tomllib.loads(source).get("rules", [])
    return tuple(_rule(rank, table) for rank, table in enumerate(tables))


def widened(regex: str) -> str:
    """The regex with boundaries that see past an escape or `_` beside the value.

    For `\\b` there is none between the n of a spelled newline and a token. As the escape becomes
    part of the match, the value is a group.
    """
    start, is_closed = _START.match(regex), regex.endswith(r"\b")
    if not (start or is_closed):
        return regex
    value = regex[start.end() if start else 0 :].removesuffix(r"\b")
    before = f"(?:{start[1] or start[2]}|{_ESCAPE})" if start else ""
    grouped = value if _GROUP.search(value) else f"({value})"
    return before + grouped + (r"(?:\b|_)" if is_closed else "")


def trimmed(regex: str) -> str:
    """The regex without its boundaries, and with its last quantifier cut to the minimum.

    It matches wherever the whole one does, but a scanner that reports each end of a match
    reports one place, not one for every further character.
    """
    return _TAIL.sub(r"{\1}\2", _START.sub("", regex)).removesuffix(r"\b")


def _rule(rank: int, table: dict[str, Any]) -> Rule:
    name = f"rule {table.get('id', rank)}"
    if missing := [key for key in _REQUIRED if key not in table]:
        raise ValueError(f"{name}: lacks {', '.join(missing)}")
    for key, value in table.items():
        if key not in _KEYS:
            raise ValueError(f"{name}: unknown key {key}")
        if not isinstance(value, _KEYS[key]):
            raise TypeError(f"{name}: {key} must be of type {_KEYS[key].__name__}")
    level = Level(table["level"])
    return Rule(
        id=table["id"],
        rank=rank,
        description=table["description"],
        regex=widened(table["regex"]),
        secret_group=table.get("secretGroup", 0),
        prefilter=table.get("prefilter") or trimmed(table["regex"]),
        level=level,
        anywhere=table.get("anywhere", level is Level.HIGH),
        judge=table.get("judge", "token"),
        checksum=table.get("checksum", ""),
        entropy=table.get("entropy", 2.5),
        near=tuple(table.get("near", ())),
        published=tuple(
            word for allowlist in table.get("allowlists", ()) for word in allowlist["stopwords"]
        ),
        facts=table.get("facts", ""),
        revoke=table.get("revoke", table.get("facts", "")),
        since=table.get("since", ""),
        checked=table.get("checked"),
    )
