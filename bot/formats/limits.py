"""How much of a file is read as memory, whatever its format."""

from typing import Final

MAX_FILE_BYTES: Final = 1 << 20  # spec/memoryrail.md, "Limits"
