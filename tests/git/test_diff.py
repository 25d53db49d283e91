"""Diffs of real repositories, the awkward ones."""

from collections.abc import Callable
from random import Random

import pytest

from bot.core.snapshot import ChangedFile
from bot.git import diff
from bot.git.diff import changes, compare, renames, touched_paths, with_unseen
from bot.git.repository import MAX_DIFFED_BYTES, LocalRepository
from tests.git.worktree import WorkTree

Change = Callable[[WorkTree], object]
LINES = "".join(f"line {number}\n" for number in range(1, 21))


def _facts(file: ChangedFile) -> tuple[object, ...]:
    added = [(block.start, block.text) for block in file.added]
    return (file.path, file.status, file.previous_path, added)


def _lines(text: object) -> list[str]:
    return str(text).removesuffix("\n").split("\n") if text else []


def _rename(work: WorkTree) -> None:
    work.git("mv", "a.txt", "new name.txt")
    work.write("new name.txt", LINES.replace("line 7\n", "line seven\n"))


def _copy(work: WorkTree) -> None:
    work.write("copy.txt", "one\ntwo\n")
    work.write("b.txt", "one\ntwo\nthree\n")


def _symlink(work: WorkTree) -> None:
    (work.path / "link").symlink_to("../outside")


def _type_change(work: WorkTree) -> None:
    (work.path / "b.txt").unlink()
    (work.path / "b.txt").symlink_to("a.txt")


def _submodule(work: WorkTree) -> None:
    sha = work.git("rev-parse", "HEAD")
    work.git("update-index", "--add", "--cacheinfo", f"160000,{sha},sub")
    (work.path / "sub").mkdir()  # else `git add -A` takes it for deleted
    work.git("init", "-q", "sub")
    work.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "In the submodule")


HARD: dict[str, tuple[Change, list[tuple[object, ...]]]] = {
    "rename with an edit": (
        _rename,
        [("new name.txt", "renamed", "a.txt", [(7, "line seven")])],
    ),
    "a copy is an added file": (
        _copy,
        [
            ("b.txt", "modified", None, [(3, "three")]),
            ("copy.txt", "added", None, [(1, "one\ntwo")]),
        ],
    ),
    "deletion": (lambda work: (work.path / "b.txt").unlink(), [("b.txt", "removed", None, [])]),
    "mode": (lambda work: (work.path / "b.txt").chmod(0o755), [("b.txt", "modified", None, [])]),
    "symlink": (_symlink, [("link", "added", None, [(1, "../outside")])]),
    "file becomes symlink": (_type_change, [("b.txt", "changed", None, [(1, "a.txt")])]),
    "submodule": (_submodule, [("sub", "added", None, [])]),
    "binary": (
        lambda work: work.write("b.bin", b"\0\1\n\2"),
        [("b.bin", "added", None, [])],
    ),
    "empty file": (lambda work: work.write("empty", ""), [("empty", "added", None, [])]),
    "CRLF": (
        lambda work: work.write("b.txt", "one\r\ntwo\r\n"),
        [("b.txt", "modified", None, [(1, "one\ntwo")])],
    ),
    "no newline at the end": (
        lambda work: work.write("b.txt", "one\ntwo\nthree"),
        [("b.txt", "modified", None, [(3, "three")])],
    ),
    "the newline at the end goes": (
        lambda work: work.write("b.txt", "one\ntwo"),
        [("b.txt", "modified", None, [(2, "two")])],
    ),
    "content like a diff": (
        lambda work: work.write("b.txt", "one\n++ b/x\n@@ -1 +1 @@\n" + "0" * 40 + "\n:1 2\n"),
        [("b.txt", "modified", None, [(2, "++ b/x\n@@ -1 +1 @@\n" + "0" * 40 + "\n:1 2")])],
    ),
    "removed lines like a diff": (
        lambda work: work.write("minus.txt", "kept\n"),
        [("minus.txt", "modified", None, [])],
    ),
    "two hunks": (
        lambda work: work.write("a.txt", "zero\n" + LINES.replace("line 9\n", "nine\n9\n")),
        [("a.txt", "modified", None, [(1, "zero"), (10, "nine\n9")])],
    ),
    "tab, newline, quotes and backslash in a name": (
        lambda work: work.write('d "q"\t\n\\\a/é.txt', "x\n"),
        [('d "q"\t\n\\\a/é.txt', "added", None, [(1, "x")])],
    ),
    "a name that is not UTF-8": (
        lambda work: work.write(b"caf\xe9.txt", b"caf\xe9\n"),
        [("caf\\xe9.txt", "added", None, [(1, "caf\N{REPLACEMENT CHARACTER}")])],
    ),
}


@pytest.mark.parametrize(("change", "expected"), HARD.values(), ids=HARD)
def test_hard_cases(work: WorkTree, change: Change, expected: list[tuple[object, ...]]) -> None:
    before = work.commit(
        {"a.txt": LINES, "b.txt": "one\ntwo\n", "minus.txt": "-- a/x\n-@@ -1 +1 @@\nkept\n"}
    )
    change(work)
    after = work.commit()
    local = LocalRepository.discover(work.path)
    assert [_facts(file) for file in compare(local, before, after).files] == expected
    (by_commit,) = changes(local, [(after, before)])
    assert [_facts(file) for file in by_commit.files] == expected
    paths = touched_paths(local, [(after, before)])[after]
    assert set(paths) == {name for facts in expected for name in (facts[0], facts[2]) if name}


def test_blocks_are_exactly_the_lines_that_are_new(work: WorkTree) -> None:
    """Whatever the lines look like: without the blocks, a file holds only lines it had before."""
    random = Random(7)  # noqa: S311 - the same files each time
    lines = [" x", "-- a/f", "++ b/f", "@@ -1 +1 @@", "", "\\ No newline at end of file", "é", "\f"]

    def contents() -> dict[str, str | bytes | None]:
        drawn = ("\n".join(random.choices(lines, k=random.randrange(12))) for _ in range(150))
        return {f"f{number}": text for number, text in enumerate(drawn)}

    old, new = contents(), contents()
    before, after = work.commit(old), work.commit(new)
    checked = 0
    for file in compare(LocalRepository.discover(work.path), before, after).files:
        left = _lines(new[file.path])
        for block in reversed(file.added):
            added = block.text.split("\n")
            assert left[block.start - 1 :][: len(added)] == added
            del left[block.start - 1 : block.start - 1 + len(added)]
            checked += 1
        had = iter(_lines(old[file.path]))
        assert all(line in had for line in left)
    assert checked > 100


def test_commits_come_in_the_order_given_and_roots_add_everything(work: WorkTree) -> None:
    root = work.commit({"a.txt": "a\n"})
    nothing = work.commit(message="Nothing")
    second = work.commit({"b.txt": "b\n"})
    local = LocalRepository.discover(work.path)
    found = changes(local, [(root, None), (nothing, root), (second, nothing)])
    assert [(one.sha, [_facts(file) for file in one.files]) for one in found] == [
        (root, [("a.txt", "added", None, [(1, "a")])]),
        (second, [("b.txt", "added", None, [(1, "b")])]),
    ]


ONE, BOTH = "the first line\n", "the first line\nand a second\n"


@pytest.mark.parametrize("old", [ONE.encode("utf-16"), b"\0\n" + ONE.encode()])
@pytest.mark.parametrize(
    "new", [BOTH.encode(), BOTH.encode("utf-16"), BOTH.replace("and", "\0and").encode()]
)
def test_a_text_that_passes_for_a_binary(work: WorkTree, old: bytes, new: bytes) -> None:
    before = work.commit({"notes": old})
    after = work.commit({"notes": new, "fresh": new})
    local = LocalRepository.discover(work.path)
    (seen,), large = with_unseen(local, [compare(local, before, after)])
    fresh, notes = ([block.text.replace("\0", "") for block in file.added] for file in seen.files)
    assert (fresh, notes, large) == ([BOTH.rstrip("\n")], ["and a second"], [])


def test_large_pictures_are_searched_too(work: WorkTree) -> None:
    before = work.commit({"a.txt": "a\n"})
    more = MAX_DIFFED_BYTES + 1
    after = work.commit(
        {
            "large.csv": b"1,2\n" * (more // 4 + 1),
            "large.bin": b"\0" * more,
            "picture": b"\x89PNG\r\n\x1a\n" + b"\0" * more + b"words in it",
        }
    )
    local = LocalRepository.discover(work.path)
    (seen,), large = with_unseen(local, [compare(local, before, after)])
    assert large == ["large.bin", "large.csv"]
    assert [block.text for file in seen.files for block in file.added] == ["words in it"]


def test_contents_beyond_the_bound_are_left_out_and_said(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = work.commit({"a.txt": "a\n"})
    after = work.commit({f"{name}.bin": b"\0" + b"word\n" * 10 for name in "bcd"})
    monkeypatch.setattr(diff, "MAX_ADDED_BYTES", 110)
    local = LocalRepository.discover(work.path)
    (seen,), _ = with_unseen(local, [compare(local, before, after)])
    assert [bool(file.added) for file in seen.files] == [True, True, False]
    assert not seen.complete


def test_added_lines_beyond_the_bound_are_left_out_and_said(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.commit({"a.txt": "a\n" * 20})
    second = work.commit({"b.txt": "b\n" * 20})
    third = work.commit({"c.txt": "c\n"})
    monkeypatch.setattr(diff, "MAX_ADDED_BYTES", 70)
    local = LocalRepository.discover(work.path)
    found = changes(local, [(first, None), (second, first), (third, second)])
    assert [one.complete for one in found] == [True, False, False]
    assert [file.path for one in found for file in one.files] == ["a.txt", "b.txt", "c.txt"]
    assert found[0].files[0].added[0].text.count("a") == 20


def test_renames_without_lines(work: WorkTree) -> None:
    first = work.commit({"a.txt": LINES, "b.txt": "b\n"})
    second = work.commit({"a.txt": None, "c.txt": f"{LINES}more\n", "b.txt": "B\n"})
    (found,) = renames(LocalRepository.discover(work.path), [(second, first)])
    assert found.sha == second
    assert [_facts(file) for file in found.files] == [
        ("b.txt", "modified", None, []),
        ("c.txt", "renamed", "a.txt", []),
    ]
