"""Vector files as cases: found in a folder, read whole before any of them is run."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

VECTORS: Final = Path(__file__).parents[2] / "spec" / "vectors"


class UnusableError(Exception):
    """A folder that cannot be run; problems says what is wrong in which file."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class MalformedError(Exception):
    """A case that does not have the shape that its README describes; the text says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case as its file has it."""

    file: str  # path of its file, from the folder that is run
    format: str
    name: str
    data: Mapping[str, Any] = field(repr=False)


def load(folder: Path) -> tuple[Case, ...]:
    """All cases below a folder (or of one file), by path of the file and position there.

    Raises UnusableError, which names every file that cannot be used.
    """
    if not folder.exists():
        raise UnusableError([f"{folder}: there is no such folder"])
    paths = sorted(folder.rglob("*.json")) if folder.is_dir() else [folder]
    cases: list[Case] = []
    problems: list[str] = []
    for path in paths:
        shown = path.relative_to(folder) if folder.is_dir() else path
        try:
            cases += _cases(path, str(shown))
        except (MalformedError, OSError, ValueError) as error:
            problems.append(f"{path}: {error}")
    if not problems and not cases:
        problems.append(f"{folder}: no vector file (*.json) with a case is here")
    if problems:
        raise UnusableError(problems)
    return tuple(cases)


def text(value: Any) -> str:
    """A text given plainly, in parts or in base64; bytes that are no UTF-8 as surrogates."""
    return content(value).decode("utf-8", "surrogateescape")


def content(value: Any) -> bytes:
    """The bytes of a text given in any of these ways."""
    if isinstance(value, str):
        try:
            return value.encode("utf-8", "surrogateescape")  # undoes `text`
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogatepass")
    if isinstance(value, dict) and value.keys() == {"join"}:
        return b"".join(map(content, value["join"]))
    if isinstance(value, dict) and value.keys() == {"base64"}:
        return base64.b64decode(value["base64"], validate=True)
    raise MalformedError(f'a text, {{"join": [...]}} or {{"base64": ...}} was expected: {value!r}')


def plain(value: Any) -> Any:
    """A value of JSON in which every text stands plainly, however deep."""
    if isinstance(value, dict) and value.keys() in ({"join"}, {"base64"}):
        return text(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def only(value: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    """Raise MalformedError for keys that are not known: nothing is passed over in silence."""
    if strange := sorted(value.keys() - set(known)):
        raise MalformedError(f"{what} has keys that are not known here: {', '.join(strange)}")


def _cases(path: Path, shown: str) -> Iterator[Case]:
    document = json.loads(path.read_text("utf-8"))
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise MalformedError('no vector file: an object with "format" and "cases" was expected')
    if "format" not in document:
        raise MalformedError('the key "format" is missing')
    for number, data in enumerate(document["cases"], 1):
        if not isinstance(data, dict):
            raise MalformedError(f"case {number} is no object")
        name = data.get("name", data.get("id"))
        if not isinstance(name, str):
            raise MalformedError(f"case {number} has neither a name nor an id")
        yield Case(file=shown, format=str(document["format"]), name=name, data=data)
