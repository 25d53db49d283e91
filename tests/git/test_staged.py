"""The lines that a commit made now would add."""

from bot.git.repository import LocalRepository
from bot.git.staged import staged_lines
from tests.git.worktree import WorkTree


def lines(work: WorkTree) -> list[tuple[str, int, str]]:
    blocks, _, unread = staged_lines(LocalRepository.discover(work.path))
    assert unread == ()
    return [(block.path, block.start, block.text) for block in blocks]


def test_added_lines_of_changed_new_and_renamed_files(work: WorkTree) -> None:
    work.commit({"a.py": "1\n2\n", "b.py": "b\n" * 9, "c.py": "c\n"})
    work.write("a.py", "1\nnew\n2\n")
    work.write("é.bin", b"\0\nhidden in a binary\n")
    work.git("mv", "b.py", "d.py")
    work.git("rm", "-q", "c.py")
    work.git("add", "-A")
    work.write("a.py", "not staged\n")
    assert lines(work) == [("a.py", 2, "new"), ("é.bin", 1, "\0\nhidden in a binary")]


def test_of_a_merge_only_what_it_changes_itself(work: WorkTree) -> None:
    work.commit({"a.py": "1\n"})
    work.git("switch", "-q", "-c", "other")
    work.commit({"theirs.py": "theirs\n"})
    work.git("switch", "-q", "main")
    work.commit({"ours.py": "ours\n"})
    work.git("merge", "-q", "--no-commit", "other")
    work.write("evil.py", "evil\n")
    work.git("add", "evil.py")
    assert lines(work) == [("evil.py", 1, "evil")]
