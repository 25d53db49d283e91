"""The commits of a range."""

from pathlib import Path

import pytest

from bot.core.report import Section, Unread
from bot.git import commits as commits_module
from bot.git.commits import earlier, in_range
from bot.git.repository import LocalRepository
from tests.git.worktree import WorkTree


def test_messages_people_and_order(work: WorkTree) -> None:
    base = work.commit({"a.txt": "a\n"})
    first = work.commit({"b.txt": "b\n"}, "Add b [per DEC-1234]\n\nBecause.\n\nCo-authored-by: X")
    work.git("config", "i18n.commitEncoding", "latin-1")
    work.git("commit", "-q", "--allow-empty", "-F", "-", stdin="Zwölf".encode("latin-1"))
    second = work.git("rev-parse", "HEAD")
    local = LocalRepository.discover(work.path)
    commits, unread = in_range(local, base, second)
    assert unread == ()
    assert [(one.sha, one.message, one.author_name, one.author_email) for one in commits] == [
        (first, "Add b [per DEC-1234]\n\nBecause.\n\nCo-authored-by: X", "Ada", "ada@example.com"),
        (second, "Zwölf", "Ada", "ada@example.com"),
    ]
    assert [(one.paths, one.is_merge, one.author) for one in commits] == [
        (("b.txt",), False, None),
        ((), False, None),
    ]


def test_a_rename_touches_both_names(work: WorkTree) -> None:
    base = work.commit({"a.txt": "a\n"})
    work.git("mv", "a.txt", "b.txt")
    head = work.commit()
    (commit,), _ = in_range(LocalRepository.discover(work.path), base, head)
    assert (commit.paths, commit.added) == (("a.txt", "b.txt"), ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_merge_counts_for_what_it_changes_itself(work: WorkTree, encoding: str) -> None:
    """What either branch brought is in another commit; what the merge itself wrote is its own."""

    def text(*lines: str) -> bytes:
        return "".join(f"{line}\n" for line in lines).encode(encoding)

    work.commit({"a.txt": text("a", "mid", "z"), "other.txt": "x\n", "gone.txt": "g\n"})
    work.git("checkout", "-q", "-b", "feature")
    work.commit({"a.txt": text("b", "mid", "z"), "ours.txt": "o\n"}, "On the branch")
    work.git("checkout", "-q", "main")
    base = work.commit(
        {"a.txt": text("a", "mid", "z", "more"), "other.txt": "y\n", "theirs.txt": "t\n"}, "On main"
    )
    work.git("checkout", "-q", "feature")
    work.git("merge", "-q", "--no-commit", "-X", "ours", "main")
    head = work.commit(
        {
            "a.txt": text("b", "by hand", "mid", "z", "more"),
            "new.txt": text("evil"),
            "gone.txt": None,
        },
        "Merge main",
    )
    later = work.commit({"new.txt": None, "a.txt": text("b")}, "Clean")
    commits, unread = in_range(LocalRepository.discover(work.path), base, later)
    merge = commits[1]
    assert [one.message for one in commits] == ["On the branch", "Merge main", "Clean"]
    assert (merge.sha, merge.is_merge) == (head, True)
    assert merge.paths == ("a.txt", "gone.txt", "new.txt")
    assert [(block.path, block.start, block.text) for block in merge.added] == [
        ("a.txt", 2, "by hand"),
        ("new.txt", 1, "evil"),
    ]
    assert unread == ()


def test_an_ordinary_merge_changes_nothing_itself(work: WorkTree) -> None:
    work.commit({"a.txt": "a\n"})
    work.git("checkout", "-q", "-b", "feature")
    work.commit({"b.txt": "b\n"})
    work.git("checkout", "-q", "main")
    base = work.commit({"c.txt": "c\n"})
    work.git("checkout", "-q", "feature")
    work.git("merge", "-q", "-m", "Merge", "main")
    head = work.git("rev-parse", "HEAD")
    commits, _ = in_range(LocalRepository.discover(work.path), base, head)
    assert [(one.is_merge, one.paths) for one in commits] == [(False, ("b.txt",)), (True, ())]


def test_the_range_of_a_first_commit(work: WorkTree) -> None:
    sha = work.commit({"a.txt": "a\n"})
    local = LocalRepository.discover(work.path)
    (commit,), _ = in_range(local, local.empty_tree, sha)
    assert (commit.parents, commit.paths) == (0, ("a.txt",))
    assert list(earlier(local, local.empty_tree, max_count=5)) == []


def test_an_empty_range(work: WorkTree) -> None:
    sha = work.commit({"a.txt": "a\n"})
    assert in_range(LocalRepository.discover(work.path), sha, sha) == ((), ())


def test_more_commits_than_are_read(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits_module, "MAX_COMMITS", 2)
    base = work.commit()
    for number in range(3):
        head = work.commit(message=f"Number {number}")
    commits, unread = in_range(LocalRepository.discover(work.path), base, head)
    assert [one.message for one in commits] == ["Number 1", "Number 2"]
    assert {one.section for one in unread} == {Section.CITATIONS, Section.SECRETS}
    assert {one.what for one in unread} == {"commits before the newest 2"}


def test_longer_messages_than_are_read(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits_module, "MAX_MESSAGES_BYTES", 500)
    base = work.commit()
    work.commit(message="x" * 500)
    head = work.commit(message="Short")
    commits, unread = in_range(LocalRepository.discover(work.path), base, head)
    assert [one.message for one in commits] == ["Short"]
    assert len(unread) == 2


def test_a_commit_cut_off_from_its_parent_is_unread(work: WorkTree, tmp_path: Path) -> None:
    """Compared with nothing, it would seem to add every line of the project."""
    base = work.commit({"a.txt": "a\n"})
    work.git("checkout", "-q", "-b", "side")
    work.commit({"b.txt": "b\n"}, "Cut off")
    work.git("checkout", "-q", "main")
    work.commit({"c.txt": "c\n"}, "On main")
    work.git("merge", "-q", "-m", "Merge", "side")
    head = work.git("rev-parse", "HEAD")
    clone = WorkTree(tmp_path / "clone")
    clone.git("fetch", "-q", "--depth=2", work.path.as_uri(), "main")
    local = LocalRepository.discover(clone.path)
    cut = sorted(local.shallow)
    commits, unread = in_range(local, local.empty_tree, head)
    assert len(cut) == 2
    assert base not in {one.sha for one in commits}
    assert [one.paths for one in commits if one.sha in local.shallow] == [(), ()]
    assert {one.what for one in unread} == {f"commit {sha[:12]}" for sha in cut}


def test_earlier_changes_are_messages_with_paths(work: WorkTree) -> None:
    work.commit({"a.txt": "a\n"}, "First")
    work.commit({"b/c.txt": "a\n"}, "Second\n\nWith a body")
    head = work.commit({"d.txt": "a\n", "a.txt": None}, "Third")
    local = LocalRepository.discover(work.path)
    assert list(earlier(local, head, max_count=2)) == [
        ("Third", ("a.txt", "d.txt")),
        ("Second\n\nWith a body", ("b/c.txt",)),
    ]


def test_added_lines_left_out_are_said(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.git.diff.MAX_ADDED_BYTES", 5)
    base = work.commit()
    head = work.commit({"a.txt": "more than five bytes\n"})
    _, unread = in_range(LocalRepository.discover(work.path), base, head)
    assert unread == (
        Unread(
            section=Section.SECRETS,
            what=f"changes from commit {head[:12]} on",
            why="all together they add more than 32 MiB",
        ),
    )
