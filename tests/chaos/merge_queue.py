"""The merge queue: groups of pull requests that wait for verdicts, and what becomes of them."""

from dataclasses import dataclass
from typing import Self

from bot.core.report import Check
from bot.sandbox import CheckRun, events
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository


@dataclass(slots=True, kw_only=True)
class Group:
    """A group, which nobody touches while it stands."""

    pulls: tuple[PullRequest, ...]  # in the order in which they are merged
    base_ref: str
    base_sha: str
    head_ref: str
    head_sha: str
    stands: bool = True

    @classmethod
    def of(cls, first: PullRequest, *behind: PullRequest) -> Self:
        """Put pull requests into the queue. Raises GitError when they do not merge."""
        with first.world.lock:
            base, made = first.base_tip, first.enqueue(*behind)
            pulls = (first, *behind)
            return cls(
                pulls=pulls,
                base_ref=first.base_ref,
                base_sha=base,
                head_ref=f"gh-readonly-queue/{first.base_ref}/pr-{pulls[-1].number}-{base}",
                head_sha=made,
            )

    @property
    def repository(self) -> Repository:
        return self.pulls[0].repository

    @property
    def runs(self) -> tuple[CheckRun, ...]:
        """The newest check run of each name."""
        return self.pulls[0].check_runs(self.head_sha)

    @property
    def has_verdicts(self) -> bool:
        return {run.name for run in self.runs if run.status == "completed"} == set(Check)

    @property
    def passes(self) -> bool:
        """Whether it may be merged: its base is where it was, too."""
        is_upon_base = self.repository.git.branch(self.base_ref) == self.base_sha
        return is_upon_base and all(run.conclusion == "success" for run in self.runs)

    def merge(self) -> None:
        """Let the base branch be what was judged."""
        world, repository = self.repository.world, self.repository
        with world.lock:
            repository.move(self.base_ref, self.head_sha, sender=repository.owner)
            for pull in self.pulls:
                pull.merged(repository.owner, self.head_sha, before=self.base_sha)
            self._end("merged")

    def dequeue(self) -> None:
        """Take it out of the queue; its pull requests stay open."""
        with self.repository.world.lock:
            self._end("dequeued")

    def _end(self, reason: str) -> None:
        self.stands = False
        repository = self.repository
        head = repository.git.commit_at(self.head_sha)
        assert head is not None
        repository.delete_branch(self.head_ref)
        events.merge_group(
            repository.world,
            repository,
            head=head,
            ref=self.head_ref,
            base_sha=self.base_sha,
            base=self.base_ref,
            reason=reason,
        )
