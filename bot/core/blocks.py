"""The generated agent files of the head: is each block in step with the head's memories?

A block that we rendered on the base must be our rendering byte for byte at the head. Another tool's
block is in step when it shows every active memory and no other, and when each line of it that this
pull request changes shows one: nobody slips an instruction into a block that agents obey.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.core.model import Memory, MemoryStore, Status, TreeFile
from bot.core.report import BlockChange, BlockState, Finding, MemoryChange, Section, Unread, Weight
from bot.core.snapshot import Snapshot
from bot.core.sync import (
    MarkersError,
    Standing,
    difference,
    find,
    points_to_agents,
    standing,
)


def block_changes(
    snapshot: Snapshot, changes: Sequence[MemoryChange]
) -> tuple[tuple[BlockChange, ...], tuple[Unread, ...]]:
    """Every agent file of the head's stores that has or had a block, by path, and those unread."""
    touched = {path for file in snapshot.files for path in file.paths}
    at_head = {file.path: file for file in snapshot.head.agent_files}
    blocks: list[BlockChange] = []
    unread: list[Unread] = []
    for store in snapshot.head.stores:
        if _is_unknown(store):
            continue  # without its memories, every block would seem out of date
        alters = _alters(store, changes)
        for path in store.agent_files:
            file = at_head.get(path)
            if file is not None and file.data is None:
                why = file.unread or "it could not be read"
                unread.append(Unread(section=Section.SYNC, what=path, why=why))
                continue
            block = _block(path, file, store, snapshot)
            is_ = replace(block, caused=path in touched or alters)
            if is_.state is not BlockState.ABSENT or (is_.rule and path in touched):
                blocks.append(is_)
    return tuple(sorted(blocks, key=lambda block: block.path)), tuple(unread)


def block_findings(blocks: Sequence[BlockChange]) -> Iterator[Finding]:
    """What is not in step: it fails where this pull request caused it."""
    for block in blocks:
        if block.state is BlockState.IN_STEP and not block.rule:
            continue
        weight = Weight.FAILURE if block.caused else Weight.NOTICE
        is_fault = block.state in {BlockState.OUT_OF_STEP, BlockState.DAMAGED}
        yield Finding(
            section=Section.SYNC,
            weight=weight if is_fault else Weight.WARNING,
            rule=block.rule or f"block-{block.state}",
            message=_message(block),
            path=block.path,
            line=block.line,
        )


def _is_unknown(store: MemoryStore) -> bool:
    """Whether nothing of a store was read; the memory check says so, and fails who caused it."""
    return any(problem.rule == "unsupported-version" for problem in store.problems)


def _alters(store: MemoryStore, changes: Sequence[MemoryChange]) -> bool:
    """Whether a change can alter what the store's block shows."""
    return any(
        memory is not None and memory.status is Status.ACTIVE
        for change in changes
        if store.governs(change.path)
        for memory in (change.before, change.after)
    )


def _block(path: str, file: TreeFile | None, store: MemoryStore, snapshot: Snapshot) -> BlockChange:
    old = next((one for one in snapshot.base.agent_files if one.path == path), None)
    was = _on_base(path, old, snapshot)
    if file is None or file.is_symlink:
        # A link to a sibling is judged there; any other takes the block away.
        links_to = _target(file) if file else None
        is_gone = _had_block(was) and links_to not in store.agent_files
        rule = "block-removed" if is_gone else ""
        return BlockChange(path=path, state=BlockState.ABSENT, ours=True, rule=rule)
    now = standing(file.data, store.memories)
    if now.state is BlockState.ABSENT:
        leads_on = path.rpartition("/")[2] != "AGENTS.md" and points_to_agents(file.data or b"")
        is_gone = _had_block(was) and not leads_on
        now = replace(now, rule="block-removed" if is_gone else "")
    elif now.state is BlockState.IN_STEP and not now.ours:
        now = _of_another_tool(now, was, file, old, store)
    diff = difference(file.data or b"", store.memories, path=path) if now.ours else ()
    return BlockChange(
        path=path,
        state=now.state,
        ours=now.ours,
        diff=diff,
        line=now.line,
        rule=now.rule,
        problem=now.problem,
    )


def _of_another_tool(
    now: Standing, was: Standing, file: TreeFile, old: TreeFile | None, store: MemoryStore
) -> Standing:
    """A block that shows the right memories, but that we did not render: what else does it say?"""
    if _had_block(was) and was.ours:
        return replace(now, state=BlockState.OUT_OF_STEP, rule="block-rewritten")
    strange = _strange_line(file.data or b"", old, store.active)
    if strange is None:
        return now
    if not _had_block(was):
        return replace(now, line=strange, rule="block-unknown")
    return replace(now, state=BlockState.OUT_OF_STEP, line=strange, rule="block-strange-line")


def _target(link: TreeFile) -> str:
    """Where a symlink beside its target leads to; a longer way is not followed."""
    folder = link.path.rpartition("/")[0]
    name = (link.data or b"").decode("utf-8", "replace").removeprefix("./")
    return f"{folder}/{name}".lstrip("/")


def _on_base(path: str, old: TreeFile | None, snapshot: Snapshot) -> Standing:
    store = next((one for one in snapshot.base.stores if path in one.agent_files), None)
    if old is None or old.data is None or old.is_symlink or store is None:
        return Standing(state=BlockState.ABSENT)
    return standing(old.data, store.memories)


def _had_block(was: Standing) -> bool:
    return was.state in {BlockState.IN_STEP, BlockState.OUT_OF_STEP}


def _strange_line(data: bytes, old: TreeFile | None, active: Sequence[Memory]) -> int | None:
    """The first line of a block that is new and shows no active memory, from 1."""
    known = {line.strip() for _, line in _lines(old.data if old and old.data else b"")}
    shown = [(memory.ref, memory.id, " ".join(memory.title.split())) for memory in active]
    for number, line in _lines(data):
        text = " ".join(line.split())
        if not text or line.strip() in known:
            continue
        if not any((ref in text or id_ in text) and title in text for ref, id_, title in shown):
            return number
    return None


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """The lines of a file's block with their numbers in the file."""
    text = data.decode("utf-8", "replace")
    try:
        block = find(text)
    except MarkersError:
        return
    if block is not None:
        yield from enumerate(text[block.start : block.end].splitlines(), block.line + 1)


def _message(block: BlockChange) -> str:
    if block.state is BlockState.DAMAGED:
        return f"The markers of the generated block are damaged: {block.problem}. Mend them."
    if block.state is BlockState.ABSENT:
        return "The generated block is taken away: agents no longer see the project memory here."
    if block.rule == "block-unknown":
        return "Another tool made this block, and it is new here. Agents obey it: read it."
    if block.rule == "block-rewritten":
        return "The block is no longer as it was generated. Run memoryrail-bot sync."
    if block.rule == "block-strange-line":
        return "A line changed in a block that another tool makes, and it shows no active memory."
    mend = "Run memoryrail-bot sync" if block.ours else "Run the tool that made the block"
    return f"The generated block is out of date. {mend} and commit the result."
