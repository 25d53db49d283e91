"""Secrets as names: of files, of folders, of the branch.

Only what its shape alone proves counts there. Names of files are full of hashes and stand beside
the names of vendors, so that anything less would be noise.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.core.secret_hits import Source
from bot.core.secrets import Level, RuleSet, Text, scan
from bot.core.snapshot import ChangedFile

FILE_NAME: Final = "(file name)"  # stands in for a path; the path follows, which hits mask
BRANCH: Final = "(branch name)"
_NEW: Final = frozenset({"added", "renamed", "copied"})


def new_paths(files: Iterable[ChangedFile]) -> tuple[str, ...]:
    """The names that a change brings."""
    return tuple(file.path for file in files if file.status in _NEW)


def is_name(path: str) -> bool:
    """Whether the path of a hit is no file's but stands for a name."""
    return path == BRANCH or path.startswith(f"{FILE_NAME} ")


def file_name(path: str, *, commit: str | None = None, at_head: bool = False) -> Source:
    """A path as a text."""
    return Source(Text(path=f"{FILE_NAME} {path}", text=path), commit=commit, at_head=at_head)


def telling(names: Sequence[Source], rules: RuleSet) -> Iterator[Source]:
    """Those names that hold a secret for certain; and all as one text that was not scanned whole.

    They are looked at together, as most changes have some names and no secret in any.
    """
    together = "\n".join(name.text.text.replace("\n", " ") for name in names)
    everything = Text(path=FILE_NAME, text=together)
    found = scan([everything], rules=rules, inline_marks=False)
    lines = {finding.line for finding in found.findings if finding.level is Level.HIGH}
    yield from (names[line - 1] for line in sorted(lines))
    if found.incomplete:
        yield Source(everything)
