"""Which links of a store's active memories are in doubt (spec/memoryrail.md, "Staleness").

What stands at each link is looked up by bot/git/staleness.py. What a single pull request makes
doubtful is another question: bot/core/staleness.py.
"""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.core.model import Memory, Problem, Severity, Status
from bot.core.precheck import parts_of
from bot.core.timestamps import instant


class LinkFault(StrEnum):
    """What is wrong with a link."""

    OUTSIDE = "link-outside-repo"
    GONE = "stale-link"
    CHANGED = "maybe-stale"

    @property
    def severity(self) -> Severity:
        """How much it weighs."""
        return Severity.ERROR if self is LinkFault.OUTSIDE else Severity.WARNING


@dataclass(frozen=True, slots=True, kw_only=True)
class LastCommit:
    """The newest commit that changed a path."""

    sha: str
    at: datetime  # the committer's date, with its zone
    is_cut: bool = False  # history is cut off here, so it may be an older one instead


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What stands at a link that names a path inside its store's directory."""

    is_there: bool
    is_outside: bool = False  # a symlink on its way leads out of the repository
    # Of what is there, the last one of each path that tells of it: through a symlink, that one and
    # what it leads to. Of what is gone, the one that removed it. Empty where none is known.
    commits: tuple[LastCommit, ...] = ()
    renamed_to: str | None = None  # what is gone stands there now: a path as a link would spell it


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleLink:
    """A link that is in doubt, with what the one who mends it wants to know."""

    memory: Memory
    link: str  # as written
    fault: LinkFault
    last_commit: LastCommit | None = None  # that changed, or removed, what is linked
    renamed_to: str | None = None

    @property
    def line(self) -> int:
        """Of the memory's links, from 1."""
        return self.memory.lines.get("links", 1)

    @property
    def message(self) -> str:
        """What is wrong."""
        commit = self.last_commit
        by = f" by {commit.sha[:7]} on {commit.at:%Y-%m-%d}" if commit else ""
        if self.fault is LinkFault.OUTSIDE:
            return f"The link {self.link} leads out of the repository."
        if self.fault is LinkFault.CHANGED:
            return f"{self.link} was changed{by}, after this memory's `updated`."
        if self.renamed_to:
            return f"{self.link} is not there: it was renamed to {self.renamed_to}{by}."
        return f"{self.link} is not there{f': it was removed{by}' if by else ''}."

    @property
    def advice(self) -> str:
        """What to do about it, as a sentence."""
        if self.fault is LinkFault.OUTSIDE:
            return "Relink it: name a path inside the repository, or drop the link."
        if self.fault is LinkFault.CHANGED:
            ref = self.memory.ref
            return f"Still true? memoryrail-bot confirm {ref} says so. If not, supersede it."
        if self.renamed_to:
            paths = f"{shlex.quote(self.link)} {shlex.quote(self.renamed_to)}"
            return f"Relink it: memoryrail-bot relink {self.memory.ref} {paths} does so."
        return "Relink it: name what took its place, or drop the link."

    @property
    def problem(self) -> Problem:
        """The same as a problem of the memory's file."""
        return Problem(
            path=self.memory.path,
            line=self.line,
            rule=self.fault.value,
            message=f"{self.message} {self.advice}",
            severity=self.fault.severity,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """A link of which only older history, which is not here, could tell."""

    memory: Memory
    link: str


def judge(
    memories: Iterable[Memory], linked: Mapping[str, Linked]
) -> tuple[tuple[StaleLink, ...], tuple[Undecided, ...]]:
    """Judge each link of the active memories: by id, the links of one in the order of its file.

    linked: what stands at a link, for each that names a path inside its store's directory.
    A memory whose `updated` is no timestamp has nothing that a commit could be compared with.
    """
    stale: list[StaleLink] = []
    undecided: list[Undecided] = []
    for memory in sorted(memories, key=lambda one: (one.id, one.path)):
        if memory.status is not Status.ACTIVE:
            continue
        for link in dict.fromkeys(memory.links):
            found = _judged(memory, link, linked[link] if parts_of(link) is not None else None)
            if isinstance(found, StaleLink):
                stale.append(found)
            elif found:
                undecided.append(found)
    return tuple(stale), tuple(undecided)


def _judged(memory: Memory, link: str, linked: Linked | None) -> StaleLink | Undecided | None:
    if linked is None or linked.is_outside:
        return StaleLink(memory=memory, link=link, fault=LinkFault.OUTSIDE)
    if not linked.is_there:
        return StaleLink(
            memory=memory,
            link=link,
            fault=LinkFault.GONE,
            last_commit=_newest(linked.commits),
            renamed_to=linked.renamed_to,
        )
    updated = instant(memory.updated)
    newer = [one for one in linked.commits if updated and one.at > updated]
    if commit := _newest(one for one in newer if not one.is_cut):
        return StaleLink(memory=memory, link=link, fault=LinkFault.CHANGED, last_commit=commit)
    return Undecided(memory=memory, link=link) if newer else None


def _newest(commits: Iterable[LastCommit]) -> LastCommit | None:
    return max(commits, key=lambda one: one.at, default=None)
