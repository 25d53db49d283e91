import pytest

from bot.formats.cursor.layout import is_memory_path, is_shared, kind_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("decisions.md", "decision"),
        ("patterns.shared.md", "pattern"),
        ("session-handoff.archive-2026-10-10.md", "state"),
        ("decisions-archive-2025.md", "decision"),
        ("decisionsx.md", None),
        ("Decisions.md", None),
        ("decisions.MD", None),
        ("notes.md", None),
        (".md", None),
    ],
)
def test_a_name_tells_the_kind(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("root", "path", "is_one"),
    [
        ("", ".cursor/memory/decisions.md", True),
        ("app", "app/.cursor/memory/decisions.md", True),
        ("", "app/.cursor/memory/decisions.md", False),
        ("", ".cursor/memory/old/decisions.md", False),
        ("", ".cursor/memory/notes.md", False),
    ],
)
def test_where_entries_lie(root: str, path: str, is_one: bool) -> None:
    assert is_memory_path(root, path) is is_one


def test_what_is_shared_says_so_in_its_name() -> None:
    assert is_shared(".cursor/memory/decisions.shared.md")
    assert not is_shared(".cursor/memory/shared.decisions.md")
