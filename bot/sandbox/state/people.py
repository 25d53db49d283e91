"""Accounts and what they may do in a repository."""

from dataclasses import dataclass
from typing import Final

# https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories
ROLES: Final = (
    "none",
    "read",
    "triage",
    "write",
    "maintain",
    "admin",
)  # each holds those before it
_LEGACY: Final = {"triage": "read", "maintain": "write"}  # what `permission` calls the newer roles


@dataclass(eq=False, slots=True, kw_only=True)
class User:
    """An account: a person, an organization or an app's bot (whose login ends in "[bot]")."""

    id: int
    node_id: str
    login: str
    type: str  # "User", "Organization" or "Bot"
    name: str
    gone: bool = False  # deleted: REST then shows GitHub's "ghost", GraphQL null

    @property
    def email(self) -> str:
        return f"{self.id}+{self.login}@users.noreply.github.com"

    @property
    def graphql_login(self) -> str:
        """GraphQL leaves the suffix away that REST shows."""
        return self.login.removesuffix("[bot]")


def permission_booleans(role: str) -> dict[str, bool]:
    rank = ROLES.index(role)
    names = {"pull": "read", "triage": "triage", "push": "write"}
    names |= {"maintain": "maintain", "admin": "admin"}
    return {name: rank >= ROLES.index(needed) for name, needed in names.items()}


def legacy_permission(role: str) -> str:
    """`admin`, `write`, `read` or `none`: all that the `permission` field can say."""
    return _LEGACY.get(role, role)
