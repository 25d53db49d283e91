"""What commits change: git's diffs, read as they come.

Git writes one line for each changed file (`:mode mode oid oid status<TAB>path`), then the patches.
Names are quoted, so a line of a header is a line; the lines of a hunk are counted, so content
never passes for a header. https://git-scm.com/docs/git-diff-tree
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from bot.core.contents import is_media, text_of
from bot.core.patch import added_between, added_blocks, added_to_all, size_of, whole
from bot.core.snapshot import AddedBlock, ChangedFile
from bot.git.repository import MAX_DIFFED_BYTES, LocalRepository, shown

MAX_MEDIA_BYTES: Final = 64 << 20  # of a picture and the like
MAX_ADDED_BYTES: Final = 32 << 20  # in one reading; what comes after is not kept
_AT_ONCE: Final = 8  # files whose contents are held at a time
_FILES: Final = ("diff-tree", "-r", "--root", "--raw", "--ignore-submodules=none")
_RENAMES: Final = ("--find-renames=50%", "-l1000")
_AS_PATCH: Final = (
    *_RENAMES,
    *("--patch", "--unified=0", "--inter-hunk-context=0", "--full-index"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
    *("--no-ext-diff", "--no-textconv", "--no-color"),
)
_PATCHES: Final = (*_FILES, *_AS_PATCH)
_STAGED: Final = ("diff-index", "--cached", "--raw", "--ignore-submodules=none", *_AS_PATCH)
# The files of a merge that are as in none of its parents.
_MERGED: Final = ("diff-tree", "-c", "-r", "--raw", "--no-renames", "--ignore-submodules=none")
STATUS: Final[Mapping[str, Literal["added", "removed", "modified", "renamed", "changed"]]] = {
    "A": "added",
    "D": "removed",
    "M": "modified",
    "R": "renamed",
    "T": "changed",
}
_HUNK: Final = re.compile(rb"@@ -[0-9]+(?:,([0-9]+))? \+[0-9]+(?:,([0-9]+))? @@")
_ESCAPE: Final = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
_ESCAPED: Final = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))
_SHA: Final = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64})\n")
_SUBMODULE: Final = "160000"


Pair = tuple[str, str | None]  # a commit and its parent, None for a root
Pairs = Iterable[Pair]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """A content that git shows no lines of."""

    before: tuple[str, ...]  # the blobs that it is compared with, of a merge several
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What a commit changes, or one tree to another."""

    sha: str = ""  # of the commit; "" for two trees
    files: tuple[ChangedFile, ...] = ()  # by path
    unseen: Mapping[str, Unseen] = field(default_factory=dict)  # by path
    complete: bool = True  # False: added lines beyond MAX_ADDED_BYTES are left out


def compare(repository: LocalRepository, before: str, after: str) -> Diff:
    """Compare two trees."""
    with repository.output(*_PATCHES, before, after) as lines:
        return next(_read(lines), Diff())


def staged(repository: LocalRepository, parent: str) -> Diff:
    """Compare the index with a commit. repository: one that reads its index."""
    with repository.output(*_STAGED, parent, "--") as lines:
        return next(_read(lines), Diff())


def changes(repository: LocalRepository, commits: Pairs) -> list[Diff]:
    """Compare each commit with its parent, in the order given; unchanged trees give no diff."""
    with repository.output(*_PATCHES, "--stdin", stdin=_lines(commits)) as lines:
        return list(_read(lines))


def merges(repository: LocalRepository, commits: Iterable[str]) -> list[Diff]:
    """What each merge changes against all its parents: the rest came with one of them.

    Its lines are left unseen. A merge that changes nothing itself gives no diff.
    """
    listed = "".join(f"{sha}\n" for sha in commits).encode("ascii")
    with repository.output(*_MERGED, "--stdin", stdin=listed) as lines:
        return list(_read(lines))


def touched_paths(repository: LocalRepository, commits: Pairs) -> dict[str, tuple[str, ...]]:
    """Paths that each commit touches, by its sha; both names of a rename. No contents are read."""
    with repository.output(*_FILES, "--stdin", stdin=_lines(commits)) as lines:
        return {diff.sha: tuple(file.path for file in diff.files) for diff in _read(lines)}


def with_unseen(repository: LocalRepository, diffs: Sequence[Diff]) -> tuple[list[Diff], list[str]]:
    """Add the lines that git left out; and say which files are too large for that, by path.

    Git gives no lines where one of the versions is binary to it or large, and none of a merge.
    """
    left, large, seen = MAX_ADDED_BYTES, set[str](), []
    for diff in diffs:
        added: dict[str, tuple[AddedBlock, ...]] = {}
        complete = diff.complete
        paths = sorted(diff.unseen)
        for start in range(0, len(paths), _AT_ONCE):
            some = {path: diff.unseen[path] for path in paths[start : start + _AT_ONCE]}
            texts = _texts(repository, some.values())
            for path, unseen in some.items():
                text = texts.get(unseen.after, "")
                if text is None:
                    large.add(path)
                    continue
                blocks = _added(path, text, [texts.get(oid) or "" for oid in unseen.before])
                left -= size_of(blocks)
                complete = complete and left >= 0
                added[path] = blocks if left >= 0 else ()
        files = (replace(file, added=added.get(file.path, file.added)) for file in diff.files)
        seen.append(replace(diff, files=tuple(files), complete=complete))
    return seen, sorted(large)


def renames(repository: LocalRepository, commits: Pairs) -> list[Diff]:
    """The files that commits change, renames as such; no lines of them."""
    with repository.output(*_FILES, *_RENAMES, "--stdin", stdin=_lines(commits)) as lines:
        return list(_read(lines))


def unquoted(name: bytes) -> str:
    """A path as git quotes it in diffs, read back."""
    if not name.startswith(b'"'):
        return shown(name)
    return shown(_ESCAPE.sub(_unescaped, name[1:-1]))


def _lines(commits: Pairs) -> bytes:
    return "".join(f"{sha} {parent or ''}\n" for sha, parent in commits).encode("ascii")


def _read(lines: Iterable[bytes]) -> Iterator[Diff]:
    draft = _Draft()
    old_left = new_left = 0  # lines of the hunk that are still to come
    kept = 0
    for line in lines:
        if old_left or new_left:
            old_left -= line.startswith(b"-")
            new_left -= line.startswith(b"+")
            kept += len(line)
            draft.keep(line, complete=kept <= MAX_ADDED_BYTES)
        elif hunk := _HUNK.match(line):
            old_left, new_left = (1 if count is None else int(count) for count in hunk.groups())
            draft.keep(line, complete=kept <= MAX_ADDED_BYTES)
        elif _SHA.fullmatch(line):
            if draft.files:
                yield draft.finish()
            draft = _Draft(sha=line.decode("ascii").strip())
        else:
            draft.header(line)
    if draft.files:
        yield draft.finish()


@dataclass(slots=True)
class _Draft:
    """A diff while it is read."""

    sha: str = ""
    files: dict[str, ChangedFile] = field(default_factory=dict)
    submodules: set[str] = field(default_factory=set)
    contents: dict[str, Unseen] = field(default_factory=dict)  # by path, where it has a new one
    binary: set[str] = field(default_factory=set)  # new blobs
    merged: set[str] = field(default_factory=set)  # paths that a merge changes itself
    patches: dict[str, list[bytes]] = field(default_factory=dict)
    complete: bool = True
    blob: str = ""  # the new one of the file at hand
    removed: Counter[str] = field(default_factory=Counter)  # lines taken out, by path
    path: str = ""  # of the file at hand
    patch: list[bytes] = field(default_factory=list)  # likewise

    def keep(self, line: bytes, *, complete: bool) -> None:
        """A line of a hunk, or its header; what a removed line said does not matter."""
        is_removed = line.startswith(b"-")
        self.removed[self.path] += is_removed
        if complete:
            self.patch.append(b"-\n" if is_removed else line)
        self.complete = complete

    def header(self, line: bytes) -> None:
        """A line that is not part of a hunk."""
        if line.startswith(b"::"):
            self._merged(line)
        elif line.startswith(b":"):
            self._changed(line)
        elif line.startswith(b"index "):
            self.blob = line[6:].partition(b"..")[2].split()[0].decode("ascii")
        elif line.startswith(b"+++ "):
            self.path = unquoted(line[4:].rstrip(b"\t\n")).removeprefix("b/")
            self.patch = self.patches.setdefault(self.path, [])
        elif line.startswith(b"Binary files "):
            self.binary.add(self.blob)

    def _changed(self, line: bytes) -> None:
        facts, *names = line.removesuffix(b"\n").split(b"\t")
        _, mode, old, new, status = facts.decode("ascii").split()
        path = unquoted(names[-1])
        self.files[path] = ChangedFile(
            path=path,
            status=STATUS[status[0]],
            previous_path=unquoted(names[0]) if status[0] == "R" else None,
        )
        self.contents[path] = Unseen(before=_blobs(old), after=new)
        if mode == _SUBMODULE:
            self.submodules.add(path)

    def _merged(self, line: bytes) -> None:
        """For each parent a colon, a mode, a blob and a letter; the new mode and blob are last."""
        facts, name = line.removesuffix(b"\n").split(b"\t")
        words = facts.decode("ascii").split()
        path, parents = unquoted(name), words[0].count(":")
        *_, mode = words[: parents + 1]
        *old, new = words[parents + 1 : 2 * parents + 2]
        letters = set(words[-1])
        letter = letters.pop() if len(letters) == 1 else "M"
        self.files[path] = ChangedFile(path=path, status=STATUS[letter])
        self.contents[path] = Unseen(before=_blobs(*old), after=new)
        if _blobs(new) and mode != _SUBMODULE:
            self.merged.add(path)

    def finish(self) -> Diff:
        for path, lines in self.patches.items():
            if path in self.files and path not in self.submodules:
                patch = b"".join(lines).decode("utf-8", "replace")
                self.files[path] = replace(
                    self.files[path], added=added_blocks(path, patch), removed=self.removed[path]
                )
        return Diff(
            sha=self.sha,
            files=tuple(sorted(self.files.values(), key=lambda file: file.path)),
            unseen={
                path: content
                for path, content in self.contents.items()
                if content.after in self.binary or path in self.merged
            },
            complete=self.complete,
        )


def _texts(repository: LocalRepository, some: Iterable[Unseen]) -> dict[str, str | None]:
    """The texts of blobs; None for what is too large."""
    oids = sorted({oid for unseen in some for oid in (unseen.after, *unseen.before)})
    texts: dict[str, str | None] = {}
    media = []  # to be read whole
    for oid, size, data in repository.openings(oids, MAX_DIFFED_BYTES):
        texts[oid] = text_of(data) if size <= MAX_DIFFED_BYTES else None
        if MAX_DIFFED_BYTES < size <= MAX_MEDIA_BYTES and is_media(data):
            media.append(oid)
    for oid, _, data in repository.openings(media, MAX_MEDIA_BYTES):
        texts[oid] = text_of(data)
    return texts


def _added(path: str, text: str, before: Sequence[str]) -> tuple[AddedBlock, ...]:
    if not before:
        return whole(path, text)
    if len(before) == 1:
        return added_between(path, before[0], text)
    return added_to_all(path, text, before)


def _blobs(*oids: str) -> tuple[str, ...]:
    """Those that are there: git writes zeros for what is not."""
    return tuple(oid for oid in oids if oid.strip("0"))


def _unescaped(escape: re.Match[bytes]) -> bytes:
    if escape[1]:
        return bytes([int(escape[1], 8)])
    return bytes([_ESCAPED.get(escape[2][0], escape[2][0])])
