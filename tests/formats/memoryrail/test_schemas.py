"""spec/memory.schema.json and spec/config.schema.json: they say what the reader says."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from bot.core.errors import UserError
from bot.core.model import MemoryType, TreeFile
from bot.core.precheck import parts_of
from bot.core.yaml_nodes import Map, Node, Scalar
from bot.formats import memoryrail
from bot.formats.memoryrail import frontmatter
from bot.formats.memoryrail.config import read_config
from bot.formats.memoryrail.create import Draft, create
from bot.formats.memoryrail.layout import config_path, memory_path
from bot.formats.memoryrail.lifecycle import approve
from bot.formats.memoryrail.memory_file import read_memory
from bot.formats.memoryrail.store_tree import StoreTree, after
from tests.vectors.cases import VECTORS, content, load
from tests.vectors.memoryrail.project import Project

SPEC = Path(__file__).parents[3] / "spec"
MEMORY: dict[str, Any] = json.loads((SPEC / "memory.schema.json").read_text("utf-8"))
CONFIG: dict[str, Any] = json.loads((SPEC / "config.schema.json").read_text("utf-8"))
MEMORIES = Draft202012Validator(MEMORY)
CONFIGS = Draft202012Validator(CONFIG)
ID: Final = "20261010-use-drizzle-over-prisma"

NOW: Final = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
OLD: Final = """---
id: 20261001-old
type: decision
title: Old
status: active
created: 2026-10-01T08:00Z
updated: 2026-10-01T08:00Z
---
"""

# Faults of a field that a schema sees; the others are of the YAML, or of the file around it.
SEEN = ("missing-field:", "bad-type", "bad-status", "bad-timestamp", "bad-title", "bad-pinned")


def given_object(data: bytes) -> object:
    """The frontmatter as the schema describes it: texts as written, but for null and pinned."""
    parts = frontmatter.split(data.decode("utf-8"))
    assert parts is not None
    return _plain(frontmatter.fields(parts))


def _plain(node: Node, name: str = "") -> object:
    if isinstance(node, Map):
        return {key: _plain(entry.value, key) for key, entry in node.entries.items()}
    if not isinstance(node, Scalar):
        return [_plain(item) for item in node.items]
    if node.is_null:
        return None
    is_truth = name == "pinned" and node.boolean is not None
    return node.boolean if is_truth else node.text.removesuffix("\n")


@pytest.mark.parametrize("schema", [MEMORY, CONFIG], ids=lambda schema: str(schema["$id"]))
def test_a_schema_is_valid_and_describes_every_field(schema: dict[str, Any]) -> None:
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (SPEC / schema["$id"]).is_file()
    assert meta.is_valid(schema)
    fields = {**schema["properties"], **schema.get("$defs", {})}
    for name, field in fields.items():
        assert field["description"].endswith("."), name
        assert Draft202012Validator({"$defs": schema.get("$defs", {}), **field}).is_valid(
            field["examples"][0]
        ), name
    for example in schema["examples"]:
        assert Draft202012Validator(schema).is_valid(example)


def _memories() -> Iterator[tuple[str, bytes]]:
    for case in load(VECTORS / "memoryrail"):
        for path, value in case.data.get("files", {}).items():
            if path.startswith(".memoryrail/memories/") and path.count("/") == 2:
                yield path, content(value)


def test_the_memories_of_the_vectors_validate_where_they_read_without_fault() -> None:
    """And where a field is at fault, they do not."""
    valid = invalid = 0
    for path, data in set(_memories()):
        memory, problems = read_memory(TreeFile(path=path, oid="", data=data))
        rules = [problem.rule for problem in problems]
        if not problems and memory is not None and None not in map(parts_of, memory.links):
            assert MEMORIES.is_valid(given_object(data)), (path, rules)
            valid += 1
        elif any(rule.startswith(SEEN) for rule in rules):
            assert not MEMORIES.is_valid(given_object(data)), (path, rules)
            invalid += 1
    assert valid > 60
    assert invalid > 8


def test_the_configs_of_the_vectors_agree() -> None:
    for case in load(VECTORS / "memoryrail"):
        if case.data["op"] == "config":
            data = Project(case.data["files"]).files[".memoryrail/config.json"]
            assert CONFIGS.is_valid(json.loads(data)) == ("error" not in case.data["expect"])


one_line = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])


@settings(max_examples=50)
@given(
    title=st.text(one_line, min_size=1, max_size=20)
    | st.sampled_from(["[a]: 'b' \"c\" # d", "\u00a0x", "null", "🚀"]),
    tags=st.lists(st.text(one_line, max_size=8), max_size=2),
    replaces=st.booleans(),
    by_agent=st.booleans(),
)
def test_every_memory_that_we_write_validates(
    *, title: str, tags: list[str], replaces: bool, by_agent: bool
) -> None:
    """New ones, and those that are edited when another supersedes them or is approved."""
    config = TreeFile(path=config_path(""), oid="", data=b'{"version": 1, "review": "agents"}')
    old = TreeFile(path=memory_path("", "20261001-old"), oid="", data=OLD.encode())
    tree = _tree(config, old)
    draft = Draft(
        type=MemoryType.DECISION,
        title=title,
        tags=tuple(tags),
        links=("src/./db/..",),
        pinned=True,
        supersedes=tree.store.memories[0] if replaces else None,
    )
    try:
        plan = create(tree, draft, now=NOW, by_agent=by_agent)
    except UserError:
        assume(False)
    edits = list(plan.edits)
    if by_agent:
        made = after(tree, plan)
        memory = next(one for one in made.store.memories if one.path != old.path)
        edits += approve(made, memory, now=NOW).edits
    assert len(edits) == 1 + by_agent + replaces
    for edit in edits:
        assert MEMORIES.is_valid(given_object(edit.data or b""))


def _tree(*files: TreeFile) -> StoreTree:
    store = memoryrail.read("", files)
    assert store is not None
    return StoreTree(store=store, files={file.path: file for file in files})


texts = st.text(max_size=12) | st.sampled_from(["true", "null", "1.10", "~", "a\nb", "\u2028", " "])
stamps = st.sampled_from(
    [
        "2026-10-10T17:30:00.000Z",
        "2026-10-10 17:30",
        "2026-10-10t17:30:59,5+0530",
        "2026-10-10T17:30+23:59",
        "2026-10-10",
        "2026-13-10T17:30",
        "2026-10-10T24:00",
        "2026-10-10T17:60",
        "2026-10-10T17:30:60Z",
        "2026-10-10T17:30+24:00",
        "0000-01-01T00:00",
        "2026-10-10T17:30:00.0000000001Z",
        " 2026-10-10T17:30",
        "2026-10-10T17:30\n",
        "２026-10-10T17:30",
    ]
) | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-2][0-8]T[0-9]{2}:[0-9]{2}", fullmatch=True)
links = st.text("./a", min_size=1, max_size=4) | st.sampled_from(
    ["src/db", "/etc", "..", "../x", "./../x", ".//../x", "...", "..a", "a/..", "a b", ".", "é"]
)
ids = st.sampled_from([ID, "20261001", "größe", "a.b", "x y"])
values: dict[str, st.SearchStrategy[Any]] = {
    "id": st.sampled_from([ID, "", None]),
    "type": st.sampled_from(["decision", "session", "Decision", "note", "", None]),
    "title": texts | st.none(),
    "status": st.sampled_from(["active", "resolved", "Active", "done", None]),
    "created": stamps,
    "updated": stamps | st.none(),
    "tags": st.lists(texts, max_size=3) | texts | st.none(),
    "links": st.lists(links, max_size=3) | links | st.none(),
    "pinned": st.booleans() | st.none() | st.sampled_from(["true", "yes"]),
    "supersedes": ids | st.none(),
    "superseded_by": ids | st.none(),
    "x-unknown": st.recursive(texts | st.none(), lambda inner: st.lists(inner, max_size=2)),
}
wrong_shapes = st.sampled_from([["a"], {"a": "b"}, [None], [["a"]]])
WHOLE: Final = {
    "id": ID,
    "type": "decision",
    "title": "Use Drizzle over Prisma",
    "status": "active",
    "created": "2026-10-10T17:30:00.000Z",
    "updated": "2026-10-10T17:30:00.000Z",
}


@st.composite
def objects(draw: st.DrawFn) -> dict[str, object]:
    """A whole frontmatter in which some fields are changed, added or taken away."""
    fields: dict[str, object] = dict(WHOLE)
    for name in draw(st.lists(st.sampled_from(sorted(values)), max_size=3, unique=True)):
        fields[name] = draw(values[name])
    if draw(st.integers(0, 9)) == 0:
        fields[draw(st.sampled_from(sorted(values)))] = draw(wrong_shapes)
    if draw(st.integers(0, 9)) == 0:
        fields.pop(draw(st.sampled_from(sorted(WHOLE))))
    return fields


@given(objects())
def test_reading_and_schema_agree(fields: dict[str, object]) -> None:
    lines = [f"{name}: {json.dumps(value)}" for name, value in fields.items()]
    data = "\n".join(["---", *lines, "---", ""]).encode()
    memory, problems = read_memory(TreeFile(path=f"{ID}.md", oid="", data=data))
    outside = [link for link in memory.links if parts_of(link) is None] if memory else []
    assume(not any(map(_seems_inside, outside)))  # a schema cannot count parts
    is_read = memory is not None and not problems and not outside
    assert MEMORIES.is_valid(given_object(data)) == is_read


def _seems_inside(link: str) -> bool:
    """Whether only working out the parts after the first can tell that a link leads out."""
    first = next((part for part in link.split("/") if part not in ("", ".")), "")
    return not link.startswith("/") and link != "" and first != ".."


@given(
    st.dictionaries(
        st.sampled_from(["version", "review", "x"]),
        st.sampled_from([1, 1.0, 2, 0, -1, 1.5, True, None, "1", "off", "agents", "Agents", []]),
    )
    | st.sampled_from([None, [], 1, "x"])
)
def test_config_and_schema_agree(document: object) -> None:
    data = json.dumps(document).encode()
    read = read_config(TreeFile(path="config.json", oid="", data=data))
    assert CONFIGS.is_valid(document) == (not read.problems)
