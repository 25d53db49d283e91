"""The operations of the jumpyBrain memory format, as the README of its vectors has them.

Each runs the plans that the bot and the command line carry out, on the case's files, and writes
what they say to a copy of these. A refusal is exit code 1, as the format's program has it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.vectors.jumpybrain.editing import ensure_ids, show, update
from tests.vectors.jumpybrain.processing import process
from tests.vectors.jumpybrain.reading import find_root, index_files, init, parse, session_id, status
from tests.vectors.jumpybrain.writing import file_name, remember, wrapup
from tests.vectors.operations import run_case
from tests.vectors.verdict import Outcome, Verdict

CASE_KEYS: Final = ("name", "why", "source", "observed", "files", "op", "args", "expect", "program")
OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Outcome]]] = {
    "parse": parse,
    "session-id": session_id,
    "init": init,
    "status": status,
    "find-root": find_root,
    "index-files": index_files,
    "remember": remember,
    "wrapup": wrapup,
    "file-name": file_name,
    "ensure-ids": ensure_ids,
    "show": show,
    "update": update,
    "process": process,
}


def run(case: Mapping[str, Any]) -> Verdict:
    """Run a case. Raises MalformedError for one that is not as the README describes."""
    return run_case(case, OPERATIONS, keys=CASE_KEYS)
