"""A request and its answer, free of the web framework."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Request:
    """path: as it came, percent-encoded and without query. headers: names in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> Any:
        """The body as JSON; None when there is none or it is not JSON."""
        try:
            return json.loads(self.body) if self.body else None
        except ValueError:
            return None

    @property
    def is_graphql(self) -> bool:
        return self.path == "/graphql"

    @cached_property
    def subject(self) -> str:
        """What faults and counts call it: "GET /repos/…", "POST /graphql NAME"."""
        line = f"{self.method} {self.path}"
        if self.is_graphql and isinstance(self.json, dict):
            return f"{line} {graphql_name(self.json)}".rstrip()
        return line


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """body: a JSON value, raw bytes, or None for none. is_cut: the connection breaks instead."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False


def error(status: int, message: str, *, problems: list[dict[str, Any]] | None = None) -> Reply:
    body: dict[str, Any] = {
        "message": message,
        "documentation_url": "https://docs.github.com/rest",
        "status": str(status),
    }
    if problems is not None:
        body["errors"] = problems
    return Reply(status=status, body=body)


def graphql_name(body: Mapping[str, Any]) -> str:
    """The operation that a GraphQL request means to run, "" when it has no name."""
    named = body.get("operationName")
    if isinstance(named, str):
        return named
    words = str(body.get("query", "")).replace("(", " ").replace("{", " ").split()
    return words[1] if len(words) > 1 and words[0] in {"query", "mutation"} else ""
