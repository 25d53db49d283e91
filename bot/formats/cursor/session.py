"""The state in which the hooks keep the task at work (spec/cursor.md, "Correlation ids")."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from bot.core.errors import UserError

_CORRELATION: Final = re.compile(r"[0-9]+-[0-9]+")
_NUMBER: Final = re.compile(r"[0-9]+")

State = Mapping[str, object]  # all that the file holds; keys that are not known here are kept


def parse(data: bytes, path: str) -> State:
    """The state of a file. Raises UserError for one that is none, which is never overwritten."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise UserError(f"{path} is no JSON object. Mend it, or delete it to begin a new session.")
    return document


def begun(now: datetime) -> State:
    """The state of a session that begins now, with its first task."""
    session = str(int(now.timestamp()))
    return {"session_id": session, "task_seq": 0, "active_correlation_id": f"{session}-0"}


def active(state: State, path: str) -> str:
    """The correlation id of the task at work. Raises UserError where the state has none."""
    stored = state.get("active_correlation_id")
    if stored is None or stored == "":
        return _joined(state, path)
    if not isinstance(stored, str) or _CORRELATION.fullmatch(stored) is None:
        raise UserError(
            f"{path}: `active_correlation_id` is two whole numbers, as in 1745333456-0."
        )
    return stored


def bumped(state: State, path: str) -> State:
    """The state once the task is done and the next one begins. Raises UserError."""
    _, sequence = _parts(state, path)
    following = {**state, "task_seq": sequence + 1}
    return {**following, "active_correlation_id": _joined(following, path)}


def rendered(state: State) -> bytes:
    """The file of a state."""
    return f"{json.dumps(state, indent=2)}\n".encode()


def _joined(state: State, path: str) -> str:
    session, sequence = _parts(state, path)
    return f"{session}-{sequence}"


def _parts(state: State, path: str) -> tuple[str, int]:
    session, sequence = state.get("session_id"), state.get("task_seq", 0)
    if isinstance(session, int) and not isinstance(session, bool):
        session = str(session)
    if not isinstance(session, str) or _NUMBER.fullmatch(session) is None:
        raise UserError(f"{path}: `session_id` is a whole number, as in 1745333456.")
    if not isinstance(sequence, int) or isinstance(sequence, bool) or sequence < 0:
        raise UserError(f"{path}: `task_seq` is a whole number.")
    return session, sequence
