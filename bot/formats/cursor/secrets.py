"""Credentials in entries (spec/cursor.md, "Secrets"): what the project's scanner finds, and more.

A value inside of a placeholder's brackets is how the format wants credentials spelt, so none.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final

from bot.core.secrets import Text, scan

_PLACEHOLDERS: Final = (("<", ">"), ("${", "}"), ("$(", ")"), ("{{", "}}"), ("%%", "%%"))
_MAX_AROUND: Final = 200  # characters between a placeholder's bracket and the value
# By their shape alone, also those that look made up: placeholders are spelt with brackets here.
_SHAPES: Final = (
    ("github-token", "GitHub token", re.compile(r"\b(?:gh[opsru]_|github_pat_)\w{22,255}")),
    ("aws-access-key-id", "AWS access key id", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("gitlab-token", "GitLab token", re.compile(r"\bglpat-[\w-]{20,255}")),
    ("stripe-key", "Stripe key", re.compile(r"\b[sr]k_live_[0-9A-Za-z]{16,255}")),
    ("slack-token", "Slack token", re.compile(r"\bxox[abeoprs]-[0-9A-Za-z-]{10,255}")),
)
_VENDOR: Final = re.compile(r"\b(?:heroku|postmark)\b", re.IGNORECASE)
_UUID: Final = re.compile(
    r"(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])",
    re.IGNORECASE,
)
MAX_FOUND: Final = 100  # of one shape in a text; a file with more is wrong all the same
_UUID_LENGTH: Final = 36
_NEAR: Final = 60  # characters between a vendor's name and a UUID that is then its key
# What every credential has some of: digits among letters, a long run, a telling word or mark. The
# engine takes a quarter of a second to load, so it is left alone where a file has none of it.
_HINTS: Final = "|".join((
    r"(?:[A-Za-z][0-9]|[0-9][A-Za-z])[A-Za-z0-9_+/=.~-]{6}",
    r"[0-9a-f]{32}",
    r"[A-Za-z0-9+/]{40}",
    r"[A-Za-z0-9]{6,}[_.:-][A-Za-z0-9_-]{20}",
    r"://[^\s/@]{1,200}@",
    r"-----BEGIN",
    r"(?i:putty|bearer|basic|authorization|machine|curl|mnemonic|phrase|wallet|seed|hooks[./])",
    r"(?i:securestring|service_account|heroku|postmark)",
    r"(?i:pass|pwd|secret|token|key|auth[^o]|cred|login|sig|account|salt)[^\r\n=:,(]{0,40}[=:,(]",
))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A credential: its kind and its line, never the value."""

    rule: str
    description: str
    line: int


def found_in(text: str, path: str) -> tuple[Found, ...]:
    """Every credential of a text, by line; and what kept the text from being searched whole."""
    if not may_hold_any(text):
        return ()
    result = scan([Text(path=path, text=text)])
    found = [
        Found(rule=one.rule, description=one.description, line=one.line)
        for one in result.findings
        if not _is_placeholder(text, one.start, one.end)
    ]
    known = {one.line for one in found}
    found += [one for one in (*_shaped(text), *_vendor_keys(text)) if one.line not in known]
    for one in result.incomplete:
        why = f"a text that was not searched whole: {one.reason}"
        found.append(Found(rule="not-searched", description=why, line=1))
    return tuple(sorted(found, key=lambda one: one.line))


def may_hold_any(text: str) -> bool:
    """Whether anything in a text is at all like a credential, or like what stands beside one."""
    return _hints().search(text) is not None


@cache
def _hints() -> Any:
    import re2  # noqa: PLC0415  # what only reads entries need not load it

    return re2.compile(_HINTS)


def first_in(texts: Iterable[str]) -> Found | None:
    """The first credential in some texts."""
    return next((found for text in texts for found in found_in(text, "")), None)


def _is_placeholder(text: str, start: int, end: int) -> bool:
    """Whether brackets of a placeholder stand around a value, on its line."""
    before = text[max(0, start - _MAX_AROUND) : start].rpartition("\n")[2]
    after = text[end : end + _MAX_AROUND].partition("\n")[0]
    return any(
        before.rpartition(opening)[1] != ""
        and closing not in before.rpartition(opening)[2]
        and closing in after
        for opening, closing in _PLACEHOLDERS
    )


def _shaped(text: str) -> Iterator[Found]:
    for rule, description, shape in _SHAPES:
        for match in islice(shape.finditer(text), MAX_FOUND):
            if not _is_placeholder(text, *match.span()):
                yield _found(rule, description, text, match.start())


def _vendor_keys(text: str) -> Iterator[Found]:
    """UUIDs near a vendor's name; each is told once, however many names stand around it."""
    known: set[int] = set()
    for name in islice(_VENDOR.finditer(text), MAX_FOUND):
        first = max(0, name.start() - _NEAR - _UUID_LENGTH)
        for uuid in _UUID.finditer(text, first, name.end() + _NEAR + _UUID_LENGTH):
            start, end = uuid.span()
            if start not in known and not _is_placeholder(text, start, end):
                known.add(start)
                yield _found("vendor-uuid", "key of a mail or hosting vendor", text, start)


def _found(rule: str, description: str, text: str, start: int) -> Found:
    return Found(rule=rule, description=description, line=1 + text.count("\n", 0, start))
