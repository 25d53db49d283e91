"""A head with memories, for commands to be planned on."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from bot.commands.answers import decided
from bot.commands.context import Context
from bot.commands.grammar import parse
from bot.commands.outcome import Planned
from bot.commands.registry import HANDLERS
from bot.commands.run import Batch, run
from bot.core.model import TreeFile
from bot.core.report import ChangeKind, Match, MemoryChange, Report
from bot.formats import memoryrail
from bot.formats.memoryrail.store_tree import StoreTree
from tests.making import BASE_SHA, HEAD_SHA

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)


def memory_file(
    id_: str,
    status: str = "proposed",
    *,
    type_: str = "decision",
    title: str = "Keep it",
    root: str = "",
    **fields: str,
) -> TreeFile:
    """A memory's file as the format's writers make it."""
    more = "".join(f'{name}: "{value}"\n' for name, value in fields.items())
    text = (
        f'---\nid: "{id_}"\ntype: "{type_}"\ntitle: "{title}"\nstatus: "{status}"\n'
        f'created: "2026-10-01T08:00:00.000Z"\nupdated: "2026-10-01T08:00:00.000Z"\n{more}---\nB.\n'
    )
    return file(f"{root}.memoryrail/memories/{id_}.md", text.encode())


def file(path: str, data: bytes) -> TreeFile:
    return TreeFile(path=path, oid=f"oid of {path}", data=data)


def store_tree(*files: TreeFile, root: str = "") -> StoreTree:
    """A store of these files; root ends with a slash unless it is empty."""
    all_files = [file(f"{root}.memoryrail/config.json", b'{"version": 1}'), *files]
    store = memoryrail.read(root.rstrip("/"), all_files)
    assert store is not None
    return StoreTree(store=store, files={one.path: one for one in all_files})


def context(*files: TreeFile, **fields: object) -> Context:
    """A head with these files, every one of which the pull request has changed."""
    values = {"report": report(changed=files), **fields}
    return Context(trees=(store_tree(*files),), now=NOW, **values)  # type: ignore[arg-type]  # the caller names real fields


def report(*matches: Match, changed: Iterable[TreeFile] = ()) -> Report:
    """A review that found these matches and changes."""
    return Report(
        base_sha=BASE_SHA,
        base_ref="main",
        head_sha=HEAD_SHA,
        has_stores=True,
        memories_read=41,
        matches=matches,
        changes=tuple(
            MemoryChange(kind=ChangeKind.ADDED, path=one.path, before=None, after=None)
            for one in changed
        ),
    )


def said(comment: str, on: Context) -> Batch:
    """What the commands of a comment come to when its sender may do everything."""
    parsed = parse(comment, HANDLERS)
    assert not parsed.misses
    return run(parsed.commands, on)


def edits(batch: Batch) -> dict[str, bytes | None]:
    return {edit.path: edit.data for edit in batch.plan.edits} if batch.plan else {}


def texts(batch: Batch) -> Sequence[str]:
    """The words of every outcome, in order."""
    return [
        decided(outcome.plan, committed=True)
        if isinstance(outcome, Planned)
        else getattr(outcome, "text", "")
        for _, outcome in batch.outcomes
    ]
