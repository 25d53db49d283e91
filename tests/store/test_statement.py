import pytest
import sqlalchemy as sa

from bot.store.statement import Statement

_ADD = Statement(
    "INSERT INTO deliveries (guid, event, received_ms, outcome) VALUES (:guid, :event, :ms, 'done')"
)
_ALL = Statement("SELECT guid, received_ms FROM deliveries WHERE event = :event")


def test_values_go_where_their_names_stand(connection: sa.Connection) -> None:
    odd = "100 % %(ms)s :ms ' \x7f"
    assert not _ADD.rows(connection, {"ms": 5, "guid": odd, "event": "ping"})
    assert list(_ALL.rows(connection, {"event": "ping"})) == [(odd, 5)]
    assert list(_ALL.rows(connection, {"event": "push"})) == []


def test_it_is_part_of_the_transaction(connection: sa.Connection) -> None:
    _ADD.rows(connection, {"guid": "one", "event": "ping", "ms": 5})
    with connection.begin_nested() as within:
        _ADD.rows(connection, {"guid": "two", "event": "ping", "ms": 5})
        within.rollback()
    assert list(_ALL.rows(connection, {"event": "ping"})) == [("one", 5)]


def test_what_fails_raises_what_sqlalchemy_would(connection: sa.Connection) -> None:
    row = {"guid": "said in confidence", "event": "ping", "ms": 5}
    _ADD.rows(connection, row)
    with pytest.raises(sa.exc.IntegrityError) as raised, connection.begin_nested():
        _ADD.rows(connection, row)
    assert isinstance(raised.value.orig, Exception)
