"""Real git repositories for tests: fixed people and dates, nothing of this machine's settings.

And the files of a store to put into them.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

CONFIG = '{"version": 1, "review": "off"}\n'
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


class WorkTree:
    """A repository with a working tree, on branch main."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**os.environ, **ENVIRONMENT},
            input=stdin,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "backslashreplace").strip()

    def write(self, name: str | bytes, content: str | bytes) -> None:
        path = self.path / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(
        self, files: Mapping[str, str | bytes | None] | None = None, message: str = "Change"
    ) -> str:
        """Write files (None removes one) and commit all that differs; its sha."""
        for name, content in (files or {}).items():
            if content is None:
                (self.path / name).unlink()
            else:
                self.write(name, content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", message)
        return self.git("rev-parse", "HEAD")


def memory(id_: str, body: str = "Why.\n") -> str:
    """The file of an active decision."""
    return (
        f'---\nid: "{id_}"\ntype: "decision"\ntitle: "Title of {id_}"\nstatus: "active"\n'
        'created: "2026-01-02T03:04:05.000Z"\nupdated: "2026-01-02T03:04:05.000Z"\n---\n\n'
        f"{body}"
    )


def store(root: str, *ids: str) -> dict[str, str | bytes | None]:
    """The files of a store; root is "" or ends with a slash."""
    files: dict[str, str | bytes | None] = {f"{root}.memoryrail/config.json": CONFIG}
    return files | {f"{root}.memoryrail/memories/{id_}.md": memory(id_) for id_ in ids}
