"""Other people's words without the credentials in them, for whoever shows them."""

from typing import Final

from bot.core.secrets.model import Text
from bot.core.secrets.scanner import scan

REDACTED: Final = "[secret]"
_MAX_SCANS: Final = 3


def redacted(text: str) -> str:
    """A text in which every credential, however sure, is replaced; the rest stays as it is.

    One that holds more of them than a scan takes in is replaced as a whole.
    """
    for _ in range(_MAX_SCANS):
        found = scan([Text(path="", text=text)], inline_marks=False)
        for finding in reversed(found.findings):  # offsets before it stay right
            text = f"{text[: finding.start]}{REDACTED}{text[finding.end :]}"
        if not found.incomplete:
            return text
        if not found.findings:  # another scan would come as far
            break
    return REDACTED
