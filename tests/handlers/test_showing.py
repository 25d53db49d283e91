"""What people can see of a pull request is kept, and since when."""

from functools import partial

from bot.handlers.showing import Showing
from bot.handlers.turn import now_ms
from bot.store import shown, shown_memories
from bot.store.database import Database
from tests.handlers.conftest import KEY

HEAD, APPLIES = "a" * 40, {"m/a.md": "1"}


async def test_between_the_two_it_may_have_been_seen_or_not(database: Database) -> None:
    later = now_ms() + 60_000
    heads = partial(shown.seen, key=KEY, before_ms=later)
    memories = partial(shown_memories.seen, key=KEY, before_ms=later)
    showing = Showing(database=database)
    await showing.begin(KEY, HEAD, APPLIES)
    seen = database.transact_here(heads)
    assert (seen.head_sha, set(seen.perhaps)) == (None, {HEAD})
    assert database.transact_here(memories) == {"m/a.md": ""}
    await showing.done(KEY, HEAD, APPLIES)
    seen = database.transact_here(heads)
    assert (seen.head_sha, set(seen.perhaps)) == (HEAD, set())
    assert database.transact_here(memories) == APPLIES


async def test_who_wrote_before_has_seen_nothing(database: Database) -> None:
    before = now_ms() - 1
    await Showing(database=database).done(KEY, HEAD, APPLIES)
    assert database.transact_here(partial(shown.seen, key=KEY, before_ms=before)).head_sha is None
    assert database.transact_here(partial(shown_memories.seen, key=KEY, before_ms=before)) == {}
