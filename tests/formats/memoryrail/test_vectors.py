"""The conformance vectors of the format, operation by operation."""

from pathlib import PurePosixPath
from typing import Any

import pytest

from bot.core.model import Memory, MemoryType, Severity, short_ref
from bot.core.refs import AmbiguousRef, UnknownRef, resolve
from bot.core.report import BlockState
from bot.core.sync import END, START, MarkersError, find, place, rendering, standing
from bot.formats import memoryrail
from bot.formats.memoryrail.config import VERSION, read_config
from bot.formats.memoryrail.layout import config_path, id_of
from tests.formats.memoryrail.vectors import cases, content, store, tree

SECRET_RULES = {"secret"}  # lint of a store knows no credentials: bot/core/leaks.py does


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def fields(memory: Memory) -> dict[str, object]:
    """The known fields that the file has, as the vectors write them."""
    values: dict[str, object] = {}
    for name in ("id", "type", "title", "status", "created", "updated", "pinned"):
        values[name] = getattr(memory, name)
    values |= {"tags": list(memory.tags), "links": list(memory.links)}
    values |= {"supersedes": memory.supersedes, "superseded_by": memory.superseded_by}
    return {name: value for name, value in values.items() if name in memory.lines}


@pytest.mark.parametrize("case", cases("read"), ids=named)
def test_read(case: dict[str, Any]) -> None:
    found = store(case["files"])
    id_, expect = case["args"]["id"], case["expect"]
    errors = [p.rule for p in found.problems if p.severity is Severity.ERROR]
    assert sorted(errors) == sorted(expect.get("errors", []))
    if "fields" in expect:
        (memory,) = (memory for memory in found.memories if memory.id == id_)
        assert fields(memory) == expect["fields"]
        if "body" in expect:
            assert memory.body.strip() == expect["body"]


@pytest.mark.parametrize("case", cases("lint"), ids=named)
def test_lint(case: dict[str, Any]) -> None:
    found = store(case["files"])
    expected = {
        (finding["kind"], finding["id"], finding["severity"])
        for finding in case["expect"]["findings"]
        if finding["kind"] not in SECRET_RULES
    }
    assert {(p.rule, id_of(p.path), p.severity.value) for p in found.problems} == expected
    failed = any(problem.severity is Severity.ERROR for problem in found.problems)
    assert int(failed) == case["expect"]["exit"]


@pytest.mark.parametrize("case", cases("config"), ids=named)
def test_config(case: dict[str, Any]) -> None:
    (file,) = (file for file in tree(case["files"]) if file.path == config_path(""))
    config = read_config(file)
    expect = case["expect"]
    if "error" in expect:
        assert [problem.rule for problem in config.problems] == [expect["error"]]
        assert config.gated
    else:
        assert not config.problems
        read = {"version": VERSION, "review": "agents" if config.gated else "off"}
        assert read == expect


@pytest.mark.parametrize("case", cases("ref"), ids=named)
def test_ref(case: dict[str, Any]) -> None:
    ref = short_ref(MemoryType(case["args"]["type"]), case["args"]["id"])
    assert ref == case["expect"]["ref"]


@pytest.mark.parametrize("case", cases("resolve-ref"), ids=named)
def test_resolve_ref(case: dict[str, Any]) -> None:
    memories, expect = store(case["files"]).memories, case["expect"]
    text = case["args"]["ref"]
    if "id" in expect:
        assert resolve(memories, text).id == expect["id"]
    elif expect["error"] == "ambiguous":
        with pytest.raises(AmbiguousRef) as ambiguous:
            resolve(memories, text)
        assert [memory.id for memory in ambiguous.value.candidates] == expect["candidates"]
    else:
        assert expect["error"] == "not-found"
        with pytest.raises(UnknownRef):
            resolve(memories, text)


@pytest.mark.parametrize("case", cases("find-project"), ids=named)
def test_a_store_is_where_a_config_is(case: dict[str, Any]) -> None:
    cwd = PurePosixPath(case["args"]["cwd"])
    roots = ["" if str(path) == "." else str(path) for path in (cwd, *cwd.parents)]
    nearest = next(root for root in roots if memoryrail.read(root, tree(case["files"])))
    assert nearest == case["expect"]["root"].removesuffix(".")


class Filled:
    """A sync case whose place-holders stand for the marker lines and the generated lines."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.target = case["args"].get("target", "AGENTS.md")
        self.memories = store(case["files"]).memories
        self.block = rendering(self.memories)
        given = case["files"].get(self.target)
        self.before = None if given is None else self.fill(content(given))
        if self.before and b"\r\n" in self.before:
            self.block = self.block.replace("\n", "\r\n")

    def fill(self, data: bytes) -> bytes:
        for holder, text in (("START", START), ("END", END), ("BLOCK", self.block)):
            data = data.replace(f"{{{{{holder}}}}}".encode(), text.encode())
        return data

    def lines(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        found = find(text)
        assert found is not None
        return text[found.start : found.end]


@pytest.mark.parametrize("case", cases("sync"), ids=named)
def test_sync(case: dict[str, Any]) -> None:
    filled, expect = Filled(case), case["expect"]
    if "error" in expect:
        with pytest.raises(MarkersError) as error:
            place(filled.before, filled.memories, path=filled.target)
        assert error.value.rule == expect["error"]
        return
    after = place(filled.before, filled.memories, path=filled.target)
    for path, text in expect.get("files", {}).items():
        assert path == filled.target
        assert after == filled.fill(content(text))
    if expect.get("unchanged"):
        assert after == filled.before
    assert after.startswith(filled.fill(expect.get("starts_with", "").encode()))
    assert after.endswith(filled.fill(expect.get("ends_with", "").encode()))
    for text, count in expect.get("count", {}).items():
        assert after.count(filled.fill(text.encode())) == count
    for text, count in expect.get("own_line_count", {}).items():
        assert after.splitlines().count(filled.fill(text.encode())) == count
    for text in expect.get("block_has", ()):
        assert text in filled.lines(after)
    for text in expect.get("block_has_not", ()):
        assert text not in filled.lines(after)
    if expect.get("line_end") == "CRLF":
        assert filled.lines(after).count("\n") == filled.lines(after).count("\r\n") > 0
    if {"bytes_outside_unchanged": True} in expect.get("one_of", ()):
        assert filled.before is not None
        outside = filled.before.replace(b"old\n", b"%s") % filled.block.encode()
        assert after == outside


@pytest.mark.parametrize("case", cases("sync-check"), ids=named)
def test_sync_check(case: dict[str, Any]) -> None:
    filled = Filled(case)
    state = standing(filled.before, filled.memories).state
    assert int(state is not BlockState.IN_STEP) == case["expect"]["exit"]


@pytest.mark.parametrize("case", cases("sync-same-block"), ids=named)
def test_sync_same_block(case: dict[str, Any]) -> None:
    blocks = [
        rendering(store(files).memories) for files in (case["files"], case["args"]["files_b"])
    ]
    assert (blocks[0] == blocks[1]) == case["expect"]["same_block"]


@pytest.mark.parametrize("case", cases("list", "list-proposals"), ids=named)
def test_list(case: dict[str, Any]) -> None:
    found, expect = store(case["files"]), case["expect"]
    if case["op"] == "list":
        assert [memory.id for memory in found.active] == expect["ids"]
    else:
        proposals = [memory for memory in found.memories if memory.status.value == "proposed"]
        assert [memory.ref for memory in proposals] == expect["refs"]
