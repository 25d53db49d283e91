"""Parses of a payload only what somebody reads.

A payload has hundreds of members, and a dozen are read. Which ones is written down nowhere, so that
nothing can be forgotten: a path that is asked for the first time has its payload parsed whole, and
is among those that are parsed from then on.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, TypedDict

import msgspec

Path = tuple[str, ...]


class Parser:
    """Parses payloads, and remembers what was read of them."""

    def __init__(self) -> None:
        self._asked: set[Path] = set()
        self._decoder: msgspec.json.Decoder[dict[str, object]] = _decoder(())

    def parse(self, body: bytes) -> "Parsed":
        """A payload.

        Raises ValueError or RecursionError where it is no JSON, TypeError where it is no object.
        """
        try:
            return Parsed(self, body, self._decoder.decode(body))
        except (msgspec.MsgspecError, RecursionError):  # also where a value is no object any more
            return Parsed(self, body, whole(body))

    def was_asked(self, path: Path) -> bool:
        """Whether a path was asked for before; from now on it was."""
        if path in self._asked:
            return True
        self._asked.add(path)
        self._decoder = _decoder(self._asked)
        return False


class Parsed:
    """A payload, of which may be missing what nobody has asked for yet."""

    __slots__ = ("_body", "_members", "_parser")

    def __init__(self, parser: Parser, body: bytes, members: Mapping[str, object]) -> None:
        self._parser, self._body, self._members = parser, body, members

    def holding(self, path: Path) -> Mapping[str, object]:
        """The payload with all there is at a path of keys."""
        if not self._parser.was_asked(path):
            self._members = whole(self._body)
        return self._members


def whole(body: bytes) -> dict[str, object]:
    """A payload with every member."""
    payload = json.loads(body)
    if not isinstance(payload, dict):
        raise TypeError("no JSON object")
    return payload


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
