"""One match of a rule, before anybody has decided whether it is a credential."""

import re

from bot.core.secrets.paths import Syntax
from bot.core.secrets.rules import Rule

_NAME = re.compile(rb"[\w.-]*")


class Candidate:
    """One match of a rule in the bytes of a text.

    A plain class: hostile text has tens of thousands, and a dataclass takes thrice as long to make.
    """

    __slots__ = ("_named_to", "data", "end", "match_start", "rule", "start", "syntax")

    def __init__(
        self, rule: Rule, syntax: Syntax, data: bytes, *, match_start: int, start: int, end: int
    ) -> None:
        self.rule = rule
        self.syntax = syntax
        self.data = data
        self.match_start = match_start
        self.start = start  # of the value
        self.end = end
        self._named_to = -1

    @property
    def value(self) -> str:
        """The value, each byte a character."""
        return self.data[self.start : self.end].decode("latin-1")

    @property
    def name(self) -> str:
        """The name that the match begins with; "" when it begins with something else."""
        return self.data[self.match_start : self._name_end].decode("latin-1")

    @property
    def between(self) -> bytes:
        """What stands between name and value: quotes, brackets, the operator."""
        return self.data[self._name_end : self.start]

    @property
    def _name_end(self) -> int:
        if self._named_to < 0:
            found = _NAME.match(self.data, self.match_start, self.start)
            self._named_to = found.end() if found else self.match_start
        return self._named_to
