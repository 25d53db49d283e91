"""GraphQL errors in the shape in which GitHub sends them: with a `type` beside the message."""

from collections.abc import Sequence
from typing import Any

from graphql import GraphQLError, Node


def fault(
    message: str, kind: str, *, nodes: Sequence[Node] = (), path: Sequence[str | int] = ()
) -> GraphQLError:
    """Make an error for a resolver to raise; kind is GitHub's `type`, such as "NOT_FOUND"."""
    return GraphQLError(
        message, nodes=list(nodes) or None, path=list(path) or None, extensions={"type": kind}
    )


def formatted(error: GraphQLError) -> dict[str, Any]:
    """Render an error as it goes over the wire."""
    result: dict[str, Any] = {}
    extensions = dict(error.extensions or {})
    if (kind := extensions.pop("type", None)) is not None:
        result["type"] = kind
    if error.path:
        result["path"] = list(error.path)
    if extensions:
        result["extensions"] = extensions
    if error.locations:
        result["locations"] = [
            {"line": location.line, "column": location.column} for location in error.locations
        ]
    return result | {"message": error.message}
