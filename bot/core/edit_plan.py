"""What a command wants to change in a repository: whole files, to be written in one commit.

A plan is a value. The bot commits it, the command line writes it, and where neither may write it
becomes a patch.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.core.model import Memory
from bot.core.quoting import cut
from bot.core.secrets import redacted
from bot.core.unicode import unhidden

MAX_TITLE: Final = 72  # characters of a commit's subject; GitHub folds what is longer
MAX_REASON: Final = 500  # characters of what is kept of a reason
REVERTS: Final = "This reverts commit"  # as git puts it; the sha and a full stop follow
_MAX_FULL_TITLE: Final = 300  # characters of a title below the subject
_MAX_LISTED: Final = 50  # titles below the subject

# What was done, by the verb that asks for it; for commits, answers and the command line.
DONE: Final[Mapping[str, str]] = {
    "add": "added",
    "approve": "approved",
    "archive": "archived",
    "confirm": "confirmed",
    "pin": "pinned",
    "reappend": "reappended",
    "reject": "rejected",
    "relink": "relinked",
    "remember": "remembered",
    "resolve": "resolved",
    "stamp-ids": "stamped",
    "supersede": "superseded",
    "sync": "synced",
    "undo": "undone",
    "unpin": "unpinned",
}

# What other people's words must not do in a commit message: mention, refer to or close an issue,
_REFERENCE: Final = re.compile(r"(@|#|\bGH-|://)(?=\S)", re.IGNORECASE)
# and keep checks from running: ***NO_CI***, --skip-ci, --ci-skip, skip-checks: true.
_SKIPS: Final = re.compile(r"\*{2,}|-{2,}(?=\w)|(?<=skip)-(?=checks)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """A file as it is to be."""

    path: str  # POSIX, from the repository's root
    data: bytes | None = field(repr=False)  # None deletes the file
    expected_oid: str | None  # of the content that was planned on; None: there was no such file


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What is done to a memory."""

    verb: str  # of DONE
    memory: Memory  # as it was before
    reason: str = ""  # as it was given; hostile text
    detail: str = ""  # what else there is to know of it, as a clause; may quote hostile text
    successor: Memory | None = None  # of a memory that is superseded, as it was before

    @property
    def ref(self) -> str:
        """The memory's ref, and its successor's."""
        return f"{self.memory.ref} with {self.successor.ref}" if self.successor else self.memory.ref

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the memories that it is about."""
        return (self.memory.path, *([self.successor.path] if self.successor else []))


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What is done, but to no memory by its name."""

    verb: str  # of DONE
    name: str  # of what it is done to; our own words, or made harmless
    detail: str = ""  # what else there is to know of it, in sentences; likewise
    keeps: frozenset[str] = frozenset()  # paths of memories that it leaves as approved as they were


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """The base branch, as far as a plan's commit merges it into the branch.

    The plan's edits hold each path in theirs, and are made on what the base has.
    """

    sha: str  # of the base branch's tip
    ref: str  # the branch's name; hostile text
    theirs: Mapping[str, str | None]  # path -> object id on the base, for the files in conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A file that a plan leaves alone although it is out of step, and why."""

    path: str
    text: str  # a sentence; plain text, may quote hostile text


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPlan:
    """Edits that belong together: all of them are made, or none."""

    edits: tuple[FileEdit, ...] = ()  # by path, each path once
    actions: tuple[Action, ...] = ()  # in the order in which they were asked for
    deeds: tuple[Deed, ...] = ()  # likewise
    notes: tuple[Note, ...] = ()  # a path has one at most, and then no edit
    reverts: str = ""  # sha of the commit that this undoes
    merge: Merge | None = None  # what the commit merges

    @property
    def stands_alone(self) -> bool:
        """Whether its commit can hold nothing else."""
        return bool(self.reverts or self.merge)

    @property
    def verbs(self) -> tuple[str, ...]:
        """What is done, each once."""
        verbs = [action.verb for action in self.actions] + [deed.verb for deed in self.deeds]
        return tuple(dict.fromkeys(verbs))

    @property
    def title(self) -> str:
        """The commit's subject: one line that mentions nobody and skips no checks."""
        parts = [f"{verb} {_listed(refs)}" for verb, refs in _by_verb(self.actions)]
        parts += [f"{deed.verb} {deed.name}" for deed in self.deeds]
        said = f"memoryrail: {', '.join(parts)}"
        if len(self.actions) == 1 and not self.deeds:
            room = MAX_TITLE - len(said) - 3
            said += f' "{neutral(self.actions[0].memory.title, room)}"'
        return cut(said, MAX_TITLE)

    @property
    def body(self) -> str:
        """What a commit says below its subject: titles that it leaves out or cuts, and reasons.

        And what it undoes. Each on a line of its own, as harmless as the subject. "" when there is
        nothing to say.
        """
        titles = [
            f"{action.verb} {action.ref}: {title}"
            for action in self.actions[:_MAX_LISTED]
            if (title := neutral(action.memory.title, _MAX_FULL_TITLE))
            if f'"{title}"' not in self.title
        ]
        details = "\n".join(deed.detail for deed in self.deeds if deed.detail)
        reverts = f"{REVERTS} {self.reverts}." if self.reverts else ""
        merges = f"Merges {neutral(self.merge.ref, _MAX_FULL_TITLE)}." if self.merge else ""
        parts = ["\n".join(dict.fromkeys(titles)), details, self._reasons, reverts, merges]
        return "\n\n".join(filter(None, parts))

    def without_what_stands(self, contents: Mapping[str, bytes]) -> "EditPlan":
        """The plan without edits that would leave a file as it is. contents: of files, by path.

        A merge needs all of its edits: they tell its files from those of the base.
        """
        if self.merge:
            return self
        edits = tuple(
            edit for edit in self.edits if edit.data is None or contents.get(edit.path) != edit.data
        )
        return replace(self, edits=edits)

    @property
    def _reasons(self) -> str:
        refs: dict[str, list[str]] = {}
        for action in self.actions:
            if reason := neutral(action.reason, MAX_REASON):
                refs.setdefault(reason, []).append(action.ref)
        return "\n".join(f"Reason for {_listed(named)}: {why}" for why, named in refs.items())


def joined(plans: Iterable[EditPlan]) -> EditPlan:
    """One plan for several, each of which was made on what the ones before it leave."""
    edits: dict[str, FileEdit] = {}
    actions: list[Action] = []
    deeds: list[Deed] = []
    notes: dict[str, Note] = {}
    reverts, merge = "", None
    for plan in plans:
        for edit in plan.edits:
            notes.pop(edit.path, None)  # what held an earlier plan back holds no more
            first = edits.get(edit.path, edit)
            edits[edit.path] = FileEdit(
                path=edit.path, data=edit.data, expected_oid=first.expected_oid
            )
        actions += plan.actions
        deeds += plan.deeds
        reverts, merge = reverts or plan.reverts, merge or plan.merge
        notes |= {note.path: note for note in plan.notes}
    return EditPlan(
        edits=tuple(edits[path] for path in sorted(edits)),
        actions=tuple(actions),
        deeds=tuple(deeds),
        notes=tuple(notes.values()),
        reverts=reverts,
        merge=merge,
    )


def reverted(message: str) -> str:
    """The sha of the commit that one of ours says to undo; "" for any other message."""
    lines = (line for line in message.splitlines() if line.startswith(f"{REVERTS} "))
    return next(lines, "").removeprefix(f"{REVERTS} ").rstrip(".")


def neutral(text: str, limit: int) -> str:
    """Other people's text as words only, one line of at most limit characters, for commits.

    It mentions, refers to and closes nothing, and holds no credential. Brackets go, and other marks
    too, since `[skip ci]` in a message skips checks.
    """
    kept = "".join(c for c in text if unicodedata.category(c) != "Cf")  # they hide or reorder text
    told = redacted(unhidden("\n".join(kept.splitlines())))
    spaced = (" " if unicodedata.category(c)[0] == "C" else c for c in told)
    shown = "".join(spaced).replace("[", "(").replace("]", ")").replace('"', "'")
    return cut(" ".join(_SKIPS.sub(" ", _REFERENCE.sub(r"\1 ", shown)).split()), limit)


def _by_verb(actions: Sequence[Action]) -> list[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for action in actions:
        groups.setdefault(action.verb, []).append(action.ref)
    return list(groups.items())


def _listed(refs: list[str]) -> str:
    shown = refs if len(refs) <= 3 else [*refs[:2], f"{len(refs) - 2} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
