"""GitHub Apps, where they are installed, and the tokens of their installations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.sandbox import events
from bot.sandbox.state.people import User

if TYPE_CHECKING:
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.world import World


@dataclass(eq=False, slots=True, kw_only=True)
class App:
    world: "World" = field(repr=False)
    id: int
    node_id: str
    slug: str
    name: str
    owner: User
    bot: User  # the account that its comments and commits show
    hook_id: int
    webhook_url: str | None
    webhook_secret: str = field(repr=False)
    permissions: dict[str, str]  # name to "read" or "write"
    events: tuple[str, ...]
    created_at: datetime
    private_key_pem: str = field(repr=False)
    public_key_pem: str = field(repr=False)
    installations: list["Installation"] = field(default_factory=list, repr=False)

    @property
    def client_id(self) -> str:
        return f"Iv23li{self.id:014d}"

    def install(
        self, *repositories: "Repository", permissions: Mapping[str, str] | None = None
    ) -> "Installation":
        """Install on repositories of one account, or add them to its installation there.

        permissions: what the account has granted, when that is not all that the app asks for.
        """
        with self.world.lock:
            account = repositories[0].owner
            known = next((i for i in self.installations if i.account is account), None)
            if known is not None:
                known.repositories += repositories
                events.installation_repositories(self.world, known, added=repositories)
                return known
            granted = dict(self.permissions if permissions is None else permissions)
            identity, node_id = self.world.identify("INST", None)
            installation = Installation(
                id=identity,
                node_id=node_id,
                app=self,
                account=account,
                repositories=list(repositories),
                permissions={"metadata": "read", **granted},
                created_at=self.world.now(),
            )
            self.installations.append(installation)
            self.world.installations[identity] = installation
            events.installation(self.world, installation, "created")
            return installation

    def remove(self, installation: "Installation", repository: "Repository") -> None:
        """Take one repository out of an installation."""
        with self.world.lock:
            installation.repositories.remove(repository)
            events.installation_repositories(self.world, installation, removed=[repository])

    def follow(self, repository: "Repository") -> None:
        """Reach a repository through the installation of its owner, if there is one."""
        if (reached := self.on(repository)) is not None:
            reached.repositories.remove(repository)
            for one in self.installations:
                if one.account is repository.owner:
                    one.repositories.append(repository)

    def suspend(self, installation: "Installation") -> None:
        """Stop an installation: its tokens are refused, and only the news of it is delivered."""
        with self.world.lock:
            events.installation(self.world, installation, "suspend")
            installation.suspended_at = self.world.now()

    def unsuspend(self, installation: "Installation") -> None:
        with self.world.lock:
            installation.suspended_at = None
            events.installation(self.world, installation, "unsuspend")

    def uninstall(self, installation: "Installation") -> None:
        """Remove an installation with its tokens."""
        with self.world.lock:
            events.installation(self.world, installation, "deleted")
            self.installations.remove(installation)
            del self.world.installations[installation.id]
            self.world.revoke_tokens(installation)

    def on(self, repository: "Repository") -> "Installation | None":
        """The installation that reaches a repository."""
        found = (each for each in self.installations if repository in each.repositories)
        return next(found, None)


@dataclass(eq=False, slots=True, kw_only=True)
class Installation:
    id: int
    node_id: str
    app: App
    account: User
    repositories: list["Repository"]
    permissions: dict[str, str]
    created_at: datetime
    suspended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An installation token. repositories: None means all of the installation."""

    installation: Installation
    permissions: Mapping[str, str]
    repositories: tuple["Repository", ...] | None
    expires_at: datetime

    def reaches(self, repository: "Repository") -> bool:
        reached = self.installation.repositories
        return repository in (reached if self.repositories is None else self.repositories)


@cache
def key_pair() -> tuple[str, str]:
    """Private and public key as PEM, made once a process because that takes long."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private.decode(), public.decode()
