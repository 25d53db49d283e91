"""Which files a memory root has, and which folder it belongs to."""

import pytest

from bot.formats.jumpybrain.layout import (
    bucket_of,
    folders,
    governed,
    is_derived,
    is_document,
    is_indexed,
)


@pytest.mark.parametrize(
    ("path", "bucket"),
    [
        ("notes/a.md", "notes"),
        ("notes/2026/deep/a.md", "notes"),
        ("sessions/s.MD", "sessions"),
        ("decisions/gold-plan.md", "decisions"),
        ("notes/.hidden.md", "notes"),
        ("README.md", None),
        ("docs/x.md", None),
        ("Notes/a.md", None),
        ("pages/p.markdown", None),
        ("notes/.md", None),
        ("notes", None),
        ("notes/build/a.md", None),
        ("notes/.jumpybrain/a.md", None),
    ],
)
def test_a_document_lies_in_one_of_six_buckets(path: str, bucket: str | None) -> None:
    assert bucket_of(path) == bucket
    assert is_document("", path) is (bucket is not None)
    assert is_document("memory", f"memory/{path}") is (bucket is not None)
    assert not is_document("memory", path)


@pytest.mark.parametrize(
    ("root", "places"),
    [
        ("", ("", "memory")),
        ("app", ("app", "app/memory")),
        ("memory", ("memory/memory",)),
        ("app/memory", ("app/memory/memory",)),
    ],
)
def test_a_memory_folder_belongs_to_the_folder_it_stands_in(
    root: str, places: tuple[str, ...]
) -> None:
    assert folders(root) == places
    assert all(governed(place) == root for place in places)


def test_derived_state_and_what_the_index_covers() -> None:
    assert is_derived("memory", "memory/.jumpybrain/dream/state.json")
    assert not is_derived("memory", ".jumpybrain/x")
    assert is_derived("", ".jumpybrain/x")
    assert is_indexed("docs/d.MD")
    assert not is_indexed("node_modules/p/README.md")
    assert not is_indexed("a.txt")
