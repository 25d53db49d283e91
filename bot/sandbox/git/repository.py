"""One bare repository on disk, and the few verbs that the sandbox needs of it."""

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, cast

from bot.sandbox.git.changes import DIFF_OPTIONS, FileChange, parse_changes
from bot.sandbox.git.objects import (
    Commit,
    GitObject,
    Signature,
    TreeEntry,
    parse_commit,
    parse_tree,
)

EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # in every repository
ZERO: Final = "0" * 40  # "no commit" in update-ref and in push deliveries
_MAX_LINE: Final = 50  # commits
_SCRATCH: Final = "refs/sandbox/made"  # where fast-import leaves a commit until its branch moves


class GitError(Exception):
    """Git refused: its words, without our command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file that is not plain text: an executable, a symlink, or a submodule (data = its sha)."""

    data: bytes
    mode: str = "100644"


Contents = str | bytes | File


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a commit changes; renames first, then deletions, then the new contents."""

    files: Mapping[str, Contents] = field(default_factory=dict)
    delete: Sequence[str] = ()
    rename: Mapping[str, str] = field(default_factory=dict)


class GitRepository:
    """A bare repository with one long-lived `git cat-file --batch`. Safe to use from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._reader: subprocess.Popen[bytes] | None = None
        self._changes: dict[tuple[str, str], tuple[FileChange, ...]] = {}
        self._commits: dict[str, Commit] = {}
        self._branches: dict[str, str] | None = None  # None: a ref has moved since
        self._sizes: dict[str, int] = {}

    @classmethod
    def create(
        cls, path: Path, *, default_branch: str, network: "GitRepository | None" = None
    ) -> "GitRepository":
        """Make an empty repository.

        network: the repository of which this is a fork. Forks share one object store, as on
        GitHub, so that a pull request's head is readable through its base repository.
        """
        path.mkdir(parents=True)
        repository = cls(path)
        repository.run("init", "-q", "--bare", "--template=", f"--initial-branch={default_branch}")
        if network is not None:
            objects = path / "objects"
            for folder in ("info", "pack"):
                (objects / folder).rmdir()
            objects.rmdir()
            objects.symlink_to((network.path / "objects").resolve(), target_is_directory=True)
        return repository

    def close(self) -> None:
        with self._lock:
            if self._reader is not None:
                self._reader.communicate()
                self._reader = None

    def run(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        """Run git here and give its output; raises GitError."""
        done = subprocess.run(
            ["git", *_SETTINGS, *arguments],
            cwd=self.path,
            input=b"" if stdin is None else stdin,
            capture_output=True,
            env=_ENVIRONMENT,
            check=False,
        )
        if done.returncode != 0:
            raise GitError(done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    # Reading

    def read(self, name: str) -> GitObject | None:
        """The object that git knows by this name (`sha`, `branch`, `branch:path`), or None."""
        if not name or "\n" in name or name.startswith("-"):
            return None
        with self._lock:
            reader = self._reader = self._reader or self._start_reader()
            stdin, stdout = cast("IO[bytes]", reader.stdin), cast("IO[bytes]", reader.stdout)
            stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
            stdin.flush()
            header = stdout.readline().rstrip(b"\n")
            if not header:  # git ends over some names, such as "main:../x"
                reader.communicate()
                self._reader = None
                return None
            parts = header.rsplit(b" ", 2)
            if len(parts) != 3 or not parts[2].isdigit():  # "NAME missing", "NAME ambiguous"
                return None
            data = stdout.read(int(parts[2]) + 1)[:-1]
        return GitObject(oid=parts[0].decode(), type=parts[1].decode(), data=data)

    def resolve(self, name: str) -> str | None:
        """The sha of the commit behind a branch, tag or sha (also abbreviated), or None."""
        found = self.read(f"{name}^{{commit}}")
        return found.oid if found else None

    def branch(self, name: str) -> str | None:
        return self.resolve(f"refs/heads/{name}")

    def branches(self) -> dict[str, str]:
        """Every branch with its sha, by name."""
        if self._branches is None:
            form = "--format=%(objectname) %(refname:lstrip=2)"
            lines = self.run("for-each-ref", form, "refs/heads").decode().splitlines()
            self._branches = {name: oid for oid, name in (line.split(" ", 1) for line in lines)}
        return self._branches

    def commit_at(self, name: str) -> Commit | None:
        known = self._commits.get(name)
        if known is None:
            found = self.read(f"{name}^{{commit}}")
            if found is None:
                return None
            known = self._commits.setdefault(found.oid, parse_commit(found))
        return known

    def tree(self, name: str) -> tuple[str, tuple[TreeEntry, ...]] | None:
        """Object id and entries of one level of a tree (or of a commit's), or None."""
        found = self.read(name if ":" in name else f"{name}^{{tree}}")
        return (found.oid, parse_tree(found)) if found and found.type == "tree" else None

    def entry(self, commit: str, path: str) -> TreeEntry | None:
        """The entry of a path (not the root) in a commit; its own path is its name alone."""
        parent, _, name = path.strip("/").rpartition("/")
        found = self.tree(f"{commit}:{parent}")
        return next((each for each in found[1] if each.path == name), None) if found else None

    def size(self, oid: str) -> int:
        """Bytes of a blob."""
        if oid not in self._sizes:
            found = self.read(oid)
            self._sizes[oid] = len(found.data) if found else 0
        return self._sizes[oid]

    def walk(self, oid: str, prefix: str = "") -> list[TreeEntry]:
        """Every entry of a tree and those below it, folders before what they hold."""
        entries: list[TreeEntry] = []
        found = self.tree(oid)
        for entry in found[1] if found else ():
            path = f"{prefix}{entry.path}"
            entries.append(TreeEntry(mode=entry.mode, type=entry.type, oid=entry.oid, path=path))
            if entry.type == "tree":
                entries.extend(self.walk(entry.oid, f"{path}/"))
        return entries

    def log(self, *revisions: str, path: str | None = None) -> list[str]:
        """Shas of commits, newest first, as `git rev-list` reads the revisions."""
        paths = ("--", path) if path else ("--",)
        return self.run("rev-list", "--topo-order", *revisions, *paths).decode().split()

    def between(self, old: str | None, new: str) -> list[str]:
        """Shas of the commits that `new` has and `old` (a sha) has not, oldest first."""
        line = self._line(new)
        known = self._line(old) if old else ()
        since = next((index for index, sha in enumerate(line) if sha in known), None)
        if since is not None:
            return line[:since][::-1]
        return self.log("--reverse", new, *([f"^{old}"] if old else []))

    def merge_base(self, left: str, right: str) -> str | None:
        """The sha at which the histories of two shas part, or None."""
        known = self._line(left)
        if parting := next((sha for sha in self._line(right) if sha in known), None):
            return parting
        try:
            return self.run("merge-base", left, right).decode().strip()
        except GitError:
            return None

    def _line(self, sha: str) -> list[str]:
        """The commits from a sha back to the first merge or root, or the nearest of many.

        The first that two lines have in common is where they part: no need to run git for that.
        """
        line: list[str] = []
        while len(line) < _MAX_LINE and (commit := self.commit_at(sha)):
            line.append(commit.oid)
            if len(commit.parents) != 1:
                break
            (sha,) = commit.parents
        return line

    def changes(self, old: str, new: str) -> tuple[FileChange, ...]:
        """The files that differ between two commits or trees, with renames found."""
        known = self._changes.get((old, new))
        if known is None:
            known = parse_changes(self.run("diff-tree", "-z", "-p", *DIFF_OPTIONS, old, new))
            self._changes[old, new] = known
        return known

    def changes_of(self, commit: Commit) -> tuple[FileChange, ...]:
        """What a commit changes against its first parent, or against nothing."""
        return self.changes(commit.parents[0] if commit.parents else EMPTY_TREE, commit.oid)

    def _start_reader(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["git", "cat-file", "--batch"],
            cwd=self.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
        )

    # Writing

    def commit(
        self,
        *,
        parents: Sequence[str],
        edits: Edits,
        message: str,
        author: Signature,
        committer: Signature,
    ) -> str:
        """Write a commit upon its first parent's tree; no branch moves. Raises GitError."""
        text = (message + "\n").encode()
        lines = [b"feature done", f"commit {_SCRATCH}".encode(), b"mark :1"]
        lines += [f"author {author.render()}".encode(), f"committer {committer.render()}".encode()]
        lines += [b"data %d" % len(text), text]
        lines += [
            f"{'from' if index == 0 else 'merge'} {parent}".encode()
            for index, parent in enumerate(parents)
        ]
        lines += [b"R %s %s" % (_quoted(old), _quoted(new)) for old, new in edits.rename.items()]
        lines += [b"D " + _quoted(path) for path in edits.delete]
        for path, contents in edits.files.items():
            lines += _modification(path, contents)
        stream = b"\n".join([*lines, b"get-mark :1", b"done", b""])
        made = self.run("fast-import", "--quiet", "--force", stdin=stream)
        return made.decode().strip()

    def write_blob(self, data: bytes) -> str:
        """Write a blob; gives its object id."""
        return self.run("hash-object", "-w", "--stdin", stdin=data).decode().strip()

    def write_tree(self, base: str, entries: Mapping[str, tuple[str, str] | None]) -> str:
        """Write a tree as base is, but for some paths: their mode and object id, None for none."""
        lines = [b"feature done", f"commit {_SCRATCH}".encode(), b"mark :1"]
        lines += [b"committer sandbox <> 0 +0000", b"data 0", f'M 040000 {base} ""'.encode()]
        lines += [b"D " + _quoted(path) for path, entry in entries.items() if entry is None]
        lines += [
            b"M %s %s %s" % (entry[0].encode(), entry[1].encode(), _quoted(path))
            for path, entry in entries.items()
            if entry is not None
        ]
        stream = b"\n".join([*lines, b"get-mark :1", b"done", b""])
        made = self.run("fast-import", "--quiet", "--force", stdin=stream).decode().strip()
        return self.run("rev-parse", f"{made}^{{tree}}").decode().strip()

    def write_commit(
        self,
        *,
        tree: str,
        parents: Sequence[str],
        message: str,
        author: Signature,
        committer: Signature,
    ) -> str:
        """Write a commit of a tree that is there; no branch moves."""
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        lines += [f"author {author.render()}", f"committer {committer.render()}", "", message, ""]
        data = "\n".join(lines).encode()
        made = self.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=data)
        return made.decode().strip()

    def merged_tree(self, ours: str, theirs: str) -> str | None:
        """Write the tree of a merge of two commits; None where they are in conflict."""
        if self.merge_base(ours, theirs) == theirs:
            commit = self.commit_at(ours)
            return commit.tree if commit else None
        try:
            return self.run("merge-tree", "--write-tree", ours, theirs).decode().strip()
        except GitError:
            return None

    def merge(
        self,
        ours: str,
        theirs: str,
        *,
        message: str,
        signature: Signature,
        committer: Signature | None = None,
    ) -> str:
        """Write a merge commit; no branch moves. Raises GitError on a conflict."""
        tree = self.merged_tree(ours, theirs)
        if tree is None:
            raise GitError("Merge conflict")
        return self.write_commit(
            tree=tree,
            parents=(ours, theirs),
            message=message,
            author=signature,
            committer=committer or signature,
        )

    def update_ref(self, ref: str, new: str, *, old: str | None = None) -> None:
        """Move a ref; with `old`, only when it still points there (ZERO: only when it is new)."""
        self.run("update-ref", ref, new, *([] if old is None else [old]))
        self._branches = None

    def delete_ref(self, ref: str) -> None:
        self.run("update-ref", "-d", ref)
        self._branches = None

    def fetch_all(self, source: Path) -> None:
        """Copy every branch and tag of a local repository."""
        refs = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        how = ("-q", "--no-write-fetch-head", "--update-shallow")
        self.run("fetch", *how, str(source.resolve()), *refs)
        self._branches = None


# Local repositories of any owner are read; a commit stays one pack, not a folder for each object.
_SETTINGS = (
    *("-c", "safe.directory=*"),
    *("-c", "fastimport.unpackLimit=1"),
    *("-c", "core.bigFileThreshold=10m"),  # what is larger is not compared, nor is it on GitHub
)
_ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode("utf-8", "surrogateescape")


def _modification(path: str, contents: Contents) -> list[bytes]:
    file = contents if isinstance(contents, File) else None
    mode = file.mode if file else "100644"
    if isinstance(contents, str):
        data = contents.encode("utf-8", "surrogateescape")
    else:
        data = file.data if file else bytes(contents)  # type: ignore[arg-type]  # a File is handled
    if mode == "160000":
        return [b"M %s %s %s" % (mode.encode(), data, _quoted(path))]
    return [b"M %s inline %s" % (mode.encode(), _quoted(path)), b"data %d" % len(data), data]
