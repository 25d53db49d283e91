"""How readily precheck shows a memory: what the owner of a repository may decide about it."""

from dataclasses import dataclass
from typing import Final

MAX_TEXT_HITS: Final = 5  # more is more than a comment's reader takes in


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The defaults carry over from one project to another; spec/precheck.md says how they came."""

    min_strength: float = 3.28  # of words alone, from which a memory is shown
    fold_below: float = 4.5  # of decisions and gotchas that words alone bring
    text_hits: int = MAX_TEXT_HITS  # memories that words alone bring, the strongest
    broad_share: float = 0.5  # of the earlier changes; a directory that more of them touch is broad
