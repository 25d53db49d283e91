"""A local repository, read by running git: nothing that lies in the repository is executed.

Hooks, filters, external diff programs, text converters, file-system monitors, signature programs
and transports are all off, attributes (`-diff` would hide a file) are not applied, and revisions
that a person names are never taken for options.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from bot.core.errors import GitError

_USUAL_BASES: Final = (  # what a change is usually meant for, the likeliest first
    ("remotes", "origin/HEAD"),
    ("remotes", "origin/main"),
    ("remotes", "origin/master"),
    ("heads", "main"),
    ("heads", "master"),
)
_KEPT: Final = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES"})
_OPTIONS: Final = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.bigFileThreshold=8m"),  # larger files count as binary: see MAX_DIFFED_BYTES
    *("-c", "core.quotePath=true"),  # names in diffs are then plain ASCII, one to a line
    *("-c", "i18n.logOutputEncoding=UTF-8"),
)
# What would read as the escape of a byte, and what would turn the escape that follows into text.
_LIKE_ESCAPES: Final = re.compile(r"(?<!\\)(\\++)(?=x[0-9a-f]{2}|[\udc80-\udcff])")
MAX_DIFFED_BYTES: Final = 8 << 20  # of one file; git gives no diff of a larger one


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """A file of a tree: a blob or a symlink, never a submodule."""

    path: str
    mode: str  # 100644, 100755 or 120000
    oid: str
    size: int  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRepository:
    """A repository on this machine. Every method raises GitError when git refuses."""

    git_dir: Path
    name: str  # of the directory that holds it
    top: Path | None = None  # of the working tree, without symlinks; None where there is none
    empty_tree: str
    shallow: frozenset[str]  # commits whose parents were not fetched
    environment: Mapping[str, str] = field(repr=False)

    @classmethod
    def discover(cls, path: Path) -> "LocalRepository":
        """Find the repository that path lies in."""
        if not path.is_dir():
            raise GitError(f"{path} is not a directory")
        # Whether to trust a foreign repository is decided here, by git, with all of the machine's
        # settings; afterwards git is told where the repository is and does not ask again.
        found = _git(("rev-parse", "--absolute-git-dir"), path, _environment())
        if found.returncode != 0:
            raise GitError(_undiscovered(path, found.stderr))
        git_dir = Path(os.fsdecode(found.stdout.removesuffix(b"\n")))
        # With the git directory as working directory and no index, git finds no attributes.
        environment = {
            **_environment(),
            "GIT_DIR": str(git_dir),
            "GIT_INDEX_FILE": str(git_dir / "memoryrail-reads-no-index"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        empty_tree = _text(_must(("hash-object", "-t", "tree", "/dev/null"), git_dir, environment))
        environment["GIT_ATTR_SOURCE"] = empty_tree
        cut = git_dir / _text(_must(("rev-parse", "--git-path", "shallow"), git_dir, environment))
        shown_top = _git(("rev-parse", "--show-toplevel"), path, _environment())
        top = Path(os.fsdecode(shown_top.stdout.removesuffix(b"\n"))) if shown_top.stdout else None
        return cls(
            git_dir=git_dir,
            name=(top or git_dir).name.removesuffix(".git"),
            top=top,
            empty_tree=empty_tree,
            shallow=frozenset(cut.read_text("ascii").split()) if cut.is_file() else frozenset(),
            environment=environment,
        )

    def commit(self, revision: str) -> str:
        """Full object id of the commit that a revision names."""
        if sha := self._find(revision):
            return sha
        if self._find("HEAD") is None and not self.run("for-each-ref", "--count=1"):
            raise GitError("this repository has no commits yet")
        hint = "; fetch it first (this clone is shallow)" if self.shallow else ""
        raise GitError(f"no commit here is known as {revision!r}{hint}")

    def head(self) -> str | None:
        """The commit that is checked out; None before the first one."""
        return self._find("HEAD")

    @property
    def is_sparse(self) -> bool:
        """Whether not all files of a commit need be in the working tree."""
        return self._try("config", "--type=bool", "--get", "core.sparseCheckout") == "true"

    def branch(self) -> str | None:
        """Name of the branch that is checked out; None for a detached HEAD."""
        return self._try("symbolic-ref", "--quiet", "--short", "HEAD")

    def default_base(self, head: str) -> tuple[str, str]:
        """Name and sha of what a head is meant for when nobody says.

        The default branch of origin, else main or master; the commit's first parent when the head
        is part of that branch already; the empty tree for a first commit.
        """
        for kind, name in _USUAL_BASES:
            sha = self._find(f"refs/{kind}/{name}")
            if sha is None:
                continue
            if self.run("rev-list", "--max-count=1", head, f"^{sha}"):
                return name, sha
            break
        if parent := self._find(f"{head}^1"):
            return f"{head[:12]}^", parent
        if head in self.shallow:
            raise GitError(
                "this shallow clone holds no base to compare with; fetch more history "
                "(git fetch --unshallow, or fetch-depth: 0 in a workflow) or name one with --base"
            )
        return "(nothing)", self.empty_tree

    def merge_base(self, base: str, head: str) -> str:
        """The commit where head left base."""
        if base == self.empty_tree:
            return base
        if found := self._try("merge-base", base, head):
            return found
        pair = f"{base[:12]} and {head[:12]} have no common ancestor"
        if self.shallow:
            raise GitError(
                f"{pair} in this shallow clone; fetch more history "
                "(git fetch --unshallow, or fetch-depth: 0 in a workflow)"
            )
        raise GitError(f"{pair}; name a base that this history started from with --base")

    def entries(self, tree: str, paths: Sequence[str]) -> Iterator[TreeEntry]:
        """Files of a tree at the paths and below them, in git's order."""
        for start in range(0, len(paths), 200):  # a command line has room for so many long paths
            some = paths[start : start + 200]
            listed = self.run("ls-tree", "-r", "-l", "-z", "--full-tree", tree, "--", *some)
            for record in listed.split(b"\0")[:-1]:
                facts, _, name = record.partition(b"\t")
                mode, kind, oid, size = facts.decode("ascii").split()
                if kind == "blob":
                    yield TreeEntry(path=shown(name), mode=mode, oid=oid, size=int(size))

    def openings(self, oids: Sequence[str], max_bytes: int) -> Iterator[tuple[str, int, bytes]]:
        """Object id, size and the first bytes of each blob, as committed; in the order given.

        A blob that is not here, as in a partial clone, is left out.
        """
        wanted = "".join(f"{oid}\n" for oid in oids).encode()
        with self.output("cat-file", "--batch", stdin=wanted) as stream:
            for header in stream:
                oid, kind, *rest = header.decode("ascii").split()
                if kind == "missing":
                    continue
                size = int(rest[0])
                data = stream.read(min(size, max_bytes))
                left = size + 1 - len(data)  # the rest, and the line end after it
                while left and (skipped := stream.read(min(left, 1 << 20))):
                    left -= len(skipped)
                yield oid, size, data

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run git to its end and give its output, for what is known to be small."""
        return _must(arguments, self.git_dir, self.environment, stdin)

    @contextmanager
    def output(self, *arguments: str, stdin: bytes = b"") -> Iterator[IO[bytes]]:
        """Run git and read its output as it comes. Who leaves early stops git."""
        with TemporaryFile() as source, TemporaryFile() as complaints:
            source.write(stdin)
            source.seek(0)
            with subprocess.Popen(
                ("git", *_OPTIONS, *arguments),
                cwd=self.git_dir,
                env=self.environment,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=complaints,
            ) as process:
                assert process.stdout is not None  # noqa: S101 - a pipe was asked for
                try:
                    yield process.stdout
                    failed = not process.stdout.read(1) and process.wait() != 0
                finally:
                    process.kill()
            if failed:
                complaints.seek(0)
                raise GitError(_failure(arguments, complaints.read()))

    @contextmanager
    def dialogue(self, *arguments: str) -> Iterator[Callable[[bytes], Iterator[bytes]]]:
        """Run a git that answers while it is asked, as `diff-tree --stdin` does.

        Call what is given with lines, few enough for a pipe, and read the lines of the answer to
        their end: git answers an empty line, which is added here, by an empty line.
        """
        with (
            TemporaryFile() as complaints,
            subprocess.Popen(
                ("git", *_OPTIONS, *arguments),
                cwd=self.git_dir,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
            ) as process,
        ):
            assert process.stdin is not None  # noqa: S101 - pipes were asked for
            assert process.stdout is not None  # noqa: S101
            source, answers = process.stdin, process.stdout

            def ask(lines: bytes) -> Iterator[bytes]:
                with suppress(BrokenPipeError):  # git's reason is read below
                    source.write(lines + b"\n")
                    source.flush()
                for line in answers:
                    if line == b"\n":
                        return
                    yield line
                complaints.seek(0)
                raise GitError(_failure(arguments, complaints.read()))

            try:
                yield ask
            finally:
                process.kill()
                with suppress(BrokenPipeError):
                    source.close()

    def _find(self, revision: str) -> str | None:
        if "\0" in revision or revision.startswith("^"):  # "^REV" means all but REV
            return None
        return self._try(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )

    def _try(self, *arguments: str) -> str | None:
        done = _git(arguments, self.git_dir, self.environment)
        return _text(done.stdout) if done.returncode == 0 else None


def shown(name: bytes) -> str:
    """A path as people and JSON can have it: bytes that are not UTF-8 as \\xNN.

    No two paths look the same: backslashes that stand before such an escape, or before what spells
    one, are doubled.
    """
    if b"\\" in name:
        text = name.decode("utf-8", "surrogateescape")
        name = _LIKE_ESCAPES.sub(r"\1\1", text).encode("utf-8", "surrogateescape")
    return name.decode("utf-8", "backslashreplace")


def _environment() -> dict[str, str]:
    """The caller's environment without what git sets for hooks, or what changes its output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT
    }
    return kept | {
        "LC_ALL": "C",  # messages are read below
        "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch by the repository's settings
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _git(
    arguments: Sequence[str], where: Path, environment: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ("git", *_OPTIONS, *arguments),
            cwd=where,
            env=environment,
            input=stdin,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None


def _must(
    arguments: Sequence[str], where: Path, environment: Mapping[str, str], stdin: bytes = b""
) -> bytes:
    done = _git(arguments, where, environment, stdin)
    if done.returncode != 0:
        raise GitError(_failure(arguments, done.stderr))
    return done.stdout


def _failure(arguments: Sequence[str], complaints: bytes) -> str:
    problem = _text(complaints)
    if "promisor remote" in problem or "lazy fetching disabled" in problem:
        return "this partial clone lacks contents that are needed; clone without --filter"
    lines = problem.splitlines() or ["it gave no reason"]
    return f"git {arguments[0]} failed: {lines[-1].removeprefix('fatal: ')}"


def _undiscovered(path: Path, complaints: bytes) -> str:
    problem = _text(complaints)
    if "dubious ownership" in problem:
        return (
            f"{path} belongs to somebody else, so git does not trust it; if you do: "
            f"git config --global --add safe.directory {path.resolve()}"
        )
    if "not a git repository" in problem:
        return f"{path} is not in a git repository; name a directory that is"
    return f"git cannot use {path}: {problem.splitlines()[-1] if problem else 'it gave no reason'}"


def _text(output: bytes) -> str:
    return output.decode("utf-8", "backslashreplace").removesuffix("\n")
