"""The shared vectors of the format: which link covers what, and what precheck finds."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.core.model import Memory, MemoryStore, MemoryType, Status
from bot.core.precheck import covers, precheck

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "memoryrail"


def _cases(topic: str) -> list[Any]:
    cases = json.loads((VECTORS / f"{topic}.json").read_text("utf-8"))["cases"]
    return [pytest.param(case, id=case["name"]) for case in cases]


def _memory(path: str, text: str) -> Memory:
    """A memory whose frontmatter has one JSON value on each line, as in these vectors."""
    _, front, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    values = {name: json.loads(value) for name, value in fields.items()}
    values |= {"type": MemoryType(values["type"]), "status": Status(values["status"])}
    values |= {name: tuple(values.get(name, ())) for name in ("tags", "links")}
    return Memory(**values, body=body, path=path)


@pytest.mark.parametrize("case", _cases("links"))
def test_a_link_covers_what_the_vectors_say(case: Any) -> None:
    args = case["args"]
    assert covers(args["link"], args["changed"]) is case["expect"]["applies"]


@pytest.mark.parametrize("case", [*_cases("links"), *_cases("precheck")])
def test_precheck_finds_what_the_vectors_say(case: Any) -> None:
    """A case on one link is a store with one memory that has it."""
    args, expect = case["args"], case["expect"]
    if case["op"] == "link-applies":
        memory = Memory(
            id="m",
            type=MemoryType.CONSTRAINT,
            title="T",
            status=Status.ACTIVE,
            created="",
            updated="",
            links=(args["link"],),
            path="m.md",
        )
        memories, files = [memory], [args["changed"]]
        expect = {"ids_any_order": ["m"] if expect["applies"] else []}
    else:
        files = args.get("files", [])
        memories = [_memory(p, text) for p, text in case["files"].items() if p.endswith(".md")]
    store = MemoryStore(format="memoryrail", root="", memories=tuple(memories))
    found = [match.memory.id for match in precheck([store], files, args.get("plan", ""))]
    for key, value in expect.items():
        seen = {"ids": found, "ids_any_order": sorted(found), "first": found[0] if found else None}
        assert seen[key] == value
