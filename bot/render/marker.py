"""The hidden first line of the bot's comment: what tells it apart, and what it last showed.

Nobody's permission hangs on it: whoever edits it can at most change which items are called new.
"""

import json
from dataclasses import dataclass
from typing import Final

from bot.core.comment import COMMENT_MARKER

_END: Final = " -->"
_MAX_REFS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a comment showed for one head, and what the head before it had shown."""

    head: str
    refs: tuple[str, ...]
    before: tuple[str, ...] | None = None  # None: this was the first head that had a comment


def read(body: str | None) -> Shown | None:
    """The marker of a comment's body; None for no comment, or a line that is not ours."""
    first = (body or "").partition("\n")[0].strip()
    if not first.startswith(COMMENT_MARKER) or not first.endswith(_END):
        return None
    try:
        data = json.loads(first.removeprefix(COMMENT_MARKER).removesuffix(_END))
        before = data["before"]
        return Shown(
            head=str(data["head"]),
            refs=tuple(map(str, data["refs"])),
            before=None if before is None else tuple(map(str, before)),
        )
    except (ValueError, KeyError, TypeError):
        return None


def following(previous: Shown | None, *, head: str, refs: tuple[str, ...]) -> Shown:
    """The marker of the next body. Written again for the same head, it stays as it is."""
    if previous is None:
        before = None
    elif previous.head == head:
        before = previous.before
    else:
        before = previous.refs
    return Shown(head=head, refs=refs[:_MAX_REFS], before=before)


def write(shown: Shown) -> str:
    """The marker as an HTML comment on one line."""
    data = {"head": shown.head, "refs": shown.refs, "before": shown.before}
    text = json.dumps(data, separators=(",", ":")).replace("-->", "")
    return f"{COMMENT_MARKER} {text}{_END}"
