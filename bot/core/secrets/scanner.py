"""The scan: candidates are judged, overlaps settled, levels set by place, marks obeyed.

Nothing is kept between scans but the compiled rules.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from bot.core.secrets.judges import JUDGES
from bot.core.secrets.marks import is_marked
from bot.core.secrets.matcher import Budget, Matcher
from bot.core.secrets.model import Level, Scan, SecretFinding, Text
from bot.core.secrets.paths import Place, place, syntax
from bot.core.secrets.rules import Rule, default_rules

FINDINGS_PER_TEXT: Final = 1_000
CLAIMS_PER_TEXT: Final = 2 * FINDINGS_PER_TEXT  # before overlaps are settled


def scan(texts: Iterable[Text], *, inline_marks: bool = True) -> Scan:
    """All credentials in the texts. Never raises for what a text holds.

    inline_marks: findings on lines that carry an ignore mark are left out. Without it they are
    there and say `marked`, for callers that do not trust who wrote the mark.
    """
    findings: list[SecretFinding] = []
    incomplete: list[str] = []
    budget = Budget()
    for index, text in enumerate(texts):
        found, reasons = _scan_text(text, index, budget)
        findings += [one for one in found if not (inline_marks and one.marked)]
        incomplete += [f"{text.path}: {reason}" for reason in reasons]
    return Scan(findings=tuple(findings), incomplete=tuple(incomplete))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A span of bytes that a rule's judge holds to be a credential."""

    rule: Rule
    level: Level
    start: int
    end: int


@cache
def _matcher() -> Matcher:
    return Matcher(default_rules())


def _scan_text(
    text: Text, index: int, budget: Budget
) -> tuple[list[SecretFinding], list[str]]:
    """The findings of one text by position, and a sentence for each bound that was hit."""
    data = text.text.encode("utf-8", "replace")  # a lone surrogate becomes one "?"
    budget.read(len(data))
    claims = _settled(_claims(text.path, data, budget))
    if len(claims) > FINDINGS_PER_TEXT:
        budget.limits.add(f"over {FINDINGS_PER_TEXT:,} credentials; the rest was not read")
        del claims[FINDINGS_PER_TEXT:]
    lenient = place(text.path) is Place.LENIENT
    position = _Position(data)
    findings: list[SecretFinding] = []
    for claim in claims:
        position.advance(claim.start)
        length = _characters(data[claim.start : claim.end])
        findings.append(
            SecretFinding(
                rule=claim.rule.id,
                description=claim.rule.description,
                level=claim.level.below if lenient and not claim.rule.anywhere else claim.level,
                path=text.path,
                line=text.first_line + position.line,
                column=position.column + 1,
                start=position.character,
                end=position.character + length,
                text_index=index,
                marked=is_marked(data, claim.start),
            )
        )
    return findings, sorted(budget.limits)


def _claims(path: str, data: bytes, budget: Budget) -> set[_Claim]:
    generated = place(path) is Place.GENERATED
    claims: set[_Claim] = set()
    for candidate in _matcher().candidates(data, syntax(path), budget):
        if generated and not candidate.rule.anywhere:
            continue
        verdict = JUDGES[candidate.rule.judge](candidate)
        if verdict is None:
            continue
        claims.add(
            _Claim(rule=candidate.rule, level=verdict.level, start=verdict.start, end=verdict.end)
        )
        if len(claims) == CLAIMS_PER_TEXT:
            budget.limits.add(f"over {FINDINGS_PER_TEXT:,} credentials; the rest was not read")
            break
    return claims


def _settled(claims: set[_Claim]) -> list[_Claim]:
    """One claim for each stretch of bytes, by position.

    Where claims overlap the most specific rule's stays, at the highest level among them: one proof
    supports the other, as with a GitHub token of a wrong checksum under the name `token`.
    """
    settled: list[_Claim] = []  # disjoint, by position
    for claim in sorted(claims, key=lambda one: (one.rule.rank, one.start, -one.end)):
        at = bisect_left(settled, claim.start, key=lambda one: one.start)
        first = at - 1 if at and settled[at - 1].end > claim.start else at
        if first == len(settled) or settled[first].start >= claim.end:
            settled.insert(at, claim)
        elif claim.level.weight > settled[first].level.weight:
            settled[first] = replace(settled[first], level=claim.level)
    return settled


class _Position:
    """Turns growing byte offsets of a text into lines, columns and characters, all from 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0
        self.line = self.column = self.character = 0

    def advance(self, offset: int) -> None:
        """Go to a byte offset at or after the present one."""
        passed = self._data[self._offset : offset]
        newline = passed.rfind(b"\n")
        self.line += passed.count(b"\n")
        self.character += _characters(passed)
        if newline >= 0:
            self.column = 0
        self.column += _characters(passed[newline + 1 :])
        self._offset = offset


def _characters(data: bytes) -> int:
    """Characters of UTF-8; one that is cut at the end does not count."""
    return len(data.decode("utf-8", "ignore"))
