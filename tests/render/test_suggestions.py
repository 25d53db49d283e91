"""A plan as suggestions: together they make of the files what the plan makes, or there are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.edit_plan import EditPlan, FileEdit
from bot.core.patch import whole
from bot.core.snapshot import AddedBlock, ChangedFile
from bot.render.suggestions import MAX_LINES, MAX_SUGGESTIONS, Suggestion, suggestions

OLD = b'---\nid: "x"\nstatus: "proposed"\n---\n\nBody.\n'
NEW = b'---\nid: "x"\nstatus: "active"\n---\n\nBody.\n'


def plan(**files: bytes | None) -> EditPlan:
    edits = (FileEdit(path=path, data=data, expected_oid=None) for path, data in files.items())
    return EditPlan(edits=tuple(edits))


def added(path: str, data: bytes) -> ChangedFile:
    blocks = whole(path, data.decode("utf-8", "replace"))
    return ChangedFile(path=path, status="added", added=blocks)


def taken(old: bytes, made: tuple[Suggestion, ...]) -> bytes:
    """What GitHub makes of a file when all suggestions are committed."""
    lines = old.decode().split("\n")
    for one in reversed(made):
        opening, *new = one.body.split("\n")
        assert opening == new.pop() + "suggestion"
        lines[one.start - 1 : one.end] = new
    return "\n".join(lines).encode()


def test_a_changed_line_is_replaced() -> None:
    assert suggestions(plan(x=NEW), {"x": OLD}, [added("x", OLD)]) == (
        Suggestion(path="x", start=3, end=3, body='```suggestion\nstatus: "active"\n```'),
    )


_LINES = st.lists(st.sampled_from(["a", "b", "```", "", "c"]), max_size=8).map(
    lambda lines: "".join(f"{line}\n" for line in lines).encode()
)


@given(old=_LINES, new=_LINES)
def test_all_suggestions_together_make_the_file(old: bytes, new: bytes) -> None:
    if made := suggestions(plan(x=new), {"x": old}, [added("x", old)]):
        assert taken(old, made) == new


@pytest.mark.parametrize(
    "new", [b"0\n" + OLD, OLD + b"end\n", OLD.replace(b"Body.", b"A.\nB."), OLD[4:]]
)
def test_lines_that_come_or_go_are_suggested_too(new: bytes) -> None:
    made = suggestions(plan(x=new), {"x": OLD}, [added("x", OLD)])
    assert made
    assert taken(OLD, made) == new


ELSEWHERE = ChangedFile(
    path="x", status="modified", added=(AddedBlock(path="x", start=5, text="\nBody."),)
)
LONG = b"".join(b"%d\n" % number for number in range(200))
TOKEN = b"token: ghp_" + b"aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2" + b"\n"


@pytest.mark.parametrize(
    ("old", "new", "file"),
    [
        (OLD, NEW, ELSEWHERE),
        (OLD, None, added("x", OLD)),
        (OLD.replace(b"\n", b"\r\n"), NEW.replace(b"\n", b"\r\n"), added("x", OLD)),
        (OLD[:-1], NEW[:-1], added("x", OLD)),
        (OLD + TOKEN, NEW + TOKEN, added("x", OLD + TOKEN)),
        (LONG, LONG.replace(b"5", b"x"), added("x", LONG)),
        (LONG, LONG[: -4 * (MAX_LINES + 1)], added("x", LONG)),
        (b"", NEW, added("x", b"")),
    ],
    ids=[
        "outside of what is added",
        "deleted",
        "CR LF",
        "no end of line",
        "a credential",
        f"more than {MAX_SUGGESTIONS}",
        "long",
        "empty",
    ],
)
def test_what_cannot_be_suggested(old: bytes, new: bytes | None, file: ChangedFile) -> None:
    assert suggestions(plan(x=new), {"x": old}, [file]) == ()


def test_a_part_of_a_plan_is_not_suggested() -> None:
    both = plan(x=NEW, y=b"a new file\n")
    assert suggestions(both, {"x": OLD}, [added("x", OLD)]) == ()
