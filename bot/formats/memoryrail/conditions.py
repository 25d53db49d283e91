"""What a memory must be to be moved on, and what is said where it is not (spec/memoryrail.md)."""

from bot.core.errors import UserError
from bot.core.model import Memory, MemoryStore, Status


class LifecycleError(UserError):
    """A memory cannot be moved on as asked."""

    def __init__(self, memory: Memory, problem: str) -> None:
        super().__init__(f"{memory.ref} ({memory.title}) {problem}")
        self.memory = memory


class NotProposed(LifecycleError):  # noqa: N818 - reads as what it is
    """Only a proposal can be approved or rejected; the memory's status says what it is."""


class SettledOnBase(NotProposed):
    """The base branch has it as no proposal: there is nothing to decide, whatever the head says."""

    def __init__(self, memory: Memory, settled: Memory) -> None:
        super().__init__(
            memory,
            f"is {settled.status} on the base branch, so it is no proposal to decide on. Restore "
            f"{settled.path} as it is there.",
        )
        self.settled = settled


class HoldsSecret(LifecycleError):  # noqa: N818 - reads as what it is
    """Its file holds what looks like a credential, and agents would be shown it."""


class AlreadyActive(NotProposed):
    """It was approved before."""


class NotActive(LifecycleError):  # noqa: N818 - reads as what it is
    """It does not bind, or no longer on the base branch; only what binds is changed so."""


class NotApproved(LifecycleError):  # noqa: N818 - reads as what it is
    """It binds only because an agent says so, or is not what a maintainer approved."""


class NotAThread(LifecycleError):  # noqa: N818 - reads as what it is
    """Only a thread can be resolved."""


class MissingTarget(LifecycleError):  # noqa: N818 - reads as what it is
    """What the proposal wants to replace is not there, or is not settled itself."""

    def __init__(self, memory: Memory, problem: str, target: str) -> None:
        super().__init__(memory, problem)
        self.target = target  # id


class CannotReplace(LifecycleError):  # noqa: N818 - reads as what it is
    """The memory cannot be the one that replaces another."""


class AlreadySuperseded(LifecycleError):  # noqa: N818 - reads as what it is
    """What the proposal wants to replace was replaced meanwhile, by the memory with the id `by`."""

    def __init__(self, memory: Memory, target: Memory, by: str | None) -> None:
        whom = by or "another memory"
        super().__init__(
            memory,
            f"wants to replace {target.ref} ({target.title}), which {whom} has replaced meanwhile. "
            f"Let it supersede {whom}, or reject it.",
        )
        self.target, self.by = target, by


def is_settled(memory: Memory, base: MemoryStore | None) -> bool:
    """Whether the base branch has a memory, by its id or its path, as no proposal."""
    return _settled(memory, base) is not None


def must_be_proposed(memory: Memory, wanted: str) -> None:
    if memory.status is not Status.PROPOSED:
        raise NotProposed(memory, f"is {memory.status}. Only a proposal can be {wanted}.")


def must_not_be_settled(memory: Memory, base: MemoryStore | None) -> None:
    if settled := _settled(memory, base):
        raise SettledOnBase(memory, settled)


def must_be_active(memory: Memory, wanted: str, base: MemoryStore | None) -> None:
    """Raise NotActive, or SettledOnBase, for a memory that does not bind here or on the base.

    wanted: what it cannot be, a participle.
    """
    must_be_live(memory, wanted, base)
    if memory.status is Status.PROPOSED:
        raise NotActive(memory, f"is proposed, so it cannot be {wanted}. Approve or reject it.")


def must_be_live(memory: Memory, wanted: str, base: MemoryStore | None) -> None:
    """Raise NotActive, or SettledOnBase, for what is neither active nor a proposal, as on the base.

    wanted: as for must_be_active.
    """
    if memory.status is Status.PROPOSED:
        must_not_be_settled(memory, base)
    elif memory.status is not Status.ACTIVE:
        raise NotActive(memory, f"is {memory.status} already, so it cannot be {wanted}.")
    elif (there := _settled(memory, base)) and there.status is not Status.ACTIVE:
        raise NotActive(
            memory,
            f"is {there.status} on the base branch, so it cannot be {wanted}. Merge the base "
            "branch into this one.",
        )


def must_be_approved(memory: Memory, unapproved: frozenset[str]) -> None:
    """Raise NotApproved for a memory whose path is among those that nobody approved so."""
    if memory.path in unapproved:
        raise NotApproved(
            memory, "is active here, and no maintainer approved it as it stands. Approve it first."
        )


def _settled(memory: Memory, base: MemoryStore | None) -> Memory | None:
    found = (
        other
        for other in (base.memories if base else ())
        if other.id == memory.id or other.path == memory.path
    )
    return next((other for other in found if other.status is not Status.PROPOSED), None)
