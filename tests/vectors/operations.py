"""A case runs the operation that it names."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.vectors.cases import only, plain
from tests.vectors.verdict import Difference, Outcome, Verdict, judged


def run_case(
    case: Mapping[str, Any],
    operations: Mapping[str, Callable[[Mapping[str, Any]], Outcome]],
    *,
    keys: Iterable[str],
) -> Verdict:
    """Run a case and judge what came of it.

    keys: that a case may have. Raises MalformedError for one that is not as the README describes.
    """
    operation = operations.get(str(case.get("op")))
    if operation is None:
        problem = Difference(
            what="op", expected=f"one of {', '.join(operations)}", got=case.get("op")
        )
        return Verdict(differences=(problem,))
    only(case, keys, "the case")
    return judged(plain(case.get("expect", {})), operation(case))
