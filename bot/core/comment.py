"""How the bot's comments are known, and how long a comment may be.

A comment counts as ours only when our app wrote it too: anyone can paste a marker.
"""

from typing import Final

COMMENT_MARKER: Final = "<!-- memoryrail-bot"  # the one comment on a pull request starts so
REPLY_MARKER: Final = "<!-- memoryrail-reply"  # an answer to a command starts so
MAX_COMMENT: Final = 65_536  # characters; https://docs.github.com/en/rest/issues/comments
MAX_REPLY: Final = MAX_COMMENT - 64  # characters that the marker leaves to an answer


def reply_marker(comment_id: int) -> str:
    """The hidden line that says which comment an answer belongs to."""
    return f"{REPLY_MARKER} {comment_id} -->\n"
