"""Why a memory applies, in words that a reader can weigh."""

import pytest

from bot.core.report import LinkHit, Match, TextHit
from bot.core.thresholds import Thresholds
from bot.render.reasons import strength, why
from tests.making import memory

EXACT = LinkHit(path="src/db/pool.py", link="src/db/pool.py", exact=True, depth=3)
NEAR = LinkHit(path="src/db/pool.py", link="src/db", exact=False, depth=2)
BROAD = LinkHit(path="src/db/pool.py", link="src", exact=False, depth=1, broad=True)
FORMER = LinkHit(path="src/db/old.py", link="src/db", exact=False, depth=2, renamed_from=True)
SPOKEN = TextHit(words=("connection pool", "timeout"), strength=5.0)


@pytest.mark.parametrize(
    ("fields", "phrase"),
    [
        ({"pinned": True, "links": (NEAR,), "text": SPOKEN}, "applies to every change"),
        ({"links": (EXACT,), "text": SPOKEN}, "`src/db/pool.py` is linked"),
        ({"links": (NEAR, BROAD)}, "`src/db` is linked"),
        ({"links": (FORMER,)}, "renamed from `src/db/old.py`"),
        ({"links": (BROAD,)}, "`src` is linked"),
        (
            {"links": (BROAD,), "text": SPOKEN},
            "`src` is linked, and it speaks of *connection pool*, *timeout*",
        ),
        ({"text": SPOKEN}, "speaks of *connection pool*, *timeout*"),
        ({"text": TextHit(words=tuple("abcdef"), strength=5.0)}, "speaks of *a*, *b*, *c*, *d*"),
    ],
)
def test_the_strongest_reason_is_one_short_phrase(fields: dict[str, object], phrase: str) -> None:
    assert why(Match(memory=memory(), store="", **fields)) == phrase  # type: ignore[arg-type]


def test_a_strength_is_a_word() -> None:
    least = Thresholds().min_strength
    told = [strength(TextHit(words=(), strength=each)) for each in (least, 4.49, 4.5, 6.5, 8.01)]
    assert told == ["weak", "weak", "clear", "strong", "strong"]
