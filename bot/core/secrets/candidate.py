"""One match of a rule, before anybody has decided whether it is a credential."""

import re
from dataclasses import dataclass, field

from bot.core.secrets.paths import Syntax
from bot.core.secrets.rules import Rule

_NAME = re.compile(rb"[\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One match of a rule in the bytes of a text."""

    rule: Rule
    syntax: Syntax
    data: bytes = field(repr=False)
    match_start: int
    start: int  # the value
    end: int

    @property
    def value(self) -> str:
        """The value, each byte a character."""
        return self.data[self.start : self.end].decode("latin-1")

    @property
    def name(self) -> str:
        """The name that the match begins with; "" when it begins with something else."""
        found = _NAME.match(self.data, self.match_start, self.start)
        return found[0].decode("latin-1") if found else ""

    @property
    def between(self) -> bytes:
        """What stands between name and value: quotes, brackets, the operator."""
        found = _NAME.match(self.data, self.match_start, self.start)
        return self.data[found.end() if found else self.match_start : self.start]
