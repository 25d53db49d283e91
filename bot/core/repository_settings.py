"""The settings of a repository: .github/memoryrail.yml on its default branch.

spec/settings.schema.json describes the file, spec/settings.md explains it. Unknown keys are refused
with their line; whatever is wrong is a Problem, and the default stands in for it.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from bot.core import yaml_nodes
from bot.core.model import Problem
from bot.core.yaml_nodes import Map, Node, Scalar, YamlError

SETTINGS_PATH: Final = ".github/memoryrail.yml"
MAX_BYTES: Final = 64 * 1024
MAX_AGENTS: Final = 200
MAX_STORES: Final = 100  # each is looked for on both sides of every pull request

# The same two patterns stand in the schema. A path has no `..` and no leading slash.
LOGIN_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?$"
PATH_PATTERN: Final = (
    r"^(?!\.\.(?:/|$))[^/\u0000-\u001f\u007f\\]{1,255}"
    r"(?:/(?!\.\.(?:/|$))[^/\u0000-\u001f\u007f\\]{1,255}){0,50}/?$"
)

_LEVELS: Final[tuple[Literal["high", "medium", "low"], ...]] = ("high", "medium", "low")
_REQUIRED: Final[tuple[Literal["none", "pinned", "all"], ...]] = ("none", "pinned", "all")
_Word = TypeVar("_Word", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings:
    """What a repository's owner decided. The defaults hold where the file says nothing."""

    agents: tuple[str, ...] = ()  # logins that count as agents, besides bots and apps; lower case
    stores: tuple[str, ...] = ()  # directories that hold a store, besides those found by themselves
    secrets_block: Literal["high", "medium", "low"] = "medium"  # this level and above fail
    require_citation: Literal["none", "pinned", "all"] = "none"  # of the constraints that match
    require_decision: bool = False  # no proposal may be left waiting


def parse(data: bytes | None) -> tuple[RepositorySettings, tuple[Problem, ...]]:
    """Read the file, None where there is none. The problems are in the order of lines."""
    try:
        document = yaml_nodes.parse(_text(data or b""))
    except YamlError as error:
        message = f"The settings cannot be read: {error.problem}. The defaults apply."
        return RepositorySettings(), (_problem(error.line, message),)
    top = _Section(document, ("agents", "stores", "secrets", "precheck", "memory"))
    secrets = top.section("secrets", ("block",))
    precheck = top.section("precheck", ("require",))
    memory = top.section("memory", ("require-decision",))
    logins = top.texts("agents", LOGIN_PATTERN, MAX_AGENTS, "a login, such as dependabot[bot]")
    paths = top.texts("stores", PATH_PATTERN, MAX_STORES, "a path inside the repository")
    settings = RepositorySettings(
        agents=tuple(dict.fromkeys(login.lower() for login in logins)),
        stores=tuple(dict.fromkeys(map(_plain_path, paths))),
        secrets_block=secrets.choice("block", _LEVELS, "medium"),
        require_citation=precheck.choice("require", _REQUIRED, "none"),
        require_decision=memory.flag("require-decision", default=False),
    )
    problems = [*top.problems, *secrets.problems, *precheck.problems, *memory.problems]
    return settings, tuple(sorted(problems, key=lambda problem: problem.line))


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise YamlError(f"the file is larger than {MAX_BYTES // 1024} KiB", line=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise YamlError("the file is not UTF-8", line=line) from None


def _problem(line: int, message: str, rule: str = "bad-setting") -> Problem:
    return Problem(path=SETTINGS_PATH, line=line, rule=rule, message=message)


def _plain_path(path: str) -> str:
    """A path without `.` parts and a slash at its end; the repository itself is ""."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))


class _Section:
    """A mapping of settings. Each is read once, by the shape it must have."""

    def __init__(self, document: Map, known: Sequence[str], name: str = "") -> None:
        self._name = f"{name}." if name else ""
        self._entries = dict(document.entries)
        self.problems: list[Problem] = []
        for key, line in document.duplicates:
            self._note(line, f"`{self._name}{key}` is given twice. Keep one.")
            self._entries.pop(key, None)
        for key in [key for key in self._entries if key not in known]:
            near = difflib.get_close_matches(key[:40].lower(), known, n=1)
            hint = f"Did you mean `{near[0]}`?" if near else f"Known are {', '.join(known)}."
            message = f"There is no setting `{self._name}{key}`. {hint}"
            self.problems.append(_problem(self._entries.pop(key).line, message, "unknown-setting"))

    def section(self, key: str, known: Sequence[str]) -> "_Section":
        """The settings below a key; none when they are not given."""
        node = self._node(key)
        if node is not None and not isinstance(node, Map):
            self._refuse(key, node.line, f"a mapping with {', '.join(known)}")
        return _Section(node if isinstance(node, Map) else Map({}, 1), known, key)

    def choice(self, key: str, values: tuple[_Word, ...], default: _Word) -> _Word:
        """One of a few words."""
        node = self._node(key)
        if node is None:
            return default
        for value in values:
            if isinstance(node, Scalar) and node.text == value:
                return value
        self._refuse(key, node.line, f"one of {', '.join(values)}", f"{default} applies")
        return default

    def flag(self, key: str, *, default: bool) -> bool:
        """true or false, without quotes."""
        node = self._node(key)
        value = node.boolean if isinstance(node, Scalar) else None
        if node is not None and value is None:
            self._refuse(key, node.line, "true or false, without quotes")
        return default if value is None else value

    def texts(self, key: str, pattern: str, most: int, what: str) -> tuple[str, ...]:
        """A list of texts that follow a pattern. The good ones stand, whatever the others are."""
        node = self._node(key)
        if node is None:
            return ()
        if not isinstance(node, yaml_nodes.Sequence):
            self._refuse(key, node.line, "a list")
            return ()
        if len(node.items) > most:
            self._refuse(key, node.line, f"a list of at most {most}", "the rest is left out")
        texts = []
        for item in node.items[:most]:
            is_text = isinstance(item, Scalar) and not item.is_null and item.boolean is None
            if isinstance(item, Scalar) and is_text and re.fullmatch(pattern, item.text):
                texts.append(item.text)
            else:
                self._refuse(key, item.line, f"a list whose every item is {what}")
        return tuple(texts)

    def _node(self, key: str) -> Node | None:
        entry = self._entries.get(key)
        is_null = entry is not None and isinstance(entry.value, Scalar) and entry.value.is_null
        return None if entry is None or is_null else entry.value

    def _refuse(self, key: str, line: int, right: str, instead: str = "") -> None:
        message = f"`{self._name}{key}` must be {right}."
        self._note(line, f"{message} Until then {instead}." if instead else message)

    def _note(self, line: int, message: str) -> None:
        self.problems.append(_problem(line, message))
