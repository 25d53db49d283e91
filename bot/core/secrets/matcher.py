"""Finds candidates fast: hyperscan reads the text once for all rules, RE2 confirms each hit.

Nothing here runs longer than the bounds below allow, whatever the text is. A bound that was hit is
reported, never silent.
"""

import threading
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from bot.core.secrets.candidate import Candidate
from bot.core.secrets.paths import Syntax
from bot.core.secrets.rules import Rule

STEP_BYTES: Final = 2048  # long lines are looked at in windows of this step,
BACK_BYTES: Final = 4096  # which reach this far back
FORWARD_BYTES: Final = 2048  # and this far forward
MATCHES_PER_WINDOW: Final = 96  # of one rule
NEAR_BYTES: Final = 512  # how far from a window its rule's `near` words may stand


class Matcher:
    """A set of rules, compiled when first used and kept. Threads may share it."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules
        self._lock = threading.Lock()
        self._local = threading.local()
        self._confirmers: dict[int, Any] = {}

    def candidates(self, data: bytes, syntax: Syntax, limits: set[str]) -> Iterator[Candidate]:
        """Each match of a rule, some of them twice, roughly by position.

        limits: gets a sentence for each bound that was hit.
        """
        left = 20_000 + len(data) // 256
        seen: set[tuple[int, tuple[int, int]]] = set()
        for rank, at in self._hits(data, limits):
            window = _window(data, at)
            if (rank, window) in seen:
                continue
            seen.add((rank, window))
            for candidate in self._confirmed(rank, data, window, syntax, limits):
                if not left:
                    limits.add("too much looks like credentials; the rest was not read")
                    return
                left -= 1
                yield candidate

    def _hits(self, data: bytes, limits: set[str]) -> list[tuple[int, int]]:
        """Rank and last offset for each place where a prefilter matches, up to a cap."""
        import hyperscan  # noqa: PLC0415  # importing the package stays cheap

        cap = 50_000 + len(data) // 64
        hits: list[tuple[int, int]] = []

        def on_match(rank: int, _start: int, end: int, _flags: int, _context: object) -> bool:
            hits.append((rank, end - 1))
            return len(hits) >= cap

        database, scratch = self._database, self._scratch()
        try:
            database.scan(data, match_event_handler=on_match, scratch=scratch)
        except hyperscan.ScanTerminated:
            limits.add("too much looks like credentials; the rest was not read")
        return hits

    def _confirmed(
        self, rank: int, data: bytes, window: tuple[int, int], syntax: Syntax, limits: set[str]
    ) -> Iterator[Candidate]:
        rule = self._rules[rank]
        if rule.near and not _is_near(rule.near, data, window):
            return
        for count, match in enumerate(self._confirmer(rank).finditer(data, *window)):
            if count == MATCHES_PER_WINDOW:
                limits.add(f"over {count} matches of {rule.id} in one stretch of text")
                return
            group = rule.secret_group or match.lastindex or 0
            value_start, value_end = match.span(group)
            yield Candidate(
                rule=rule,
                syntax=syntax,
                data=data,
                match_start=match.start(),
                start=value_start,
                end=value_end,
            )

    def _confirmer(self, rank: int) -> Any:
        """The rule's regex in RE2, over bytes as hyperscan reads them."""
        if rank not in self._confirmers:
            import re2  # noqa: PLC0415  # as above

            options = re2.Options()
            options.encoding = re2.Options.Encoding.LATIN1
            options.log_errors = False  # the text of a rule says enough
            self._confirmers[rank] = re2.compile(self._rules[rank].regex.encode(), options)
        return self._confirmers[rank]

    @property
    def _database(self) -> Any:
        with self._lock:
            return self._compiled

    @cached_property
    def _compiled(self) -> Any:
        import hyperscan  # noqa: PLC0415  # as above

        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        database.compile(
            expressions=[rule.prefilter.encode() for rule in self._rules],
            ids=list(range(len(self._rules))),
            elements=len(self._rules),
            flags=0,
        )
        return database

    def _scratch(self) -> Any:
        """hyperscan's working memory: one a thread, as two scans at once must not share it."""
        if not hasattr(self._local, "scratch"):
            import hyperscan  # noqa: PLC0415  # as above

            self._local.scratch = hyperscan.Scratch(self._database)
        return self._local.scratch


def _window(data: bytes, at: int) -> tuple[int, int]:
    """The line around an offset; of a long line the stretch that the offset's step sees.

    The newlines around it belong to it: a regex may ask for a character that ends the value.
    """
    step = at - at % STEP_BYTES
    low, high = max(0, step - BACK_BYTES), min(len(data), step + STEP_BYTES + FORWARD_BYTES)
    line_start = data.rfind(b"\n", low, at)
    line_end = data.find(b"\n", at, high)
    return (line_start if line_start >= 0 else low, line_end + 1 if line_end >= 0 else high)


def _is_near(words: tuple[str, ...], data: bytes, window: tuple[int, int]) -> bool:
    around = data[max(0, window[0] - NEAR_BYTES) : window[1] + NEAR_BYTES].lower()
    return any(word.encode() in around for word in words)
