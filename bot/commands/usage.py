"""How a command is written and what it does, for people."""

from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """What a command is about: its heading in the help."""

    PROPOSALS = "Decide on proposals"
    UPKEEP = "Keep memories true"
    REPAIR = "Mend and undo"
    QUESTIONS = "Ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One line of the help."""

    group: Group
    form: str  # the verb and its arguments: reject REF… [: reason]
    does: str  # goes on the sentence that begins with the form
