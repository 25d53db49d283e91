"""Reads one mapping of settings: each by the shape it must have, whatever is wrong as a Problem."""

import difflib
import re
from collections.abc import Sequence
from typing import Final, TypeVar

from bot.core import yaml_nodes
from bot.core.model import Problem
from bot.core.yaml_nodes import Map, Node, Scalar

_WHOLE: Final = r"[0-9]{1,3}"
_DECIMAL: Final = r"[0-9]{1,3}(?:\.[0-9]{1,6})?"
_Word = TypeVar("_Word", bound=str)


class SettingsSection:
    """A mapping of settings. What is not given, or wrong, is what the caller has instead.

    problems: of the whole file, in the order of reading.
    """

    def __init__(
        self,
        document: Map,
        known: Sequence[str],
        problems: list[Problem],
        *,
        path: str,
        name: str = "",
    ) -> None:
        """path: of the file. name: the keys that lead here, with dots between them."""
        self._name = f"{name}." if name else ""
        self._entries = dict(document.entries)
        self._problems, self._path = problems, path
        for key, line in document.duplicates:
            self._note(line, f"`{self._name}{key}` is given twice. Keep one.")
            self._entries.pop(key, None)
        for key in [key for key in self._entries if key not in known]:
            near = difflib.get_close_matches(key[:40].lower(), known, n=1)
            hint = f"Did you mean `{near[0]}`?" if near else f"Known are {', '.join(known)}."
            message = f"There is no setting `{self._name}{key}`. {hint}"
            self._note(self._entries.pop(key).line, message, "unknown-setting")

    def section(self, key: str, known: Sequence[str]) -> "SettingsSection":
        """The settings below a key; none when they are not given."""
        node = self._node(key)
        if node is not None and not isinstance(node, Map):
            self._refuse(key, node.line, f"a mapping with {', '.join(known)}")
        below = node if isinstance(node, Map) else Map({}, 1)
        name = f"{self._name}{key}"
        return SettingsSection(below, known, self._problems, path=self._path, name=name)

    def choice(self, key: str, values: tuple[_Word, ...], default: _Word) -> _Word:
        """One of a few words."""
        return self.choice_or_none(key, values, instead=f"{default} applies") or default

    def choice_or_none(
        self, key: str, values: tuple[_Word, ...], *, instead: str = ""
    ) -> _Word | None:
        """One of a few words, None where none is given. instead: what is done until it is right."""
        node = self._node(key)
        for value in values:
            if isinstance(node, Scalar) and node.text == value:
                return value
        if node is not None:
            self._refuse(key, node.line, f"one of {', '.join(values)}", instead)
        return None

    def flag(self, key: str, *, default: bool) -> bool:
        """true or false, without quotes."""
        node = self._node(key)
        value = node.boolean if isinstance(node, Scalar) else None
        if node is not None and value is None:
            self._refuse(key, node.line, "true or false, without quotes")
        return default if value is None else value

    def number(self, key: str, *, most: int, default: float, whole: bool = False) -> float:
        """A number from 0 to most, without quotes; a decimal one unless it must be whole."""
        node = self._node(key)
        if node is None:
            return default
        pattern = _WHOLE if whole else _DECIMAL
        if isinstance(node, Scalar) and node.plain and re.fullmatch(pattern, node.text):
            value = float(node.text)
            if value <= most:
                return value
        kind = "a whole number" if whole else "a number"
        right = f"{kind} from 0 to {most}, without quotes"
        self._refuse(key, node.line, right, f"{default:g} applies")
        return default

    def texts(self, key: str, pattern: str, most: int, what: str) -> tuple[str, ...] | None:
        """A list of texts that follow a pattern. The good ones stand, whatever the others are.

        None when none is given, or something else than a list.
        """
        node = self._node(key)
        if node is None:
            return None
        if not isinstance(node, yaml_nodes.Sequence):
            self._refuse(key, node.line, "a list")
            return None
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

    def items(self, key: str, most: int, what: str) -> tuple[Node, ...] | None:
        """The items of a list. None when none is given, or something else, or too many of them."""
        node = self._node(key)
        if node is None:
            return None
        if not isinstance(node, yaml_nodes.Sequence) or len(node.items) > most:
            self._refuse(key, node.line, f"a list of at most {most} {what}")
            return None
        return node.items

    def note(self, key: str, message: str, *, line: int | None = None) -> None:
        """Say what is wrong with a setting that is given. line: by default that of its key."""
        self._note(line or self._entries[key].line, message)

    def _node(self, key: str) -> Node | None:
        entry = self._entries.get(key)
        is_null = entry is not None and isinstance(entry.value, Scalar) and entry.value.is_null
        return None if entry is None or is_null else entry.value

    def _refuse(self, key: str, line: int, right: str, instead: str = "") -> None:
        message = f"`{self._name}{key}` must be {right}."
        self._note(line, f"{message} Until then {instead}." if instead else message)

    def _note(self, line: int, message: str, rule: str = "bad-setting") -> None:
        self._problems.append(Problem(path=self._path, line=line, rule=rule, message=message))
