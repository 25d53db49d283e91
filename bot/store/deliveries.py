"""Deliveries: each is acted on once, and again only when it failed (GitHub keeps the GUID then)."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

import sqlalchemy as sa

from bot.core.errors import BotError
from bot.store.tables import deliveries, upsert


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
    outcome = Outcome.DONE if delivery.ignored is None else Outcome.IGNORED
    row = {
        "guid": delivery.guid,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": delivery.installation_id,
        "repository_id": delivery.repository_id,
        "received_ms": now_ms,
        "outcome": outcome,
        "reason": delivery.ignored,
    }
    written = connection.execute(
        upsert(connection, deliveries)
        .values(row)
        .on_conflict_do_update(
            index_elements=[deliveries.c.guid],
            set_=row,
            where=deliveries.c.outcome == Outcome.FAILED,
        )
        .returning(deliveries.c.guid)
    )
    return written.first() is not None


def await_job(connection: sa.Connection, guid: str, *, number: int, seq: int) -> None:
    """Leave a delivery pending until job seq of the pull request that it woke has ended."""
    connection.execute(
        sa.update(deliveries)
        .where(deliveries.c.guid == guid)
        .values(number=number, seq=seq, outcome=Outcome.PENDING)
    )


def outcome(connection: sa.Connection, guid: str) -> Outcome | None:
    """How far a delivery has come; None when it never came."""
    found = connection.execute(sa.select(deliveries.c.outcome).where(deliveries.c.guid == guid))
    value = found.scalar()
    return None if value is None else Outcome(value)


def forget(connection: sa.Connection, *, now_ms: int, retention: timedelta) -> int:
    """Delete deliveries that ended longer ago than retention; how many."""
    oldest = now_ms - retention // timedelta(milliseconds=1)
    gone = sa.delete(deliveries).where(
        deliveries.c.received_ms < oldest, deliveries.c.outcome != Outcome.PENDING
    )
    return connection.execute(gone).rowcount
