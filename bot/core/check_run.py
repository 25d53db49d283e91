"""What a check run says: plain values that bot/render makes and bot/github publishes.

The limits are GitHub's: https://docs.github.com/en/rest/checks/runs#create-a-check-run
"""

from dataclasses import dataclass
from typing import Final, Literal

from bot.core.buttons import Button
from bot.core.report import Conclusion

MAX_SUMMARY: Final = 65_535  # bytes of UTF-8, though the documentation says characters
MAX_TEXT: Final = 65_535  # bytes of UTF-8
MAX_MESSAGE: Final = 65_535  # bytes of UTF-8, of an annotation
MAX_ANNOTATION_TITLE: Final = 255  # characters
MAX_ANNOTATIONS_PER_REQUEST: Final = 50  # further ones are appended by updates


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A remark on lines of a file of the head."""

    path: str
    start_line: int  # from 1
    end_line: int  # not before start_line
    level: Literal["failure", "warning", "notice"]
    title: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """A finished check run on one head."""

    name: str
    conclusion: Conclusion
    title: str  # the verdict in words; one line
    summary: str  # Markdown
    text: str = ""  # Markdown; "" for none
    annotations: tuple[Annotation, ...] = ()
    buttons: tuple[Button, ...] = ()  # at most MAX_BUTTONS
