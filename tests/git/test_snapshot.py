"""The snapshot of a local range, whole."""

from pathlib import Path

import pytest

from bot.core.errors import GitError
from bot.core.report import Section
from bot.core.snapshot import PullRequest, Repository
from bot.git.snapshot import load
from tests.git.worktree import CONFIG, WorkTree, memory, store


def test_a_branch_is_what_its_pull_request_would_be(work: WorkTree) -> None:
    work.commit(store("", "one") | {"src/a.py": "a\n"}, "Start [per DEC-0000]")
    work.git("checkout", "-q", "-b", "feature")
    work.commit({"src/a.py": "b\n"}, "Change a\n\nBecause.")
    head = work.commit({"src/new.py": "n\n"} | store("", "two"), "Add new")
    work.git("checkout", "-q", "main")
    tip = work.commit({"other.txt": "x\n"} | store("", "three"), "Main moved")
    work.git("checkout", "-q", "feature")

    snapshot = load(work.path / "src")

    assert snapshot.repository == Repository(id=0, full_name="work", default_branch="main")
    assert snapshot.pull == PullRequest(
        number=0,
        title="Add new",
        body="Change a\n\nBecause.\n\nAdd new",
        author=None,
        base_ref="main",
        base_sha=tip,
        head_ref="feature",
        head_sha=head,
    )
    assert [(file.path, file.status) for file in snapshot.files] == [
        (".memoryrail/memories/two.md", "added"),
        ("src/a.py", "modified"),
        ("src/new.py", "added"),
    ]
    assert [commit.message.partition("\n")[0] for commit in snapshot.commits] == [
        "Change a",
        "Add new",
    ]
    assert [m.id for m in snapshot.base.stores[0].memories] == ["one", "three"]
    assert [m.id for m in snapshot.head.stores[0].memories] == ["one", "two"]
    assert snapshot.history.changes == 2
    assert snapshot.unread == ()


def test_settings_come_from_the_base(work: WorkTree) -> None:
    settings = ".github/memoryrail.yml"
    base = work.commit({settings: "stores: [deep/down]\n"} | store("deep/down/", "one"))
    head = work.commit({settings: "stores: []\n"})
    snapshot = load(work.path, base=base, head=head)
    assert snapshot.settings.stores == ("deep/down",)
    assert [one.root for one in snapshot.base.stores] == ["deep/down"]
    assert snapshot.settings_problems == ()


def test_a_store_above_a_changed_path_is_found(work: WorkTree) -> None:
    work.commit(store("pkg/a/", "one") | store("pkg/b/", "two") | {"pkg/a/x/y.py": "a\n"})
    work.commit({"pkg/a/x/y.py": "b\n"})
    assert [one.root for one in load(work.path).base.stores] == ["pkg/a"]


def test_named_revisions_and_what_is_not_committed(work: WorkTree) -> None:
    work.commit({"a.txt": "a\n"})
    work.git("tag", "v1")
    head = work.commit({"a.txt": "b\n"})
    work.commit({"a.txt": "c\n"})
    work.write("a.txt", "not committed\n")
    snapshot = load(work.path, base="v1", head="HEAD~1")
    assert (snapshot.pull.base_ref, snapshot.pull.head_ref) == ("v1", "HEAD~1")
    assert snapshot.pull.head_sha == head
    assert [block.text for file in snapshot.files for block in file.added] == ["b"]


def test_a_first_commit_is_compared_with_nothing(work: WorkTree) -> None:
    work.commit(store("", "one"), "First")
    snapshot = load(work.path)
    assert (snapshot.base.stores, snapshot.pull.title) == ((), "First")
    assert [one.root for one in snapshot.head.stores] == [""]


def test_an_empty_range_has_no_title(work: WorkTree) -> None:
    work.commit()
    snapshot = load(work.path, base="HEAD", head="HEAD")
    assert (snapshot.pull.title, snapshot.files, snapshot.commits) == ("", (), ())


def test_a_bare_repository(work: WorkTree, tmp_path: Path) -> None:
    work.commit({"a.txt": "a\n"})
    work.commit({"a.txt": "b\n"}, "Second")
    work.git("clone", "-q", "--bare", str(work.path), str(tmp_path / "project.git"))
    snapshot = load(tmp_path / "project.git")
    assert (snapshot.repository.full_name, snapshot.pull.title) == ("project", "Second")


def test_a_detached_head_is_named_by_its_sha(work: WorkTree) -> None:
    work.commit()
    head = work.commit()
    work.git("checkout", "-q", "--detach")
    assert load(work.path).pull.head_ref == head[:12]


def test_large_text_is_unread(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.git.diff.MAX_DIFFED_BYTES", 10)
    work.commit({"a": b"\0"})
    work.commit({"a": "more than ten bytes"})
    (unread,) = load(work.path).unread  # said once, though it is in the commit and in the whole
    assert (unread.section, unread.what) == (Section.SECRETS, "a")


def test_a_base_that_is_not_there(work: WorkTree) -> None:
    work.commit()
    with pytest.raises(GitError, match="no commit here is known as 'origin/main'"):
        load(work.path, base="origin/main")
    with pytest.raises(GitError, match="no commit here is known as ''"):
        load(work.path, base="")  # as from an unset variable in a script


def test_a_repository_of_sha256_objects(tmp_path: Path) -> None:
    work = WorkTree(tmp_path / "work", "--object-format=sha256")
    work.commit({"a.txt": "a\n"})
    assert load(work.path).commits[0].paths == ("a.txt",)
    work.commit({"a.txt": "b\n"})
    snapshot = load(work.path)
    assert len(snapshot.pull.head_sha) == 64
    assert [block.text for file in snapshot.files for block in file.added] == ["b"]


def test_links_to_which_nothing_is_left_are_gone(work: WorkTree) -> None:
    linking = memory("one").replace("---\n\n", 'links: ["src/api", "src/db", "lib"]\n---\n\n', 1)
    files = {"src/api/a.py": "a\n", "src/db/b.py": "b\n", "lib/x.py": "x\n", "lib/y.py": "y\n"}
    config = {".memoryrail/config.json": CONFIG, ".memoryrail/memories/one.md": linking}
    base = work.commit(config | files)
    work.git("mv", "src/api", "src/web")
    work.commit({"src/db/b.py": None, "lib/x.py": None})
    assert load(work.path, base=base).gone == {"src/api", "src/db"}


@pytest.mark.parametrize("kind", ["symlink", "large"])
def test_settings_that_cannot_be_read_are_said(work: WorkTree, kind: str) -> None:
    """Else the defaults would apply in silence."""
    path = ".github/memoryrail.yml"
    if kind == "symlink":
        (work.path / ".github").mkdir()
        (work.path / path).symlink_to("../real.yml")
    else:
        work.write(path, "#" * ((1 << 20) + 1))
    base = work.commit({"real.yml": "agents: [robot]\n"})
    work.commit({"a.txt": "a\n"})
    snapshot = load(work.path, base=base)
    (problem,) = snapshot.settings_problems
    assert (problem.path, problem.rule) == (path, "unread")
    assert snapshot.settings.agents == ()
