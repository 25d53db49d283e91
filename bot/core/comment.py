"""How the bot's comments are known, and how long a comment may be.

A comment counts as ours only when our app wrote it too: anyone can paste a marker.
"""

from typing import Final

COMMENT_MARKER: Final = "<!-- memoryrail-bot"  # the one comment on a pull request starts so
REPLY_MARKER: Final = "<!-- memoryrail-reply"  # an answer to a command starts so
SUGGESTIONS_MARKER: Final = "<!-- memoryrail-suggestions"  # a review with suggestions starts so
MAX_COMMENT: Final = 65_536  # characters; https://docs.github.com/en/rest/issues/comments
MAX_REPLY: Final = MAX_COMMENT - 400  # characters that an answer has beside its marker and lead


def suggestions_marker(comment: str, digest: str) -> str:
    """How a review begins that suggests what a comment asks for; see reply_marker."""
    return f"{SUGGESTIONS_MARKER} {comment} {digest[:12]} -->\n"


def reply_marker(comment: str, digest: str = "") -> str:
    """How an answer begins: a hidden line that names the comment, and which text of it.

    comment: its anchor. digest: of the text; "" for the beginning that the answers to all texts of
    a comment have in common.
    """
    begin = f"{REPLY_MARKER} {comment} "
    return f"{begin}{digest[:12]} -->\n" if digest else begin
