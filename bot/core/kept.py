"""What commands keep without a commit, and `undo` takes back: what is acknowledged or ignored."""

from dataclasses import dataclass
from typing import Final, Literal

KeptVerb = Literal["ack", "ignore"]
KEPT_VERBS: Final[tuple[KeptVerb, ...]] = ("ack", "ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A memory that is acknowledged on a pull request, or a finding that a repository ignores."""

    verb: KeptVerb
    name: str  # the memory's anchor, or the finding's fingerprint
    number: int  # of the pull request on which it was said
    comment: str  # anchor of the comment that said it; "" for a button
    at_ms: int  # when it was kept
    is_undone: bool = False  # by the very command that asks, in an earlier try
