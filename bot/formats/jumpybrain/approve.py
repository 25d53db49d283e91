"""A person has looked at what an agent drafted (spec/jumpybrain.md, "Approving")."""

from datetime import datetime

from bot.core.edit_plan import Action, EditPlan, FileEdit
from bot.core.errors import UserError
from bot.core.line_editor import decode, encode
from bot.core.model import Memory
from bot.core.stored_secrets import stored_secrets
from bot.formats.jumpybrain.document import USER_REVIEWED, read_document
from bot.formats.jumpybrain.frontmatter import with_fields, written
from bot.formats.jumpybrain.times import timestamp
from bot.formats.memoryrail.conditions import AlreadyActive, HoldsSecret
from bot.formats.memoryrail.store_tree import StoreTree


def approve(
    tree: StoreTree, memory: Memory, *, now: datetime, unapproved: frozenset[str] = frozenset()
) -> EditPlan:
    """Plan a document as reviewed: `confidence` says so, the review mark goes, `updated_at` is now.

    All else stays byte for byte. unapproved: paths of documents that do not wait, and that no
    maintainer approved as they stand. Raises AlreadyActive for another one that does not wait,
    HoldsSecret, and UserError where its frontmatter cannot say it.
    """
    file = tree.files[memory.path]
    data = file.data or b""
    if memory.path not in unapproved and not read_document(memory.path, data).waits:
        raise AlreadyActive(memory, "was reviewed already. There is nothing to approve.")
    if found := stored_secrets([file]):
        raise HoldsSecret(memory, f"cannot be approved. Line {found[0].line}: {found[0].message}")
    edited = encode(
        with_fields(
            decode(data),
            {
                "confidence": written(USER_REVIEWED),
                "review": None,
                "updated_at": written(timestamp(now)),
            },
        )
    )
    if read_document(memory.path, edited).waits:
        raise UserError(
            f"{memory.path} gives `confidence` or `review` twice. Keep one, then approve it."
        )
    edit = FileEdit(path=memory.path, data=edited, expected_oid=file.oid)
    return EditPlan(edits=(edit,), actions=(Action(verb="approve", memory=memory),))
