"""The arithmetic of a text hit."""

import json

from bot.core.precheck import TextIndex
from bot.core.report import TextHit
from bot.core.thresholds import Thresholds
from bot.render import arithmetic
from tests.making import github_token, memory

POOL = memory(title="Use a connection pool", body="The pool has eight connections.")


def test_the_sum_and_its_shares_the_largest_first() -> None:
    (found,) = TextIndex([POOL]).search("Grow the pool", thresholds=Thresholds(min_strength=0))
    lines = list(arithmetic.text(found.hit))
    assert len(lines) == 2
    assert lines[0].startswith(f"strength {found.hit.strength:.2f} = (score ")
    assert lines[0].endswith("- behind the strongest 0.00")
    assert lines[1].endswith("  pool  (weight 1.00; title 1, body 1)")
    shown = arithmetic.document(found.hit)
    assert shown is not None
    assert shown["shares"] == [
        {
            "words": "pool",
            "adds": shown["score"],
            "weight": 1.0,
            "times": {"title": 1, "tags": 0, "body": 1},
        }
    ]
    json.dumps(shown)


def test_a_match_without_words_has_none() -> None:
    assert list(arithmetic.text(None)) == []
    assert arithmetic.document(None) is None
    assert arithmetic.document(TextHit(words=(), strength=1.0)) is None


def test_no_secret_and_nothing_that_steers_a_terminal_is_shown() -> None:
    token = github_token()
    index = TextIndex([memory(title=f"Keep {token}")])
    (found,) = index.search(f"Use {token}", thresholds=Thresholds(min_strength=0))
    shown = "\n".join(arithmetic.text(found.hit)) + json.dumps(arithmetic.document(found.hit))
    assert token not in shown
