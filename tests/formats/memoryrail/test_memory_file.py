"""One memory file: what it gives, and what is wrong with it, at its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Memory, MemoryType, Problem, Status, TreeFile
from bot.formats.memoryrail.memory_file import read_memory

PATH = ".memoryrail/memories/20261001-utc.md"
FIELDS = {
    "id": '"20261001-utc"',
    "type": '"constraint"',
    "title": '"UTC only"',
    "status": '"active"',
    "created": '"2026-10-01T08:00:00.000Z"',
    "updated": '"2026-10-01T08:00:00.000Z"',
}


def text(**changed: str | None) -> str:
    """A memory file; a field given as None is left out, others are changed or added."""
    fields = {name: value for name, value in (FIELDS | changed).items() if value is not None}
    return (
        "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + "---\nBody.\n"
    )


def read(data: str | bytes) -> tuple[Memory | None, list[Problem]]:
    raw = data.encode() if isinstance(data, str) else data
    memory, problems = read_memory(TreeFile(path=PATH, oid="", data=raw))
    return memory, list(problems)


def test_a_whole_memory() -> None:
    memory, problems = read(text(tags="[db]", pinned="true", links="src", x="1", supersedes="a"))
    assert problems == []
    assert memory == Memory(
        id="20261001-utc",
        type=MemoryType.CONSTRAINT,
        title="UTC only",
        status=Status.ACTIVE,
        created="2026-10-01T08:00:00.000Z",
        updated="2026-10-01T08:00:00.000Z",
        tags=("db",),
        links=("src",),
        pinned=True,
        supersedes="a",
        body="Body.\n",
        path=PATH,
        lines={
            name: number
            for number, name in enumerate(
                [*FIELDS, "tags", "pinned", "links", "x", "supersedes"], 2
            )
        },
    )


@pytest.mark.parametrize(
    "data",
    [
        "\ufeff" + text(),
        text().replace("\n", "\r\n"),
        text().replace("---\n", "---  \n"),
        text().removesuffix("Body.\n"),
        text().removesuffix("\nBody.\n"),
        text(title=">\n  UTC\n  only"),
        text(tags="", pinned="~", links="null", supersedes=""),
        text(pinned="false"),
        text(type="!!str constraint", id="&a 20261001-utc"),
    ],
)
def test_other_spellings_of_the_same_memory(data: str) -> None:
    memory, problems = read(data)
    assert problems == []
    assert memory is not None
    assert (memory.id, memory.title, memory.type) == ("20261001-utc", "UTC only", "constraint")
    assert (memory.links, memory.pinned, memory.supersedes) == ((), False, None)


@pytest.mark.parametrize(
    ("changed", "rule", "line"),
    [
        ({"id": None}, "missing-field:id", 1),
        ({"id": "other"}, "id-filename-mismatch", 2),
        ({"id": "''"}, "id-filename-mismatch", 2),
        ({"id": "[a]"}, "bad-frontmatter", 2),
        ({"title": '"One\\nTwo"'}, "bad-title", 4),
        ({"title": '"bell\\a"'}, "bad-title", 4),
        ({"created": None}, "missing-field:created", 1),
        ({"created": "yesterday"}, "bad-timestamp", 6),
        ({"updated": "[1]"}, "bad-timestamp", 7),
        ({"pinned": '"true"'}, "bad-pinned", 8),
        ({"pinned": "yes"}, "bad-pinned", 8),
        ({"pinned": "[true]"}, "bad-pinned", 8),
        ({"links": "{a: b}"}, "bad-frontmatter", 8),
        ({"links": "\n- a\n- [b]"}, "bad-frontmatter", 10),
        ({"links": "[a, ~]"}, "bad-frontmatter", 8),
        ({"supersedes": "[a]"}, "bad-frontmatter", 8),
        ({"x": "{a: 1, a: 2}"}, "duplicate-field:x.a", 8),
        ({"x": "1\ntags: [a]\ntags: [b]"}, "duplicate-field:tags", 10),
        ({"x": "1\n'a`b': 1\n'a`b': 1"}, "duplicate-field:a?b", 10),
    ],
)
def test_a_memory_that_can_bind_binds(changed: dict[str, str], rule: str, line: int) -> None:
    memory, problems = read(text(**changed))
    assert [(problem.rule, problem.line) for problem in problems] == [(rule, line)]
    assert memory is not None
    assert memory.status is Status.ACTIVE


@pytest.mark.parametrize(
    ("data", "rule", "line"),
    [
        (text(type=None), "missing-field:type", 1),
        (text(type="note"), "bad-type", 3),
        (text(type="[a]"), "bad-type", 3),
        (text(title=None), "missing-field:title", 1),
        (text(title="''"), "bad-title", 4),
        (text(title="[a]"), "bad-title", 4),
        (text(status="Active"), "bad-status", 5),
        (text(status="''"), "bad-status", 5),
        (text(x="1\nstatus: archived"), "duplicate-field:status", 9),
        (text(title="a: b"), "bad-frontmatter", 4),
        (text(title="*a"), "bad-frontmatter", 4),
        (text(x="[[[[[[[[[["), "bad-frontmatter", 8),
        (text(x="1\n...\ny: 2"), "bad-frontmatter", 10),
        ("---\n- a\n---\n", "bad-frontmatter", 2),
        ("---\nid: a\n", "bad-frontmatter", 1),
        ("---\n" + "#\n" * 40_000 + "---\n", "bad-frontmatter", 1),
        ("", "missing-frontmatter", 1),
        ("# Title\n", "missing-frontmatter", 1),
        ("\n" + text(), "missing-frontmatter", 1),
        ("--- \u00a0\nid: a\n---\n", "missing-frontmatter", 1),
        (text().encode("utf-16"), "bad-encoding", 1),
        (text(title="caf\xe9").encode("latin-1"), "bad-encoding", 4),
        (b"x" * (1024 * 1024 + 1), "too-large", 1),
    ],
)
def test_what_cannot_bind_is_named_with_its_line(data: str | bytes, rule: str, line: int) -> None:
    memory, problems = read(data)
    assert memory is None
    found = [(problem.rule, problem.line) for problem in problems]
    assert found == [(rule, line)]


def test_bytes_that_are_no_utf_8_in_the_body_leave_the_memory() -> None:
    memory, problems = read(text().encode() + b"caf\xe9\n")
    assert [(problem.rule, problem.line) for problem in problems] == [("bad-encoding", 10)]
    assert memory is not None
    assert memory.body == "Body.\ncaf\ufffd\n"


def test_the_example_of_the_document_is_read() -> None:
    document = Path(__file__).parents[3] / "spec" / "memoryrail.md"
    example = document.read_text("utf-8").split("```markdown\n")[1].split("```")[0]
    path = ".memoryrail/memories/20261010-use-drizzle-over-prisma.md"
    memory, problems = read_memory(TreeFile(path=path, oid="", data=example.encode()))
    assert memory is not None
    assert (memory.ref, memory.links, problems) == ("DEC-5dbe", ("src/db",), ())


def test_an_empty_frontmatter_misses_every_required_field() -> None:
    memory, problems = read("---\n---\n")
    assert memory is None
    assert [problem.rule for problem in problems] == [f"missing-field:{name}" for name in FIELDS]


def test_a_message_says_what_would_be_right() -> None:
    _, (status,) = read(text(status="Active"))
    assert status.message.endswith("archived, resolved. Did you mean active?")
    _, (title,) = read(text(title="Rule: never"))
    assert title.message.endswith("Put a value that holds a colon and a blank in double quotes.")


@pytest.mark.parametrize(
    ("file", "rule"),
    [
        (TreeFile(path=PATH, oid="1", data=b"../../etc/passwd", is_symlink=True), "symlink"),
        (TreeFile(path=PATH, oid="1", unread="the tree is too large"), "unread"),
        (TreeFile(path=PATH, oid="1"), "unread"),
    ],
)
def test_a_file_that_was_not_read_is_a_problem(file: TreeFile, rule: str) -> None:
    memory, (problem,) = read_memory(file)
    assert memory is None
    assert (problem.rule, problem.path) == (rule, PATH)


pieces = st.sampled_from(
    ["---\n", "---", "\n", "\r\n", ": ", "id", "title: x\n", "status: active\n", "type: gotcha\n"]
)
specials = st.sampled_from(
    ["\ufeff", '"', "\\ud83d", "{", "[", "- ", "&a", "*a", "|", "\0", "\u2028"]
)
texts = st.lists(pieces | specials, max_size=25).map("".join)


@given(st.binary(max_size=80) | texts.map(str.encode))
def test_hostile_bytes_give_a_memory_or_a_problem(data: bytes) -> None:
    memory, problems = read(data)
    assert memory is not None or problems
    assert all(1 <= problem.line <= data.count(b"\n") + 1 for problem in problems)
