"""Parses of a payload only what somebody reads.

A payload has hundreds of members, and a dozen are read. Which ones is written down nowhere, so that
nothing can be forgotten: a path that is asked for the first time has its payload parsed once more,
and is among those that are parsed from then on.
"""

import contextlib
import json
from collections.abc import Collection, Mapping
from typing import Any, TypedDict

import msgspec

Path = tuple[str, ...]


class Parser:
    """Parses payloads, and remembers what was read of them."""

    def __init__(self) -> None:
        self._asked: set[Path] = set()
        self._decoder = _decoder(self._asked)

    def parse(self, body: bytes) -> "Parsed":
        """A payload.

        Raises ValueError or RecursionError where it is no JSON, TypeError where it is no object.
        """
        return Parsed(self, body)

    def members(self, body: bytes) -> Mapping[str, object]:
        """What a payload has at the paths that were asked for, at least. Raises as parse does."""
        try:
            return self._decoder.decode(body)
        except (msgspec.MsgspecError, RecursionError):  # also where a path leads through no object
            payload = json.loads(body)
        if not isinstance(payload, dict):
            raise TypeError("no JSON object")
        return payload

    def learns(self, path: Path) -> bool:
        """Whether nobody has asked for a path before; it is parsed from now on."""
        if path in self._asked:
            return False
        self._asked.add(path)
        self._decoder = _decoder(self._asked)
        return True


class Parsed:
    """A payload that knows what is still to be parsed."""

    __slots__ = ("_body", "_members", "_parser")

    def __init__(self, parser: Parser, body: bytes) -> None:
        self._parser, self._body, self._members = parser, body, parser.members(body)

    def holding(self, path: Path) -> Mapping[str, object]:
        """The payload with what there is at a path of keys, if that is text and can be held."""
        if self._parser.learns(path):
            with contextlib.suppress(ValueError, RecursionError):
                self._members = self._parser.members(self._body)
        return self._members


def _decoder(paths: Collection[Path]) -> "msgspec.json.Decoder[dict[str, object]]":
    return msgspec.json.Decoder(_shape(paths))


def _shape(paths: Collection[Path]) -> Any:
    """The type of an object that has values at these paths; what else it has is skipped."""
    below: dict[str, list[Path]] = {}
    for name, *rest in paths:
        below.setdefault(name, []).append(tuple(rest))
    members = {
        name: object if () in rests else _shape(rests) | None for name, rests in below.items()
    }
    return TypedDict("_", members, total=False)  # type: ignore[operator]  # made at run time
