"""What was accepted on one pull request."""

from dataclasses import replace

from bot.store import acknowledgements
from bot.store.acknowledgements import Acknowledgement
from bot.store.database import Database
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=12)
OTHER = PullKey(repository_id=7, number=13)
ONE = Acknowledgement(
    path="m/a.md", oid="1", actor="ada", reason="agreed", comment="issuecomment-3"
)


def test_the_newest_acknowledgement_of_a_memory_counts(database: Database) -> None:
    again = replace(ONE, oid="2", reason="")
    with database.engine.begin() as connection:
        acknowledgements.acknowledge(connection, KEY, [ONE, replace(ONE, path="m/b.md")], now_ms=1)
        acknowledgements.acknowledge(connection, KEY, [again], now_ms=2)
        acknowledgements.acknowledge(connection, KEY, [again], now_ms=2)  # told again
        assert acknowledgements.acknowledged(connection, KEY) == (
            replace(ONE, path="m/b.md"),
            again,
        )
        assert acknowledgements.acknowledged(connection, OTHER) == ()
