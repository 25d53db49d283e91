"""Which words on a pull request: a comment, a review's text or a comment on a line of a review.

Or which press of a button on one of our check runs, which stands for words.

GitHub numbers the three apart, so a number alone may mean any. The fragment of their address names
one, as https://github.com/o/r/pull/1#issuecomment-99 does. A press has no address; ours for it has
the check run and the delivery that told of it: press-99-0b989ba4.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Kind(StrEnum):
    """What kind of words; as the fragment of their address begins."""

    COMMENT = "issuecomment-"
    REVIEW = "pullrequestreview-"
    REVIEW_COMMENT = "discussion_r"
    PRESS = "press-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The fragment of an address: issuecomment-99."""

    kind: Kind
    id: int  # GitHub's, within its kind; of a press that of the check run
    press: str = ""  # what tells a press from others on the check run

    def __str__(self) -> str:
        return "-".join(filter(None, [f"{self.kind.value}{self.id}", self.press]))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The anchor that a text is. Raises ValueError where it is none."""
        for kind in Kind:
            number, dash, press = text.removeprefix(kind.value).partition("-")
            is_whole = bool(press) if kind is Kind.PRESS else not dash
            if text.startswith(kind.value) and number.isdecimal() and is_whole:
                return cls(kind=kind, id=int(number), press=press)
        raise ValueError(f"{text!r} names no comment; issuecomment-99 would")
