"""What a command is planned on: the head as it is, and what the ones before it make of it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from bot.core.edit_plan import DONE, EditPlan, joined
from bot.core.errors import BotError, MemoryFormatError, UserError
from bot.core.kept import Kept, KeptVerb
from bot.core.model import Memory, MemoryStore, Status, TreeFile
from bot.core.quoting import cut
from bot.core.refs import Refs, UnknownRef, is_like_a_ref
from bot.core.report import Report
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import Actor
from bot.formats import memoryrail
from bot.formats.memoryrail.conditions import is_settled
from bot.formats.memoryrail.store_tree import StoreTree
from bot.formats.trees import after

_UPHOLDING: Final = frozenset(DONE) - {"reject", "undo"}


class Refusals(UserError):  # noqa: N818 - reads as what it is
    """Nothing of a command is done.

    problems: a reason for each ref that cannot be. left: the refs of what could be, but for those.
    """

    def __init__(self, problems: tuple[BotError, ...], left: tuple[str, ...] = ()) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems, self.left = problems, left


class WrongArguments(UserError):  # noqa: N818 - reads as what it is
    """A command is not written as its usage says, which the answer shows."""


class OtherFormat(UserError):  # noqa: N818 - reads as what it is
    """A memory's format has no such step, or none that a command takes. store: its own."""

    def __init__(self, memory: Memory, store: MemoryStore, verb: str = "") -> None:
        how = f"no command can {verb} it" if verb else "no command changes it so"
        instead = "Write a new one that says what holds now."
        if store.only_appended:
            instead = "Entries are never edited: append one that says what holds now."
        elif store.edited_in_place:
            instead = "Its format knows no such step: edit the document, or delete it."
        super().__init__(
            f"{memory.ref} ({memory.title}) stands in {memory.path}, and {how}. {instead}"
        )
        self.memory = memory


class NotARef(UserError):  # noqa: N818 - reads as what it is
    """A word stands where a ref should."""

    def __init__(self, text: str) -> None:
        super().__init__(f"There is no memory `{cut(text, 80)}`. A reason goes after a colon.")


def approved_by(plan: EditPlan) -> frozenset[str]:
    """Paths of the memories that a plan approves, those among them that it writes as active."""
    return frozenset(
        path
        for one in plan.actions
        if one.verb == "approve" or (one.verb == "remember" and one.memory.status is Status.ACTIVE)
        for path in one.paths
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """Which people wrote what a pull request changes: ids of their accounts, and what tells it.

    What tells it is a clause of ours that names the first such commit.
    """

    by_path: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    anywhere: Mapping[int, str] = field(default_factory=dict)  # who may have written any file

    def of(self, path: str) -> Mapping[int, str]:
        """Everyone who wrote a file, or may have."""
        return {**self.anywhere, **self.by_path.get(path, {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChange:
    """A file that a commit of commands changed. An oid is None where there is no such file."""

    path: str
    before: TreeFile | None
    after_oid: str | None
    now_oid: str | None  # at the head


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCommit:
    """A commit that commands made on this pull request."""

    sha: str
    at_ms: int  # when it was planned
    subject: str
    changes: tuple[OwnChange, ...]
    is_merge: bool = False  # its changes are not read: most are the base branch's


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """Where the branch left its base branch, and what that is now."""

    base_ref: str
    base_sha: str  # its tip
    files: Mapping[str, TreeFile]  # of entries, as the branch found them, by path


def _no_uuid() -> UUID:
    raise UserError("Nothing here can draw an id.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything that a command may look at."""

    trees: tuple[StoreTree, ...]  # the stores at the head, with their memory and agent files
    base: tuple[MemoryStore, ...] = ()  # the stores at the tip of the base branch
    sender: Actor | None = None  # who wrote the comment
    settings: RepositorySettings = field(default_factory=RepositorySettings)
    remembers_active: bool = False  # what the sender has written is active at once, no proposal
    authors: Authors = Authors()
    report: Report | None = None  # of the head; None: it was not reviewed
    merged: frozenset[str] | None = None  # paths that it changed before the merge; None: not merged
    unapproved: frozenset[str] = frozenset()  # paths of active memories that nobody approved so
    approved: frozenset[str] = frozenset()  # paths of memories that were approved here
    now: datetime
    new_uuid: Callable[[], UUID] = _no_uuid  # draws another one at each call
    url: str = ""  # of the repository's page, without a trailing slash; "" for none
    head_url: str = ""  # of the page of the repository that holds the head branch, likewise
    head_ref: str = ""  # the head branch
    files: tuple[str, ...] = ()  # that the comment stands on
    missing: frozenset[str] = frozenset()  # of what would be linked: where the head has nothing
    # What the sender saw of memories that apply, as Side.version has them; "" where nobody knows.
    # Read only where somebody accepts some.
    seen: Mapping[str, str] = field(default_factory=dict)
    last: OwnCommit | None = None  # what undo reverts; None: there is nothing, or nobody asked
    fork: Fork | None = None  # what reappend goes by; None: nobody asked
    kept: tuple[Kept, ...] = ()  # what undo may take back besides, the oldest first
    # Verb and name of what was taken back since the comment was written: that is not kept again.
    undone_since: frozenset[tuple[KeptVerb, str]] = frozenset()
    number: int = 0  # of the pull request
    written_ms: int = 0  # when the comment was written

    @property
    def changed(self) -> frozenset[str]:
        """Paths of the memories that the pull request itself adds or changes."""
        if self.merged is not None:
            return self.merged
        return (
            frozenset(change.path for change in self.report.changes) if self.report else frozenset()
        )

    def base_of(self, tree: StoreTree) -> MemoryStore | None:
        """The same store on the base branch."""
        return next((store for store in self.base if store.key == tree.store.key), None)

    def keeps_from_approving(self, memory: Memory) -> str | None:
        """What tells that the sender wrote a memory, where settings let no author approve."""
        if self.settings.commands.own_memory or self.sender is None or self.sender.id is None:
            return None
        return self.authors.of(memory.path).get(self.sender.id)

    def after(self, plan: EditPlan) -> "Context":
        """The context that a plan leaves; the report is still the one of before."""
        return replace(
            self,
            trees=tuple(after(tree, plan) for tree in self.trees),
            unapproved=self.unapproved - approved_by(plan),
        )

    def upheld_by(self, plan: EditPlan) -> frozenset[str]:
        """Paths of memories that a plan leaves as a maintainer wants them.

        Those that it approves. Of others those that are settled on the base, or approved here:
        without a maintainer nobody may weaken the former, nor touch the latter.
        """
        about = {path for one in plan.actions if one.verb in _UPHOLDING for path in one.paths}
        settled = {
            memory.path
            for tree in self.trees
            for memory in tree.store.memories
            if memory.path in about and is_settled(memory, self.base_of(tree))
        }
        kept = {path for one in plan.deeds for path in one.keeps}
        still = kept & (self.approved - self.unapproved)
        return approved_by(plan) | (about & (settled | self.approved)) | still

    def contents(self) -> dict[str, bytes]:
        """The files of the stores, which a diff is made against."""
        return {
            path: file.data
            for tree in self.trees
            for path, file in tree.files.items()
            if file.data is not None
        }

    def plan_each(
        self,
        refs: tuple[str, ...],
        move: Callable[["Context", StoreTree, Memory], EditPlan],
        *,
        formats: Collection[str] = (memoryrail.NAME,),
    ) -> EditPlan:
        """One plan that moves on every memory that is named, or Refusals with all that is wrong.

        Each ref is resolved at the head, and planned on what the ones before it leave. formats: of
        the stores whose memories move knows how to move.
        """
        names = Refs(self.memories)
        plans: dict[tuple[str, str], EditPlan] = {}  # a memory named twice is moved on once
        problems: list[BotError] = []
        context = self
        for ref in refs:
            try:
                memory = resolved(names, ref)
                place = memory.place
                store = context.at(place)[0].store
                if store.format not in formats:
                    raise OtherFormat(memory, store)
                if place not in plans:
                    plans[place] = move(context, *context.at(place))
                    context = context.after(plans[place])
            except (UserError, MemoryFormatError) as problem:
                problems.append(problem)
        if problems:
            left = [action.ref for plan in plans.values() for action in plan.actions]
            raise Refusals(tuple(problems), tuple(left))
        return joined(plans.values())

    def find(self, refs: Iterable[str]) -> tuple[Memory, ...]:
        """The memories at the head that are named, each once; Refusals with all that is wrong."""
        return found(Refs(self.memories), refs)

    @property
    def memories(self) -> tuple[Memory, ...]:
        """All memories at the head."""
        return tuple(memory for tree in self.trees for memory in tree.store.memories)

    def at(self, place: tuple[str, str]) -> tuple[StoreTree, Memory]:
        """The memory at a place, and its store."""
        return next(
            (tree, memory)
            for tree in self.trees
            for memory in tree.store.memories
            if memory.place == place
        )


def found(names: Refs, refs: Iterable[str]) -> tuple[Memory, ...]:
    """The memories that are named, each once. Raises Refusals with all that is wrong."""
    memories: dict[tuple[str, str], Memory] = {}
    problems: list[BotError] = []
    for ref in refs:
        try:
            memory = resolved(names, ref)
            memories[memory.place] = memory
        except UserError as problem:
            problems.append(problem)
    if problems:
        raise Refusals(tuple(problems))
    return tuple(memories.values())


def resolved(names: Refs, ref: str) -> Memory:
    """The memory that is named. Raises UnknownRef, AmbiguousRef; NotARef for a plain word."""
    try:
        return names.resolve(ref)
    except UnknownRef as problem:
        if problem.suggestion or is_like_a_ref(ref) or "/" in ref or "." in ref:
            raise
        raise NotARef(ref) from None
