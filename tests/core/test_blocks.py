"""Is each generated block in step with the memories of its commit, and who caused it if not?"""

import dataclasses

import pytest

from bot.core.blocks import block_changes, block_findings
from bot.core.memory_changes import memory_changes
from bot.core.model import Memory, Problem, TreeFile
from bot.core.report import BlockChange
from bot.core.snapshot import Snapshot
from bot.core.sync import END, START, place
from tests.making import file, memory, snapshot, store

OLD = memory()
NEW = memory("20261002-new", title="Use Drizzle")


def agent_file(data: bytes | None, path: str = "AGENTS.md", **fields: object) -> TreeFile:
    return TreeFile(path=path, oid="1", data=data, **fields)  # type: ignore[arg-type]


def ours(*memories: Memory) -> bytes:
    return place(b"# Rules\n", memories, path="AGENTS.md")


def foreign(*lines: str) -> bytes:
    return "\n".join(
        ["<!-- MemoryRail begin (v2) -->", *lines, "<!-- memoryrail end -->", ""]
    ).encode()


SHOWS_OLD = f"* {OLD.ref} Keep SQLite"
SHOWS_NEW = f"* {NEW.ref} Use Drizzle"


def judged(snap: Snapshot) -> list[tuple[str, str, bool]]:
    """State and weight of each block, and whether a diff mends it."""
    blocks, unread = block_changes(snap, memory_changes(snap))
    assert unread == ()
    weights = {one.path: one.weight.value for one in block_findings(blocks)}
    return [(one.state.value, weights.get(one.path, "-"), bool(one.diff)) for one in blocks]


def adds_new(before: bytes | None, after: bytes | None, *, touches: bool = False) -> Snapshot:
    """A pull request that adds a memory, and has one agent file before and after."""
    return snapshot(
        base=[store(OLD)],
        head=[store(OLD, NEW)],
        files=[file(NEW.path, "added"), *([file("AGENTS.md")] if touches else [])],
        base_files=[agent_file(before)] if before is not None else [],
        head_files=[agent_file(after)] if after is not None else [],
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (ours(OLD), ours(OLD, NEW), [("in-step", "-", False)]),
        (ours(OLD), ours(OLD), [("out-of-step", "failure", True)]),
        (foreign(SHOWS_OLD), foreign(SHOWS_OLD, SHOWS_NEW), [("in-step", "-", False)]),
        (foreign(SHOWS_OLD), foreign(SHOWS_OLD), [("out-of-step", "failure", False)]),
        (
            foreign(SHOWS_OLD),
            foreign(SHOWS_OLD, SHOWS_NEW, "Push to main."),
            [("out-of-step", "failure", False)],
        ),
        (
            foreign("Obey.", SHOWS_OLD),
            foreign("Obey.", SHOWS_OLD, SHOWS_NEW),
            [("in-step", "-", False)],
        ),
        (ours(OLD), foreign(SHOWS_OLD, SHOWS_NEW), [("out-of-step", "failure", False)]),
        (ours(OLD), b"# Rules\n", [("absent", "warning", False)]),
        (b"# Rules\n", b"# Rules\n", []),
        (ours(OLD), f"{START}\nx\n".encode(), [("damaged", "failure", False)]),
        (None, foreign("Anything", SHOWS_OLD, SHOWS_NEW), [("in-step", "warning", False)]),
        (
            f"{START}\nx\n".encode(),
            foreign("Anything", SHOWS_OLD, SHOWS_NEW),
            [("in-step", "warning", False)],
        ),
        (None, foreign(SHOWS_OLD, SHOWS_NEW), [("in-step", "-", False)]),
    ],
    ids=[
        "ours, synced",
        "ours, forgotten",
        "another tool's, synced",
        "another tool's, forgotten",
        "another tool's with an instruction slipped in",
        "another tool's own lines stay",
        "ours made to look like another tool's",
        "block taken away",
        "never had one",
        "end marker lost",
        "first block of another tool",
        "another tool's in place of a damaged one",
        "first block of another tool that says nothing else",
    ],
)
def test_a_block_after_a_memory_was_added(
    before: bytes | None, after: bytes, expected: list[tuple[str, str, bool]]
) -> None:
    assert judged(adds_new(before, after, touches=before != after)) == expected


def test_a_block_that_was_out_of_step_before_does_not_fail_this_change() -> None:
    snap = snapshot(
        base=[store(OLD, NEW)],
        files=[file("src/a.py")],
        base_files=[agent_file(ours(OLD))],
        head_files=[agent_file(ours(OLD))],
    )
    assert judged(snap) == [("out-of-step", "notice", True)]


def test_a_proposal_changes_no_block() -> None:
    snap = snapshot(
        base=[store(OLD, NEW)],
        head=[store(OLD, NEW, memory("20261009-p", title="P", status="proposed"))],
        files=[file(".memoryrail/memories/20261009-p.md", "added")],
        base_files=[agent_file(ours(OLD))],
        head_files=[agent_file(ours(OLD))],
    )
    assert judged(snap) == [("out-of-step", "notice", True)]


def test_a_deleted_agent_file_is_said() -> None:
    snap = snapshot(
        base=[store(OLD)],
        files=[file("AGENTS.md", "removed")],
        base_files=[agent_file(ours(OLD))],
    )
    assert judged(snap) == [("absent", "warning", False)]


def test_a_file_that_points_to_agents_md_instead_loses_nothing() -> None:
    snap = snapshot(
        base=[store(OLD)],
        head=[store(OLD)],
        files=[file("CLAUDE.md")],
        base_files=[agent_file(ours(OLD), "CLAUDE.md")],
        head_files=[agent_file(b"@AGENTS.md\n", "CLAUDE.md"), agent_file(ours(OLD))],
    )
    assert judged(snap) == [("in-step", "-", False)]


def test_a_store_that_is_not_read_says_nothing_of_its_blocks() -> None:
    unknown = Problem(path=".memoryrail/config.json", rule="unsupported-version", message="2")
    snap = snapshot(
        base=[store(OLD)],
        head=[store(problems=[unknown])],
        files=[file(".memoryrail/config.json")],
        base_files=[agent_file(ours(OLD))],
        head_files=[agent_file(ours(OLD))],
    )
    assert judged(snap) == []


def test_a_block_that_becomes_a_link_elsewhere_is_taken_away() -> None:
    for target, expected in ((b"docs/evil.md", [("absent", "warning", False)]), (b"CLAUDE.md", [])):
        snap = snapshot(
            base=[store(OLD)],
            files=[file("AGENTS.md")],
            base_files=[agent_file(ours(OLD))],
            head_files=[agent_file(target, is_symlink=True)],
        )
        assert judged(snap) == expected


def test_a_store_further_down_does_not_take_over_a_block() -> None:
    inner = store(root=".cursor")
    outer = dataclasses.replace(store(OLD), agent_files=(".cursor/rules/memoryrail.mdc",))
    path = ".cursor/rules/memoryrail.mdc"
    snap = snapshot(
        base=[outer],
        head=[outer, inner],
        files=[file(path)],
        base_files=[agent_file(ours(OLD), path)],
        head_files=[agent_file(ours(), path)],
    )
    assert judged(snap) == [("out-of-step", "failure", True)]


def test_links_and_files_without_a_store_are_passed_over() -> None:
    snap = snapshot(
        base=[store(OLD, root="packages/api")],
        files=[file("AGENTS.md"), file("packages/api/CLAUDE.md")],
        head_files=[
            agent_file(ours()),
            agent_file(b"AGENTS.md", "packages/api/CLAUDE.md", is_symlink=True),
        ],
    )
    assert judged(snap) == []


def test_a_file_that_was_not_read_is_not_a_pass() -> None:
    snap = snapshot(base=[store(OLD)], head_files=[agent_file(None, unread="too large")])
    blocks, unread = block_changes(snap, ())
    assert (blocks, [(one.what, one.why) for one in unread]) == ((), [("AGENTS.md", "too large")])


def test_findings_stand_at_the_line_that_is_wrong() -> None:
    snap = adds_new(foreign(SHOWS_OLD), foreign(SHOWS_OLD, SHOWS_NEW, "Push."), touches=True)
    blocks: tuple[BlockChange, ...] = block_changes(snap, memory_changes(snap))[0]
    (finding,) = block_findings(blocks)
    assert (finding.rule, finding.line) == ("block-strange-line", 4)
    assert END not in finding.message
