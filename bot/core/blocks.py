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
from bot.core.sync import MarkersError, Standing, difference, find, standing


def block_changes(
    snapshot: Snapshot, changes: Sequence[MemoryChange]
) -> tuple[tuple[BlockChange, ...], tuple[Unread, ...]]:
    """Every agent file of the head that belongs to a store, by path, and those not readable."""
    touched = {path for file in snapshot.files for path in file.paths}
    before = {file.path: file for file in snapshot.base.agent_files}
    blocks: list[BlockChange] = []
    unread: list[Unread] = []
    for file in snapshot.head.agent_files:
        store = snapshot.head.store_of(file.path)
        if store is None or file.is_symlink:  # what a link leads to is judged by itself
            continue
        if file.data is None:
            why = file.unread or "it could not be read"
            unread.append(Unread(section=Section.SYNC, what=file.path, why=why))
            continue
        caused = file.path in touched or _alters(store, changes)
        blocks.append(
            _block(file, file.data, before.get(file.path), store, snapshot, caused=caused)
        )
    removed = _removed(
        snapshot, touched, frozenset(file.path for file in snapshot.head.agent_files)
    )
    return tuple(sorted([*blocks, *removed], key=lambda block: block.path)), tuple(unread)


def block_findings(blocks: Sequence[BlockChange]) -> Iterator[Finding]:
    """What is not in step: it fails where this pull request caused it."""
    for block in blocks:
        if block.state is BlockState.IN_STEP or (
            block.state is BlockState.ABSENT and not block.caused
        ):
            continue
        weight = Weight.FAILURE if block.caused else Weight.NOTICE
        yield Finding(
            section=Section.SYNC,
            weight=Weight.WARNING if block.state is BlockState.ABSENT else weight,
            rule=block.rule or f"block-{block.state}",
            message=_message(block),
            path=block.path,
            line=block.line,
        )


def _alters(store: MemoryStore, changes: Sequence[MemoryChange]) -> bool:
    """Whether a change can alter what the store's block shows."""
    return any(
        memory is not None and memory.status is Status.ACTIVE
        for change in changes
        if store.governs(change.path)
        for memory in (change.before, change.after)
    )


def _block(
    file: TreeFile,
    data: bytes,
    old: TreeFile | None,
    store: MemoryStore,
    snapshot: Snapshot,
    *,
    caused: bool,
) -> BlockChange:
    now = standing(data, store.memories)
    was = _on_base(old, snapshot)
    if now.state is BlockState.ABSENT:
        return _change(file.path, now, caused=_had_block(was))
    if now.state is BlockState.IN_STEP and not now.ours and _had_block(was):
        if was.ours:
            now = replace(now, state=BlockState.OUT_OF_STEP, rule="block-rewritten")
        elif strange := _strange_line(data, old, store.active):
            now = replace(
                now, state=BlockState.OUT_OF_STEP, line=strange, rule="block-strange-line"
            )
    diff = difference(data, store.memories, path=file.path) if now.ours else ()
    return replace(_change(file.path, now, caused=caused), diff=diff)


def _change(path: str, now: Standing, *, caused: bool) -> BlockChange:
    return BlockChange(
        path=path,
        state=now.state,
        ours=now.ours,
        line=now.line,
        caused=caused,
        rule=now.rule,
        problem=now.problem,
    )


def _on_base(old: TreeFile | None, snapshot: Snapshot) -> Standing:
    store = snapshot.base.store_of(old.path) if old else None
    if old is None or old.data is None or old.is_symlink or store is None:
        return Standing(state=BlockState.ABSENT)
    return standing(old.data, store.memories)


def _had_block(was: Standing) -> bool:
    return was.state in {BlockState.IN_STEP, BlockState.OUT_OF_STEP}


def _removed(
    snapshot: Snapshot, touched: set[str], present: frozenset[str]
) -> Iterator[BlockChange]:
    """Agent files with a block that this pull request deletes while their store stays."""
    for old in snapshot.base.agent_files:
        if old.path in present or old.path not in touched:
            continue
        if _had_block(_on_base(old, snapshot)) and snapshot.head.store_of(old.path):
            yield BlockChange(path=old.path, state=BlockState.ABSENT, ours=True, caused=True)


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
    if block.rule == "block-rewritten":
        return "The block is no longer as it was generated. Run memoryrail-bot sync."
    if block.rule == "block-strange-line":
        return "A line changed in a block that another tool makes, and it shows no active memory."
    mend = "Run memoryrail-bot sync" if block.ours else "Run the tool that made the block"
    return f"The generated block is out of date. {mend} and commit the result."
