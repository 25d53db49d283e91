"""What a request or response does wrong, in words that a failing test can show."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["contract", "limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One departure from GitHub's contract.

    kind: "contract" is a mistake in a program (misspelt, missing, contradictory, wrong type): no
    test should let it pass. "limit" is a matter of size, which GitHub answers with 422.
    where: "body/output/annotations/3/title", "query/per_page", "path/pull_number", "status".
    """

    where: str
    what: str
    kind: Kind = "contract"

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"
