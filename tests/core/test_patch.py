"""Added lines of patches, as GitHub and git write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.patch import added_between, added_blocks, whole
from bot.core.snapshot import AddedBlock

CASES = {
    "an empty patch": ("", []),
    "one added line between context": ("@@ -1,2 +1,3 @@ def f():\n a\n+b\n c", [(2, "b")]),
    "neighbours are one block": ("@@ -1,1 +1,3 @@\n a\n+b\n+c", [(2, "b\nc")]),
    "a removal between two parts them": (
        "@@ -1,1 +1,2 @@\n+a\n-x\n+b",
        [(1, "a"), (2, "b")],
    ),
    "context between two parts them": ("@@ -1,1 +1,3 @@\n+a\n x\n+b", [(1, "a"), (3, "b")]),
    "a new file": ("@@ -0,0 +1,2 @@\n+a\n+b", [(1, "a\nb")]),
    "a new file of one line": ("@@ -0,0 +1 @@\n+a", [(1, "a")]),
    "a removed file": ("@@ -1,2 +0,0 @@\n-a\n-b", []),
    "two hunks": ("@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10,2 @@\n+x\n y", [(2, "b"), (10, "x")]),
    "an old file without a last line end": (
        "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b",
        [(1, "a\nb")],
    ),
    "a new file without a last line end": (
        "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file",
        [(1, "a")],
    ),
    "lines that end in CR LF": ("@@ -0,0 +1,2 @@\n+a\r\n+b\r", [(1, "a\nb")]),
    "a CR inside a line is kept": ("@@ -0,0 +1 @@\n+a\rb", [(1, "a\rb")]),
    "line separators that are none to git": (
        "@@ -0,0 +1,2 @@\n+a\u2028b\x0bc\n+d",
        [(1, "a\u2028b\x0bc\nd")],
    ),
    "added text that looks like a header": (
        "@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n+@@ -1 +1 @@\n-q",
        [(1, "++ b/x\n@@ -1 +1 @@")],
    ),
    "an empty context line without its blank": ("@@ -1,2 +1,3 @@\n\n+b\n c", [(2, "b")]),
    "git's file header is skipped": (
        "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
        [(1, "a")],
    ),
    "a combined diff of a merge": ("@@@ -1,1 -1,1 +1,2 @@@\n++a\n  b", []),
    "a file that turns to UTF-16": (
        "@@ -0,0 +1,3 @@\n+a\n+\0s\0e\0c\0r\0e\0t\0\r\0\n+\0n\0e\0x\0t\0",
        [(1, "a\nsecret\r\nnext\0")],
    ),
    "a patch that stops early": ("@@ -1,9 +1,9 @@\n+a", [(1, "a")]),
}


@pytest.mark.parametrize(("patch", "expected"), CASES.values(), ids=CASES)
def test_added_blocks(patch: str, expected: list[tuple[int, str]]) -> None:
    blocks = added_blocks("src/x.py", patch)
    assert [(block.start, block.text) for block in blocks] == expected
    assert {block.path for block in blocks} <= {"src/x.py"}


@pytest.mark.parametrize(
    ("text", "expected"), [("", []), ("a\n", ["a"]), ("a\r\nb", ["a\nb"]), ("\n", [""])]
)
def test_a_whole_file_is_one_block(text: str, expected: list[str]) -> None:
    assert [block.text for block in whole("x", text)] == expected


@given(st.lists(st.text(st.characters(exclude_characters="\n\r"), max_size=9), min_size=1))
def test_a_new_file_comes_back_line_by_line(lines: list[str]) -> None:
    patch = f"@@ -0,0 +1,{len(lines)} @@\n" + "\n".join(f"+{line}" for line in lines)
    expected = AddedBlock(path="x", start=1, text="\n".join(lines))
    assert added_blocks("x", patch) == (expected,)


@given(st.text(st.sampled_from("@+-\\ ,0123\n\rab")))
def test_hostile_text_never_raises(patch: str) -> None:
    assert all(block.start >= 0 for block in added_blocks("x", f"@@ -1,5 +1,5 @@\n{patch}"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\nb\n", "a\nx\ny\nb\nz\n", [(2, "x\ny"), (5, "z")]),
        ("a\na\n", "a\na\na\n", [(3, "a")]),
        ("a\r\n", "a\n", []),
        ("a\n", "", []),
        ("", "a\n", [(1, "a")]),
    ],
)
def test_lines_that_the_old_content_lacks(
    old: str, new: str, expected: list[tuple[int, str]]
) -> None:
    assert [(block.start, block.text) for block in added_between("x", old, new)] == expected
