"""The last commit of each of many paths, by one walk through the history.

The commit is the one that `git log -1 -- PATH` names. Every path starts at the head and goes to the
first parent that has the same at the path; a commit none of whose parents has is the last one. So a
merge counts only where it differs from all its parents, and what only one side of it changed is
found on that side.

git is not asked for the paths: among thousands, it would compare each changed name with each.
Commits come from rev-list, children first, and diff-tree compares those at which a path waits.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import IO, Final

from bot.core.precheck import covering
from bot.core.stale_links import LastCommit
from bot.core.unicode import composed
from bot.git.diff import Pair, unquoted
from bot.git.repository import LocalRepository
from bot.git.working_tree import spelled

Progress = Callable[[int, int], None]  # commits passed, paths that still wait

_COMMITS: Final = ("rev-list", "--topo-order", "--parents", "--timestamp")
_CHANGED: Final = (
    *("diff-tree", "--stdin", "-r", "--root", "--name-status"),
    *("--no-renames", "--ignore-submodules=none"),
)
_AT_ONCE: Final = 64  # questions to git, at most 130 bytes each: the smallest pipe holds 16 KiB
_MAX_NAMES: Final = 1 << 16  # of changed files whose paths are kept at hand
_LATEST: Final = 253_402_300_799  # seconds since 1970, the last that a datetime can say


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What a walk met."""

    last: dict[str, LastCommit] = field(default_factory=dict)  # by path
    # The newest commit seen to remove a path, or something below it, and the parent that had it.
    removed: dict[str, Pair] = field(default_factory=dict)


def present(repository: LocalRepository, commit: str, paths: Collection[str]) -> frozenset[str]:
    """Those of some paths (see `spelled`) at which a commit has something."""
    watched = frozenset(paths)
    if not watched:
        return watched
    found: set[str] = set()
    listing = ("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
    with repository.output(*listing) as stream:
        for name in stream.read().split(b"\0")[:-1]:
            found.update(covering(spelled(name), watched))
    return frozenset(found)


def walk(
    repository: LocalRepository,
    head: str,
    paths: Collection[str],
    *,
    gone: Collection[str] = (),
    progress: Progress | None = None,
) -> History:
    """Find the last commit of each path, which is spelled as `spelled` does; "" is the root.

    gone: more paths, of which the head has nothing. With them, what commits removed is noted.
    A path that no commit has is not in the answer. The walk ends when all are met.
    Raises GitError.
    """
    if not paths and not gone:
        return History()
    with (
        repository.output(*_COMMITS, head, "--") as stream,
        repository.dialogue(*_CHANGED) as ask,
    ):
        walker = _Walker(repository.shallow, ask, head, paths, gone)
        passed = 0
        for batch in _batches(stream):
            walker.read(batch)
            passed += len(batch)
            if progress:
                progress(passed, walker.left)
            if not walker.left:
                break
    return walker.history


@dataclass(frozen=True, slots=True)
class _Commit:
    sha: str
    seconds: int  # since 1970
    parents: tuple[str, ...]


def _batches(stream: IO[bytes]) -> Iterator[list[_Commit]]:
    while lines := list(islice(stream, _AT_ONCE)):
        words = (line.decode("ascii").split() for line in lines)
        yield [_Commit(sha, int(seconds), tuple(rest)) for seconds, sha, *rest in words]


class _Walker:
    """Leads the paths from commit to commit."""

    def __init__(
        self,
        shallow: frozenset[str],
        ask: Callable[[bytes], Iterator[bytes]],
        head: str,
        paths: Collection[str],
        gone: Collection[str],
    ) -> None:
        self.history = History()
        self._shallow, self._ask = shallow, ask
        self._gone = frozenset(gone)
        self._waiting = {head: {*paths, *gone}}  # commit -> paths that are as it has them
        watched = frozenset(self._waiting[head])
        self._watched = lru_cache(_MAX_NAMES)(lambda name: covering(_path(name), watched))

    @property
    def left(self) -> int:
        """How many paths still wait."""
        return sum(map(len, self._waiting.values()))

    def read(self, batch: Sequence[_Commit]) -> None:
        """Lead the paths past these commits, which come after all their children."""
        touched = self._compare(self._expected(batch), notes_removals=bool(self._gone))
        for commit in batch:
            paths = self._waiting.pop(commit.sha, None)
            if not paths:
                continue
            if commit.sha in self._shallow:
                self._meet(paths - self._gone, commit, is_cut=True)
                continue
            for parent in commit.parents or (None,):
                pair = (commit.sha, parent)
                if pair not in touched:
                    touched |= self._compare([pair])
                differing = paths & touched[pair]
                paths -= differing  # costs as much as differs, not as much as waits
                if paths and parent:
                    self._wait(paths, parent)
                paths = differing
                if not paths:
                    break
            self._meet(paths, commit)

    def _expected(self, batch: Sequence[_Commit]) -> list[Pair]:
        """Those at which paths wait, or will when they all go to first parents, with these."""
        reached = set(self._waiting)
        pairs: list[Pair] = []
        for commit in batch:
            if commit.sha in reached and commit.sha not in self._shallow:
                parent = next(iter(commit.parents), None)
                pairs.append((commit.sha, parent))
                reached.add(parent or "")
        return pairs

    def _compare(
        self, pairs: Sequence[Pair], *, notes_removals: bool = False
    ) -> dict[Pair, set[str]]:
        """The watched paths at which commits differ from a parent, no commit standing twice."""
        found: dict[Pair, set[str]] = {pair: set() for pair in pairs}
        if not pairs:
            return found
        parents = dict(pairs)
        questions = "".join(f"{sha} {parent or ''}\n" for sha, parent in pairs)
        pair: Pair = ("", None)
        for line in self._ask(questions.encode("ascii")):
            status, tab, name = line.rstrip(b"\n").partition(b"\t")
            if not tab:
                sha = status.decode("ascii")
                pair = (sha, parents[sha])
                continue
            found[pair].update(self._watched(name))
            if notes_removals and status == b"D":
                self._remove(name, pair)
        return found

    def _remove(self, name: bytes, pair: Pair) -> None:
        path = _path(name)
        while path and path not in self.history.removed:  # above a known one all are known
            self.history.removed[path] = pair
            path = path.rpartition("/")[0]

    def _wait(self, paths: set[str], parent: str) -> None:
        """Take over a set of paths. The smaller set moves, as most of them have one to move to."""
        others = self._waiting.get(parent, set())
        small, large = sorted((paths, others), key=len)
        large |= small
        self._waiting[parent] = large

    def _meet(self, paths: Iterable[str], commit: _Commit, *, is_cut: bool = False) -> None:
        at = datetime.fromtimestamp(min(commit.seconds, _LATEST), UTC)
        for path in paths:
            self.history.last[path] = LastCommit(sha=commit.sha, at=at, is_cut=is_cut)
            if path in self._gone:
                self.history.removed[path] = (commit.sha, next(iter(commit.parents), None))


def _path(quoted: bytes) -> str:
    """A path that diff-tree names, as `spelled` spells it."""
    return composed(unquoted(quoted))
