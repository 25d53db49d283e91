"""The labelled texts of spec/vectors/secrets, put together in memory only."""

import json
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "spec" / "vectors" / "secrets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One text and the finding it should give; `rule` is "" when it should give none."""

    id: str
    path: str
    text: str = field(repr=False)
    rule: str = ""
    line: int = 0
    level: str = ""
    secret: str = field(default="", repr=False)
    also_ok: tuple[str, ...] = ()


@cache
def cases() -> tuple[Case, ...]:
    """All cases, by file and position."""
    return tuple(
        _case(raw)
        for file in sorted(FOLDER.glob("*.json"))
        for raw in json.loads(file.read_text("utf-8"))["cases"]
    )


def case(id: str) -> Case:  # noqa: A002  # the vectors' own word
    """The case of that id."""
    return next(one for one in cases() if one.id == id)


def _case(raw: dict[str, Any]) -> Case:
    plain = Case(id=raw["id"], path=raw["path"], text="".join(raw["text"]["join"]))
    if not raw["expect"]:
        return plain
    [expected] = raw["expect"]
    return replace(
        plain,
        rule=expected["rule"],
        line=expected["line"],
        level=expected["level"],
        secret="".join(expected["secret"]["join"]),
        also_ok=tuple(raw.get("also_ok", ())),
    )
