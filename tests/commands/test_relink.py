"""`relink REF old/path new/path`: what is read of the comment, and what is refused."""

from dataclasses import replace

import pytest

from bot.commands.grammar import parse
from bot.commands.registry import HANDLERS
from bot.commands.relink import new_paths
from tests.commands.making import context, edits, file, memory_file, said, texts

MADE = memory_file("20261005-utc", "active", type_="constraint", title="UTC only")
UTC = file(
    MADE.path, (MADE.data or b"").replace(b"---\nB.", b'links: ["src/db", "my docs"]\n---\nB.')
)
ON = context(UTC)


@pytest.mark.parametrize(
    ("comment", "links"),
    [
        ("CON-f27c src/db src/store", '["src/store", "my docs"]'),
        ("[per CON-f27c] `src/db` src/store: moved", '["src/store", "my docs"]'),
        ('20261005-utc "my docs" "our docs"', '["src/db", "our docs"]'),
        ("CON-f27c src/db `src/__init__.py`", '["src/__init__.py", "my docs"]'),
    ],
)
def test_a_link_is_replaced(comment: str, links: str) -> None:
    batch = said(f"/memoryrail relink {comment}", ON)
    assert f"links: {links}\n".encode() in (edits(batch)[UTC.path] or b"")


def test_what_was_done_is_said() -> None:
    (text,) = texts(said("/memoryrail relink CON-f27c src/db src/@x: moved", ON))
    assert text == "Relinked **CON-f27c** · UTC only, from src/db to src/@&#8203;x. Reason: moved"


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("CON-f27c src/db", "Write `/memoryrail relink REF old/path new/path`."),
        ("", "Write `/memoryrail relink REF old/path new/path`."),
        ("CON-f27c src/db src/a src/b", "Write `/memoryrail relink REF old/path new/path`."),
        ("CON-f27d src/db src/store", "There is no memory CON-f27d. Did you mean CON-f27c"),
        ("CON-f27c src/bd src/store", "does not link src/bd. Did you mean src/db?"),
        ("CON-f27c src/db src/gone", "cannot link src/gone: nothing is there."),
    ],
)
def test_what_is_refused(comment: str, says: str) -> None:
    batch = said(f"/memoryrail relink {comment}", replace(ON, missing=frozenset({"src/gone"})))
    assert batch.plan is None
    assert says in texts(batch)[0]


def test_what_is_to_be_looked_up_at_the_head() -> None:
    comment = "/memoryrail relink A x ./src/a\n/memoryrail relink B y ../up\n/memoryrail relink"
    commands = parse(comment, HANDLERS).commands
    assert new_paths(commands, ["", "apps/shop"]) == ("apps/shop/src/a", "src/a")
