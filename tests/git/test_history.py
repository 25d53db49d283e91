"""The last commit of each of many paths is the one that `git log -1` names."""

from pathlib import Path
from random import Random

import pytest

from bot.core.errors import GitError
from bot.git.history import History, present, walk
from bot.git.repository import LocalRepository
from tests.git.imports import Files, Import
from tests.git.worktree import WorkTree

NAMES = [f"{folder}{name}.txt" for folder in ("", "a/", "a/b/", "c/") for name in ("x", "y", "z")]


def walked(work: WorkTree, *paths: str, gone: tuple[str, ...] = ()) -> History:
    repository = LocalRepository.discover(work.path)
    return walk(repository, repository.commit("HEAD"), paths, gone=gone)


def last(work: WorkTree, *paths: str) -> list[str | None]:
    """The last commit of each path."""
    found = walked(work, *paths).last
    return [found[path].sha if path in found else None for path in paths]


def logged(work: WorkTree, path: str) -> str | None:
    return work.git("log", "-1", "--format=%H", "--", path or ".") or None


@pytest.mark.parametrize("seed", range(2))
def test_any_history_is_read_as_git_log_does(work: WorkTree, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - the same histories each time
    history = Import()
    trees: dict[int, dict[str, str]] = {}
    for number in range(1, 101):
        parents = chance.sample(
            sorted(trees)[-8:], k=min(len(trees), chance.choice([1, 1, 1, 2, 3]))
        )
        tree = dict(trees[parents[0]]) if parents else {}
        for name in NAMES:  # a merge takes each file from one of its parents, or makes it anew
            if parents and (text := trees[chance.choice(parents)].get(name)) is not None:
                tree[name] = text
            else:
                tree.pop(name, None)
        for name in chance.sample(NAMES, k=chance.choice([0, 1, 1, 2])):
            tree[name] = str(number)
        if chance.random() < 0.2:
            tree.pop(chance.choice(NAMES), None)
        changes: Files = {name: tree.get(name) for name in NAMES}
        trees[history.commit(changes, at=1_700_000_000 + number, parents=parents)] = tree
    history.into(work)
    repository = LocalRepository.discover(work.path)
    paths = present(repository, repository.commit("HEAD"), ["", "a", "a/b", "c", *NAMES])
    assert walked(work, *paths, gone=("never",)).last.keys() == paths
    assert last(work, *paths) == [logged(work, path) for path in paths]


def test_what_a_merge_brings_from_one_side_was_changed_there(work: WorkTree) -> None:
    history = Import()
    base = history.commit({"a/x": "0", "a/y": "0", "z": "0"}, at=100)
    side = history.commit({"a/x": "1"}, at=200, parents=[base])
    main = history.commit({"a/y": "1"}, at=300, parents=[base])
    history.commit({"a/x": "1", "z": "merged"}, at=400, parents=[main, side])
    history.into(work)
    merge, main_sha, side_sha = work.git("rev-parse", "HEAD", "HEAD^1", "HEAD^2").split()
    assert last(work, "a/x", "a/y", "z") == [side_sha, main_sha, merge]
    assert last(work, "a", "") == [merge, merge]  # no side has what the merge has there
    found = walked(work, "a/x").last["a/x"]
    assert found.at.timestamp() == 200


def test_a_merge_that_takes_one_side_is_not_the_last_commit(work: WorkTree) -> None:
    history = Import()
    base = history.commit({"x": "0"}, at=100)
    ours = history.commit({"x": "1"}, at=200, parents=[base])
    theirs = history.commit({"x": "2"}, at=300, parents=[base])
    history.commit({}, at=400, parents=[ours, theirs])
    history.into(work)
    assert last(work, "x") == [work.git("rev-parse", "HEAD^1")]


def test_a_repository_with_longer_ids(tmp_path: Path) -> None:
    work = WorkTree(tmp_path / "work", "--object-format=sha256")
    history = Import()
    for number in range(100):
        history.commit({f"{number % 90}.txt": str(number)}, at=number)
    history.into(work)
    assert last(work, "9.txt", "10.txt") == work.git("rev-parse", "HEAD", "HEAD~89").split()


def test_names_of_any_bytes(work: WorkTree) -> None:
    names = [b"caf\xe9/\xff.txt", "cafe\u0301/a.txt".encode(), b'"quoted" \\ tab\there']
    history = Import()
    history.commit({"x": "0"}, at=100)
    history.into(work, checks_out=True)
    for name in names:
        work.write(name, "1")
    sha = work.commit()
    paths = ["caf\\xe9", "caf\\xe9/\\xff.txt", "caf\u00e9/a.txt", '"quoted" \\ tab\there']
    assert last(work, *paths) == [sha] * 4
    repository = LocalRepository.discover(work.path)
    assert present(repository, sha, [*paths, "x", "y", ""]) == {*paths, "x", ""}


def test_the_walk_ends_when_all_are_met(work: WorkTree) -> None:
    history = Import()
    for number in range(1_000):
        history.commit({f"{number % 10}.txt": f"{number}"}, at=number)
    history.into(work)
    repository = LocalRepository.discover(work.path)
    seen: list[tuple[int, int]] = []
    head = repository.commit("HEAD")
    walk(repository, head, ["1.txt", "2.txt"], progress=lambda *step: seen.append(step))
    assert seen == [(64, 0)]
    walk(repository, head, ["1.txt"], gone=["no"], progress=lambda *step: seen.append(step))
    assert (seen[1], seen[-1]) == ((64, 1), (1_000, 0))


def test_what_was_removed_is_remembered_with_all_above_it(work: WorkTree) -> None:
    history = Import()
    history.commit({"a/b/x": "0", "a/y": "0"}, at=100)
    history.commit({"a/b/x": None}, at=200)
    history.commit({"a/y": "1"}, at=300)
    history.into(work)
    removal, first = work.git("rev-parse", "HEAD~1", "HEAD~2").split()
    found = walked(work, gone=("a/b", "no"))
    assert found.removed == dict.fromkeys(("a/b/x", "a/b", "a"), (removal, first))
    assert {path: one.sha for path, one in found.last.items()} == {"a/b": removal}


@pytest.mark.parametrize("seconds", [0, 300_000_000_000])
def test_dates_at_the_ends_of_time(work: WorkTree, seconds: int) -> None:
    history = Import()
    history.commit({"x": "0"}, at=seconds)
    history.into(work)
    assert walked(work, "x").last["x"].at.year == (9999 if seconds else 1970)


def test_nothing_to_look_for_asks_nothing(work: WorkTree) -> None:
    assert walk(LocalRepository.discover(work.path), "no commit", ()) == History()


def test_a_commit_that_is_not_there(work: WorkTree) -> None:
    with pytest.raises(GitError, match="git rev-list failed"):
        walk(LocalRepository.discover(work.path), "0" * 40, ["x"])


def test_an_object_that_is_missing(work: WorkTree) -> None:
    work.commit({"x": "0"})
    tree = work.git("rev-parse", "HEAD^{tree}")
    (work.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(GitError, match="git diff-tree failed"):
        walked(work, "x")
