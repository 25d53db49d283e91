"""Actors, and the apps behind some of them."""

from typing import Any

from bot.sandbox.git import Signature
from bot.sandbox.graph.view import Info, View, shows
from bot.sandbox.shapes import moment
from bot.sandbox.state.apps import App
from bot.sandbox.state.people import User


class _Actor:
    def __init__(self, view: View, user: User) -> None:
        self._view = view
        self.database_id = user.id
        self.id = user.node_id
        self.login = user.graphql_login
        self.name = user.name
        self.email = ""
        self.resource_path = f"/{user.graphql_login}"
        self.url = f"{view.world.url}/{user.graphql_login}"
        self.created_at = "2020-01-01T00:00:00Z"
        self.updated_at = "2020-01-01T00:00:00Z"

    def repository(self, _info: Info, *, name: str, follow_renames: bool = True) -> Any:
        full_name = f"{self.login}/{name}"
        return self._view.repository(full_name, follow_renames=follow_renames)

    def avatar_url(self, _info: Info, **_: Any) -> str:
        return f"{self._view.world.url}/avatars/{self.database_id}"


class UserNode(_Actor):
    __typename = "User"


class OrganizationNode(_Actor):
    __typename = "Organization"


class BotNode(_Actor):
    __typename = "Bot"


@shows(User)
class ActorNode:
    """Chooses the type by the account's."""

    def __new__(cls, view: View, user: User) -> Any:
        kinds = {"Organization": OrganizationNode, "Bot": BotNode}
        return kinds.get(user.type, UserNode)(view, user)


def user_node(view: View, user: User | None) -> Any:
    """An account where the schema wants a User: a bot's shows its login with "[bot]"."""
    if user is None or user.gone:
        return None
    node = UserNode(view, user)
    node.login = user.login
    return node


def git_actor(view: View, who: Signature) -> dict[str, Any]:
    return {
        "name": who.name,
        "email": who.email,
        "date": moment(who.date),
        "user": user_node(view, view.world.emails.get(who.email)),
    }


@shows(App)
class AppNode:
    __typename = "App"

    def __init__(self, view: View, app: App) -> None:
        self.id = app.node_id
        self.database_id = app.id
        self.client_id = app.client_id
        self.slug = app.slug
        self.name = app.name
        self.description = None
        self.url = f"{view.world.url}/apps/{app.slug}"
        self.created_at = self.updated_at = moment(app.created_at)
