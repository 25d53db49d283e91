"""An approval of an entry: one more entry, by a person, that links to it (spec/cursor.md).

Entries are never edited, so what is approved stays as it was written.
"""

from datetime import datetime
from typing import Final

from bot.core.edit_plan import Action, EditPlan, FileEdit, neutral
from bot.core.errors import UserError
from bot.core.model import Memory
from bot.formats.cursor.append import Draft, InvalidEntries, append
from bot.formats.cursor.layout import kind_of
from bot.formats.cursor.validate import HUMAN, MAX_SUMMARY, File, read_file
from bot.formats.memoryrail.store_tree import StoreTree

APPROVED: Final = "Approved: "  # how the summary of an approval begins


def approve(tree: StoreTree, memory: Memory, *, now: datetime, by: str) -> EditPlan:
    """Plan the entry that approves another one, at the end of its file.

    by: who approves, a login. Raises UserError where it is approved already, or where the file
    breaks a rule and so takes no entry.
    """
    folder, _, name = memory.path.rpartition("/")
    files = {
        path.rpartition("/")[2]: file.data
        for path, file in tree.store.files.items()
        if file.data is not None
    }
    if _is_approved(memory, [read_file(*one) for one in files.items()]):
        raise UserError(f"{memory.ref} ({memory.title}) is approved already.")
    draft = Draft(
        file=name,
        kind=kind_of(name) or "",
        status="done",
        author=HUMAN,
        author_detail=by,
        summary=_summary(memory),
        links=(memory.id,),
        body=f"{by} approves entry {memory.id}, as it stands at the time of this one.",
    )
    try:
        done = append(
            files, draft, correlation_id=memory.task, now=now, allow_duplicate=True
        )  # fmt: skip
    except InvalidEntries as error:
        raise UserError(
            f"{memory.path} breaks rules of its format, so nothing is appended. {error}"
        ) from error
    before = tree.files[memory.path]
    edit = FileEdit(path=f"{folder}/{done.name}", data=done.data, expected_oid=before.oid)
    return EditPlan(edits=(edit,), actions=(Action(verb="approve", memory=memory),))


def _is_approved(memory: Memory, files: list[File]) -> bool:
    """Whether an entry of a person's says so, or is the memory itself."""
    return any(
        entry.text("author") == HUMAN
        and entry.text("summary").startswith(APPROVED)
        and memory.id in {entry.id, *entry.items("links")}
        for file in files
        for entry in file.blocks.entries
    )


def _summary(memory: Memory) -> str:
    room = MAX_SUMMARY - len(APPROVED)
    title = neutral(memory.title, room).strip("\"' ")
    return f"{APPROVED}{title}"
