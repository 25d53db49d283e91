"""Finding a repository and its revisions, and what a hostile one cannot do."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.errors import GitError
from bot.git.commits import in_range
from bot.git.diff import compare
from bot.git.repository import LocalRepository, shown
from tests.git.worktree import WorkTree


def test_found_from_a_directory_below_and_in_a_linked_working_tree(
    work: WorkTree, tmp_path: Path
) -> None:
    sha = work.commit({"deep/er/a.txt": "a\n"})
    work.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    below = LocalRepository.discover(work.path / "deep/er")
    linked = LocalRepository.discover(tmp_path / "linked/deep")
    assert (below.commit("HEAD"), below.branch(), below.name) == (sha, "main", "work")
    assert (linked.commit("HEAD"), linked.branch(), linked.name) == (sha, "other", "linked")


def test_a_hook_of_another_repository_does_not_mislead(
    work: WorkTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sha = work.commit()
    WorkTree(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", "nowhere")
    assert LocalRepository.discover(work.path).commit("HEAD") == sha


def test_where_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(GitError, match="is not in a git repository"):
        LocalRepository.discover(tmp_path)
    with pytest.raises(GitError, match="is not a directory"):
        LocalRepository.discover(tmp_path / "missing")


def test_without_git(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(work.path))
    with pytest.raises(GitError, match="git is not installed"):
        LocalRepository.discover(work.path)


def test_a_repository_of_somebody_else(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    work.commit()
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setattr("bot.git.repository._KEPT", {"GIT_TEST_ASSUME_DIFFERENT_OWNER"})
    with pytest.raises(GitError, match=r"git config --global --add safe\.directory /"):
        LocalRepository.discover(work.path)


def test_no_commits_yet(work: WorkTree) -> None:
    with pytest.raises(GitError, match="has no commits yet"):
        LocalRepository.discover(work.path).commit("HEAD")


@pytest.mark.parametrize(
    "revision", ["nope", "", "--help", "--output=made", "HEAD:a.txt", "HEAD..HEAD", "a\0b", "^HEAD"]
)
def test_unknown_revisions(work: WorkTree, revision: str) -> None:
    work.commit({"a.txt": "a\n"})
    with pytest.raises(GitError, match="no commit here is known as"):
        LocalRepository.discover(work.path).commit(revision)
    assert not list(work.path.rglob("made"))


def test_a_tag_names_its_commit(work: WorkTree) -> None:
    sha = work.commit()
    work.git("tag", "-a", "-m", "First", "v1")
    assert LocalRepository.discover(work.path).commit("v1") == sha


def _on_main(work: WorkTree) -> str:
    return work.git("rev-parse", "HEAD^")


def _on_a_branch(work: WorkTree) -> str:
    work.git("checkout", "-q", "-b", "feature")
    work.commit()
    work.commit()
    return work.git("rev-parse", "main")


def _ahead_of_origin(work: WorkTree) -> str:
    work.git("update-ref", "refs/remotes/origin/main", "HEAD^")
    return work.git("rev-parse", "HEAD^")


def _origin_has_another_default(work: WorkTree) -> str:
    work.git("update-ref", "refs/remotes/origin/main", "HEAD")
    work.git("update-ref", "refs/remotes/origin/trunk", "HEAD~2")
    work.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    return work.git("rev-parse", "HEAD~2")


def _detached(work: WorkTree) -> str:
    work.git("checkout", "-q", "--detach")
    work.commit()
    return work.git("rev-parse", "main")


@pytest.mark.parametrize(
    ("arrange", "name"),
    [
        (_on_main, None),
        (_on_a_branch, "main"),
        (_ahead_of_origin, "origin/main"),
        (_origin_has_another_default, "origin/HEAD"),
        (_detached, "main"),
    ],
)
def test_default_base(work: WorkTree, arrange: object, name: str | None) -> None:
    for _ in range(3):
        work.commit()
    assert callable(arrange)
    expected = arrange(work)
    local = LocalRepository.discover(work.path)
    head = local.commit("HEAD")
    assert local.default_base(head) == (name or f"{head[:12]}^", expected)


def test_the_base_of_a_first_commit_is_nothing(work: WorkTree) -> None:
    sha = work.commit({"a.txt": "a\n"})
    local = LocalRepository.discover(work.path)
    name, base = local.default_base(sha)
    assert (name, local.merge_base(base, sha)) == ("(nothing)", base)
    assert [file.path for file in compare(local, base, sha).files] == ["a.txt"]


def test_histories_without_a_common_ancestor(work: WorkTree) -> None:
    one = work.commit(message="One")
    work.git("checkout", "-q", "--orphan", "other")
    two = work.commit(message="Two")
    with pytest.raises(GitError, match="have no common ancestor; name a base"):
        LocalRepository.discover(work.path).merge_base(one, two)


def test_shallow_clones_say_what_to_fetch(work: WorkTree, tmp_path: Path) -> None:
    for number in range(3):
        work.commit(message=f"Commit {number}")
    work.git("branch", "old", "HEAD~2")
    work.git("checkout", "-q", "-b", "side", "HEAD~2")
    work.commit(message="Side")
    work.git("checkout", "-q", "main")
    clone = WorkTree(tmp_path / "clone")
    clone.git("remote", "add", "origin", work.path.as_uri())
    clone.git("fetch", "-q", "--depth=1", "origin", "main:trunk", "side:side")
    clone.git("checkout", "-q", "trunk")
    local = LocalRepository.discover(clone.path)
    head = local.commit("HEAD")
    with pytest.raises(GitError, match="this shallow clone holds no base"):
        local.default_base(head)
    with pytest.raises(GitError, match=r"in this shallow clone; fetch more history"):
        local.merge_base(head, local.commit("side"))
    with pytest.raises(GitError, match="this clone is shallow"):
        local.commit("old")


def test_nothing_from_a_hostile_repository_is_executed(work: WorkTree, tmp_path: Path) -> None:
    """Nor do its attributes hide lines from a diff."""
    marker = tmp_path / "executed"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    program.chmod(0o755)
    base = work.commit({"a.txt": "a\n"})
    hidden = "*.env -diff\n*.txt diff=evil filter=evil\n*.dat binary\n"
    head = work.commit(
        {".gitattributes": hidden, "a.env": "KEY=1\n", "a.txt": "b\n", "a.dat": "c\n"}
    )
    work.write(".git/info/attributes", "*.txt diff=evil filter=evil\n")
    for setting in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.smudge",
        "filter.evil.clean",
        "gpg.program",
        "pager.diff-tree",
        "pager.rev-list",
        "credential.helper",
    ):
        work.git("config", setting, str(program))
    for name, value in {
        "log.showSignature": "true",
        "core.hooksPath": str(tmp_path),
        "color.ui": "always",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "9",
        "diff.renames": "copies",
        "diff.orderFile": "a.txt",
        "diff.ignoreSubmodules": "all",
        "core.quotePath": "false",
        "i18n.logOutputEncoding": "latin-1",
        "core.attributesFile": str(work.path / ".gitattributes"),
    }.items():
        work.git("config", name, value)
    marker.unlink(missing_ok=True)

    local = LocalRepository.discover(work.path)
    files = compare(local, base, head).files
    commits, unread = in_range(local, base, head)

    assert not marker.exists()
    assert {file.path: [block.text for block in file.added] for file in files} == {
        ".gitattributes": [hidden.strip()],
        "a.dat": ["c"],
        "a.env": ["KEY=1"],
        "a.txt": ["b"],
    }
    assert len(commits[0].added) == 4
    assert unread == ()


def test_a_partial_clone_is_not_completed_from_its_remote(work: WorkTree, tmp_path: Path) -> None:
    """Fetching would run what the repository's settings name as the transport."""
    marker = tmp_path / "executed"
    work.commit({"a.txt": "a\n"})
    sha = work.commit({"a.txt": "b\n"})
    work.git("config", "uploadpack.allowFilter", "true")
    clone = WorkTree(tmp_path / "clone")
    clone.git("remote", "add", "origin", work.path.as_uri())
    clone.git("fetch", "-q", "--filter=blob:none", "origin", "main")
    clone.git("config", "remote.origin.uploadpack", f"touch {marker}; git-upload-pack")
    clone.git("config", "protocol.file.allow", "always")
    local = LocalRepository.discover(clone.path)
    with pytest.raises(GitError, match="this partial clone lacks contents"):
        compare(local, local.commit(f"{sha}^"), sha)
    assert not marker.exists()


def test_leaving_early_stops_git(work: WorkTree) -> None:
    work.commit({"large": os.urandom(1 << 20)})
    local = LocalRepository.discover(work.path)
    oid = work.git("rev-parse", "HEAD:large")
    with local.output("cat-file", "blob", oid) as stream:
        assert len(stream.read(10)) == 10
    assert [(size, len(data)) for _, size, data in local.openings([oid], 5)] == [(1 << 20, 5)]


def test_questions_are_answered_one_by_one(work: WorkTree) -> None:
    first = work.commit({"a.txt": "a\n"})
    second = work.commit({"\n.txt": "b\n"})
    local = LocalRepository.discover(work.path)
    with local.dialogue("diff-tree", "--stdin", "-r", "--root", "--name-only") as ask:
        assert list(ask(f"{second} {first}\n".encode())) == [
            f"{second}\n".encode(),
            b'"\\n.txt"\n',
        ]
        assert list(ask(f"{second} {second}\n".encode())) == []
        assert list(ask(f"{first}\n".encode())) == [f"{first}\n".encode(), b"a.txt\n"]


def test_a_git_that_ends_while_it_is_asked(work: WorkTree) -> None:
    work.commit()
    local = LocalRepository.discover(work.path)
    with (
        local.dialogue("diff-tree", "--stdin", "--no-such-option") as ask,
        pytest.raises(GitError, match="git diff-tree failed: "),
    ):
        list(ask(b"x\n"))


def test_a_sparse_working_tree_is_known_as_such(work: WorkTree) -> None:
    work.commit({"a/b.txt": "a\n"})
    before = LocalRepository.discover(work.path).is_sparse
    work.git("sparse-checkout", "set", "a")
    assert (before, LocalRepository.discover(work.path).is_sparse) == (False, True)


_NAMES = st.lists(st.sampled_from([b"\xff", b"\\", b"x", b"ff", b"\xc3\xa9", b"/"])).map(b"".join)


@given(_NAMES)
def test_no_two_names_look_the_same(name: bytes) -> None:
    for other in (shown(name).encode(), shown(name).replace("\\\\", "\\").encode()):
        assert (shown(name) == shown(other)) is (name == other)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (b"\xff.env", r"\xff.env"),
        (rb"\xff.env", r"\\xff.env"),
        (b"\\\xff", r"\\\xff"),
        (rb"a\b", r"a\b"),
        ("\u00fc".encode(), "\u00fc"),
    ],
)
def test_how_names_look(name: bytes, expected: str) -> None:
    assert shown(name) == expected
