"""Repositories, and the roots of a query."""

import re
from typing import Any, Final

from graphql import GraphQLError

from bot.sandbox.contract.graphql import fault
from bot.sandbox.graph.git import git_node, ref_node
from bot.sandbox.graph.people import user_node
from bot.sandbox.graph.view import Info, View, connection, shows
from bot.sandbox.shapes import moment
from bot.sandbox.state.conversation import Comment
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository

_GIT_NODE: Final = re.compile(r"[A-Z]+_kwDO(\d+)_(.+)")


@shows(Repository)
class RepositoryNode:
    __typename = "Repository"

    def __init__(self, view: View, repository: Repository) -> None:
        self._view = view
        self._repository = repository
        self.id = repository.node_id
        self.database_id = repository.id
        self.name = repository.name
        self.name_with_owner = repository.full_name
        self.description = repository.description
        self.is_private = repository.private
        self.is_fork = repository.parent is not None
        self.is_archived = repository.archived
        self.is_disabled = self.is_locked = self.is_template = self.is_mirror = False
        self.is_in_organization = repository.owner.type == "Organization"
        self.created_at = moment(repository.created_at)
        self.pushed_at = self.updated_at = moment(repository.pushed_at)
        self.resource_path = f"/{repository.full_name}"
        self.url = f"{view.world.url}{self.resource_path}"

    @property
    def owner(self) -> Any:
        return self._view.node(self._repository.owner)

    @property
    def parent(self) -> Any:
        return self._view.node(self._repository.parent)

    @property
    def is_empty(self) -> bool:
        return not self._repository.git.branches()

    @property
    def default_branch_ref(self) -> Any:
        self._view.require(self._repository, "contents:read")
        name = f"refs/heads/{self._repository.default_branch}"
        return ref_node(self._view, self._repository, name)

    def ref(self, _info: Info, *, qualified_name: str) -> Any:
        self._view.require(self._repository, "contents:read")
        return ref_node(self._view, self._repository, qualified_name)

    def refs(
        self,
        _info: Info,
        *,
        ref_prefix: str,
        query: str | None = None,
        order_by: dict[str, str] | None = None,
        direction: str | None = None,
        **page: Any,
    ) -> dict[str, Any]:
        """The branches whose full name begins with a prefix, by name."""
        self._view.require(self._repository, "contents:read")
        if query or order_by or direction:
            raise NotImplementedError("the sandbox lists refs by name only")
        names = sorted(f"refs/heads/{name}" for name in self._repository.git.branches())
        found = [name for name in names if name.startswith(ref_prefix)]
        return connection(found, lambda name: ref_node(self._view, self._repository, name), page)

    def object(self, _info: Info, *, expression: str | None = None, oid: str | None = None) -> Any:
        self._view.require(self._repository, "contents:read")
        return git_node(self._view, self._repository, oid or expression or "")

    def pull_request(self, _info: Info, *, number: int) -> Any:
        self._view.require(self._repository, "pull_requests:read")
        pull = self._repository.pulls.get(number)
        if pull is None:
            message = f"Could not resolve to a PullRequest with the number of {number}."
            raise fault(message, "NOT_FOUND")
        return self._view.node(pull)

    def pull_requests(
        self,
        _info: Info,
        *,
        states: list[str] | None = None,
        base_ref_name: str | None = None,
        head_ref_name: str | None = None,
        order_by: dict[str, str] | None = None,
        labels: list[str] | None = None,
        **page: Any,
    ) -> dict[str, Any]:
        self._view.require(self._repository, "pull_requests:read")
        if labels:
            raise NotImplementedError("the sandbox has no labels")
        pulls = [
            pull
            for pull in self._repository.pulls.values()
            if (not states or ("MERGED" if pull.merged_at else pull.state.upper()) in states)
            and base_ref_name in {None, pull.base_ref}
            and head_ref_name in {None, pull.head_ref}
        ]
        if order_by is not None:
            by_update = order_by["field"] == "UPDATED_AT"
            pulls.sort(key=lambda p: p.updated_at if by_update else p.created_at)
            if order_by["direction"] == "DESC":
                pulls.reverse()
        return connection(pulls, self._view.node, page)


class Query:
    def __init__(self, view: View) -> None:
        self._view = view

    def repository(self, _info: Info, *, owner: str, name: str, follow_renames: bool = True) -> Any:
        return self._view.repository(f"{owner}/{name}", follow_renames=follow_renames)

    def node(self, _info: Info, *, id: str) -> Any:  # noqa: A002 (the schema's word)
        return find_node(self._view, id)

    def nodes(self, _info: Info, *, ids: list[str]) -> list[Any]:
        """In the order of the ids; an unknown one gives null and an error of its own."""
        return [_node_or_error(self._view, each) for each in ids]

    def user(self, _info: Info, *, login: str) -> Any:
        return user_node(self._view, self._view.world.users.get(login.lower()))

    @property
    def viewer(self) -> Any:
        return user_node(self._view, self._view.caller.app.bot)

    def rate_limit(self, _info: Info, **_: Any) -> dict[str, Any]:
        token = self._view.caller.token
        caller = f"installation {token.installation.id}" if token else "app"
        rate = self._view.world.rates.look(caller, "graphql")
        return {
            "cost": 1,
            "limit": rate.limit,
            "nodeCount": 0,
            "remaining": rate.remaining,
            "resetAt": moment(rate.reset),
            "used": rate.used,
        }


def find_node(view: View, node_id: str) -> Any:
    """The object of a global id; raises the error NOT_FOUND, also for what a token cannot see."""
    found = view.world.nodes.get(node_id)
    if found is not None:
        _check(view, found)
        return view.node(found)
    match = _GIT_NODE.fullmatch(node_id)
    repository = view.world.repositories.get(int(match[1])) if match else None
    if match is not None and repository is not None:
        view.require(repository, "contents:read")
        node = (
            ref_node(view, repository, match[2])
            if node_id.startswith("REF_")
            else git_node(view, repository, match[2])
        )
        if node is not None:
            return node
    raise fault(f"Could not resolve to a node with the global id of '{node_id}'.", "NOT_FOUND")


def _check(view: View, found: object) -> None:
    if isinstance(found, PullRequest):
        view.require(found.repository, "pull_requests:read")
    elif isinstance(found, Comment):
        view.require(found.pull.repository, "pull_requests:read|issues:read")
    elif isinstance(found, Repository):
        view.require(found, "metadata:read")


def _node_or_error(view: View, node_id: str) -> Any:
    try:
        return find_node(view, node_id)
    except GraphQLError as error:  # as a value it becomes the error of this one item
        return error
