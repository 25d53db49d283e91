from datetime import timedelta

import sqlalchemy as sa

from bot.store import deliveries
from bot.store.deliveries import Delivery, Outcome

PING = Delivery(guid="one", event="ping")


def _fail(connection: sa.Connection, guid: str) -> None:
    failed = "UPDATE deliveries SET outcome = 'failed', reason = 'Boom' WHERE guid = :guid"
    connection.execute(sa.text(failed), {"guid": guid})


def test_a_delivery_counts_when_it_is_new_or_has_failed(connection: sa.Connection) -> None:
    assert deliveries.record(connection, PING, now_ms=1)
    assert not deliveries.record(connection, PING, now_ms=2)
    _fail(connection, "one")
    assert deliveries.record(connection, PING, now_ms=3)
    assert deliveries.outcome(connection, "one") is Outcome.DONE


def test_a_delivery_without_consequence_is_kept_with_its_reason(connection: sa.Connection) -> None:
    ignored = Delivery(guid="two", event="star", ignored="events of this kind are not handled")
    assert deliveries.record(connection, ignored, now_ms=1)
    assert deliveries.outcome(connection, "two") is Outcome.IGNORED
    reason = connection.exec_driver_sql("SELECT reason FROM deliveries").scalar()
    assert reason == "events of this kind are not handled"


def test_a_delivery_that_waits_for_a_job_is_never_forgotten(connection: sa.Connection) -> None:
    deliveries.record(connection, PING, now_ms=0)
    deliveries.record(connection, Delivery(guid="two", event="pull_request"), now_ms=0)
    deliveries.record(connection, Delivery(guid="new", event="ping"), now_ms=60_001)
    deliveries.await_job(connection, "two", number=1, seq=1)
    minute = timedelta(minutes=1)
    assert deliveries.forget(connection, now_ms=60_001, retention=minute) == 1
    found = {guid: deliveries.outcome(connection, guid) for guid in ("one", "two", "new")}
    assert found == {"one": None, "two": Outcome.PENDING, "new": Outcome.DONE}


def test_what_never_came_has_no_outcome(connection: sa.Connection) -> None:
    assert deliveries.outcome(connection, "none") is None
