"""The shared vectors of the format: which link covers what, and what precheck finds."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.core.model import TreeFile
from bot.core.precheck import covers, precheck
from bot.formats.memoryrail import store as memoryrail
from tests.making import memory, store

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "memoryrail"


def _cases(topic: str) -> list[Any]:
    cases = json.loads((VECTORS / f"{topic}.json").read_text("utf-8"))["cases"]
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", _cases("links"))
def test_a_link_covers_what_the_vectors_say(case: Any) -> None:
    link, changed = case["args"]["link"], case["args"]["changed"]
    assert covers(link, changed) is case["expect"]["applies"]
    found = precheck([store(memory(links=[link]))], [changed], "")
    assert bool(found) is case["expect"]["applies"]


@pytest.mark.parametrize("case", _cases("precheck"))
def test_precheck_finds_what_the_vectors_say(case: Any) -> None:
    files = [
        TreeFile(path=path, oid="", data=text.encode()) for path, text in case["files"].items()
    ]
    read = memoryrail.read("", files)
    assert read is not None
    args, expect = case["args"], case["expect"]
    matches = precheck([read], args.get("files", ()), args.get("plan", ""))
    found = [match.memory.id for match in matches]
    seen = {"ids": found, "ids_any_order": sorted(found), "first": found[0] if found else None}
    assert {key: seen[key] for key in expect} == expect
