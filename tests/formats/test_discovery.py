"""Where stores are looked for."""

from bot.core.snapshot import ChangedFile
from bot.formats import jumpybrain
from bot.formats.discovery import candidate_roots, further, is_inside_a_store, may_be_memory


def test_candidates_stand_above_changed_paths_under_both_names() -> None:
    files = [
        ChangedFile(path="a/b/x", status="added"),
        ChangedFile(path="c/x", status="renamed", previous_path="d/e/x"),
        ChangedFile(path="top", status="added"),
        ChangedFile(path="w/.memoryrail/memories/x.md", status="added"),
    ]
    found = candidate_roots(files, ["named/", "a"])
    assert found == ("", "a", "a/b", "c", "d", "d/e", "named", "w")


def test_a_store_that_settings_name_does_not_hide_those_above_it() -> None:
    files = [ChangedFile(path="a/b/c/x", status="added")]
    assert candidate_roots(files, ["a/b/c"]) == ("", "a", "a/b", "a/b/c")


def test_a_directory_that_no_tree_has_is_passed_over() -> None:
    named = ["../up", "a//b", ".", "a/..", "nul\0", "long/" * 1000, "plain"]
    assert candidate_roots([], named) == ("", "plain")


def test_a_memory_folder_that_settings_name_is_looked_for_from_above() -> None:
    assert candidate_roots([], ["app/memory", "brain"]) == ("", "app", "app/memory", "brain")


def test_more_is_looked_for_where_a_mark_is() -> None:
    assert further(jumpybrain, "app", {"app/src/a.py": 1}) == ()
    assert "app/memory/notes" in further(jumpybrain, "app", ["app/memory/jumpybrain.json"])


def test_which_paths_may_be_memory() -> None:
    for path in (
        ".memoryrail/config.json",
        "app/.cursor/memory/x.md",
        "memory/jumpybrain.json",
        "x/notes/2026/a.MD",
    ):
        assert may_be_memory(path)
    assert not may_be_memory("notes.md")
    assert not may_be_memory("src/pages/index.tsx")
    assert not is_inside_a_store("src/pages/a.md")
