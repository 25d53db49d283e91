"""Where lies what a person names."""

from pathlib import Path

import pytest

from bot.cli.named import Named, ground, named
from bot.core.errors import UserError
from tests.git.worktree import WorkTree, store


def sort_out(monkeypatch: pytest.MonkeyPatch, here: Path, *names: str) -> Named:
    monkeypatch.chdir(here)
    return named(names, ground(Path()))


def test_from_any_directory_there_or_not_yet(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.write("src/db/pool.py", "")
    (work.path / "link").symlink_to("src/db")
    found = sort_out(
        monkeypatch,
        work.path / "src",
        *("db/pool.py", "new/x.py", "../a.py", "./db/../b.py", str(work.path / "c.py"), "-x"),
        *("../link/pool.py", "db/", "..", "../link", "x" * 300),
    )
    assert found.files == (
        *("src/db/pool.py", "src/new/x.py", "a.py", "src/b.py", "c.py", "src/-x"),
        *("src/db/pool.py", f"src/{'x' * 300}"),
    )
    assert found.directories == ("src/db", "", "src/db")
    assert ground(Path()).here == "src"


def test_a_symlink_is_a_file_of_its_own(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    (work.path / "a").symlink_to("/etc/hostname")
    (work.path / "loop").symlink_to("loop")
    assert sort_out(monkeypatch, work.path, "a", "loop").files == ("a", "loop")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../x", "lies outside"),
        ("/etc/passwd", "lies outside"),
        ("out/x", "lies outside"),
        ("", "a file's name is empty"),
        (".git/config", "git's own files"),
        (".git", "git's own files"),
        (".git/COMMIT_EDITMSG", "git's own files"),  # there is none yet
    ],
)
def test_what_is_no_file_of_the_project(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch, name: str, problem: str
) -> None:
    (work.path / "out").symlink_to(work.path.parent)
    with pytest.raises(UserError, match=problem):
        sort_out(monkeypatch, work.path, name)


def test_the_message_of_the_commit_at_hand(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    work.write(
        ".git/COMMIT_EDITMSG",
        b"Pool \xff [per CON-1f3a]\n\n# [per CON-0000]\n"
        b"# ------------------------ >8 ------------------------\n+[per CON-0001]\n",
    )
    found = sort_out(monkeypatch, work.path, "a.py", ".git/COMMIT_EDITMSG")
    assert (found.files, found.message) == (("a.py",), "Pool � [per CON-1f3a]\n\n")


def test_outside_git_the_nearest_project_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "shop" / ".memoryrail" / "config.json"
    config.parent.mkdir(parents=True)
    config.write_text(str(store("")[".memoryrail/config.json"]))
    (tmp_path / "shop" / "src").mkdir()
    monkeypatch.chdir(tmp_path / "shop" / "src")
    where = ground(Path())
    assert (where.repository, where.top, where.here) == (None, tmp_path / "shop", "src")
    with pytest.raises(UserError, match="in no project with memories"):
        ground(tmp_path)
