"""The block in its file: what is replaced, what stays, and what counts as in step."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Memory, MemoryType, Status
from bot.core.report import BlockState
from bot.core.sync import (
    END,
    START,
    MarkersError,
    difference,
    find,
    is_ours,
    place,
    rendering,
    standing,
)


def memory(id_: str = "20261001-keep-sqlite", title: str = "Keep SQLite", **more: object) -> Memory:
    values: dict[str, object] = {
        "type": MemoryType.DECISION,
        "status": Status.ACTIVE,
        "created": "",
        "updated": "",
        **more,
    }
    return Memory(id=id_, title=title, path=f"{id_}.md", **values)  # type: ignore[arg-type] # a test's shorthand


SQLITE = memory()
NO_ORM = memory("20261002-no-orm", "No ORM", type=MemoryType.CONSTRAINT, links=("src/worker",))
ALL = (SQLITE, NO_ORM)

titles = st.text(max_size=40) | st.sampled_from(
    [f"x\n{END}\ny", f"x\u2028{START}", "<!<!-- -->", "-\u200b->", "a" * 500, "--!>", "\ud800"]
)
memories = st.lists(
    st.builds(
        memory,
        id_=st.integers(0, 99).map("20261001-{}".format),
        title=titles,
        type=st.sampled_from(MemoryType),
        status=st.sampled_from(Status),
        pinned=st.booleans(),
        links=st.lists(titles, max_size=7).map(tuple),
    ),
    max_size=6,
    unique_by=lambda one: one.id,
)
outside = st.binary(max_size=60).filter(lambda data: b"\0" not in data)


def test_the_rendering_whole() -> None:
    attempt = memory("20261004-bun", "Bun breaks the build", type=MemoryType.ATTEMPT)
    pinned = memory("20261009-utc", "UTC only", type=MemoryType.CONSTRAINT, pinned=True)
    many = memory("20261003-split", "Split", links=tuple(f"src/{n}" for n in range(7)))
    archived = memory("20261005-old", "Old", status=Status.ARCHIVED)
    assert rendering([*ALL, attempt, pinned, many, archived]) == (
        "## Project memory (MemoryRail)\n"
        "\n"
        "Generated from the active memories in `.memoryrail/memories/`."
        " Change those, not these lines.\n"
        "\n"
        "### Constraints: rules to follow\n"
        "\n"
        "- CON-1cc8 (pinned): UTC only\n"
        "- CON-9cc7: No ORM [`src/worker`]\n"
        "\n"
        "### Failed attempts: not to be tried again without a new reason\n"
        "\n"
        "- ATT-b480: Bun breaks the build\n"
        "\n"
        "### Decisions: settled unless superseded\n"
        "\n"
        "- DEC-74f0: Keep SQLite\n"
        "- DEC-03e6: Split [`src/0`, `src/1`, `src/2`, `src/3`, `src/4`, 2 more]\n"
        "\n"
        "### How to use this memory\n"
        "\n"
        "1. Before you change files, run the precheck of the MemoryRail program at hand with your"
        " plan and the paths. Without one, find what links those paths above."
        " Read it in `.memoryrail/memories/`.\n"
        "2. Cite what you rely on as `[per REF]`, in commit messages and pull requests too.\n"
        "3. If your plan conflicts with a constraint or a decision, stop and ask."
        " Do not work around it.\n"
        "4. If an approach fails, record it as an attempt with the reason,"
        " so that nobody repeats it.\n"
    )


@given(memories, st.data())
def test_the_order_of_memories_does_not_matter(some: list[Memory], data: st.DataObject) -> None:
    assert rendering(data.draw(st.permutations(some))) == rendering(some)


def test_a_file_is_made_with_what_its_reader_needs() -> None:
    made = place(None, ALL, path="AGENTS.md")
    assert made.decode() == f"{START}\n{rendering(ALL)}{END}\n"
    cursor = place(None, ALL, path=".cursor/rules/memoryrail.mdc").decode()
    assert cursor.startswith("---\ndescription: ")
    assert "\nalwaysApply: true\n---\n\n" in cursor
    assert cursor.endswith(made.decode())


@pytest.mark.parametrize(
    ("before", "between"),
    [(b"# A\n", b"\n"), (b"# A", b"\n\n"), (b"# A\r\nb\n", b"\r\n"), (b"\xff\xfe\n", b"\n")],
)
def test_a_block_is_added_below_what_stands_there(before: bytes, between: bytes) -> None:
    after = place(before, ALL, path="AGENTS.md")
    assert after.startswith(before + between + START.encode())
    assert after.endswith(END.encode() + between[-2:].replace(b"\n\n", b"\n"))


def test_a_file_of_nul_bytes_is_refused() -> None:
    data = "text".encode("utf-16")
    with pytest.raises(MarkersError) as error:
        place(data, ALL, path="AGENTS.md")
    assert error.value.rule == "bad-encoding"
    assert standing(data, ALL).state is BlockState.DAMAGED


@given(memories, outside, outside, st.sampled_from(["\n", "\r\n"]))
def test_what_is_outside_stays_and_a_second_sync_changes_nothing(
    active: list[Memory], before: bytes, after: bytes, newline: str
) -> None:
    head = before + f"\n{START}{newline}".encode()
    tail = END.encode() + newline.encode() + after
    once = place(head + f"old{newline}".encode() + tail, active, path="AGENTS.md")
    assert once.startswith(head)
    assert once.endswith(tail)
    assert place(once, active, path="AGENTS.md") == once
    assert standing(once, active).state is BlockState.IN_STEP
    assert once[len(head) : -len(tail)] == rendering(active).replace("\n", newline).encode()


@given(memories, outside)
def test_an_added_block_is_found_again(active: list[Memory], before: bytes) -> None:
    once = place(before, active, path="AGENTS.md")
    assert once.startswith(before)
    assert place(once, active, path="AGENTS.md") == once


@given(memories)
def test_no_memory_leaves_its_line(active: list[Memory]) -> None:
    lines = rendering(active).splitlines()
    entries = [line for line in lines if line.startswith("- ")]
    assert len(entries) == sum(one.status is Status.ACTIVE for one in active)
    assert len(lines) == len(rendering(active).split("\n")) - 1
    assert "<!--" not in rendering(active)
    assert "-->" not in rendering(active)
    block = find(place(None, active, path="AGENTS.md").decode())
    assert block is not None


def foreign(*lines: str) -> bytes:
    return "\n".join(["<!-- memoryrail:begin -->", *lines, "<!-- memoryrail:end -->", ""]).encode()


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        (["* [CON-9cc7] No ORM", "* [DEC-74f0] Keep SQLite"], BlockState.IN_STEP),
        (["DEC-74f0 Keep SQLite", "CON-9cc7 No  ORM", "cite [per DEC-a3f9]"], BlockState.IN_STEP),
        (["20261001-keep-sqlite: Keep SQLite", "20261002-no-orm: No ORM"], BlockState.IN_STEP),
        (["CON-9cc7 No ORM"], BlockState.OUT_OF_STEP),  # one is missing
        (["CON-9cc7 No ORM", "DEC-74f0 Keep …"], BlockState.IN_STEP),  # titles are its own matter
        (["CON-9cc7 No ORM", "DEC-74f0 Keep SQLite", "DEC-1111 x"], BlockState.OUT_OF_STEP),
        (["20261001-keep-sqlite: Keep SQLite"], BlockState.OUT_OF_STEP),
        (["old text"], BlockState.OUT_OF_STEP),
    ],
)
def test_another_tools_block_is_in_step_when_it_shows_the_active_memories(
    lines: Sequence[str], state: BlockState
) -> None:
    found = standing(foreign(*lines), ALL)
    assert (found.state, found.ours) == (state, False)
    kept = place(foreign(*lines), ALL, path="AGENTS.md") == foreign(*lines)
    assert kept == (state is BlockState.IN_STEP)


def test_another_tools_block_with_nothing_to_show_is_in_step_and_still_replaced() -> None:
    block = foreign("No memories yet.")
    assert standing(block, []).state is BlockState.IN_STEP
    assert rendering([]).encode() in place(block, [], path="AGENTS.md")


def test_a_block_of_ours_is_known_when_it_is_out_of_step() -> None:
    old = place(None, [SQLITE], path="AGENTS.md")
    found = standing(old, ALL)
    assert (found.state, found.ours, found.line) == (BlockState.OUT_OF_STEP, True, 1)
    assert is_ours(rendering([]).replace("\n", "\r\n"))


@pytest.mark.parametrize(
    ("data", "state", "line"),
    [
        (None, BlockState.ABSENT, 1),
        (b"# Agents\n", BlockState.ABSENT, 1),
        (f"a\n{START}\n".encode(), BlockState.DAMAGED, 2),
    ],
)
def test_standing_without_a_whole_block(data: bytes | None, state: BlockState, line: int) -> None:
    found = standing(data, ALL)
    assert (found.state, found.line) == (state, line)
    assert bool(found.problem) == (state is BlockState.DAMAGED)


def test_the_difference_shows_the_lines_to_change() -> None:
    data = b"# Agents\n\n" + place(None, [SQLITE], path="AGENTS.md")
    diff = difference(data, ALL, path="AGENTS.md")
    assert "+- CON-9cc7: No ORM [`src/worker`]" in diff
    assert not [line for line in diff[2:] if line.startswith("-")]
    assert difference(place(data, ALL, path="AGENTS.md"), ALL, path="AGENTS.md") == ()
    assert difference(b"no block", ALL, path="AGENTS.md") == ()


def test_a_credential_in_a_title_does_not_get_into_the_block() -> None:
    key = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"
    shown = rendering([memory(title=f"Use {key} for backups", links=(f"src/{key}",))])
    assert key not in shown
    assert "Use [secret] for backups" in shown
