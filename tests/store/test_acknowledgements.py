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
        made = [ONE, replace(ONE, path="m/b.md")]
        acknowledgements.acknowledge(connection, KEY, made, written_ms=1, now_ms=1)
        for _ in range(2):  # told again
            acknowledgements.acknowledge(connection, KEY, [again], written_ms=2, now_ms=2)
        assert acknowledgements.acknowledged(connection, KEY) == (
            replace(ONE, path="m/b.md"),
            again,
        )
        assert acknowledgements.acknowledged(connection, OTHER) == ()
