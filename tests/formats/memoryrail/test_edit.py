"""Setting fields of a memory file: that field's lines change, and not a byte beside them."""

import contextlib
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.core.errors import BotError, MemoryFormatError
from bot.core.yaml_nodes import Scalar
from bot.formats.limits import MAX_FILE_BYTES
from bot.formats.memoryrail.edit import set_fields
from bot.formats.memoryrail.frontmatter import fields, split

ID = "20261001-keep-sqlite"
PATH = f".memoryrail/memories/{ID}.md"


def edited(frontmatter: str, body: str = "Body.\n", **values: str) -> str:
    """The frontmatter after fields were set in a file; the rest of the file must be as before."""
    data = set_fields(f"---\n{frontmatter}---\n{body}".encode(), values, path=PATH)
    text = data.decode()
    assert text.startswith("---\n")
    assert text.endswith(f"---\n{body}")
    return text.removeprefix("---\n").removesuffix(f"---\n{body}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("status: proposed\n", 'status: "active"\n'),
        ('status: "proposed"\n', 'status: "active"\n'),
        ("status: 'proposed'   # why\n", 'status: "active"   # why\n'),
        ("'status' : proposed\n", "'status' : \"active\"\n"),
        ('"status": proposed\n', '"status": "active"\n'),
        ("a: 1\nstatus: proposed\t\nb: 2\n", 'a: 1\nstatus: "active"\t\nb: 2\n'),
        ("status:\n  proposed\nb: 2\n", 'status:\n  "active"\nb: 2\n'),
        ("status: pro\n  posed\n\nb: 2\n", 'status: "active"\n\nb: 2\n'),
        ('status: "pro\n  posed" # x\n', 'status: "active" # x\n'),
        ("status: |\n  proposed\n\n# c\nb: 2\n", 'status: "active"\n\n# c\nb: 2\n'),
        ("status: >- # why\n  pro\n\n  posed\nb: 2\n", 'status: "active" # why\nb: 2\n'),
        ("status: |+\n  proposed\n\n\n", 'status: "active"\n\n\n'),
        ("status: |\nb: 2\n", 'status: "active"\nb: 2\n'),
        ("status: !!str proposed\n", 'status: "active"\n'),
        ("status: &a proposed\n", 'status: "active"\n'),
        ("status: &x  # c\n  proposed\nb: 2\n", 'status: "active" # c\nb: 2\n'),
        ("status: !!str &x  # c\n  # d\n  pro # e\n", 'status: "active" # c\n  # d # e\n'),
        ("status: !!str 'a # b'\n", 'status: "active"\n'),
        ("status:\nb: 2\n", 'status: "active"\nb: 2\n'),
        ("status:   # none yet\n", 'status: "active"   # none yet\n'),
        ("status: ~\n", 'status: "active"\n'),
        ("? status\n: proposed\n", '? status\n: "active"\n'),
        ("  a: 1\n  status: proposed\n", '  a: 1\n  status: "active"\n'),
        ("x:\n  status: a\nstatus: b\n", 'x:\n  status: a\nstatus: "active"\n'),
        ("t: |\n  status: a\nstatus: b\n", 't: |\n  status: a\nstatus: "active"\n'),
        ("{status: proposed, a: [1, 2]}\n", '{status: "active", a: [1, 2]}\n'),
        ('{"status":"proposed"}\n', '{"status":"active"}\n'),
        ("status: proposed\n...\n", 'status: "active"\n...\n'),
        ('t: "\\ud83d\\ude80"\nstatus: proposed\n', 't: "\\ud83d\\ude80"\nstatus: "active"\n'),
        ("status: active # as it is\n", "status: active # as it is\n"),
        ("status: proposed # größe 🚀 x\nb: 2\n", 'status: "active" # größe 🚀 x\nb: 2\n'),
    ],
)  # fmt: skip
def test_a_value_is_replaced_where_it_stands(before: str, after: str) -> None:
    assert edited(before, status="active") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1\n", 'a: 1\nstatus: "active"\n'),
        ("a: 1\n\n# the end\n", 'a: 1\n\n# the end\nstatus: "active"\n'),
        ("  a: 1\n", '  a: 1\n  status: "active"\n'),
        ("a: |\n  text\n", 'a: |\n  text\nstatus: "active"\n'),
        ("a: |+\n  text\n\n", 'a: |+\n  text\n\nstatus: "active"\n'),
        ("a:\n- 1\n", 'a:\n- 1\nstatus: "active"\n'),
        ("a: 1\n...\n", 'a: 1\nstatus: "active"\n...\n'),
        ("{a: 1}\n", '{status: "active", a: 1}\n'),
        ("", 'status: "active"\n'),
        ("# nothing yet\n", '# nothing yet\nstatus: "active"\n'),
    ],
)
def test_a_missing_field_is_added_at_the_end(before: str, after: str) -> None:
    assert edited(before, status="active") == after


def test_several_fields_at_once() -> None:
    after = edited("status: a\nupdated: b\n", status="c", superseded_by='d"', updated="e")
    assert after == 'status: "c"\nupdated: "e"\nsuperseded_by: "d\\""\n'


@pytest.mark.parametrize("mark", [b"", "\ufeff".encode()])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("body", [b"", b"no end", b"\xff\xfe \x00 bytes", b"---\nstatus: x\n"])
def test_marks_line_ends_and_any_body_stay(mark: bytes, end: bytes, body: bytes) -> None:
    data = mark + end.join([b"---", b"id: x", b"status: a # b", b"---", body])
    assert set_fields(data, {"status": "c", "updated": "d"}, path=PATH) == mark + end.join(
        [b"---", b"id: x", b'status: "c" # b', b'updated: "d"', b"---", body]
    )


@pytest.mark.parametrize(
    ("data", "rule", "line"),
    [
        (b"no frontmatter\n", "bad-frontmatter", 1),
        (b"---\nstatus: a\n", "bad-frontmatter", 1),
        (b"---\na: 1\nstatus: a\nstatus: b\n---\n", "duplicate-field:status", 4),
        (b"---\nstatus: [a]\n---\n", "bad-frontmatter", 2),
        (b"---\nb: 1\nstatus:\n  a: b\n---\n", "bad-frontmatter", 4),
        (b"---\nb: 1\nstatus: \xff\n---\n", "bad-frontmatter", 3),
        (b"---\nb: &a 1\nstatus: *a\n---\n", "bad-frontmatter", 3),
        (b"---\na: b: c\n---\n", "bad-frontmatter", 2),
        (b"---\n? status\nid: x\n---\n", "bad-frontmatter", 3),
        (b"---\n{status, id: x}\n---\n", "bad-frontmatter", 2),
    ],
)
def test_what_cannot_be_edited_is_refused(data: bytes, rule: str, line: int) -> None:
    with pytest.raises(MemoryFormatError) as refused:
        set_fields(data, {"status": "active"}, path=PATH)
    assert (refused.value.rule, refused.value.path, refused.value.line) == (rule, PATH, line)


def test_a_field_given_twice_does_not_hinder_setting_another() -> None:
    assert edited("a: 1\na: 2\nstatus: x\n", status="y") == 'a: 1\na: 2\nstatus: "y"\n'


# Files as people and programs write them: every line is a field, a comment or blank.
values = st.one_of(
    st.text(max_size=12).map(json.dumps),
    st.from_regex(r"[a-z][a-z0-9 -]{0,8}[a-z]", fullmatch=True),
    st.sampled_from(
        [
            "[1, 2]",
            "{a: b}",
            "|\n  x\n  y",
            ">-\n\n  x",
            "\n  - a\n  - b",
            "\n  a: b",
            "'it''s'",
            "",
        ]
    ),
)
comments = st.sampled_from(["", " # why", "   #"])
names = st.sampled_from(["id", "x-y", "tags", "title", "größe", "created"])
lines = st.one_of(
    st.builds("{}: {}".format, names, values),
    st.sampled_from(["", "# a comment", "#"]),
)
status_lines = st.builds(
    "status: {}{}".format,
    st.sampled_from(["proposed", '"proposed"', "'proposed'", '"pro\n  posed"', "", "~"]),
    comments,
) | st.sampled_from(["status: |\n  proposed", "status: >-  # why\n  pro\n\n  posed\n"])


@given(
    parts=st.tuples(st.lists(lines, max_size=4), status_lines, st.lists(lines, max_size=4)),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
    body=st.binary(max_size=20),
    value=st.text(max_size=10),
)
def test_read_edit_read(
    *, parts: tuple[list[str], str, list[str]], end: str, mark: str, body: bytes, value: str
) -> None:
    """The value is the new one, and every byte before and after the field's lines stays."""

    def joined(lines: list[str]) -> bytes:
        return "".join(f"{line}\n" for line in lines).replace("\n", end).encode()

    before, status, after = parts
    head = mark.encode() + joined(["---", *before])
    tail = joined([*after, "---"]) + body
    data = head + joined([status]) + tail
    try:
        now = set_fields(data, {"status": value}, path=PATH)
    except MemoryFormatError:
        assume(False)  # what was generated is no YAML
    assert now.startswith(head + b"status:")
    assert now.endswith(tail)
    assert status_of(now) == value
    assert set_fields(now, {"status": value}, path=PATH) == now


@given(st.binary(max_size=60), st.sampled_from([b"", b"---\n", b"---\nstatus: "]), st.binary())
def test_hostile_bytes_raise_nothing_but_our_own_errors(
    middle: bytes, start: bytes, rest: bytes
) -> None:
    data = start + middle + b"\n---\n" + rest
    try:
        now = set_fields(data, {"status": "active"}, path=PATH)
    except BotError:
        return
    assert now.endswith(rest)
    assert b"active" in now


@given(st.text("abc:{}[]|>-?&*!#'\" \n\t,.%@`~", max_size=40))
def test_what_is_written_reads_as_intended(frontmatter: str) -> None:
    """Whatever YAML stands there: the edit is refused, or it reads back."""
    assume(frontmatter.strip() != "---")  # the frontmatter would end there
    data = f"---\n{frontmatter}\nstatus: proposed\n---\n".encode()
    try:
        now = set_fields(data, {"status": "active", "updated": "x"}, path=PATH)
    except BotError:
        return
    assert status_of(now) == "active"
    assert now.count(b"\n") == data.count(b"\n") + 1


def status_of(data: bytes) -> str:
    parts = split(data.decode("utf-8", "surrogateescape"))
    assert parts is not None
    node = fields(parts).entries["status"].value
    assert isinstance(node, Scalar)
    return node.text


@pytest.mark.parametrize("piece", ["!a" + "&" * 60, "!<" + "!" * 60 + ">", "&" + "a!&" * 30])
def test_a_hostile_tag_or_anchor_takes_no_longer(piece: str) -> None:
    """Whether it can be edited or not: an end is what counts."""
    with contextlib.suppress(MemoryFormatError):
        edited(f"status: {piece} proposed\n", status="active")


def test_a_file_never_grows_beyond_what_is_read() -> None:
    body = "x" * (MAX_FILE_BYTES - 30)
    with pytest.raises(MemoryFormatError) as error:
        set_fields(f"---\na: 1\n---\n{body}".encode(), {"superseded_by": ID}, path=PATH)
    assert error.value.rule == "too-large"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('links: ["src/a", "src/b"]\n', 'links: ["src/a", "new"]\n'),
        ("links: [src/b , 'src/b']  # c\n", 'links: ["new" , "new"]  # c\n'),
        ("links:\n  - src/a  # a\n  - src/b  # b\nb: 2\n",
         'links:\n  - src/a  # a\n  - "new"  # b\nb: 2\n'),
        ("links:\n- |\n  src/b\n- ~\n", 'links:\n- "new"\n- ~\n'),
        ("links: src/b\nsrc/b: 1\n", 'links: "new"\nsrc/b: 1\n'),
        ("{links: [src/b], tags: [src/b]}\n", '{links: ["new"], tags: [src/b]}\n'),
        ("x: [src/b]\nlinks: [src/a]\n", "x: [src/b]\nlinks: [src/a]\n"),
        ("x: src/b\n", "x: src/b\n"),
    ],
)  # fmt: skip
def test_an_item_of_a_list_is_replaced_where_it_stands(before: str, after: str) -> None:
    data = f"---\r\n{before}---\nB.\n".encode()
    edited_ = set_fields(data, {}, items={"links": {"src/b": "new"}}, path=PATH)
    assert edited_.decode() == f"---\r\n{after}---\nB.\n"


def test_a_nested_mapping_is_no_list() -> None:
    with pytest.raises(MemoryFormatError, match="cannot be edited safely"):
        set_fields(
            b"---\nlinks: {src/b: src/b}\n---\n", {}, items={"links": {"src/b": "n"}}, path=PATH
        )


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("pinned: true\n", False, "pinned: false\n"),
        ("pinned: TRUE # c\n", True, "pinned: TRUE # c\n"),
        ('pinned: "true"\n', True, "pinned: true\n"),
        ("pinned: ~\n", True, "pinned: true\n"),
        ("a: 1\n", True, "a: 1\npinned: true\n"),
    ],
)
def test_a_truth_value_is_written_without_quotes(before: str, value: bool, after: str) -> None:
    data = set_fields(f"---\n{before}---\n".encode(), {"pinned": value}, path=PATH)
    assert data.decode() == f"---\n{after}---\n"
