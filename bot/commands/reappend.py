"""`reappend`: the base branch is merged, with this branch's own entries behind those that it has.

Two branches that append to one file conflict, and only a merge ends that (spec/cursor.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.commands.context import Context, Fork, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome, Planned
from bot.core.edit_plan import Deed, EditPlan, FileEdit, Merge, neutral
from bot.core.errors import UserError
from bot.core.model import TreeFile
from bot.formats import cursor
from bot.formats.cursor.append import InvalidEntries
from bot.formats.cursor.layout import directory
from bot.formats.cursor.reappend import Reappended, reappend, refuse_secrets
from bot.formats.memoryrail.store_tree import StoreTree
from bot.render.phrases import count

_NEEDLESS: Final = (
    "Nothing had to be changed: no file of entries has new ones on both branches, or has one id "
    "for two of them."
)
_MAX_SAID: Final = 5  # problems, and new ids
_MAX_REF: Final = 100  # characters of a branch's name

Files = Mapping[str, TreeFile]  # by path


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, UserError."""
    if command.words:
        raise WrongArguments("This takes no argument.")
    if context.fork is None:
        raise UserError("Where this branch left its base branch is not known.")
    mended = [
        found
        for tree in context.trees
        if tree.store.format == cursor.NAME and (found := _mended(context.fork, context, tree))
    ]
    if not mended:
        return Answer(text=_NEEDLESS)
    own = count(sum(len(one.planned.ids) for one in mended), "entry", "entries")
    ref = neutral(context.fork.base_ref, _MAX_REF)
    renamed = {old: new for one in mended for old, new in one.planned.renamed.items()}
    theirs = {path: oid for one in mended for path, oid in one.theirs.items()}
    edits = sorted((edit for one in mended for edit in one.edits), key=lambda edit: edit.path)
    made = EditPlan(
        edits=tuple(edits),
        deeds=(
            Deed(verb="reappend", name=f"{own} behind those of {ref}", detail=_renamed(renamed)),
        ),
        merge=Merge(sha=context.fork.base_sha, ref=context.fork.base_ref, theirs=theirs),
    )
    return Planned(plan=made, is_told=bool(renamed))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mended:
    """What one directory of entries needs."""

    planned: Reappended
    theirs: Mapping[str, str | None]  # as of Merge
    edits: tuple[FileEdit, ...]  # one at least


def _mended(fork: Fork, context: Context, tree: StoreTree) -> _Mended | None:
    """None where only one of the branches has changed it, or nothing is in the way."""
    root, head, base_store = tree.store.root, tree.store.files, context.base_of(tree)
    base = base_store.files if base_store else {}
    was = {path: one for path, one in fork.files.items() if cursor.wanted(root, path)}
    if _oids(was) in (_oids(base), _oids(head)):
        return None
    theirs: dict[str, str | None] = {}
    for path in {*was, *base, *head}:
        before, there, here = (_oid(files, path) for files in (was, base, head))
        if there not in {before, here} and here != before:
            theirs[path] = there
    try:
        planned = reappend(*(_contents(files) for files in (was, base, head)))
        refuse_secrets(_contents(base), planned.contents)
    except InvalidEntries as error:
        raise UserError(f"The result would break rules of the format. {_told(error)}") from error
    result = {
        **{path: base[path].data if path in base else None for path in theirs},
        **{f"{directory(root)}/{name}": data for name, data in planned.contents.items()},
    }
    edits = tuple(
        FileEdit(path=path, data=data, expected_oid=_oid(head, path))
        for path, data in result.items()
        if path in theirs or (planned.renamed and (path not in head or data != head[path].data))
    )
    return _Mended(planned=planned, theirs=theirs, edits=edits) if edits else None


def _oids(files: Files) -> dict[str, str]:
    return {path: file.oid for path, file in files.items()}


def _oid(files: Files, path: str) -> str | None:
    return files[path].oid if path in files else None


def _contents(files: Files) -> dict[str, bytes]:
    """By name. Raises UserError for a file that was not read."""
    found: dict[str, bytes] = {}
    for path, file in files.items():
        if file.data is None or file.is_symlink:
            why = "it is a symbolic link" if file.is_symlink else file.unread or "it is not read"
            raise UserError(f"{path} cannot be put in order here: {why}. Merge by hand.")
        found[path.rpartition("/")[2]] = file.data
    return found


def _told(error: InvalidEntries) -> str:
    said = [f"{one.path}: {one.message}" for one in error.problems]
    more = [f"There are {len(said) - _MAX_SAID} more."] if said[_MAX_SAID:] else []
    return " ".join([*said[:_MAX_SAID], *more])


def _renamed(renamed: Mapping[str, str]) -> str:
    said = [f"{old} is {new} now." for old, new in renamed.items()]
    more = [f"So are {len(said) - _MAX_SAID} more."] if said[_MAX_SAID:] else []
    return " ".join([*said[:_MAX_SAID], *more])
