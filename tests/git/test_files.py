"""The files of a working tree that git keeps or would keep."""

from bot.git.files import listed
from bot.git.repository import LocalRepository
from tests.git.worktree import WorkTree


def test_tracked_and_new_files_but_not_ignored_ones(work: WorkTree) -> None:
    work.commit({"a.py": "1\n", "src/b.py": "1\n", ".gitignore": "*.log\n"})
    work.write("src/new.py", "1\n")
    work.write("src/x.log", "1\n")
    work.write("*.py", "a name that would be a pattern\n")
    repository = LocalRepository.discover(work.path)
    assert listed(repository, work.path, [b"."]) == (
        b"*.py",
        b".gitignore",
        b"a.py",
        b"src/b.py",
        b"src/new.py",
    )
    assert listed(repository, work.path, [b"src"]) == (b"src/b.py", b"src/new.py")
    assert listed(repository, work.path, [b"*.py"]) == (b"*.py",)
