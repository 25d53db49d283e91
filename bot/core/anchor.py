"""Which words on a pull request: a comment, a review's text or a comment on a line of a review.

GitHub numbers the three apart, so a number alone may mean any. The fragment of their address names
one, as https://github.com/o/r/pull/1#issuecomment-99 does.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Kind(StrEnum):
    """What kind of words; as the fragment of their address begins."""

    COMMENT = "issuecomment-"
    REVIEW = "pullrequestreview-"
    REVIEW_COMMENT = "discussion_r"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The fragment of an address: issuecomment-99."""

    kind: Kind
    id: int  # GitHub's, within its kind

    def __str__(self) -> str:
        return f"{self.kind.value}{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The anchor that a text is. Raises ValueError where it is none."""
        for kind in Kind:
            number = text.removeprefix(kind.value)
            if number != text and number.isdecimal():
                return cls(kind=kind, id=int(number))
        raise ValueError(f"{text!r} names no comment; issuecomment-99 would")
