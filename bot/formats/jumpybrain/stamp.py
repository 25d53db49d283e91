"""Ids for documents that have none, as a plan (spec/jumpybrain.md, "Ids")."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from bot.core.edit_plan import Deed, EditPlan, FileEdit, Note, neutral
from bot.formats.jumpybrain.compare import folder_of, is_read
from bot.formats.jumpybrain.document import readable
from bot.formats.jumpybrain.ids import ensure_ids
from bot.formats.jumpybrain.layout import within
from bot.formats.jumpybrain.refused import Refused
from bot.formats.memoryrail.lifecycle import StoreTree

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
    store = tree.store
    if not is_read(store):
        why = next(one for one in store.problems if one.path == store.config)
        raise Refused(why.rule, f"{store.config}: {why.message}")
    folder = folder_of(store)
    documents, _ = readable(store.files.values(), folder)
    lacking = [one for one in documents if not one.id]
    some = {one.place: store.files[one.path].data or b"" for one in lacking[:limit]}
    made = ensure_ids(some, now=now, new_id=new_id)
    by_path = {within(folder, place): data for place, data in made.files.items()}
    count = f"{len(by_path)} document{'' if len(by_path) == 1 else 's'}"
    where = f" in {neutral(folder, _MAX_PATH)}" if folder else ""
    deed = Deed(verb=VERB, name=f"{count}{where}", keeps=frozenset(by_path))
    plan = EditPlan(
        edits=tuple(
            FileEdit(path=path, data=data, expected_oid=store.files[path].oid)
            for path, data in by_path.items()
        ),
        deeds=(deed,) if by_path else (),
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
