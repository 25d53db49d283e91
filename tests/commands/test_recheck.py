"""`recheck`: asks for a new review, and writes nothing."""

from bot.commands.outcome import Recheck
from bot.commands.run import reply
from tests.commands.making import context, said


def test_it_asks_for_a_new_review() -> None:
    batch = said("/memoryrail recheck please", context())
    assert [outcome for _, outcome in batch.outcomes] == [Recheck()]
    assert batch.plan is None
    assert reply(batch, ()) is None
