"""What the vectors do not show: places in the text, and hostile files."""

from hypothesis import given
from hypothesis import strategies as st

from bot.formats.cursor.grammar import END, START, block, blocks
from tests.formats.cursor.making import entry

PIECES = st.sampled_from(
    [START, END, "---", "id: a", "id: [a, 'b']", "  - x", "", "text", "\ufeff", "\x85", "\u2028"]
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(st.lists(st.tuples(PIECES, ENDS), max_size=30))
def test_blocks_lie_apart_in_any_text(lines: list[tuple[str, str]]) -> None:
    """Each is where it says, marker to marker, and none covers another: nothing is lost."""
    text = "".join(piece + end for piece, end in lines)
    last = 0
    for found in blocks(text).entries:
        assert last <= found.start < found.end <= len(text)
        inside = text[found.start : found.end].strip("\ufeff \r\n")
        assert inside.startswith(START)
        assert inside.endswith(END)
        last = found.end


@given(st.lists(st.sampled_from(["a-1", "b-2", "c-3"]), unique=True), ENDS)
def test_an_entry_reads_alike_whatever_ends_its_lines(ids: list[str], end: str) -> None:
    text = "\n".join(map(entry, ids))
    found = blocks(text.replace("\n", end)).entries
    plain = blocks(text).entries
    assert [(one.id, one.body, one.line, one.fields) for one in found] == [
        (one.id, one.body, one.line, one.fields) for one in plain
    ]


def test_a_block_is_shown_as_it_stands() -> None:
    text = f"\ufeff{entry('a-1')}".replace("\n", "\r\n")
    (found,) = blocks(text).entries
    assert block(text, found) == entry("a-1")
    assert (found.body_line, text.splitlines()[found.body_line - 2]) == (11, "---")


def test_time_grows_with_the_file_and_no_faster() -> None:
    """A file with carriage returns is searched for them once, not for each entry."""
    text = "".join(entry(f"a-{n}") for n in range(3000)).replace("\n", "\r\n")
    assert len(blocks(text).entries) == 3000
