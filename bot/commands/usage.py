"""How a command is written and what it does, for people."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One line of the help."""

    form: str  # the verb and its arguments: reject REF… [: reason]
    does: str  # goes on the sentence that begins with the form
    for_maintainers: bool  # others are refused
