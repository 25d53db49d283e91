"""A repository: its git data, its people, and the pushes that others hear of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from bot.sandbox import events
from bot.sandbox.git import Contents, Edits, GitError, GitRepository, Signature
from bot.sandbox.git.repository import ZERO
from bot.sandbox.refusal import Refusal
from bot.sandbox.state.checks import CheckRun, CheckSuite, suite_of
from bot.sandbox.state.conversation import Comment
from bot.sandbox.state.people import ROLES, User
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.reviews import Review, ReviewComment

if TYPE_CHECKING:
    from bot.sandbox.state.world import World


@dataclass(eq=False, slots=True, kw_only=True)
class Repository:
    world: "World" = field(repr=False)
    id: int
    node_id: str
    owner: User
    name: str
    private: bool
    default_branch: str
    git: GitRepository = field(repr=False)
    created_at: datetime
    pushed_at: datetime
    parent: "Repository | None" = None  # of which this is a fork
    description: str | None = None
    archived: bool = False
    roles: dict[User, str] = field(default_factory=dict, repr=False)
    role_names: dict[User, str] = field(default_factory=dict, repr=False)  # of custom roles
    protected: set[str] = field(default_factory=set)  # branches to which no app may push
    # Base branches whose ruleset dismisses reviews at a push to what targets them.
    dismissing: set[str] = field(default_factory=set)
    pulls: dict[int, PullRequest] = field(default_factory=dict, repr=False)
    comments: dict[int, Comment] = field(default_factory=dict, repr=False)
    reviews: dict[int, Review] = field(default_factory=dict, repr=False)
    review_comments: dict[int, ReviewComment] = field(default_factory=dict, repr=False)
    check_runs: dict[int, CheckRun] = field(default_factory=dict, repr=False)
    check_suites: dict[tuple[int, str], CheckSuite] = field(default_factory=dict, repr=False)
    numbers: "count[int]" = field(default_factory=lambda: count(1), repr=False)

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    # Git

    def commit(
        self,
        branch: str,
        *,
        files: Mapping[str, Contents] | None = None,
        delete: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
        message: str = "Change files",
        author: tuple[str, str] | None = None,
        login: str | None = None,
        date: datetime | None = None,
    ) -> str:
        """Commit upon a branch (a new branch: as its first commit) and push it; gives the sha.

        author: name and mail address, by default those of `login`, by default the owner. With
        both, the address belongs to that account from now on.
        """
        with self.world.lock:
            user = self.world.user(login) if login else self.owner
            if author is not None and login is not None:
                self.world.emails.setdefault(author[1], user)
            before = self.git.branch(branch)
            made = self.git.commit(
                parents=[before] if before else [],
                edits=Edits(files=files or {}, delete=delete, rename=rename or {}),
                message=message,
                author=self._signature(author, user, date),
                committer=self._signature(author, user, date),
            )
            self.move(branch, made, sender=user)
            return made

    def merge(
        self, source: str, into: str, *, message: str | None = None, login: str | None = None
    ) -> str:
        """Commit a merge of one branch (or sha) into another; raises GitError on a conflict."""
        with self.world.lock:
            user = self.world.user(login) if login else self.owner
            ours, theirs = self.git.branch(into), self.git.resolve(source)
            if ours is None or theirs is None:
                raise GitError(f"nothing to merge: {source} into {into}")
            made = self.git.merge(
                ours,
                theirs,
                message=message or f"Merge branch '{source}' into {into}",
                signature=self._signature(None, user, None),
            )
            self.move(into, made, sender=user)
            return made

    def branch(self, name: str, *, start: str | None = None, login: str | None = None) -> str:
        """Make a branch at another branch or sha (by default the default branch); gives the sha."""
        with self.world.lock:
            sha = self.git.resolve(start or self.default_branch)
            if sha is None or self.git.branch(name) is not None:
                raise GitError(f"cannot make branch {name} at {start or self.default_branch}")
            self.move(name, sha, sender=self.world.user(login) if login else self.owner)
            return sha

    def delete_branch(self, name: str, *, sender: User | None = None) -> None:
        with self.world.lock:
            before = self.git.branch(name)
            if before is None:
                raise GitError(f"no branch {name}")
            self.git.delete_ref(f"refs/heads/{name}")
            who = sender or self.owner
            events.push(self.world, self, name, before=before, after=ZERO, sender=who)

    def import_from(self, path: Path) -> None:
        """Take over all branches and tags of a local git repository, and its default branch."""
        with self.world.lock:
            self.git.fetch_all(path)
            branches = self.git.branches()
            current = self.git.run("ls-remote", "--symref", str(path.resolve()), "HEAD").decode()
            named = current.partition("\t")[0].removeprefix("ref: refs/heads/")
            if named in branches:
                self.default_branch = named
            elif self.default_branch not in branches:  # no branch was checked out there
                self.default_branch = min(branches, default=self.default_branch)
            self.git.run("symbolic-ref", "HEAD", f"refs/heads/{self.default_branch}")

    def fork(self, login: str) -> "Repository":
        """Copy the branches into a repository of another account, which shares the objects."""
        with self.world.lock:
            return self.world.add_repository(f"{login}/{self.name}", parent=self)

    def move(self, branch: str, sha: str, *, sender: User, expected: str | None = None) -> None:
        """Point a branch at a commit and tell everybody: a push, and its pull requests' news.

        expected: where the branch must be until now; raises GitError when it is elsewhere.
        """
        before = self.git.branch(branch)
        self.git.update_ref(f"refs/heads/{branch}", sha, old=expected)
        if before == sha:
            return
        self.pushed_at = self.world.now()
        events.push(self.world, self, branch, before=before or ZERO, after=sha, sender=sender)
        for app in self.world.apps.values():
            if (reached := app.on(self)) and reached.permissions.get("checks") == "write":
                events.check_suite(self.world, suite_of(self, app, sha), "requested", sender)
        for pull in self.world.pulls_from(self, branch):
            pull.head_moved(before or ZERO, sha, sender)

    def rename(self, name: str) -> None:
        """Change the name; requests for the old one are redirected."""
        with self.world.lock:
            old, self.name = self.name, name
            self.world.former_names[f"{self.owner.login}/{old}".lower()] = self
            changes = {"repository": {"name": {"from": old}}}
            events.repository(self.world, self, "renamed", changes)

    def transfer(self, login: str) -> None:
        """Give it to another organization; apps reach it there where they are installed there."""
        with self.world.lock:
            old, self.owner = self.owner, self.world.user(login, "Organization")
            self.world.former_names[f"{old.login}/{self.name}".lower()] = self
            for app in self.world.apps.values():
                app.follow(self)
            shown = {"login": old.login, "id": old.id}
            changes = {"owner": {"from": {"organization": shown}}}
            events.repository(self.world, self, "transferred", changes)

    def choose_default_branch(self, name: str) -> None:
        """Make another branch the default one."""
        with self.world.lock:
            old, self.default_branch = self.default_branch, name
            self.git.run("symbolic-ref", "HEAD", f"refs/heads/{name}")
            changes = {"default_branch": {"from": old}}
            events.repository(self.world, self, "edited", changes)

    def delete(self) -> None:
        """Remove it; pull requests that came from it stay, without head repository."""
        with self.world.lock:
            events.repository(self.world, self, "deleted", {})
            self.world.forget(self)

    # People

    def grant(self, login: str, role: str, *, role_name: str | None = None) -> None:
        """Give an account a role; role_name: what a custom role built on it is called."""
        with self.world.lock:
            if role not in ROLES:
                raise ValueError(f"{role} is not one of {', '.join(ROLES)}")
            user = self.world.user(login)
            self.roles[user] = role
            self.role_names[user] = role_name or role

    def role(self, user: User) -> str:
        """What a user may do here; in a public repository everyone reads."""
        if user is self.owner:
            return "admin"
        return self.roles.get(user, "none" if self.private else "read")

    def association(self, user: User) -> str:
        """COLLABORATOR is who was invited; what everyone may do needs no invitation.

        https://docs.github.com/en/graphql/reference/enums#commentauthorassociation
        """
        if user is self.owner:
            return "OWNER"
        everyone = ("none",) if self.private else ("none", "read")
        return "NONE" if self.roles.get(user, "none") in everyone else "COLLABORATOR"

    # Pull requests

    def open_pull(
        self,
        *,
        head: "str | tuple[Repository, str]",
        base: str | None = None,
        title: str = "A change",
        body: str | None = None,
        user: str | None = None,
        draft: bool = False,
    ) -> PullRequest:
        """Open a pull request from a branch here ("feature") or of a fork ((fork, "feature"))."""
        with self.world.lock:
            head_repository, head_ref = (self, head) if isinstance(head, str) else head
            head_sha = head_repository.git.branch(head_ref)
            base_ref = base or self.default_branch
            base_sha = self.git.branch(base_ref)
            if head_sha is None or base_sha is None:
                raise Refusal(422, "head or base names no branch", field="head")
            identity, node_id = self.world.identify("PR", None)
            now = self.world.now()
            pull = PullRequest(
                world=self.world,
                id=identity,
                node_id=node_id,
                repository=self,
                number=next(self.numbers),
                title=title,
                body=body,
                user=self.world.user(user) if user else head_repository.owner,
                draft=draft,
                head_repository=head_repository,
                head_owner=head_repository.owner,
                head_ref=head_ref,
                head_sha=head_sha,
                base_ref=base_ref,
                base_sha=base_sha,
                created_at=now,
                updated_at=now,
            )
            self.world.nodes[node_id] = pull
            self.pulls[pull.number] = pull
            self.git.update_ref(f"refs/pull/{pull.number}/head", head_sha)
            events.pull_request(self.world, pull, "opened", pull.user)
            return pull

    def _signature(
        self, author: tuple[str, str] | None, user: User, date: datetime | None
    ) -> Signature:
        name, email = author or (user.name, user.email)
        return Signature(name=name, email=email, date=date or self.world.now())
