"""The commits of a range, with what they say and what they add."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.core.report import Section, Unread
from bot.core.secret_names import new_paths
from bot.core.snapshot import Commit
from bot.git.diff import (
    MAX_ADDED_BYTES,
    MAX_MEDIA_BYTES,
    changes,
    merges,
    touched_paths,
    with_unseen,
)
from bot.git.repository import MAX_DIFFED_BYTES, LocalRepository

MAX_COMMITS: Final = 10_000  # of a range, the newest
MAX_MESSAGES_BYTES: Final = 32 << 20  # of all commits of a range together
TOO_MUCH: Final = f"all together they add more than {MAX_ADDED_BYTES >> 20} MiB"
TOO_LARGE: Final = (
    f"it has more than {MAX_DIFFED_BYTES >> 20} MiB, "
    f"{MAX_MEDIA_BYTES >> 20} MiB if it is a picture or the like"
)
_FORMAT: Final = "--format=%H%x00%P%x00%an%x00%ae%x00%B%x00"


def in_range(
    repository: LocalRepository, base: str, head: str
) -> tuple[tuple[Commit, ...], tuple[Unread, ...]]:
    """The commits of head that base lacks, the oldest first, and what of them was not read.

    Each is compared with its parent. Of a merge only what differs from all its parents is kept:
    the rest came with one of them.
    """
    logged, complete = _log(repository, "--topo-order", head, *_without(repository, base))
    unread = [] if complete else _older(len(logged))
    one_parent = [entry for entry in logged if not entry.commit.is_merge]
    merged = [entry.commit.sha for entry in reversed(logged) if entry.commit.is_merge]
    found = changes(repository, _compared(repository, one_parent)) + merges(repository, merged)
    diffs, large = with_unseen(repository, found)
    by_sha = {diff.sha: diff for diff in diffs}
    commits = []
    for entry in reversed(logged):
        commit = entry.commit
        if diff := by_sha.get(commit.sha):
            files = diff.files
            commit = replace(
                commit,
                paths=tuple(sorted({path for file in files for path in file.paths})),
                new_paths=new_paths(files),
                added=tuple(block for file in files for block in file.added),
            )
        commits.append(commit)
    unread += [
        _unread(f"commit {commit.sha[:12]}", "its parent is not in this shallow clone")
        for commit in commits
        if commit.sha in repository.shallow
    ]
    if cut := [diff.sha for diff in diffs if not diff.complete]:
        unread.append(_unread(f"changes from commit {cut[0][:12]} on", TOO_MUCH))
    unread += [_unread(path, TOO_LARGE) for path in large]
    return tuple(commits), tuple(unread)


def earlier(
    repository: LocalRepository, tip: str, *, max_count: int
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The changes that led to a commit, the newest first: message and touched paths of each."""
    if tip == repository.empty_tree:
        return
    logged, _ = _log(repository, "--no-merges", f"--max-count={max_count}", tip)
    paths = touched_paths(repository, _compared(repository, logged))
    for entry in logged:
        yield entry.commit.message, tuple(paths.get(entry.commit.sha, ()))


def messages(repository: LocalRepository, base: str, head: str) -> list[str]:
    """What the commits of head that base lacks say, the oldest first."""
    logged, _ = _log(repository, "--topo-order", head, *_without(repository, base))
    return [entry.commit.message for entry in reversed(logged)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    commit: Commit
    first_parent: str | None


def _log(repository: LocalRepository, *selection: str) -> tuple[list[_Entry], bool]:
    """Commits, the newest first, and whether these are all of them."""
    arguments = ("rev-list", f"--max-count={MAX_COMMITS + 1}", _FORMAT, *selection, "--")
    with repository.output(*arguments) as stream:
        fields = stream.read(MAX_MESSAGES_BYTES).split(b"\0")
        complete = not stream.read(1)
    entries = []
    for start in range(0, len(fields) - 5, 5):
        shas, parents, name, email, message = (
            field.decode("utf-8", "replace") for field in fields[start : start + 5]
        )
        sha = shas.split()[-1]  # rev-list puts a line "commit <sha>" before each record
        entries.append(
            _Entry(
                commit=Commit(
                    sha=sha,
                    message=message.removesuffix("\n"),
                    author=None,
                    author_name=name,
                    author_email=email,
                    parents=len(parents.split()),
                ),
                first_parent=next(iter(parents.split()), None),
            )
        )
    return entries[:MAX_COMMITS], complete and len(entries) <= MAX_COMMITS


def _without(repository: LocalRepository, base: str) -> tuple[str, ...]:
    return () if base == repository.empty_tree else (f"^{base}",)


def _compared(
    repository: LocalRepository, entries: list[_Entry]
) -> Iterator[tuple[str, str | None]]:
    """Commits with their first parents, the oldest first; not those cut off from theirs."""
    for entry in reversed(entries):
        if entry.commit.sha not in repository.shallow:
            yield entry.commit.sha, entry.first_parent


def _unread(what: str, why: str) -> Unread:
    return Unread(section=Section.SECRETS, what=what, why=why)


def _older(read: int) -> list[Unread]:
    what = f"commits before the newest {read:,}"
    why = "the range holds too many commits, or too long messages"
    return [
        Unread(section=section, what=what, why=why)
        for section in (Section.CITATIONS, Section.SECRETS)
    ]
