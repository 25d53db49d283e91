"""Stores and agent files of a commit's tree."""

import pytest

from bot.git import side as side_module
from bot.git.repository import LocalRepository
from bot.git.side import read_file, sides
from tests.git.worktree import WorkTree, memory, store


def test_nested_stores_and_their_agent_files_on_both_sides(work: WorkTree) -> None:
    base = work.commit(store("", "one") | {"AGENTS.md": "old\n", "pkg/AGENTS.md": "pkg\n"})
    head = work.commit(store("pkg/", "two") | {"AGENTS.md": "new\n", "docs/AGENTS.md": "no\n"})
    local = LocalRepository.discover(work.path)
    before, after = sides(local, base, head, ["", "docs", "pkg"])
    assert (before.sha, after.sha) == (base, head)
    assert [(one.root, [m.id for m in one.memories]) for one in before.stores] == [("", ["one"])]
    assert [(one.root, [m.id for m in one.memories]) for one in after.stores] == [
        ("", ["one"]),
        ("pkg", ["two"]),
    ]
    files = [{file.path: file.data for file in one.agent_files} for one in (before, after)]
    assert files == [
        {"AGENTS.md": b"old\n", "pkg/AGENTS.md": b"pkg\n"},
        {"AGENTS.md": b"new\n", "pkg/AGENTS.md": b"pkg\n"},
    ]
    two = "pkg/.memoryrail/memories/two.md"
    assert after.stores[1].files[two].oid == work.git("rev-parse", f"{head}:{two}")


def test_a_symlinked_agent_file_is_its_target_and_not_followed(work: WorkTree) -> None:
    work.commit(store("", "one") | {"AGENTS.md": "text\n"})
    (work.path / "CLAUDE.md").symlink_to("AGENTS.md")
    sha = work.commit()
    local = LocalRepository.discover(work.path)
    side, _ = sides(local, sha, sha, [""])
    assert [(file.path, file.is_symlink, file.data) for file in side.agent_files] == [
        ("AGENTS.md", False, b"text\n"),
        ("CLAUDE.md", True, b"AGENTS.md"),
    ]


def test_a_symlinked_memory_binds_nobody(work: WorkTree) -> None:
    work.commit(store("", "one") | {"elsewhere.md": memory("two")})
    (work.path / ".memoryrail/memories/two.md").symlink_to("../../elsewhere.md")
    sha = work.commit()
    side, _ = sides(LocalRepository.discover(work.path), sha, sha, [""])
    assert [one.id for one in side.stores[0].memories] == ["one"]
    assert [one.path for one in side.stores[0].problems] == [".memoryrail/memories/two.md"]


def test_names_that_look_like_patterns_are_names(work: WorkTree) -> None:
    sha = work.commit(store("a*/", "one") | store("ab/", "two"))
    side, _ = sides(LocalRepository.discover(work.path), sha, sha, ["a*", ":(top)"])
    assert [one.root for one in side.stores] == ["a*"]


@pytest.mark.parametrize(
    ("bound", "reason"),
    [("MAX_FILE_BYTES", "it is larger than"), ("MAX_SIDE_BYTES", "the memories are larger than")],
)
def test_what_is_too_large_is_a_problem_of_its_store(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch, bound: str, reason: str
) -> None:
    sha = work.commit(store("", "one") | {".memoryrail/memories/two.md": memory("two", "x" * 900)})
    monkeypatch.setattr(side_module, bound, 800)
    side, _ = sides(LocalRepository.discover(work.path), sha, sha, [""])
    assert [one.id for one in side.stores[0].memories] == ["one"]
    (problem,) = side.stores[0].problems
    assert problem.path == ".memoryrail/memories/two.md"
    assert reason in problem.message


def test_one_blob_under_many_names_counts_each_time(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_module, "MAX_SIDE_BYTES", 3_500)
    text = memory("two", "x" * 900)
    names = {f".memoryrail/memories/{number}.md": text for number in range(20)}
    sha = work.commit({**store(""), **names})
    side, _ = sides(LocalRepository.discover(work.path), sha, sha, [""])
    files = side.stores[0].files.values()
    assert sum(file.data is not None for file in files) == 3


def test_more_files_than_are_read(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_module, "MAX_SIDE_FILES", 3)
    sha = work.commit(store("", "a", "b", "c", "d") | store("pkg/", "e"))
    side, _ = sides(LocalRepository.discover(work.path), sha, sha, ["", "pkg"])
    assert [[memory.id for memory in one.memories] for one in side.stores] == [["a", "b"], []]
    assert [problem.path for problem in side.stores[0].problems] == [
        ".memoryrail/memories/c.md",
        ".memoryrail/memories/d.md",
    ]


def test_many_candidates(work: WorkTree) -> None:
    """More directories than one command line takes."""
    sha = work.commit(store("d1999/", "one"))
    candidates = [f"d{number}" for number in range(2000)]
    side, _ = sides(LocalRepository.discover(work.path), sha, sha, candidates)
    assert [one.root for one in side.stores] == ["d1999"]


def test_one_file(work: WorkTree) -> None:
    work.commit({"a/b.yml": "x\n"})
    (work.path / "link").symlink_to("a/b.yml")
    sha = work.commit()
    local = LocalRepository.discover(work.path)
    found = [read_file(local, sha, path) for path in ("a/b.yml", "a", "link", "missing")]
    assert [file and (file.data, file.is_symlink) for file in found] == [
        (b"x\n", False),
        None,
        (b"a/b.yml", True),
        None,
    ]
