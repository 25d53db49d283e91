"""One writer at a time."""

from pathlib import Path

import pytest

from bot.cli import locking
from bot.cli.locking import locked
from bot.core.errors import UserError


def test_who_waits_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "_LOCK_SECONDS", 0)
    root = tmp_path / "new" / "root"
    with (
        locked(root),
        pytest.raises(UserError, match="does not come to an end"),
        locked(root),
    ):
        pass
    with locked(root):
        assert not list(root.iterdir())


def test_what_is_no_directory_is_not_locked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        with pytest.raises(UserError, match="cannot be opened"), locked(tmp_path / name):
            pass
