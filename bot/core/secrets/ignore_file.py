"""`.gitleaksignore`: findings that a repository has looked at, as gitleaks names them.

A line is `path:rule:line` or `commit:path:rule:line`; `#` begins a comment. A rule that is none of
ours is another scanner's name for what stands there, and the line counts for any of our findings.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.core.secrets.ruleset import known_ids

IGNORE_PATH: Final = ".gitleaksignore"  # in the root of a repository
MAX_BYTES: Final = 1 << 20
_LINE = re.compile(r"(?:([0-9a-f]{7,64}):)?(.+):([\w.-]{1,100}):([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """What is ignored: (path, line) -> (rule, commit), each "" where any will do."""

    entries: dict[tuple[str, int], tuple[tuple[str, str], ...]]

    def covers(self, *, rule: str, path: str, line: int, commit: str | None = None) -> bool:
        """Whether a finding is ignored. commit: its sha, where it stands in one."""
        return any(
            named in {"", rule} and (commit or "").startswith(sha)
            for named, sha in self.entries.get((path, line), ())
        )

    def names(self, *, rule: str, path: str, line: int, commit: str) -> bool:
        """Whether a finding is ignored in that very commit, by the whole of its sha."""
        return any(
            named in {"", rule} and sha == commit
            for named, sha in self.entries.get((path, line), ())
        )


def parse_ignore_file(data: bytes | None, own_ids: Iterable[str] = ()) -> IgnoreFile:
    """Read the file; empty where there is none, or it is too large to be read.

    own_ids: of the repository's own rules. Lines that say nothing are passed over.
    """
    entries: dict[tuple[str, int], tuple[tuple[str, str], ...]] = {}
    if data is None or len(data) > MAX_BYTES:
        return IgnoreFile(entries)
    ours = known_ids().union(own_ids)
    for text in data.decode("utf-8", "replace").splitlines():
        match = _LINE.fullmatch(text.partition("#")[0].strip())
        if match is None:
            continue
        commit, path, rule, number = match.groups()
        place = (path.removeprefix("./"), int(number))
        named = (rule if rule in ours else "", commit or "")
        entries[place] = (*entries.get(place, ()), named)
    return IgnoreFile(entries)
