"""Secrets that a scan found, and the rules, as text for a terminal and as JSON values.

The value is in none of them; a path may be one, so paths are redacted.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from bot.core.report import Finding, SecretHit, Section, Unread, Weight
from bot.core.secret_names import is_name
from bot.core.secrets import Level, headline, redacted, remedy
from bot.core.secrets.rules import Rule
from bot.render import phrases
from bot.render.memories import one_line

STALE_AFTER: Final = timedelta(days=183)  # half a year after a rule was compared with the facts
_WEIGHT: Final = {
    Level.HIGH: Weight.FAILURE,
    Level.MEDIUM: Weight.FAILURE,
    Level.LOW: Weight.NOTICE,
}


def text(hits: Sequence[SecretHit], unread: Sequence[Unread], *, scanned: str) -> str:
    """Every finding with its place and what to do, then the count. scanned: such as "3 files"."""
    lines = [f"{one_line(one.what)}: not fully scanned: {one_line(one.why)}" for one in unread]
    for hit in hits:
        place = f"{one_line(hit.path)}:{hit.line}:{hit.column}"
        commit = f" in {hit.commit[:12]}" if hit.commit else ""
        lines.append(f"{place}{commit}: {_said(hit)}")
        lines.append(f"  {remedy(hit.revoke)}{_leaked(hit)}")
        lines.append(
            f"  {hit.length} characters, rule {hit.rule}, fingerprint {hit.fingerprint}."
            f"{'' if is_name(hit.path) else _how_to_mark(hit)}"
        )
    levels = Counter(hit.level for hit in hits)
    counts = [f"{levels[level]} {level}" for level in Level if levels[level]]
    found = phrases.count(len(hits), "secret") if hits else "nothing"
    lines.append(f"{scanned}: {found}{f' ({phrases.listed(counts)})' if counts else ''}.")
    return "\n".join([*lines, ""])


def document(hits: Sequence[SecretHit], unread: Sequence[Unread]) -> dict[str, object]:
    """The same as plain lists, dicts, texts and numbers. Keys are added, never renamed."""
    return {
        "secrets": [
            {
                "rule": hit.rule,
                "description": hit.description,
                "level": hit.level,
                "why": hit.why,
                "path": redacted(hit.path),
                "line": hit.line,
                "column": hit.column,
                "length": hit.length,
                "commit": hit.commit,
                "fingerprint": hit.fingerprint,
                "revoke": hit.revoke or None,
            }
            for hit in hits
        ],
        "not_fully_scanned": [{"what": redacted(one.what), "why": one.why} for one in unread],
    }


def findings(hits: Sequence[SecretHit]) -> tuple[Finding, ...]:
    """The same as a report has them, each message the same in every run."""
    return tuple(
        Finding(
            section=Section.SECRETS,
            weight=_WEIGHT[Level(hit.level)],
            rule=hit.rule,
            message=f"{_said(hit)} {remedy(hit.revoke)}{_leaked(hit)}",
            path=hit.path,
            line=hit.line,
        )
        for hit in hits
    )


def rules_text(rules: Sequence[Rule], *, today: date) -> str:
    """A line for each rule, then how many there are and which ought to be looked at again."""
    rows = [
        (rule.id, rule.level.value, _checked(rule, today), rule.description, rule.facts)
        for rule in rules
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    old = sum(_is_old(rule, today) for rule in rules)
    unknown = sum(rule.checked is None for rule in rules)
    lines.append(
        f"{len(rules)} rules. {old} not compared with the provider's facts for six months, "
        f"{unknown} with lengths from others only."
    )
    return "\n".join([*lines, ""])


def rules_document(rules: Sequence[Rule], *, today: date) -> list[dict[str, object]]:
    """The rules as plain dicts."""
    return [
        {
            "id": rule.id,
            "description": rule.description,
            "level": rule.level.value,
            "checksum": rule.checksum or None,
            "facts": rule.facts,
            "revoke": rule.revoke or None,
            "since": rule.since or None,
            "checked": rule.checked.isoformat() if rule.checked else None,
            "is_old": _is_old(rule, today),
        }
        for rule in rules
    ]


def _said(hit: SecretHit) -> str:
    return f"{headline(hit.description, hit.level, hit.why)}."


def _leaked(hit: SecretHit) -> str:
    return " It stays in the history: it is leaked." if hit.commit else ""


def _how_to_mark(hit: SecretHit) -> str:
    commit = f"{hit.commit}:" if hit.commit else ""
    entry = f"{commit}{one_line(hit.path)}:{hit.rule}:{hit.line}"
    if hit.commit and hit.level == Level.HIGH:  # whoever adds it can add a mark
        return f" No secret? Have the base's .gitleaksignore list it: {entry}"
    return f" No secret? Put gitleaks:allow on its line, or in .gitleaksignore: {entry}"


def _is_old(rule: Rule, today: date) -> bool:
    return rule.checked is not None and today - rule.checked > STALE_AFTER


def _checked(rule: Rule, today: date) -> str:
    if rule.checked is None:
        return "second-hand"
    return f"{rule.checked}{' OLD' if _is_old(rule, today) else ''}"
