"""A case's memory directory on disk, and the command line run on it in this process."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from click.testing import CliRunner

from bot.cli import main
from tests.vectors.cases import MalformedError, content
from tests.vectors.verdict import Judge, same

_KIND: Final = re.compile(r": (error|warning|notice): .* \(([a-z0-9_:-]+)\)$")
_REFUSED: Final = re.compile(r"\(([a-z0-9_:-]+)\)$")
_PLACE: Final = re.compile(r"([^:]+):([0-9]+): ")
_CHOICE: Final = "is not one of"  # as click says of a value outside of an option's list


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command came to."""

    exit: int
    stdout: str
    stderr: str

    def kinds(self, severity: str = "error") -> list[str]:
        """The kinds of what is told on standard error."""
        found = []
        for line in self.stderr.splitlines():
            if told := _KIND.search(line):
                found += [told[2]] if told[1] == severity else []
            elif severity == "error" and (refused := _REFUSED.search(line)):
                found.append(refused[1])
            elif severity == "error" and _CHOICE in line:
                found.append("bad-choice")
        return found

    def locations(self) -> list[tuple[str, str, int]]:
        """Kind, file and line of all that is told with a place."""
        return [
            (told[2], place[1], int(place[2]))
            for line in self.stderr.splitlines()
            if (told := _KIND.search(line)) and (place := _PLACE.match(line))
        ]

    def judges(self) -> dict[str, Judge]:
        """Exit code, output and kinds."""
        return {
            "exit": same(self.exit),
            "exit_not": lambda code: (f"not {code}", f"not {code}" if self.exit != code else code),
            "stdout": same(self.stdout),
            "stdout_contains": lambda lines: (
                [],
                [line for line in lines if line not in self.stdout.splitlines()],
            ),
            "errors": lambda kinds: (sorted(kinds), sorted(self.kinds())),
            "errors_any": lambda kinds: (True, not set(kinds).isdisjoint(self.kinds())),
        }


class Directory:
    """The memory directory of a case."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.memory = root / ".cursor" / "memory"
        self.session = root / ".cursor" / "hooks" / ".state" / "session.json"

    def run(self, *arguments: str, now: str | None = None) -> Ran:
        """One command of the group, as a person would type it. A traceback is an error."""
        obj = None if now is None else moment(now)
        with chdir(self.root):
            result = CliRunner().invoke(main, ["cursor", *arguments], obj=obj)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(exit=result.exit_code, stdout=result.stdout, stderr=result.stderr)

    def contents(self) -> dict[str, bytes]:
        """Every file by its path from the memory directory; those outside of it, too."""
        return {
            os.path.relpath(path, self.memory): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and path != self.session and ".git" not in path.parts
        }

    def files(self, before: Mapping[str, bytes]) -> Judge:
        """What must hold exact bytes, or be gone; all else must be as before."""

        def judge(expected: Mapping[str, Any]) -> tuple[object, object]:
            wanted = {**before, **{name: content(text) for name, text in expected.items() if text}}
            wanted = {
                name: data for name, data in wanted.items() if expected.get(name, "") is not None
            }
            return wanted, self.contents()

        return judge


@contextmanager
def directory(case: Mapping[str, Any]) -> Iterator[Directory]:
    """The directory of a case, at the top of what looks like a repository."""
    with TemporaryDirectory() as folder:
        found = Directory(Path(folder).resolve())
        (found.root / ".git").mkdir()
        found.memory.mkdir(parents=True)
        for name, text in (case.get("files") or {}).items():
            path = found.memory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content(text))
        if case.get("session") is not None:
            found.session.parent.mkdir(parents=True)
            found.session.write_text(json.dumps(case["session"]))
        yield found


def moment(value: str) -> datetime:
    """The `now` of a case."""
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise MalformedError(f"now: {error}") from error
