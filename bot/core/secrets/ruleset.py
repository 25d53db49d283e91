"""Which rules a scan goes by: those that come with the bot, less some, and a repository's own.

A repository's own rules come from people whom the operator does not know. They run in RE2 alone,
which is linear, only on lines that hold one of their keywords, and are paid for by the size of the
compiled program (spec/secrets.md, "Rules of a repository").
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any, Final

from bot.core.secrets.model import Level
from bot.core.secrets.rules import Rule, default_rules

MAX_RULES: Final = 50
MAX_REGEX: Final = 500  # characters
MAX_KEYWORDS: Final = 10
MAX_PROGRAM: Final = 5_000  # RE2's instructions
_MAX_MEMORY: Final = 1 << 19  # bytes a compiled regex may take
_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,60}")
_KEYWORD = re.compile(r"[\x21-\x7e]{3,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRule:
    """A rule of a repository. Equal fields make equal rules, so that it is compiled once."""

    id: str
    description: str
    regex: str
    keywords: tuple[str, ...]  # lower case; a line without one of them is not looked at
    level: Level = Level.MEDIUM

    @property
    def rule(self) -> Rule:
        """The rule as the scanner takes it; it stands before all others."""
        return _rule(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of a scan."""

    disabled: frozenset[str] = frozenset()  # ids of rules that come with the bot
    added: tuple[OwnRule, ...] = ()


ALL_RULES: Final = RuleSet()


def unknown_ids(ids: frozenset[str]) -> tuple[str, ...]:
    """Those that are no rule's id, sorted."""
    return tuple(sorted(ids - known_ids()))


@cache
def known_ids() -> frozenset[str]:
    """The ids of the rules that come with the bot."""
    return frozenset(rule.id for rule in default_rules())


def own_rule(table: Mapping[str, object]) -> OwnRule:
    """A rule of a repository from what its settings say. Raises ValueError: what would be right."""
    known = ("id", "description", "regex", "keywords", "level")
    if strange := sorted(table.keys() - set(known)):
        raise ValueError(f"has no key {strange[0]}; known are {', '.join(known)}")
    texts = {key: table.get(key, "") for key in ("id", "description", "regex", "level")}
    if wrong := [key for key, value in texts.items() if not isinstance(value, str)]:
        raise ValueError(f"needs a text as its {wrong[0]}")
    id_, description, regex, level = map(str, texts.values())
    if not _ID.fullmatch(id_):
        raise ValueError("needs an id of 2 to 61 lower-case letters, digits and hyphens")
    if id_ in known_ids():
        raise ValueError(f"needs an id of its own; {id_} comes with the bot")
    if level and level not in list(Level):
        raise ValueError(f"needs a level of {', '.join(Level)}")
    keywords = table.get("keywords", ())
    if (
        not isinstance(keywords, list | tuple)
        or not 1 <= len(keywords) <= MAX_KEYWORDS
        or not all(isinstance(word, str) and _KEYWORD.fullmatch(word) for word in keywords)
    ):
        raise ValueError(
            f"needs 1 to {MAX_KEYWORDS} keywords of 3 to 60 plain characters: "
            "only lines with one of them are looked at"
        )
    if not regex or len(regex) > MAX_REGEX:
        raise ValueError(f"needs a regex of at most {MAX_REGEX} characters")
    own = OwnRule(
        id=id_,
        description=description or id_,
        regex=regex,
        keywords=tuple(word.lower() for word in keywords),
        level=Level(level or "medium"),
    )
    compiled = compile_own(regex)
    if compiled.search(b"") is not None:
        raise ValueError("needs a regex that does not match an empty text")
    if compiled.programsize > MAX_PROGRAM:
        raise ValueError("needs a regex with fewer or shorter repetitions")
    return own


@lru_cache(maxsize=128)
def compile_own(regex: str) -> Any:
    """A regex of a repository in RE2, over bytes. Raises ValueError when it is none."""
    import re2  # noqa: PLC0415  # importing the package stays cheap

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(regex.encode(), options)
    except re2.error:
        raise ValueError("needs a regex in RE2's syntax: no look-around, few repetitions") from None


@lru_cache(maxsize=128)
def _rule(own: OwnRule) -> Rule:
    return Rule(
        id=own.id,
        rank=-1,
        description=own.description,
        regex=own.regex,
        prefilter="",
        level=own.level,
        anywhere=own.level is Level.HIGH,
        judge="own",
        entropy=0.0,
        checked=date.min,
    )
