"""How the sandbox says no: one error for REST and GraphQL, raised wherever a rule is broken."""

from typing import Literal

Breach = Literal["contract", "limit", "credentials", "permission"]


class Refusal(Exception):  # noqa: N818 (an answer, not a mistake of ours)
    """A request that GitHub would refuse.

    status: of the REST answer. kind: `type` of the GraphQL error. field: what a 422 is about, ""
    when no single field is. breach: of the contract, which a correct program would never commit.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        kind: str = "UNPROCESSABLE",
        field: str = "",
        breach: Breach | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.kind = status, message, kind
        self.field, self.breach = field, breach


def not_found(what: str = "Not Found") -> Refusal:
    return Refusal(404, what, kind="NOT_FOUND")


def forbidden(what: str = "Resource not accessible by integration") -> Refusal:
    return Refusal(403, what, kind="FORBIDDEN")
