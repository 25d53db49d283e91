"""How the bot's one comment on a pull request is known, and how long it may be."""

from typing import Final

COMMENT_MARKER: Final = "<!-- memoryrail-bot"  # its body starts so, and its author is our app
MAX_COMMENT: Final = 65_536  # characters; https://docs.github.com/en/rest/issues/comments
