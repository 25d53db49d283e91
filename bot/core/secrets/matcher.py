"""Finds candidates fast: hyperscan reads the text once for all rules, RE2 confirms each hit.

Nothing here runs longer than the bounds below allow, whatever the text is. A bound that was hit is
reported, never silent.
"""

import itertools
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from bot.core.secrets.candidate import Candidate
from bot.core.secrets.paths import Syntax, syntax
from bot.core.secrets.rules import Rule
from bot.core.secrets.ruleset import OwnRule, compile_own

STEP_BYTES: Final = 2048  # long lines are looked at in windows of this step,
BACK_BYTES: Final = 4096  # which reach this far back
FORWARD_BYTES: Final = 2048  # and this far forward
MATCHES_PER_WINDOW: Final = 96  # of one rule
TOO_MUCH: Final = "too much looks like credentials; the rest was not read"
SEARCHED_BYTES: Final = 2048  # what a step of work reads in search of a match
OWN_BYTES: Final = 3_000  # the same of a regex that compiles to one instruction
BEGUN_BYTES: Final = 8  # what beginning a search is worth: its own time grows with the regex too
MATCHED_BYTES: Final = 32  # and what it reads when a match is judged
NEAR_BYTES: Final = 512  # how far from a window its rule's `near` words may stand


class Budget:
    """How much of a scan may look like credentials, over all its texts; and which bounds were hit.

    It grows with what is read, so that a long text is not cut short for being long.
    """

    def __init__(self) -> None:
        self.work = 30_000  # steps of about 10 µs
        self.hits = 50_000
        self.limits: set[str] = set()  # a sentence for each bound that the present text hit

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is read."""
        return self.work < 0 or self.hits < 0

    def read(self, size: int) -> None:
        """Allow for a text of so many bytes."""
        self.work += size // 256
        self.hits += size // 64
        self.limits = set()

    def spend(self, work: int) -> bool:
        """Take steps of work from it; whether there were enough."""
        self.work -= work
        if self.work < 0:
            self.limits.add(TOO_MUCH)
        return self.work >= 0


class Matcher:
    """A set of rules, compiled when first used and kept. Threads may share it."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules
        self._prefilter = _Prefilter([(rule.prefilter, rank) for rank, rule in enumerate(rules)])
        self._searches: dict[int, _Search] = {}

    def candidates(
        self, data: bytes, path: str, budget: Budget, disabled: frozenset[str] = frozenset()
    ) -> Iterator[Candidate]:
        """Each match of a rule that is not disabled by its id, by position within the rule."""
        if not (hits := self._prefilter.hits(data, budget)):
            return
        how = syntax(path)
        done: dict[int, int] = {}  # by rule: all matches that begin before this offset are out
        for hit_end, rank in hits:
            at = hit_end - 1
            if at < done.get(rank, 0):
                continue
            rule = self._rules[rank]
            window = _window(data, at)
            position = max(window.start, done.get(rank, 0))
            done[rank] = window.stop
            if rule.id in disabled or (rule.near and not _is_near(rule.near, data, window)):
                continue
            done[rank] = yield from self._search(rank).matches(data, how, window, position, budget)
            if budget.work < 0:
                return

    def _search(self, rank: int) -> "_Search":
        if rank not in self._searches:
            self._searches[rank] = self._compiled(self._rules[rank])
        return self._searches[rank]

    def _compiled(self, rule: Rule) -> "_Search":
        """The rule's regex in RE2, over bytes as hyperscan reads them."""
        import re2  # noqa: PLC0415  # importing the package stays cheap

        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.log_errors = False  # the text of a rule says enough
        return _Search(rule, re2.compile(rule.regex.encode(), options), SEARCHED_BYTES)


class OwnMatcher(Matcher):
    """A repository's own rules, each on the lines that hold one of its keywords."""

    def __init__(self, rules: tuple[OwnRule, ...]) -> None:
        super().__init__(tuple(own.rule for own in rules))
        keywords = [(word, rank) for rank, own in enumerate(rules) for word in own.keywords]
        self._prefilter = _Prefilter(keywords, are_words=True)

    def _compiled(self, rule: Rule) -> "_Search":
        confirm = compile_own(rule.regex)
        return _Search(rule, confirm, max(1, OWN_BYTES // confirm.programsize))


class _Prefilter:
    """Regexes, or words of any case, that are looked for together, each with the rank of a rule."""

    def __init__(self, patterns: Sequence[tuple[str, int]], *, are_words: bool = False) -> None:
        self._patterns = patterns
        self._are_words = are_words
        self._lock = threading.Lock()
        self._local = threading.local()

    def hits(self, data: bytes, budget: Budget) -> list[tuple[int, int]]:
        """End and rank for each place where one matches, by offset, up to a cap."""
        import hyperscan  # noqa: PLC0415  # as above

        hits: list[tuple[int, int]] = []
        left = budget.hits

        def on_match(rank: int, _start: int, end: int, _flags: int, _context: object) -> bool:
            hits.append((end, rank))
            return len(hits) > left

        database, scratch = self._database, self._scratch()
        try:
            database.scan(data, match_event_handler=on_match, scratch=scratch)
        except hyperscan.ScanTerminated:
            budget.limits.add(TOO_MUCH)
        budget.hits -= len(hits)
        hits.sort()
        return hits

    @property
    def _database(self) -> Any:
        with self._lock:
            return self._compiled

    @cached_property
    def _compiled(self) -> Any:
        import hyperscan  # noqa: PLC0415  # as above

        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        database.compile(
            expressions=[pattern.encode() for pattern, _ in self._patterns],
            ids=[rank for _, rank in self._patterns],
            elements=len(self._patterns),
            flags=hyperscan.HS_FLAG_CASELESS if self._are_words else 0,
            literal=self._are_words,
        )
        return database

    def _scratch(self) -> Any:
        """hyperscan's working memory: one a thread, as two scans at once must not share it."""
        if not hasattr(self._local, "scratch"):
            import hyperscan  # noqa: PLC0415  # as above

            self._local.scratch = hyperscan.Scratch(self._database)
        return self._local.scratch


@dataclass(frozen=True, slots=True)
class _Window:
    """A line, or a stretch of a long one."""

    start: int
    end: int
    stop: int  # where the next window may take over


@dataclass(frozen=True, slots=True)
class _Search:
    """A rule's regex, and how many bytes it reads in a step of work."""

    rule: Rule
    confirm: Any
    bytes_a_step: int

    def matches(
        self, data: bytes, how: Syntax, window: _Window, position: int, budget: Budget
    ) -> Generator[Candidate, None, int]:
        """The matches that begin in a window from a position on; and where they end."""
        for count in itertools.count():
            match = self.confirm.search(data, position, window.end)
            searched = (match.end() if match else window.end) - position
            if not budget.spend(1 + (searched + BEGUN_BYTES) // self.bytes_a_step):
                break
            if match is None or match.start() >= window.stop:
                break
            if count == MATCHES_PER_WINDOW:
                budget.limits.add(f"over {count} matches of {self.rule.id} in one stretch of text")
                break
            candidate = _candidate(self.rule, how, data, match)
            budget.spend((candidate.end - candidate.match_start) // MATCHED_BYTES)
            yield candidate
            # After a name the value may be the name of the next: `password: pass = "..."`.
            named = candidate.start > candidate.match_start
            position = max(position + 1, candidate.start if named else candidate.end)
        return max(window.stop, position)


def _window(data: bytes, at: int) -> _Window:
    """The line around an offset, and where the next window may take over.

    Of a long line only the stretch around the offset's step; what begins beyond the step is left
    to the next one, which sees it whole. The newlines around a line belong to it: a regex may ask
    for the character after a value.
    """
    step_start = at - at % STEP_BYTES
    step_end = step_start + STEP_BYTES
    low, high = max(0, step_start - BACK_BYTES), min(len(data), step_end + FORWARD_BYTES)
    newline_before = data.rfind(b"\n", low, at)
    newline_after = data.find(b"\n", at, high)
    start = newline_before if newline_before >= 0 else low
    if newline_after >= 0:
        return _Window(start, newline_after + 1, newline_after)
    return _Window(start, high, step_end)


def _is_near(words: tuple[str, ...], data: bytes, window: _Window) -> bool:
    around = data[max(0, window.start - NEAR_BYTES) : window.end + NEAR_BYTES].lower()
    return any(word.encode() in around for word in words)


def _candidate(rule: Rule, how: Syntax, data: bytes, match: Any) -> Candidate:
    match_start = match.start()
    start, end = match.span(rule.secret_group or match.lastindex or 0)
    return Candidate(rule, how, data, match_start=match_start, start=start, end=end)
