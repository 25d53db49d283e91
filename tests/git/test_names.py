"""Which files differ, by name."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from bot.core.snapshot import ChangedFile
from bot.git.names import changed, staged, tracked
from bot.git.repository import LocalRepository
from tests.git.worktree import WorkTree


def told(files: Iterable[ChangedFile]) -> list[tuple[str, str, str | None]]:
    return [(file.path, file.status, file.previous_path) for file in files]


@pytest.fixture
def local(work: WorkTree) -> LocalRepository:
    return LocalRepository.discover(work.path)


def test_the_first_commit_changes_all_that_is_staged(
    work: WorkTree, local: LocalRepository
) -> None:
    assert staged(local) == ()
    work.write("a b.txt", "a\n")
    work.write(b"\xff\n.txt", "b\n")
    work.git("add", "-A")
    work.write("unstaged.txt", "c\n")
    assert told(staged(local)) == [("\\xff\n.txt", "added", None), ("a b.txt", "added", None)]


def test_what_is_staged_and_nothing_else(work: WorkTree, local: LocalRepository) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    names = ("gone", "old", "kept", "edited", "dir/x")
    first = work.commit({name: f"{name}\n{text}" for name in names})
    work.git("rm", "-q", "gone")
    work.git("mv", "old", "new")
    work.write("edited", "other\n")
    work.git("add", "edited")
    work.write("kept", "not staged\n")
    expected = [("edited", "modified", None), ("gone", "removed", None), ("new", "renamed", "old")]
    assert told(staged(local)) == expected
    work.git("commit", "-qm", "Do it")
    assert staged(local) == ()
    assert told(changed(local, first, work.git("rev-parse", "HEAD"))) == expected
    assert tracked(local, "") == ("dir/x", "edited", "kept", "new")
    assert tracked(local, "dir") == ("dir/x",)
    assert tracked(local, "*") == ()


def test_another_index_counts_where_git_uses_one(work: WorkTree, local: LocalRepository) -> None:
    """As `git commit FILE` has it while its hooks run."""
    work.commit({"a": "a\n", "b": "b\n"})
    other = work.path / ".git" / "next-index-1.lock"
    other.write_bytes((work.path / ".git" / "index").read_bytes())
    work.write("a", "staged\n")
    work.git("add", "a")
    assert [file.path for file in staged(local)] == ["a"]
    assert staged(local, other) == ()


def test_a_merge_counts_for_what_it_changes_itself(work: WorkTree, local: LocalRepository) -> None:
    work.commit({"both": "1\n", "theirs": "1\n"})
    work.git("checkout", "-q", "-b", "side")
    work.commit({"both": "side\n", "theirs": "side\n"})
    work.git("checkout", "-q", "main")
    work.commit({"both": "main\n", "ours": "main\n"})
    with pytest.raises(Exception, match="merge"):
        work.git("merge", "-q", "side")
    assert "both" in [file.path for file in staged(local)]  # in conflict
    work.write("both", "main and side\n")
    work.git("add", "both")
    assert told(staged(local)) == [("both", "modified", None)]


def test_a_linked_working_tree_has_its_own_index(work: WorkTree, tmp_path: Path) -> None:
    work.commit({"a": "a\n"})
    work.git("worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked" / "a").write_text("b\n")
    work.git("-C", str(tmp_path / "linked"), "add", "a")
    linked = LocalRepository.discover(tmp_path / "linked")
    assert linked.top == tmp_path / "linked"
    assert [file.path for file in staged(linked)] == ["a"]
    assert staged(LocalRepository.discover(work.path)) == ()


def test_no_program_that_the_repository_names_is_run(
    work: WorkTree, local: LocalRepository
) -> None:
    work.commit({"a": "a\n", ".gitattributes": "* filter=evil diff=evil\n"})
    spy = work.path / "spy"
    for key in ("filter.evil.clean", "filter.evil.process", "diff.evil.command", "core.fsmonitor"):
        work.git("config", key, f"touch {spy}; cat")
    blob = work.git("hash-object", "-w", "--no-filters", "--stdin", stdin=b"b\n")
    work.git("update-index", "--cacheinfo", f"100644,{blob},a")
    spy.unlink(missing_ok=True)
    assert [file.path for file in staged(local)] == ["a"]
    assert tracked(local, "") == (".gitattributes", "a")
    assert not spy.exists()
