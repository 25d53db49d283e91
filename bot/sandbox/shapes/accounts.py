"""Users, apps and installations as JSON; and what all shapes have in common.

Each shape starts from the skeleton of its schema, so that required fields of no interest here
(most addresses) are there too. One object speaks one version of the API; webhooks have the base
version.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.sandbox.contract.rest import BASE_VERSION, RestContract
from bot.sandbox.state.people import legacy_permission, permission_booleans

if TYPE_CHECKING:
    from bot.sandbox.state.apps import App, Installation
    from bot.sandbox.state.people import User
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.world import World

Json = dict[str, Any]


@cache
def rest_contract() -> RestContract:
    """The description of the REST API, loaded once a process."""
    return RestContract.load()


def moment(value: datetime) -> str:
    return value.strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_or_none(value: datetime | None) -> str | None:
    return moment(value) if value is not None else None


class AccountShapes:
    def __init__(self, world: "World", version: str = BASE_VERSION) -> None:
        self._world = world
        self._version = version

    def user(self, user: "User") -> Json:
        return self._fill("simple-user", self._user(user))

    def public_user(self, user: "User") -> Json:
        created = {"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z"}
        return self._fill("public-user", {**self._user(user), "name": user.name, **created})

    def collaborator_permission(self, repository: "Repository", user: "User") -> Json:
        role = repository.role(user)
        role_name = repository.role_names.get(user, role)
        return {
            "permission": legacy_permission(role),
            "role_name": role_name,
            "user": {
                **_skeleton("simple-user", self._version),
                **self._user(user),
                "permissions": permission_booleans(role),
                "role_name": role_name,
            },
        }

    def app(self, app: "App") -> Json:
        return self._fill(
            "integration",
            {
                "id": app.id,
                "node_id": app.node_id,
                "client_id": app.client_id,
                "slug": app.slug,
                "name": app.name,
                "owner": self.user(app.owner),
                "html_url": f"{self._world.url}/apps/{app.slug}",
                "created_at": moment(app.created_at),
                "updated_at": moment(app.created_at),
                "permissions": {"metadata": "read", **app.permissions},
                "events": list(app.events),
            },
        )

    def installation(self, installation: "Installation") -> Json:
        app, url = installation.app, self._world.url
        return self._fill(
            "installation",
            {
                "id": installation.id,
                "account": self.user(installation.account),
                "repository_selection": "selected",
                "access_tokens_url": f"{url}/app/installations/{installation.id}/access_tokens",
                "repositories_url": f"{url}/installation/repositories",
                "app_id": app.id,
                "app_slug": app.slug,
                "client_id": app.client_id,
                "target_id": installation.account.id,
                "target_type": installation.account.type,
                "permissions": dict(installation.permissions),
                "events": list(app.events),
                "created_at": moment(installation.created_at),
                "updated_at": moment(installation.created_at),
                "suspended_at": moment_or_none(installation.suspended_at),
            },
        )

    def _fill(self, schema: str, values: Mapping[str, Any]) -> Json:
        return {**_skeleton(schema, self._version), **values}

    def _user(self, user: "User") -> Json:
        if user.gone:
            user = self._world.user("ghost")
        url = f"{self._world.url}/users/{user.login.replace('[', '%5B').replace(']', '%5D')}"
        return {
            "login": user.login,
            "id": user.id,
            "node_id": user.node_id,
            "type": user.type,
            "site_admin": False,
            "gravatar_id": "",
            "avatar_url": f"{self._world.url}/avatars/{user.id}",
            "url": url,
            "html_url": f"{self._world.url}/{user.graphql_login}",
        }


@cache
def _skeleton(name: str, version: str) -> Json:
    found: Json = rest_contract().component_skeleton(name, version)
    return found
