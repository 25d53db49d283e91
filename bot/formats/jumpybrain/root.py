"""jumpybrain.json: whether a memory root can be read and written here (spec/jumpybrain.md, "Root").

Compatibility comes before anything else: a root of another schema is neither read nor written.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bot.core.model import Problem, TreeFile
from bot.formats.jumpybrain.layout import CONFIG, DERIVED, MEMORY, TYPE_OF, is_indexed, within
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.times import timestamp
from bot.formats.memoryrail.unread import unread_problem

SCHEMA_VERSION: Final = 1

_IGNORED: Final = f"{DERIVED}/"
_INTEGER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_OUTSIDE: Final = re.compile(r"[/\\]|[A-Za-z]:|~")  # how a path begins that is not relative


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """What jumpybrain.json says, as far as it can be read."""

    is_initialized: bool = True  # False: there is no such file, which is how roots by hand are
    schema_version: object = None  # as it is written; None where it is missing
    is_compatible: bool = True  # False: neither read nor written
    index_root: str | None = ""  # a folder, from the memory root; None: it cannot be followed
    problems: tuple[Problem, ...] = ()


def read_root(file: TreeFile | None) -> Root:
    """Read jumpybrain.json; file.path is from the repository's root, which indexRoot stays in.

    Its faults are `bad-config`, `bad-schema-version`, `schema-too-new` and `bad-index-root`.
    """
    if file is None:
        return Root(is_initialized=False)
    if (problem := unread_problem(file)) is not None:
        return Root(is_compatible=False, problems=(problem,))
    try:
        text = (file.data or b"").decode("utf-8")
        document = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        return _bad(file.path, getattr(error, "lineno", 1), f"The file is no JSON: {_why(error)}.")
    if not isinstance(document, dict):
        return _bad(file.path, 1, 'Expected an object such as { "schemaVersion": 1 }.')
    return _judge(document, text, file.path)


def _judge(document: Mapping[str, Any], text: str, path: str) -> Root:
    version = document.get("schemaVersion")
    number = _number(version)
    problems = []
    if number is None or number < 1:
        problems.append(
            Problem(
                path=path,
                line=_line(text, "schemaVersion"),
                rule="bad-schema-version",
                message=f"`schemaVersion` must be the number {SCHEMA_VERSION}. "
                "Nothing here is read or written.",
            )
        )
    elif number > SCHEMA_VERSION:
        problems.append(
            Problem(
                path=path,
                line=_line(text, "schemaVersion"),
                rule="schema-too-new",
                message=f"Schema {number} is newer than {SCHEMA_VERSION}, the newest known here. "
                "Nothing here is read or written.",
            )
        )
    folder = path.rpartition("/")[0]
    index = document.get("indexRoot", "")
    if index_folder(folder, index) is None:
        problems.append(
            Problem(
                path=path,
                line=_line(text, "indexRoot"),
                rule="bad-index-root",
                message="`indexRoot` must be a relative path to a folder inside the repository, "
                'as in "..".',
            )
        )
    return Root(
        schema_version=version,
        is_compatible=number == SCHEMA_VERSION,
        index_root=index if index_folder(folder, index) is not None else None,
        problems=tuple(problems),
    )


def require_writable(root: Root) -> None:
    """Raise Refused for a root that must not be written."""
    if not root.is_compatible:
        first = root.problems[0]
        raise Refused(first.rule, f"{CONFIG}: {first.message}")


def root_of(files: Mapping[str, bytes]) -> Root:
    """The root of a memory root's files, by their paths from it."""
    data = files.get(CONFIG)
    return read_root(None if data is None else TreeFile(path=CONFIG, oid="", data=data))


def index_folder(folder: str, value: object) -> str | None:
    """The folder that indexRoot names, from the repository's root; None for one outside of it.

    folder: the memory root, from the repository's root.
    """
    if not isinstance(value, str) or "\0" in value or "\\" in value or _OUTSIDE.match(value):
        return None
    parts = folder.split("/") if folder else []
    for part in value.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def indexed(folder: str, paths: Iterable[str]) -> tuple[str, ...]:
    """What the index covers of some files: paths from the index root, sorted.

    paths: from the repository's root, and folder too. Raises Refused (`bad-index-root`) where no
    file is below the folder.
    """
    prefix = f"{folder}/" if folder else ""
    inside = [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]
    if not inside:
        raise Refused("bad-index-root", f"`indexRoot` leads to {folder}, and there is nothing.")
    return tuple(sorted(filter(is_indexed, inside)))


def find_root(folder: str, paths: Collection[str]) -> str:
    """The memory root of a folder: upwards, the folder itself or `memory/` in it.

    paths: of all files, from the repository's root. Raises Refused (`no-root`).
    """
    while True:
        for place in (folder, within(folder, MEMORY)):
            if within(place, CONFIG) in paths:
                return place
        if not folder:
            raise Refused("no-root", f"There is no {CONFIG} here or further up.")
        folder = folder.rpartition("/")[0]


def initialized(
    files: Mapping[str, bytes], *, now: datetime, version: str, force: bool = False
) -> dict[str, bytes]:
    """What `init` writes: .gitignore and jumpybrain.json, as far as they are not there already.

    files: those two where they exist. version: of this software. force: write jumpybrain.json anew,
    also one that cannot be read. Raises Refused for a schema that is too new, force or not.
    """
    root = root_of(files)
    if not force or any(one.rule == "schema-too-new" for one in root.problems):
        require_writable(root)
    written = {}
    ignored = files.get(".gitignore", b"")
    if _IGNORED not in map(str.strip, ignored.decode("utf-8", "replace").splitlines()):
        gap = b"\n" if ignored and not ignored.endswith(b"\n") else b""
        written[".gitignore"] = ignored + gap + f"# jumpyBrain derived state\n{_IGNORED}\n".encode()
    if force or not root.is_initialized:
        written[CONFIG] = _config(now, version)
    return written


def _config(now: datetime, version: str) -> bytes:
    document = {
        "schemaVersion": SCHEMA_VERSION,
        "canonical": "markdown",
        "derivedDir": DERIVED,
        "memoryDirs": list(TYPE_OF),
        "createdAt": timestamp(now),
        "createdBy": {"package": "memoryrail-bot", "version": version},
    }
    return f"{json.dumps(document, indent=2)}\n".encode()


def _number(version: object) -> int | None:
    if isinstance(version, str) and _INTEGER.fullmatch(version):
        return int(version)
    if isinstance(version, bool) or not isinstance(version, int | float):
        return None
    return int(version) if version == version // 1 else None


class _RepeatedKeyError(ValueError):
    """A key that an object has twice: readers differ in which one they take."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _RepeatedKeyError
    return found


def _why(error: Exception) -> str:
    if isinstance(error, _RepeatedKeyError):
        return "a key is given twice"
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return "it is nested too deeply or has too long a number"


def _bad(path: str, line: int, message: str) -> Root:
    problem = Problem(path=path, line=line, rule="bad-config", message=message)
    return Root(is_compatible=False, problems=(problem,))


def _line(text: str, key: str) -> int:
    found = re.search(rf'"{key}"\s*:', text)
    return 1 + text.count("\n", 0, found.start()) if found else 1
