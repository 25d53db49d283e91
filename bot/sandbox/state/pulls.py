"""A pull request: what people do with it, and what an app has left on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from bot.sandbox import events
from bot.sandbox.git import Commit, Contents, Edits, FileChange, Signature
from bot.sandbox.refusal import Refusal
from bot.sandbox.state.checks import CheckRun
from bot.sandbox.state.conversation import Comment, say
from bot.sandbox.state.people import User
from bot.sandbox.state.reviews import Review, submit

if TYPE_CHECKING:
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.world import World

# Of GitHub's, whether a pull request can be merged; so long that no slow test sees it by chance.
FINDING_OUT: Final = timedelta(seconds=30)


@dataclass(eq=False, slots=True, kw_only=True)
class PullRequest:
    world: "World" = field(repr=False)
    id: int
    node_id: str
    repository: "Repository" = field(repr=False)
    number: int
    title: str
    body: str | None
    user: User
    draft: bool
    head_repository: "Repository | None" = field(repr=False)  # None: the fork was deleted
    head_owner: User
    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str  # as GitHub recorded it: it lags behind the branch
    created_at: datetime
    updated_at: datetime
    previous_head_sha: str | None = None
    state: str = "open"  # or "closed"
    locked: bool = False
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    merged_by: User | None = None
    merge_commit_sha: str | None = None
    # Base and head of which it was last asked whether they can be merged, and since when.
    asked_to_merge: tuple[str, str, datetime] | None = None

    # What is on it

    @property
    def base_tip(self) -> str:
        """Where the base branch is now, or was when the branch went away or the merge came."""
        if self.merged_at is not None:
            return self.base_sha
        return self.repository.git.branch(self.base_ref) or self.base_sha

    @property
    def merge_base(self) -> str:
        git = self.repository.git
        return git.merge_base(self.base_tip, self.head_sha) or self.base_tip

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """The files that differ between merge base and head ("three dots")."""
        return self.repository.git.changes(self.merge_base, self.head_sha)

    @property
    def commits(self) -> tuple[Commit, ...]:
        """The commits that the base does not have, oldest first."""
        git = self.repository.git
        shas = git.between(self.base_tip, self.head_sha)
        return tuple(commit for sha in shas if (commit := git.commit_at(sha)))

    def mergeable(self) -> str:
        """What GraphQL says; GitHub finds it out once somebody asks, and that takes a while."""
        now, here = self.world.now(), (self.base_tip, self.head_sha)
        if self.asked_to_merge is None or self.asked_to_merge[:2] != here:
            self.asked_to_merge = (*here, now)
        if now - self.asked_to_merge[2] < FINDING_OUT:
            return "unknown"
        return "mergeable" if self.repository.git.merged_tree(*here) else "conflicting"

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Oldest first; deleted ones are gone."""
        with self.world.lock:
            return tuple(c for c in self.repository.comments.values() if c.pull is self)

    def check_runs(self, sha: str | None = None) -> tuple[CheckRun, ...]:
        """The latest run of each name on a commit, by default the head, in order of making."""
        with self.world.lock:
            suites = self.repository.check_suites.values()
            found = [s.latest for s in suites if s.head_sha == (sha or self.head_sha)]
            return tuple(run for latest in found for run in latest)

    # What people do

    def push(
        self,
        *,
        files: Mapping[str, Contents] | None = None,
        delete: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
        message: str = "Change files",
        author: tuple[str, str] | None = None,
        login: str | None = None,
        date: datetime | None = None,
    ) -> str:
        """Commit on the head branch; see Repository.commit."""
        return self._head().commit(
            self.head_ref,
            files=files,
            delete=delete,
            rename=rename,
            message=message,
            author=author,
            login=login or self.user.login,
            date=date,
        )

    def force_push(
        self,
        *,
        to: str | None = None,
        files: Mapping[str, Contents] | None = None,
        message: str = "Rewrite the branch",
    ) -> str:
        """Replace the head branch: by a commit that exists, or by a new one upon the merge base."""
        with self.world.lock:
            head = self._head()
            sign = Signature(name=self.user.name, email=self.user.email, date=self.world.now())
            sha = to or head.git.commit(
                parents=[self.merge_base],
                edits=Edits(files=files or {}),
                message=message,
                author=sign,
                committer=sign,
            )
            head.move(self.head_ref, sha, sender=self.user)
            return sha

    def edit(
        self,
        *,
        title: str | None = None,
        body: str | None = None,
        base: str | None = None,
        user: str | None = None,
    ) -> None:
        """Change title, body or base branch; the delivery tells what each was before."""
        with self.world.lock:
            changed: dict[str, object] = {}
            if title is not None:
                changed["title"], self.title = {"from": self.title}, title
            if body is not None:
                changed["body"], self.body = {"from": self.body or ""}, body
            if base is not None:
                sha = self.repository.git.branch(base)
                if sha is None:
                    raise Refusal(422, f"{base} is no branch", field="base")
                changed["base"] = {"ref": {"from": self.base_ref}, "sha": {"from": self.base_sha}}
                self.base_ref, self.base_sha = base, sha
            self._tell("edited", user, changes=changed)

    def close(self, *, user: str | None = None) -> None:
        with self.world.lock:
            self.state, self.closed_at = "closed", self.world.now()
            self._tell("closed", user)

    def reopen(self, *, user: str | None = None) -> None:
        """Open it again, at the tip of its branch: it did not follow that while it was closed."""
        with self.world.lock:
            self.state, self.closed_at = "open", None
            head = self.head_repository
            tip = head.git.branch(self.head_ref) if head else None
            if tip is not None and tip != self.head_sha:
                self._follow(tip)
            self._tell("reopened", user)

    def ready(self, *, user: str | None = None) -> None:
        """Mark a draft as ready for review."""
        with self.world.lock:
            self.draft = False
            self._tell("ready_for_review", user)

    def convert_to_draft(self, *, user: str | None = None) -> None:
        with self.world.lock:
            self.draft = True
            self._tell("converted_to_draft", user)

    def lock(self, *, user: str | None = None) -> None:
        """Close the conversation to further comments."""
        with self.world.lock:
            self.locked = True
            self._tell("locked", user)

    def merge(self, *, user: str | None = None) -> str:
        """Merge into the base branch by a merge commit; gives its sha."""
        with self.world.lock:
            sender = self.world.user(user) if user else self.repository.owner
            before = self.base_tip
            made = self.repository.merge(
                self.head_sha,
                self.base_ref,
                message=f"Merge pull request #{self.number}\n\n{self.title}",
                login=sender.login,
            )
            self.merged(sender, made, before=before)
            return made

    def enqueue(self, *behind: "PullRequest") -> str:
        """Put it into the merge queue, in one group with those behind it.

        Gives the sha that wants checks; raises GitError on a conflict.
        """
        with self.world.lock:
            base, repository = self.base_tip, self.repository
            sign = Signature(name="GitHub", email="noreply@github.com", date=self.world.now())
            made = base
            for pull in (self, *behind):
                message = f"Merge pull request #{pull.number}\n\n{pull.title}"
                made = repository.git.merge(made, pull.head_sha, message=message, signature=sign)
            last = (self, *behind)[-1].number
            ref = f"gh-readonly-queue/{self.base_ref}/pr-{last}-{base}"
            repository.move(ref, made, sender=repository.owner)
            head = repository.git.commit_at(made)
            assert head is not None  # noqa: S101 (it was just written)
            events.merge_group(
                self.world, repository, head=head, ref=ref, base_sha=base, base=self.base_ref
            )
            return made

    def comment(self, user: str, body: str) -> Comment:
        with self.world.lock:
            self.updated_at = self.world.now()
            return say(self, body, user=self.world.user(user))

    def review(self, user: str, body: str, *lines: tuple[str, int, str]) -> Review:
        """Submit a review. lines: path, line and text of each comment on a line."""
        with self.world.lock:
            self.updated_at = self.world.now()
            return submit(self, body, user=self.world.user(user), lines=lines)

    # What happens to it

    def head_moved(self, before: str, after: str, sender: User) -> None:
        """Follow the head branch, as GitHub does for an open pull request."""
        self._follow(after)
        self.updated_at = self.world.now()
        events.pull_request(self.world, self, "synchronize", sender, before=before, after=after)

    def merged(self, sender: User, made: str, *, before: str) -> None:
        """It came into its base branch by the commit made, upon the commit before."""
        now = self.world.now()
        self.state, self.closed_at, self.merged_at = "closed", now, now
        self.merged_by, self.merge_commit_sha, self.base_sha = sender, made, before
        self._tell("closed", sender.login)

    def _follow(self, head: str) -> None:
        self.previous_head_sha, self.head_sha = self.head_sha, head
        self.repository.git.update_ref(f"refs/pull/{self.number}/head", head)

    def _head(self) -> "Repository":
        if self.head_repository is None:
            raise Refusal(422, "The head repository is gone", field="head")
        return self.head_repository

    def _tell(self, action: str, user: str | None, **more: object) -> None:
        self.updated_at = self.world.now()
        sender = self.world.user(user) if user else self.user
        events.pull_request(self.world, self, action, sender, **more)
