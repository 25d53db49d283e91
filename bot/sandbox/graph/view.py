"""What a caller sees: wraps what exists as GraphQL objects, minds permissions, cuts pages."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from graphql import GraphQLError, GraphQLResolveInfo

from bot.sandbox import auth
from bot.sandbox.auth import Caller
from bot.sandbox.contract.graphql import fault
from bot.sandbox.refusal import Refusal
from bot.sandbox.state.people import User
from bot.sandbox.state.repositories import Repository
from bot.sandbox.state.world import World
from bot.sandbox.traffic import Traffic

T = TypeVar("T")
Info = GraphQLResolveInfo[Any]
Wrapper = Callable[["View", Any], object]
_WRAPPERS: Final[dict[type, Wrapper]] = {}


def shows(kind: type) -> Callable[[type[T]], type[T]]:
    """Enter a class into the table of what represents a kind of thing."""

    def enter(wrapper: type[T]) -> type[T]:
        _WRAPPERS[kind] = wrapper
        return wrapper

    return enter


class View:
    def __init__(self, world: World, traffic: Traffic, caller: Caller, subject: str) -> None:
        self.world = world
        self.caller = caller
        self._traffic = traffic
        self._subject = subject

    def node(self, thing: object) -> Any:
        """The GraphQL object for something that exists; None, and a deleted account, is None."""
        if thing is None or (isinstance(thing, User) and thing.gone):
            return None
        return _WRAPPERS[type(thing)](self, thing)

    def repository(self, full_name: str, *, follow_renames: bool) -> Any:
        """A repository as a GraphQL object; raises the error NOT_FOUND, also for a hidden one."""
        found = self.world.repository(full_name)
        if found is None and follow_renames:
            found = self.world.former_names.get(full_name.lower())
        token = self.caller.token
        if found is None or (found.private and not (token and token.reaches(found))):
            message = f"Could not resolve to a Repository with the name '{full_name}'."
            raise fault(message, "NOT_FOUND")
        return self.node(found)

    def require(self, repository: Repository, permission: str, *, writes: bool = False) -> None:
        """Raise the error that GitHub sends when a token lacks a permission."""
        try:
            auth.check_access(self.caller, repository, permission, reads=not writes)
        except Refusal as refusal:
            raise self.refused(refusal) from refusal

    def refused(self, refusal: Refusal) -> GraphQLError:
        """A refusal as GraphQL sends it; a breach of the contract is noted."""
        if refusal.breach:
            self._traffic.breach(refusal.breach, self._subject, refusal.message)
        return fault(refusal.message, refusal.kind)

    def breach(self, kind: str, problem: str) -> None:
        self._traffic.breach(kind, self._subject, problem)


def connection(
    items: Sequence[T],
    wrap: Callable[[T], object],
    arguments: Mapping[str, Any],
    *,
    with_edges: bool = False,
) -> dict[str, Any]:
    """One page of a connection; arguments: those of the field, in snake case."""
    start, end = 0, len(items)
    if (after := arguments.get("after")) is not None:
        start = _position(after) + 1
    if (before := arguments.get("before")) is not None:
        end = min(end, _position(before))
    first, last = arguments.get("first"), arguments.get("last")
    if first is not None:
        end = min(end, start + first)
    elif last is not None:
        start = max(start, end - last)
    nodes = [wrap(item) for item in items[start:end]]
    page = {
        "hasNextPage": end < len(items),
        "hasPreviousPage": start > 0,
        "startCursor": _cursor(start) if nodes else None,
        "endCursor": _cursor(end - 1) if nodes else None,
    }
    found: dict[str, Any] = {"nodes": nodes, "pageInfo": page, "totalCount": len(items)}
    if with_edges:
        found["edges"] = [
            {"cursor": _cursor(start + index), "node": node} for index, node in enumerate(nodes)
        ]
    return found


def _cursor(position: int) -> str:
    return base64.b64encode(f"cursor:{position}".encode()).decode()


def _position(cursor: str) -> int:
    try:
        return int(base64.b64decode(cursor).decode().removeprefix("cursor:"))
    except ValueError as error:
        message = f"`{cursor}` does not appear to be a valid cursor."
        raise fault(message, "INVALID_CURSOR_ARGUMENTS") from error
