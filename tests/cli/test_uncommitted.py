import pytest

from bot.cli.uncommitted import uncommitted
from tests.git.worktree import WorkTree, store


def test_nothing_differs_after_a_commit(work: WorkTree) -> None:
    sha = work.commit(store("app/", "20260102-one") | {"AGENTS.md": "no store beside it\n"})
    work.write("AGENTS.md", "changed\n")
    assert uncommitted(work.path, sha, ["", "app"]) == ()


@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_new_and_changed_files_of_each_root(
    tmp_path_factory: pytest.TempPathFactory, format_: str
) -> None:
    work = WorkTree(tmp_path_factory.mktemp("work"), f"--object-format={format_}")
    sha = work.commit(store("app/", "20260102-one"))
    work.write("app/.memoryrail/config.json", '{"version": 1, "review": "agents"}\n')
    work.write("app/CLAUDE.md", "new\n")
    work.write(".memoryrail/config.json", '{"version": 1}\n')
    assert uncommitted(work.path / "app", sha, ["", "app"]) == (
        ".memoryrail/config.json",
        "app/.memoryrail/config.json",
        "app/CLAUDE.md",
    )


def test_a_link_is_what_it_says(work: WorkTree) -> None:
    work.commit(store("", "20260102-one") | {"AGENTS.md": "a\n"})
    (work.path / "CLAUDE.md").symlink_to("AGENTS.md")
    sha = work.commit()
    assert uncommitted(work.path, sha, [""]) == ()
    (work.path / "CLAUDE.md").unlink()
    (work.path / "CLAUDE.md").symlink_to("README.md")
    assert uncommitted(work.path, sha, [""]) == ("CLAUDE.md",)


def test_a_bare_repository_has_no_working_tree(work: WorkTree) -> None:
    """Also where it lies in another one's."""
    sha = work.commit(store("", "20260102-one"))
    work.git("clone", "-q", "--bare", ".", "bare.git")
    work.write(".memoryrail/config.json", "changed\n")
    assert uncommitted(work.path / "bare.git", sha, [""]) == ()
