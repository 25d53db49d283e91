"""Ids for documents that have none, as a plan (spec/jumpybrain.md, "Ids")."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from bot.core.edit_plan import Deed, EditPlan, Note, neutral
from bot.formats.jumpybrain.ids import ensure_ids
from bot.formats.jumpybrain.plans import contents, edits
from bot.formats.jumpybrain.store import documents_of, folder_of
from bot.formats.memoryrail.store_tree import StoreTree

VERB: Final = "stamp-ids"

_MAX_PATH: Final = 200  # characters of a path in a commit's message
_MAX_NOTES: Final = 20


def stamp(
    tree: StoreTree, *, now: datetime, new_id: Callable[[], str], limit: int
) -> tuple[EditPlan, int]:
    """Plan an id for each document of a root that has none; and how many are left beyond a limit.

    A document whose id has another form keeps it, which is noted. new_id: another id at each call.
    Raises Refused for a root that is not compatible.
    """
    store, folder = tree.store, folder_of(tree.store)
    files = contents(store)
    documents = documents_of(store)
    lacking = [one.place for one in documents if not one.id]
    some = {place: files[place] for place in lacking[:limit]}
    made = edits(store, ensure_ids(some, now=now, new_id=new_id).files)
    count = f"{len(made)} document{'' if len(made) == 1 else 's'}"
    where = f" in {neutral(folder, _MAX_PATH)}" if folder else ""
    deed = Deed(verb=VERB, name=f"{count}{where}", keeps=frozenset(edit.path for edit in made))
    plan = EditPlan(
        edits=made,
        deeds=(deed,) if made else (),
        notes=tuple(
            Note(
                path=one.path,
                text=f"{one.path} keeps its id, which is not mem_ and a UUID: others may name it.",
            )
            for one in documents
            if one.id and one.address != one.id
        )[:_MAX_NOTES],
    )
    return plan, len(lacking) - len(some)
