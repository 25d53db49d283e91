"""Texts that are handed to a command."""

from pathlib import Path

import click
import pytest

from bot.cli import given
from bot.core.errors import UserError


def test_a_text_is_said_or_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "why.md"
    file.write_bytes("\ufeffWhy.\r\n".encode())
    assert given.text("said", None) == "said"
    assert given.text(None, file) == "Why.\r\n"
    assert given.content(file) == file.read_bytes()
    with pytest.raises(click.UsageError):
        given.text("said", file)


def test_what_cannot_be_taken_is_said(tmp_path: Path) -> None:
    file = tmp_path / "x"
    with pytest.raises(UserError, match="cannot be read: No such file"):
        given.content(file)
    file.write_bytes(b"\xff")
    with pytest.raises(UserError, match="not UTF-8"):
        given.text(None, file)
    file.write_bytes(b"x" * (given.MAX_BYTES + 1))
    with pytest.raises(UserError, match="larger than 1 MiB"):
        given.content(file)
