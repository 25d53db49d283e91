from datetime import UTC, datetime
from itertools import count
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.jumpybrain.frontmatter import parse
from bot.formats.jumpybrain.ids import ensure_ids, is_id, minted
from bot.formats.jumpybrain.refused import Refused
from tests.formats.jumpybrain.making import id_of, text
from tests.formats.jumpybrain.test_frontmatter import PIECES

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)


@given(st.lists(PIECES, min_size=1, max_size=3))
def test_a_second_run_changes_nothing(texts: list[str]) -> None:
    files = {f"notes/{number}.md": one.encode() for number, one in enumerate(texts)}
    numbers = count()
    stamped = ensure_ids(files, now=NOW, new_id=lambda: id_of(next(numbers)))
    after = {**files, **stamped.files}
    assert ensure_ids(after, now=NOW, new_id=lambda: id_of(next(numbers))).files == {}
    for path, data in after.items():
        known = parse(data.decode()).text("id")
        assert path in stamped.foreign or is_id(known)
    assert set(stamped.files) | set(stamped.foreign) == {
        path for path, data in files.items() if not is_id(parse(data.decode()).text("id"))
    }


def test_an_id_has_one_shape() -> None:
    known = minted(UUID("550e8400-e29b-41d4-a716-446655440000"))
    assert is_id(known)
    assert not any(map(is_id, ("", "mem_1", known.upper(), f"{known}\n", f"x{known}")))


def test_a_root_of_another_schema_is_left_alone() -> None:
    files = {"jumpybrain.json": b'{"schemaVersion": 2}', "notes/a.md": b"a\n"}
    with pytest.raises(Refused):
        ensure_ids(files, now=NOW, new_id=lambda: id_of(1))


def test_a_foreign_id_is_told_and_kept() -> None:
    stamped = ensure_ids(
        {"notes/a.md": text(id="note-7").encode()}, now=NOW, new_id=lambda: id_of(1)
    )
    assert (dict(stamped.files), stamped.foreign) == ({}, ("notes/a.md",))
