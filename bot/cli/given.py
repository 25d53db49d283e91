"""Texts that are handed to a command: as an option, in a file or on standard input."""

import sys
from pathlib import Path
from typing import Final

import click

from bot.core.errors import UserError

MAX_BYTES: Final = 1 << 20


def text(said: str | None, file: Path | None) -> str:
    """The text of --body, of --body-file, or else of standard input. Raises UserError."""
    if said is not None and file is not None:
        raise click.UsageError("--body and --body-file exclude each other.")
    if said is not None:
        return said
    try:
        return content(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError("The text is not UTF-8.") from error


def content(file: Path | None) -> bytes:
    """The bytes of a file; of standard input for `-` and without one. Raises UserError."""
    try:
        if file is None or str(file) == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise UserError(f"The text is larger than {MAX_BYTES >> 20} MiB.")
    return data
