"""Deliveries: each is acted on once, and again only when it failed.

GitHub sends a delivery again on request only, under the same GUID.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

import sqlalchemy as sa

from bot.core.errors import BotError
from bot.store.statement import Statement


class Outcome(StrEnum):
    """How far a delivery, or the last job of a pull request, has come."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A webhook delivery, as far as we keep it."""

    guid: str
    event: str
    action: str | None = None
    installation_id: int | None = None
    repository_id: int | None = None
    ignored: str | None = None  # why nothing follows from it; None when something does


class NotDurableError(BotError):
    """A delivery could not be written down: the sender must not believe that we have it."""


def record(connection: sa.Connection, delivery: Delivery, *, now_ms: int) -> bool:
    """Write a delivery down as done or ignored; True when it is to be acted on.

    That is when its GUID is new, or when it came before and failed.
    """
    row = {
        "guid": delivery.guid,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": delivery.installation_id,
        "repository_id": delivery.repository_id,
        "ignored": delivery.ignored,
        "now": now_ms,
        "outcome": Outcome.DONE if delivery.ignored is None else Outcome.IGNORED,
    }
    return bool(_RECORD.rows(connection, row))


_RECORD: Final = Statement("""
    INSERT INTO deliveries
        (guid, event, action, installation_id, repository_id, received_ms, outcome, reason)
    VALUES (:guid, :event, :action, :installation_id, :repository_id, :now, :outcome, :ignored)
    ON CONFLICT (guid) DO UPDATE
        SET received_ms = excluded.received_ms, outcome = excluded.outcome, reason = excluded.reason
        WHERE deliveries.outcome = 'failed'
    RETURNING guid
""")


def await_job(connection: sa.Connection, guid: str, *, number: int, seq: int) -> None:
    """Leave a delivery pending until job seq of the pull request that it woke has ended."""
    _AWAIT.rows(connection, {"guid": guid, "number": number, "seq": seq})


_AWAIT: Final = Statement(
    "UPDATE deliveries SET number = :number, seq = :seq, outcome = 'pending' WHERE guid = :guid"
)


def outcome(connection: sa.Connection, guid: str) -> Outcome | None:
    """How far a delivery has come; None when it never came."""
    value = connection.execute(_OUTCOME, {"guid": guid}).scalar()
    return None if value is None else Outcome(value)


_OUTCOME: Final = sa.text("SELECT outcome FROM deliveries WHERE guid = :guid")


def reopen(connection: sa.Connection, guid: str) -> None:
    """Have a delivery acted on when it comes once more, though nothing is left to do for it."""
    connection.execute(_REOPEN, {"guid": guid})


_REOPEN: Final = sa.text(
    "UPDATE deliveries SET outcome = 'failed', reason = 'Replayed' "
    "WHERE guid = :guid AND outcome <> 'pending'"
)


def forget(connection: sa.Connection, *, now_ms: int, retention: timedelta) -> int:
    """Delete deliveries that ended and came longer ago than retention; how many."""
    oldest = now_ms - retention // timedelta(milliseconds=1)
    return connection.execute(_FORGET, {"oldest": oldest}).rowcount


_FORGET: Final = sa.text(
    "DELETE FROM deliveries WHERE received_ms < :oldest AND outcome <> 'pending'"
)
