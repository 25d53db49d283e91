"""All that exists in the sandbox, found by id, name and node id, behind one lock."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final

from bot.sandbox.deliveries import Courier, Delivery
from bot.sandbox.git import Contents, GitRepository
from bot.sandbox.state.apps import App, Installation, Token, key_pair
from bot.sandbox.state.people import User
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.rates import Rates
from bot.sandbox.state.repositories import Repository

DEFAULT_PERMISSIONS: Final = {
    "checks": "write",
    "contents": "write",
    "issues": "read",
    "members": "read",
    "merge_queues": "read",
    "metadata": "read",
    "pull_requests": "write",
}
DEFAULT_EVENTS: Final = (
    "pull_request",
    "issue_comment",
    "pull_request_review",
    "pull_request_review_comment",
    "check_run",
    "check_suite",
    "merge_group",
    "push",
    "repository",
)
DEFAULT_SECRET: Final = "It's a secret to everybody"
_UNASKED: Final = frozenset(["installation", "installation_repositories", "ping"])


class World:
    """The state. Every method and every property of what it holds may be used from any thread."""

    def __init__(self, root: Path, *, clock: Callable[[], datetime]) -> None:
        self.root = root
        self.url = "http://127.0.0.1"  # of the API and, in links, of the pages; set by the server
        self.lock = threading.RLock()
        self.courier = Courier(self.now)
        self.rates = Rates(self.now)
        self.users: dict[str, User] = {}  # by login in lower case
        self.emails: dict[str, User] = {}  # mail addresses that belong to an account
        self.teams: dict[str, dict[User, str]] = {}  # by org/slug: "active" or "pending"
        self.apps: dict[int, App] = {}
        self.installations: dict[int, Installation] = {}
        self.repositories: dict[int, Repository] = {}
        self.former_names: dict[str, Repository] = {}  # full names in lower case
        self.tokens: dict[str, Token] = {}
        self.nodes: dict[str, object] = {}  # by global node id
        self.signed: dict[str, datetime] = {}  # commits that GitHub itself signed
        self._clock = clock
        self._ahead = timedelta(0)
        self._ids = count(1001)

    def now(self) -> datetime:
        """The time of the sandbox, in whole seconds."""
        return (self._clock() + self._ahead).astimezone(UTC).replace(microsecond=0)

    def advance(self, by: timedelta) -> None:
        """Put the clock of the sandbox forward."""
        self._ahead += by

    def identify(self, prefix: str, thing: object) -> tuple[int, str]:
        """A fresh id and node id; no two things of any kind share one."""
        identity = next(self._ids)
        node_id = f"{prefix}_kwDOSB{identity:06d}"
        if thing is not None:
            self.nodes[node_id] = thing
        return identity, node_id

    # Accounts and apps

    def user(self, login: str, type: str = "User") -> User:  # noqa: A002 (GitHub's word)
        """The account of this login, made when it does not exist yet."""
        with self.lock:
            known = self.users.get(login.lower())
            if known is None:
                prefix = {"Organization": "O", "Bot": "BOT"}.get(type, "U")
                identity, node_id = self.identify(prefix, None)
                name = login.removesuffix("[bot]")
                known = User(id=identity, node_id=node_id, login=login, type=type, name=name)
                self.users[login.lower()] = self.nodes[node_id] = known
                self.emails[known.email] = known
            return known

    def team(self, name: str, *members: str, invited: Sequence[str] = ()) -> None:
        """Let a team, as org/slug, have these members, and the others when they accept."""
        with self.lock:
            self.teams[name.lower()] = {
                **{self.user(login): "active" for login in members},
                **{self.user(login): "pending" for login in invited},
            }

    def create_app(
        self,
        *,
        slug: str = "memoryrail",
        name: str | None = None,
        owner: str = "octo",
        webhook_url: str | None = None,
        webhook_secret: str = DEFAULT_SECRET,
        permissions: Mapping[str, str] = DEFAULT_PERMISSIONS,
        events: Sequence[str] = DEFAULT_EVENTS,
    ) -> App:
        """Register an app. Without a webhook_url its deliveries are only recorded."""
        with self.lock:
            identity, node_id = self.identify("A", None)
            private, public = key_pair()
            app = App(
                world=self,
                id=identity,
                node_id=node_id,
                slug=slug,
                name=name or slug,
                owner=self.user(owner, "Organization"),
                bot=self.user(f"{slug}[bot]", "Bot"),
                hook_id=next(self._ids),
                webhook_url=webhook_url,
                webhook_secret=webhook_secret,
                permissions=dict(permissions),
                events=tuple(events),
                created_at=self.now(),
                private_key_pem=private,
                public_key_pem=public,
            )
            self.apps[identity] = self.nodes[node_id] = app
            return app

    def caller(self, authorization: str | None) -> str:
        """Under whose name a request counts: an installation's; else an app's, or nobody's."""
        token = self.tokens.get((authorization or "").partition(" ")[2])
        return f"installation {token.installation.id}" if token else "app"

    def revoke_tokens(self, installation: Installation) -> None:
        """Make every token of an installation invalid, as GitHub does on suspension or removal."""
        with self.lock:
            mine = [key for key, t in self.tokens.items() if t.installation is installation]
            for key in mine:
                del self.tokens[key]

    # Repositories

    def create_repository(
        self,
        full_name: str,
        *,
        files: Mapping[str, Contents] | None = None,
        private: bool = False,
        default_branch: str = "main",
    ) -> Repository:
        """Make a repository; with files also its first commit. Its owner is an organization."""
        with self.lock:
            repository = self.add_repository(
                full_name, private=private, default_branch=default_branch
            )
            if files is not None:
                repository.commit(default_branch, files=files, message="Begin")
            return repository

    def add_repository(
        self,
        full_name: str,
        *,
        private: bool = False,
        default_branch: str = "main",
        parent: Repository | None = None,
    ) -> Repository:
        """Make an empty repository, or a fork with all branches of its parent."""
        owner, _, name = full_name.partition("/")
        account = self.user(owner, "User" if parent else "Organization")
        identity, node_id = self.identify("R", None)
        if parent is not None:
            private, default_branch = parent.private, parent.default_branch
        git = GitRepository.create(
            self.root / f"{identity}.git",
            default_branch=default_branch,
            network=parent.git if parent else None,
        )
        repository = Repository(
            world=self,
            id=identity,
            node_id=node_id,
            owner=account,
            name=name,
            private=private,
            default_branch=default_branch,
            git=git,
            created_at=self.now(),
            pushed_at=self.now(),
            parent=parent,
        )
        for branch, sha in parent.git.branches().items() if parent else ():
            git.update_ref(f"refs/heads/{branch}", sha)
        self.repositories[identity] = self.nodes[node_id] = repository
        return repository

    def repository(self, full_name: str) -> Repository | None:
        wanted = full_name.lower()
        found = (r for r in self.repositories.values() if r.full_name.lower() == wanted)
        return next(found, None)

    def forget(self, repository: Repository) -> None:
        """Remove a repository from all that refers to it."""
        repository.git.close()
        del self.repositories[repository.id], self.nodes[repository.node_id]
        for installation in self.installations.values():
            if repository in installation.repositories:
                installation.repositories.remove(repository)
        for base in self.repositories.values():
            for pull in base.pulls.values():
                if pull.head_repository is repository:
                    pull.head_repository = None

    def pulls_from(self, repository: Repository, branch: str) -> Iterator[PullRequest]:
        """The open pull requests whose head is a branch."""
        for base in list(self.repositories.values()):
            for pull in base.pulls.values():
                is_head = pull.head_repository is repository and pull.head_ref == branch
                if is_head and pull.state == "open":
                    yield pull

    # Deliveries

    def emit(
        self,
        event: str,
        payload: Mapping[str, Any],
        *,
        repository: Repository | None = None,
        installation: Installation | None = None,
    ) -> list[Delivery]:
        """Send an event to the installation, or to each that reaches the repository."""
        sent = []
        for app in self.apps.values():
            reached = installation or (app.on(repository) if repository else None)
            if reached is None or reached.app is not app or reached.suspended_at is not None:
                continue
            if event not in app.events and event not in _UNASKED:
                continue
            if "installation" not in payload:
                small = {"id": reached.id, "node_id": reached.node_id}
                payload = {**payload, "installation": small}
            sent.append(self.deliver(app, event, payload))
        return sent

    def deliver(self, app: App, event: str, payload: Mapping[str, Any]) -> Delivery:
        """Send a payload to an app, whatever it is subscribed to."""
        with self.lock:
            delivery = Delivery(
                id=next(self._ids),
                app=app,
                event=event,
                action=payload.get("action"),
                payload=payload,
                installation_id=payload.get("installation", {}).get("id"),
                repository_id=payload.get("repository", {}).get("id"),
            )
            self.courier.hand_over(delivery)
            return delivery

    def redeliver(self, delivery: Delivery) -> Delivery:
        """Send a delivery once more: a new entry of the log with the same GUID and body."""
        again = Delivery(
            id=next(self._ids),
            app=delivery.app,
            event=delivery.event,
            action=delivery.action,
            payload=delivery.payload,
            installation_id=delivery.installation_id,
            repository_id=delivery.repository_id,
            guid=delivery.guid,
            redelivery=True,
            body=delivery.body,
        )
        self.courier.hand_over(again)
        return again

    def close(self) -> None:
        for repository in self.repositories.values():
            repository.git.close()
