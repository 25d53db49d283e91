"""Finding memories by words."""

import pytest

from bot.core.search import search
from tests.making import memory

POOL = memory("20261001-pool", title="No pooler before SQLite", body="Connections lock up.")
HOOKS = memory(
    "20261002-hooks", title="Webhooks are signed", tags=("ci",), body="SQLite keeps them."
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("connection", [POOL]),
        ("connection lock", [POOL]),
        ("sqlite", [POOL, HOOKS]),
        ("SQLite pooler", [POOL, HOOKS]),
        ("hook", [HOOKS]),
        ("ci", [HOOKS]),
        ("20261002", [HOOKS]),
        ("kubernetes", []),
        ("", []),
        ("the", [HOOKS]),  # no term, but part of a word
        ("zz the", []),
    ],
)
def test_search(words: str, expected: list[object]) -> None:
    assert list(search([POOL, HOOKS], words, limit=9)) == expected


def test_only_so_many() -> None:
    assert search([POOL, HOOKS], "sqlite", limit=1) == (POOL,)
