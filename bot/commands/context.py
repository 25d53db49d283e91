"""What a command is planned on: the head as it is, and what the ones before it make of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.core.edit_plan import EditPlan, joined
from bot.core.errors import BotError, MemoryFormatError, UserError
from bot.core.model import Memory, MemoryStore
from bot.core.refs import Refs, UnknownRef, is_like_a_ref
from bot.core.report import Report
from bot.core.snapshot import Actor
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.lifecycle import StoreTree


class Refusals(UserError):  # noqa: N818 - reads as what it is
    """Nothing of a command is done.

    problems: a reason for each ref that cannot be. left: the refs of what could be, but for those.
    """

    def __init__(self, problems: tuple[BotError, ...], left: tuple[str, ...] = ()) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems, self.left = problems, left


class NotARef(UserError):  # noqa: N818 - reads as what it is
    """A word stands where a ref should."""

    def __init__(self, text: str) -> None:
        super().__init__(f"There is no memory `{text[:80]}`. A reason goes after a colon.")


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
class Context:
    """Everything that a command may look at."""

    trees: tuple[StoreTree, ...]  # the stores at the head, with their memory and agent files
    base: tuple[MemoryStore, ...] = ()  # the stores at the tip of the base branch
    sender: Actor | None = None  # who wrote the comment
    authors: Authors = Authors()
    report: Report | None = None  # of the head; None: it was not reviewed
    unapproved: frozenset[str] = frozenset()  # paths of active memories that nobody approved so
    approved: frozenset[str] = frozenset()  # paths of memories that were approved here
    now: datetime
    url: str = ""  # of the repository's page, without a trailing slash; "" for none

    @property
    def changed(self) -> frozenset[str]:
        """Paths of the memories that the pull request itself adds or changes."""
        return (
            frozenset(change.path for change in self.report.changes) if self.report else frozenset()
        )

    def base_of(self, tree: StoreTree) -> MemoryStore | None:
        """The same store on the base branch."""
        return next((store for store in self.base if store.root == tree.store.root), None)

    def after(self, plan: EditPlan) -> "Context":
        """The context that a plan leaves; the report is still the one of before."""
        approved = {action.memory.path for action in plan.actions if action.verb == "approve"}
        return replace(
            self,
            trees=tuple(lifecycle.after(tree, plan) for tree in self.trees),
            unapproved=self.unapproved - approved,
        )

    def plan_each(
        self, refs: tuple[str, ...], move: Callable[["Context", StoreTree, Memory], EditPlan]
    ) -> EditPlan:
        """One plan that moves on every memory that is named, or Refusals with all that is wrong.

        Each ref is resolved at the head, and planned on what the ones before it leave.
        """
        memories = [memory for tree in self.trees for memory in tree.store.memories]
        names = Refs(memories)
        plans: dict[str, EditPlan] = {}  # by path: a memory that is named twice is moved on once
        problems: list[BotError] = []
        context = self
        for ref in refs:
            try:
                path = names.resolve(ref).path
                if path not in plans:
                    plans[path] = move(context, *context._at(path))
                    context = context.after(plans[path])
            except UnknownRef as problem:
                is_word = not (problem.suggestion or is_like_a_ref(ref) or "/" in ref or "." in ref)
                problems.append(NotARef(ref) if is_word else problem)
            except (UserError, MemoryFormatError) as problem:
                problems.append(problem)
        if problems:
            left = [action.memory.ref for plan in plans.values() for action in plan.actions]
            raise Refusals(tuple(problems), tuple(left))
        return joined(plans.values())

    def _at(self, path: str) -> tuple[StoreTree, Memory]:
        return next(
            (tree, memory)
            for tree in self.trees
            for memory in tree.store.memories
            if memory.path == path
        )
