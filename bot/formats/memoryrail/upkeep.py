"""What keeps a memory true without a word of it changing: its links and its pin.

Plans of file edits as in bot/formats/memoryrail/lifecycle.py (spec/memoryrail.md, "Lifecycle").
"""

import difflib
from collections.abc import Container
from datetime import datetime
from typing import Final

from bot.core.edit_plan import Action, EditPlan
from bot.core.model import Memory, MemoryStore, MemoryType
from bot.core.precheck import parts_of
from bot.core.secrets import redacted
from bot.core.staleness import path_of
from bot.formats.memoryrail.conditions import LifecycleError, must_be_approved, must_be_live
from bot.formats.memoryrail.store_tree import StoreTree, edited, planned, updated

_MAX_SHOWN: Final = 10  # links in the text of an error


class NoSuchLink(LifecycleError):  # noqa: N818 - reads as what it is
    """The memory does not link what is to be replaced; suggestion is the link that is near."""

    def __init__(self, memory: Memory, link: str, suggestion: str | None) -> None:
        names = ", ".join(memory.links[:_MAX_SHOWN])
        hint = f"Did you mean {suggestion}?" if suggestion else f"It links {names or 'nothing'}."
        super().__init__(memory, f"does not link {link}. {hint}")
        self.link, self.suggestion = link, suggestion


class BadLink(LifecycleError):  # noqa: N818 - reads as what it is
    """What is to be linked can be no link, or links nothing new."""


class CannotPin(LifecycleError):  # noqa: N818 - reads as what it is
    """Only a constraint is pinned, and nothing is pinned or unpinned twice."""


def relink(
    tree: StoreTree,
    memory: Memory,
    *,
    old: str,
    new: str,
    now: datetime,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
    missing: Container[str] = frozenset(),
) -> EditPlan:
    """Put a path in the place of another one in a memory's links.

    old, new: from the store's root, as links are. base, unapproved: as for lifecycle.archive.
    missing: paths from the repository's root of which it is known that nothing is there.
    Raises NoSuchLink, BadLink, NotActive, SettledOnBase, NotApproved, MemoryFormatError.
    """
    must_be_live(memory, "relinked", base)
    must_be_approved(memory, unapproved)
    spelt = [link for link in memory.links if _is_same(link, old)]
    if not spelt:
        near = difflib.get_close_matches(old, memory.links, n=1)
        raise NoSuchLink(memory, old, near[0] if near else None)
    link = _checked(tree, memory, spelt, new, missing)
    edit = edited(tree, memory, {"updated": updated(memory, now)}, links=dict.fromkeys(spelt, link))
    detail = f"from {spelt[0]} to {link}"
    action = Action(verb="relink", memory=memory, detail=detail, reason=reason)
    return planned(tree, action, [edit], unapproved=unapproved)


def pin(
    tree: StoreTree,
    memory: Memory,
    *,
    pinned: bool = True,
    now: datetime,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Let a constraint apply to every change; with pinned False, only where links and words do.

    base, unapproved: as for lifecycle.archive. Raises CannotPin, NotActive, SettledOnBase,
    NotApproved, MemoryFormatError.
    """
    if pinned and memory.type is not MemoryType.CONSTRAINT:
        raise CannotPin(memory, f"is of type {memory.type}. Only a constraint can be pinned.")
    if memory.pinned is pinned:
        is_so = "is pinned already" if pinned else "is not pinned"
        raise CannotPin(memory, f"{is_so}. There is nothing to do.")
    verb = "pin" if pinned else "unpin"
    must_be_live(memory, f"{verb}ned", base)
    must_be_approved(memory, unapproved)
    edit = edited(tree, memory, {"pinned": pinned, "updated": updated(memory, now)})
    action = Action(verb=verb, memory=memory, reason=reason)
    return planned(tree, action, [edit], unapproved=unapproved)


def _checked(
    tree: StoreTree, memory: Memory, spelt: list[str], new: str, missing: Container[str]
) -> str:
    """The new link as it is written. Raises BadLink."""
    parts = parts_of(new)
    where = tree.store.root or "the root of the repository"
    if not parts:
        raise BadLink(memory, f"cannot link {new}. Links are paths below {where}.")
    link = "/".join(parts)
    if redacted(link) != link:
        raise BadLink(memory, "cannot link a path that holds what looks like a credential.")
    if any(_is_same(other, link) for other in memory.links):
        problem = f"links {link} already."
        if not _is_same(spelt[0], link):
            problem += f" Take {spelt[0]} out of `links` in {memory.path}."
        raise BadLink(memory, problem)
    if (path := path_of(tree.store.root, link)) and path in missing:
        raise BadLink(memory, f"cannot link {link}: nothing is there. Links count from {where}.")
    return link


def _is_same(link: str, path: str) -> bool:
    """Whether a link names a path, however it is spelt."""
    parts = parts_of(link)
    return link == path or (parts is not None and parts == parts_of(path))
