"""The git layer against hostile names and unusual objects."""

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.sandbox.git import Contents, Edits, File, GitError, GitRepository, Signature

ANNA = Signature(name="Anna", email="anna@example.org", date=datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[GitRepository]:
    made = GitRepository.create(tmp_path / "a.git", default_branch="main")
    yield made
    made.close()


def _commit(repository: GitRepository, edits: Edits, *parents: str, message: str = "m") -> str:
    return repository.commit(
        parents=parents, edits=edits, message=message, author=ANNA, committer=ANNA
    )


def test_names_and_texts_come_back_as_they_were(repository: GitRepository) -> None:
    files: dict[str, Contents] = {
        'd/quo"te\\.md': "a\n",
        "d/ü b.md": b"\xff\x00",
        "line\nbreak": "",
        "-x": "x",
    }
    sha = _commit(repository, Edits(files=files), message="Überschrift\n\nText\n\n  more")
    entries = [each for each in repository.walk(sha) if each.type == "blob"]
    assert {each.path for each in entries} == set(files)
    blob = next(each for each in entries if each.path == "d/ü b.md")
    found = repository.read(blob.oid)
    assert found is not None
    assert (found.data, found.is_binary) == (b"\xff\x00", True)
    commit = repository.commit_at(sha)
    assert commit is not None
    assert commit.message == "Überschrift\n\nText\n\n  more"
    assert (commit.author, commit.parents) == (ANNA, ())


def test_a_change_of_type_is_one_change(repository: GitRepository) -> None:
    old = _commit(repository, Edits(files={"link": "text\n", "a": "1\n", "z": "1\n"}))
    edits = Edits(files={"link": File(data=b"a", mode="120000"), "z": "2\n"})
    new = _commit(repository, edits, old)
    changes = {each.path: (each.status, each.patch) for each in repository.changes(old, new)}
    assert changes["link"][0] == "changed"
    assert changes["z"] == ("modified", "@@ -1 +1 @@\n-1\n+2")


def test_a_change_of_mode_has_no_patch(repository: GitRepository) -> None:
    old = _commit(repository, Edits(files={"run.sh": "#!/bin/sh\n"}))
    edits = Edits(files={"run.sh": File(data=b"#!/bin/sh\n", mode="100755")})
    [change] = repository.changes(old, _commit(repository, edits, old))
    assert (change.status, change.patch, change.additions) == ("changed", None, 0)


def test_a_renamed_and_changed_file_keeps_its_history(repository: GitRepository) -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    old = _commit(repository, Edits(files={"a/old.md": text}))
    edits = Edits(rename={"a/old.md": "b/new.md"}, files={"b/new.md": text + "more\n"})
    [change] = repository.changes(old, _commit(repository, edits, old))
    assert (change.status, change.previous_path, change.path) == ("renamed", "a/old.md", "b/new.md")
    assert (change.additions, change.deletions) == (1, 0)
    assert (change.patch or "").endswith("+more")


def test_lines_that_look_like_a_diff_confuse_nothing(repository: GitRepository) -> None:
    old = _commit(repository, Edits(files={"a": "x\n", "b": "x\n"}))
    text = "diff --git a/b b/b\n@@ -1 +1 @@\n"
    new = _commit(repository, Edits(files={"a": text, "b": "y\n"}), old)
    patches = {each.path: each.patch for each in repository.changes(old, new)}
    assert patches == {
        "a": "@@ -1 +1,2 @@\n-x\n+diff --git a/b b/b\n+@@ -1 +1 @@",
        "b": "@@ -1 +1 @@\n-x\n+y",
    }


def test_a_branch_moves_only_from_where_it_is(repository: GitRepository) -> None:
    one = _commit(repository, Edits(files={"a": "1"}))
    two = _commit(repository, Edits(files={"a": "2"}), one)
    repository.update_ref("refs/heads/main", one)
    with pytest.raises(GitError):
        repository.update_ref("refs/heads/main", one, old=two)
    repository.update_ref("refs/heads/main", two, old=one)
    assert repository.branch("main") == two


def test_a_merge_has_two_parents_and_a_conflict_is_an_error(repository: GitRepository) -> None:
    base = _commit(repository, Edits(files={"a": "1\n"}))
    left = _commit(repository, Edits(files={"a": "2\n"}), base)
    right = _commit(repository, Edits(files={"b": "1\n"}), base)
    merged = repository.commit_at(repository.merge(left, right, message="M", signature=ANNA))
    assert merged is not None
    assert merged.parents == (left, right)
    assert {each.path for each in repository.walk(merged.oid)} == {"a", "b"}
    clash = _commit(repository, Edits(files={"a": "3\n"}), base)
    with pytest.raises(GitError):
        repository.merge(left, clash, message="M", signature=ANNA)


def test_histories_relate_as_git_says(repository: GitRepository) -> None:
    def commit(name: str, *parents: str) -> str:
        return _commit(repository, Edits(files={name: name}), *parents)

    root = commit("root")
    left, right = commit("left", root), commit("right", root)
    merged = repository.merge(left, right, message="M", signature=ANNA)
    top = commit("top", commit("above", merged))
    related = [root, left, right, merged, top, commit("more", right)]
    for old, new in itertools.product(related, repeat=2):
        assert repository.between(old, new) == repository.log("--reverse", new, f"^{old}")
        assert (
            repository.merge_base(old, new) == repository.run("merge-base", old, new).decode()[:-1]
        )
    apart = commit("apart")
    assert repository.between(apart, left) == repository.between(None, left) == [root, left]
    assert repository.merge_base(apart, left) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "none",
        "main:none",
        "main:../x",
        "main:./x",
        "-p",
        "a\nb",
        "0" * 40,
        ":/x",
        "@{-1}",
        "a b",
    ],
)
def test_what_git_does_not_know_is_none(repository: GitRepository, name: str) -> None:
    repository.update_ref("refs/heads/main", _commit(repository, Edits(files={"a": "1"})))
    assert repository.read(name) is None
    assert repository.read("main:a") is not None


def test_a_fork_shares_its_objects(repository: GitRepository, tmp_path: Path) -> None:
    base = _commit(repository, Edits(files={"a": "1"}))
    fork = GitRepository.create(tmp_path / "f.git", default_branch="main", network=repository)
    made = _commit(fork, Edits(files={"b": "2"}), base)
    assert repository.merge_base(base, made) == base
    fork.close()
