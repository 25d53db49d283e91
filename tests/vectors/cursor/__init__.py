"""The operations of the Cursor memory schema, version 1, as the README of its vectors has them.

All but parse and scan run the command line in this process, on the case's files in a directory.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.vectors.cursor.reading import parse, read, scan
from tests.vectors.cursor.session import session
from tests.vectors.cursor.validating import validate
from tests.vectors.cursor.writing import append, changed_files
from tests.vectors.operations import run_case
from tests.vectors.verdict import Outcome, Verdict

CASE_KEYS: Final = (
    *("name", "why", "source", "files", "op", "args", "session", "expect", "program"),
)
OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Outcome]]] = {
    "validate": validate,
    "parse": parse,
    "append": append,
    "session": session,
    "list": read,
    "latest": read,
    "show": read,
    "search": read,
    "rotate": changed_files,
    "migrate": changed_files,
    "scan": scan,
}


def run(case: Mapping[str, Any]) -> Verdict:
    """Run a case. Raises MalformedError for one that is not as the README describes."""
    return run_case(case, OPERATIONS, keys=CASE_KEYS)
