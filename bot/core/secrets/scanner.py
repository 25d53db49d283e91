"""The scan: candidates are judged, overlaps settled, levels set by place, marks obeyed.

Nothing is kept between scans but the compiled rules.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Final

from bot.core.secrets.candidate import Candidate
from bot.core.secrets.judges import JUDGES, Verdict
from bot.core.secrets.marks import is_marked
from bot.core.secrets.matcher import TOO_MUCH, Budget, Matcher, OwnMatcher
from bot.core.secrets.model import Level, Scan, SecretFinding, Text, Unscanned
from bot.core.secrets.paths import Place, place
from bot.core.secrets.rules import Rule, default_rules
from bot.core.secrets.ruleset import ALL_RULES, OwnRule, RuleSet

FINDINGS_PER_TEXT: Final = 1_000
CLAIMS_PER_TEXT: Final = 2 * FINDINGS_PER_TEXT  # before overlaps are settled
CLAIM_STEPS: Final = 4  # of work, for what is made of a match
UNSCANNED_SHOWN: Final = 100  # texts that are named because they were not scanned whole
_WHY: Final = {
    Level.HIGH: "its shape alone is proof",
    Level.MEDIUM: "its shape and what stands around it agree",
    Level.LOW: "it may be a word, a name or a sample",
}
_LOWERED: Final = "one level lower, as it stands in tests, examples or documentation"
_TWO: Final = "its shape and its name agree"
Finder = Callable[[bytes, str, Budget], Iterator[Candidate]]  # in the bytes of a text at a path
_MANY: Final = f"over {FINDINGS_PER_TEXT:,} credentials; the rest was not read"


def scan(texts: Iterable[Text], *, rules: RuleSet = ALL_RULES, inline_marks: bool = True) -> Scan:
    """All credentials in the texts. Never raises for what a text holds.

    inline_marks: findings on lines that carry an ignore mark are left out. Without it they are
    there and say `marked`, for callers that do not trust who wrote the mark.
    """
    findings: list[SecretFinding] = []
    incomplete: dict[Unscanned, None] = {}
    budget = Budget()
    unread = 0
    find = _finder(rules)
    for index, text in enumerate(texts):
        found, reasons = _scan_text(text, index, find, budget)
        findings += [one for one in found if not (inline_marks and one.marked)]
        if reasons and len(incomplete) >= UNSCANNED_SHOWN:
            unread += 1
        else:
            incomplete |= {Unscanned(path=text.path, reason=reason): None for reason in reasons}
    if unread:
        incomplete[Unscanned(path=f"{unread:,} further texts", reason=TOO_MUCH)] = None
    return Scan(findings=tuple(findings), incomplete=tuple(incomplete))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A span of bytes that a rule's judge holds to be a credential."""

    rule: Rule
    verdict: Verdict

    @property
    def start(self) -> int:
        return self.verdict.start

    @property
    def end(self) -> int:
        return self.verdict.end

    @property
    def weight(self) -> int:
        return self.verdict.level.weight


@cache
def _matcher() -> Matcher:
    return Matcher(default_rules())


@lru_cache(maxsize=32)  # repositories
def _own_matcher(rules: tuple[OwnRule, ...]) -> Matcher:
    return OwnMatcher(rules)


def _finder(rules: RuleSet) -> Finder:
    """What finds the candidates of a text by all rules of a set."""
    ours = partial(_matcher().candidates, disabled=rules.disabled)
    if not rules.added:
        return ours
    own = _own_matcher(rules.added)
    return lambda *asked: chain(ours(*asked), own.candidates(*asked))


def _scan_text(
    text: Text, index: int, find: Finder, budget: Budget
) -> tuple[list[SecretFinding], list[str]]:
    """The findings of one text by position, and a sentence for each bound that was hit."""
    if budget.is_spent:
        return [], [TOO_MUCH]
    data = text.text.encode("utf-8", "replace")  # a lone surrogate becomes one "?"
    budget.read(len(data))
    claims = _settled(_claims(text.path, data, find, budget))
    if len(claims) > FINDINGS_PER_TEXT:
        budget.limits.add(_MANY)
        del claims[FINDINGS_PER_TEXT:]
    lenient = bool(claims) and place(text.path) is Place.LENIENT
    position = _Position(data)
    findings: list[SecretFinding] = []
    for claim in claims:
        position.advance(claim.start)
        verdict = claim.verdict
        lowered = lenient and not claim.rule.anywhere and verdict.level is not Level.LOW
        why = verdict.why or _WHY[verdict.level]
        findings.append(
            SecretFinding(
                rule=claim.rule.id,
                description=claim.rule.description,
                level=verdict.level.below if lowered else verdict.level,
                path=text.path,
                line=text.first_line + position.line,
                column=position.column + 1,
                start=position.character,
                end=position.character + _characters(data[claim.start : claim.end]),
                text_index=index,
                why=f"{why}; {_LOWERED}" if lowered else why,
                revoke=claim.rule.revoke,
                marked=is_marked(data, claim.start),
            )
        )
    return findings, sorted(budget.limits)


def _claims(path: str, data: bytes, find: Finder, budget: Budget) -> list[_Claim]:
    claims: dict[tuple[int, int, str], _Claim] = {}
    where: Place | None = None  # told when it is asked: most texts have no candidate
    for candidate in find(data, path, budget):
        rule = candidate.rule
        where = where or place(path)
        if where is Place.GENERATED and not rule.anywhere:
            continue
        verdict = JUDGES[rule.judge](candidate)
        if verdict is None:
            continue
        claims[verdict.start, verdict.end, rule.id] = _Claim(rule=rule, verdict=verdict)
        if not budget.spend(CLAIM_STEPS):
            break
        if len(claims) == CLAIMS_PER_TEXT:
            budget.limits.add(_MANY)
            break
    return list(claims.values())


def _settled(claims: list[_Claim]) -> list[_Claim]:
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
        elif claim.weight > settled[first].weight:
            raised = replace(settled[first].verdict, level=claim.verdict.level, why=_TWO)
            settled[first] = replace(settled[first], verdict=raised)
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
