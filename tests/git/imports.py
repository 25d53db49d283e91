"""Histories made at once, by git fast-import: thousands of commits in a moment."""

from collections.abc import Sequence
from datetime import UTC, datetime

from tests.git.worktree import WorkTree

Files = dict[str | bytes, str | bytes | None]  # None removes


class Import:
    """Commits to be made on branch main. Each is named by a number, from 1."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._count = 0

    def commit(
        self,
        files: Files | None = None,
        *,
        at: str | int = "2026-01-02T03:04:05Z",
        parents: Sequence[int] | None = None,
    ) -> int:
        """Add a commit. None as content removes a file, or all below a directory.

        at: of the committer; a timestamp, or seconds since 1970. parents: by default the commit
        before; () begins a history of its own. The first one's files are where it starts from.
        """
        if parents is None:
            parents = (self._count,) if self._count else ()
        if not parents:
            self._parts.append(b"reset refs/heads/main\n\n")
        self._count += 1
        self._parts.append(
            b"commit refs/heads/main\nmark :%d\ncommitter Ada <ada@example.com> %d +0000\ndata 0\n"
            % (self._count, at if isinstance(at, int) else seconds(at))
        )
        for kind, parent in zip(("from", *("merge",) * len(parents)), parents, strict=False):
            self._parts.append(f"{kind} :{parent}\n".encode())
        for name, content in (files or {}).items():
            path = name if isinstance(name, bytes) else name.encode()
            if content is None:
                self._parts.append(b"D %b\n" % path)
            else:
                data = content if isinstance(content, bytes) else content.encode()
                self._parts.append(b"M 644 inline %b\ndata %d\n%b\n" % (path, len(data), data))
        return self._count

    def into(self, work: WorkTree, *, checks_out: bool = False) -> None:
        """Make the commits, and perhaps check the last one out."""
        work.git("fast-import", "--quiet", "--force", stdin=b"".join(self._parts))
        if checks_out:
            work.git("reset", "-q", "--hard")


def seconds(at: str) -> int:
    """Since 1970, of a timestamp; UTC where it names no zone."""
    moment = datetime.fromisoformat(at)
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
