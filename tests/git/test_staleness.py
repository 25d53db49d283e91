"""The staleness of real projects: what the conformance vectors leave out."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.git.staleness import Staleness, staleness
from tests.git.imports import Files, Import
from tests.git.worktree import WorkTree
from tests.making import memory

OLDER, NEWER = "2026-09-01T00:00:00Z", "2026-10-02T00:00:00Z"  # than `updated` of memory()


def judged(root: Path, *links: str) -> Staleness:
    """The staleness of one memory with these links."""
    return staleness(root.resolve(), [memory(links=links)])


def stale(root: Path, *links: str) -> list[tuple[str, str]]:
    """Faults and links; history has to be whole."""
    found = judged(root, *links)
    assert found.unknown is None
    return [(one.fault.value, one.link) for one in found.stale]


def renamed(root: Path, *links: str) -> list[str | None]:
    """Where links went that are gone."""
    found = judged(root, *links).stale
    assert {one.fault.value for one in found} <= {"stale-link"}
    return [one.renamed_to for one in found]


def made(work: WorkTree, *commits: tuple[str, Files]) -> WorkTree:
    """Commits at moments, the last one checked out."""
    history = Import()
    for at, files in commits:
        history.commit(files, at=at)
    history.into(work, checks_out=True)
    return work


def test_links_as_people_write_them(work: WorkTree) -> None:
    made(work, (OLDER, {"old.py": "0", "src/a.py": "0"}), (NEWER, {"src/a.py": "1"}))
    newer = ["src", "src/", "./src//a.py", "x/../src", ".", "./"]
    fresh = ["old.py", "none/../old.py"]
    out = ["..", "", "/etc", "src/../.."]
    assert stale(work.path, *newer, *fresh, *out) == [
        *(("maybe-stale", link) for link in newer),
        *(("link-outside-repo", link) for link in out),
    ]
    assert stale(work.path) == []


def test_what_is_not_committed_has_no_commit(work: WorkTree) -> None:
    made(work, (OLDER, {"kept.py": "0"}), (NEWER, {"left.py": "0"}))
    work.write("new.py", "0")
    work.write("kept.py", "changed and not committed")
    (work.path / "left.py").unlink()
    (found,) = judged(work.path, "new.py", "kept.py", "left.py").stale
    assert (found.fault.value, found.link, found.last_commit) == ("stale-link", "left.py", None)


def test_what_is_no_longer_committed_has_no_commit_either(work: WorkTree) -> None:
    made(work, (OLDER, {"a.py": "0"}), (NEWER, {"a.py": None}))
    work.write("a.py", "0")
    assert stale(work.path, "a.py") == []


def test_before_the_first_commit(work: WorkTree) -> None:
    work.write("new.py", "0")
    assert stale(work.path, "new.py", "none", ".") == [("stale-link", "none")]


def test_symlinks(work: WorkTree, tmp_path: Path) -> None:
    made(work, (OLDER, {"old/a.py": "0"}), (NEWER, {"src/a.py": "0"}))
    (tmp_path / "outside").mkdir()
    for name, target in {"alias": "src", "other": "old", "out": str(tmp_path / "outside")}.items():
        (work.path / name).symlink_to(target)
    assert stale(work.path, "alias/a.py", "other/a.py", "other", "out/x", "out") == [
        ("maybe-stale", "alias/a.py"),
        ("link-outside-repo", "out/x"),
        ("link-outside-repo", "out"),
    ]


def test_a_symlink_that_is_newer_than_what_it_leads_to(work: WorkTree) -> None:
    made(work, ("2025-01-01T00:00:00Z", {"old/a.py": "0"}))
    (work.path / "alias").symlink_to("old")
    sha = work.commit()  # in January 2026
    one = replace(memory(links=["alias/a.py", "old/a.py"]), updated="2025-06-01T00:00:00Z")
    (found,) = staleness(work.path.resolve(), [one]).stale
    assert (found.link, found.last_commit and found.last_commit.sha) == ("alias/a.py", sha)


def test_a_store_in_a_subfolder(work: WorkTree) -> None:
    made(
        work,
        (OLDER, {"app/src/a.py": "0\n1\n2\n", "src/a.py": "other", "app/b.py": "b\nb\n"}),
        (NEWER, {"app/lib/a.py": "0\n1\n2\n", "app/src/a.py": None}),
        (NEWER, {"b.py": "b\nb\n", "app/b.py": None}),
        (NEWER, {"app/d/c.py": "c\nc\n"}),
        (NEWER, {"app/c.py": "c\nc\n", "app/d": None}),
        (NEWER, {"src/a.py": "changed"}),
    )
    (work.path / "app/up").symlink_to("../src")
    found = judged(work.path / "app", "src/a.py", ".", "../src", "b.py", "d", "up/a.py").stale
    assert [(one.fault.value, one.link, one.renamed_to) for one in found] == [
        ("stale-link", "src/a.py", "lib/a.py"),
        ("maybe-stale", ".", None),
        ("link-outside-repo", "../src", None),
        ("stale-link", "b.py", None),  # no link of this store can name where it went
        ("stale-link", "d", "."),
        ("maybe-stale", "up/a.py", None),
    ]


def test_renames_are_followed(work: WorkTree) -> None:
    one, two = "".join(f"one {n}\n" for n in range(9)), "".join(f"two {n}\n" for n in range(9))
    made(
        work,
        (OLDER, {"a.py": one, "d/x/one.py": one + "1", "d/x/two.py": two, "gone.py": "gone"}),
        (OLDER, {"a.py": None, "b.py": one}),
        (NEWER, {"b.py": None, "lib/c.py": f"{one}more\n"}),
        (NEWER, {"d": None, "e/x/one.py": one + "1", "e/x/two.py": two}),
        (NEWER, {"e": None, "f/one.py": one + "1", "f/two.py": two}),
        (NEWER, {"gone.py": None}),
    )
    assert renamed(work.path, "a.py", "b.py") == ["lib/c.py", "lib/c.py"]
    assert renamed(work.path, "d/x", "d", "e/x", "d/x/two.py") == ["f", None, "f", "f/two.py"]
    assert renamed(work.path, "gone.py", "never.py") == [None, None]
    (found,) = judged(work.path, "gone.py").stale
    assert found.last_commit is not None
    assert found.last_commit.sha == work.git("rev-parse", "HEAD")


def test_a_rename_is_found_on_the_branch_that_made_it(work: WorkTree) -> None:
    history = Import()
    base = history.commit({"a.py": "0\n1\n2\n"}, at=OLDER)
    renaming = history.commit({"a.py": None, "b.py": "0\n1\n2\n"}, at=OLDER, parents=[base])
    rewritten = history.commit({"b.py": "quite different"}, at=OLDER, parents=[renaming])
    main = history.commit({"c.py": "0"}, at=OLDER, parents=[base])
    merged: Files = {"a.py": None, "b.py": "quite different"}
    history.commit(merged, at=NEWER, parents=[main, rewritten])
    history.into(work, checks_out=True)
    assert renamed(work.path, "a.py") == ["b.py"]


def test_a_partial_clone_may_not_know_of_a_rename(work: WorkTree, tmp_path: Path) -> None:
    text = "".join(f"{number}\n" for number in range(9))
    made(work, (OLDER, {"a.py": text}), (NEWER, {"a.py": None, "b.py": f"{text}more\n"}))
    work.git("config", "uploadpack.allowFilter", "true")
    clone = WorkTree(tmp_path / "clone")
    clone.git("remote", "add", "origin", work.path.as_uri())
    clone.git("fetch", "-q", "--filter=blob:none", "origin", "main:other")
    clone.git("symbolic-ref", "HEAD", "refs/heads/other")
    clone.write("b.py", text)
    assert renamed(work.path, "a.py") == ["b.py"]
    assert renamed(clone.path, "a.py") == [None]


def test_a_file_that_is_there_again_was_not_renamed(work: WorkTree) -> None:
    made(work, (OLDER, {"a.py": "0\n1\n"}), (OLDER, {"a.py": None, "b.py": "0\n1\n"}))
    work.write("a.py", "again")
    assert stale(work.path, "a.py") == []


def test_names_in_either_form_of_unicode(work: WorkTree) -> None:
    decomposed, composed = "cafe\u0301", "caf\u00e9"
    made(
        work,
        (NEWER, {f"{decomposed}/a.py": "0", b"\xff.py": "0"}),
        (NEWER, {f"{decomposed}/old.py": "0\n1\n"}),
        (NEWER, {f"{decomposed}/old.py": None, f"{decomposed}/new.py": "0\n1\n"}),
    )
    links = [f"{composed}/a.py", f"{decomposed}/a.py", composed, "\\xff.py"]
    assert stale(work.path, *links) == [("maybe-stale", link) for link in links]
    assert renamed(work.path, f"{composed}/old.py") == [f"{composed}/new.py"]


def test_a_shallow_clone_says_what_it_cannot_tell(work: WorkTree, tmp_path: Path) -> None:
    made(
        work,
        (OLDER, {"a.py": "0", "b.py": "0", "moved.py": "0\n1\n"}),
        (OLDER, {"moved.py": None, "new.py": "0\n1\n"}),
        (NEWER, {"b.py": "1"}),
        ("2026-10-03T00:00:00Z", {"c.py": "0"}),
    )
    clones = {}
    for depth in (1, 2, 3):
        clones[depth] = tmp_path / f"clone{depth}"
        url = f"file://{work.path}"
        work.git("clone", "-q", f"--depth={depth}", url, str(clones[depth]))
    links = ("a.py", "b.py", "c.py", "moved.py")
    kinds = {depth: judged(path, *links) for depth, path in clones.items()}
    assert {depth: [one.link for one in found.stale] for depth, found in kinds.items()} == {
        1: ["moved.py"],
        2: ["c.py", "moved.py"],
        3: ["b.py", "c.py", "moved.py"],  # the oldest commit here is older than `updated`
    }
    for depth, links_left in {1: "3 links", 2: "2 links"}.items():
        why = kinds[depth].unknown
        assert why is not None
        assert f"too early to judge {links_left}; fetch more (git fetch --unshallow" in why
    assert kinds[3].unknown is None


def test_a_sparse_working_tree(work: WorkTree) -> None:
    made(work, (OLDER, {"in/a.py": "0", "out/b.py": "0"}), (NEWER, {"out/c.py": "0"}))
    work.git("sparse-checkout", "set", "in")
    assert not (work.path / "out").exists()
    assert stale(work.path, "in/a.py", "out/b.py", "out/c.py", "out/none") == [
        ("maybe-stale", "out/c.py"),
        ("stale-link", "out/none"),
    ]


def test_where_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").touch()
    found = judged(root, "a.py", "none", "../x")
    assert [(one.fault.value, one.link) for one in found.stale] == [
        ("stale-link", "none"),
        ("link-outside-repo", "../x"),
    ]
    assert found.unknown is not None
    assert "is not in a git repository" in found.unknown


def test_a_bare_repository_has_no_working_tree(tmp_path: Path) -> None:
    bare = WorkTree(tmp_path / "bare.git", "--bare")
    (bare.path / "project").mkdir()
    found = judged(bare.path / "project", "none")
    assert [one.fault.value for one in found.stale] == ["stale-link"]
    assert found.unknown is not None
    assert "is not in the working tree" in found.unknown


def test_many_links(work: WorkTree) -> None:
    names = [f"src/{number:03}.py" for number in range(200)]
    made(work, (OLDER, dict.fromkeys(names, "0")), (NEWER, dict.fromkeys(names[::2], "1")))
    assert stale(work.path, *names) == [("maybe-stale", name) for name in names[::2]]


def test_nothing_that_the_repository_names_is_run(work: WorkTree) -> None:
    made(work, (OLDER, {"a.py": "0\n1\n", ".gitattributes": "* diff=x filter=x\n"}))
    (work.path / "a.py").rename(work.path / "b.py")
    work.commit()
    flag = work.path / "ran"
    for name in ("diff.external", "diff.x.textconv", "filter.x.clean", "core.fsmonitor"):
        work.git("config", name, f"touch {flag}; cat")
    work.git("config", "log.showSignature", "true")
    work.git("config", "diff.renames", "false")
    assert renamed(work.path, "a.py") == ["b.py"]
    assert not flag.exists()
