"""What was kept without a commit is taken back, and stays so unless it is said anew."""

from dataclasses import replace

import sqlalchemy as sa

from bot.core.kept import Kept
from bot.store.acknowledgements import Acknowledgement, acknowledge, acknowledged
from bot.store.dismissals import Dismissal, dismiss, dismissed
from bot.store.kept import kept, undo, undone_since
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=12)
OTHER = PullKey(repository_id=7, number=13)
ACK = Acknowledgement(path="m/a.md", oid="1", actor="ada", reason="", comment="issuecomment-3")
IGNORED = Dismissal(fingerprint="0123456789abcdef", actor_id=5, number=13, comment=None)
KEPT = (
    Kept(verb="ack", name="m/a.md", number=12, comment="issuecomment-3", at_ms=11),
    Kept(verb="ignore", name="0123456789abcdef", number=13, comment="", at_ms=12),
)


def keep(connection: sa.Connection, written_ms: int) -> None:
    acknowledge(connection, KEY, [ACK], written_ms=written_ms, now_ms=written_ms + 1)
    dismiss(connection, 7, IGNORED, written_ms=written_ms, now_ms=written_ms + 2)


def test_what_is_taken_back_holds_no_more(connection: sa.Connection) -> None:
    keep(connection, 10)
    acknowledge(connection, OTHER, [ACK], written_ms=10, now_ms=10)
    assert kept(connection, KEY, by="") == KEPT
    assert undo(connection, KEY, KEPT, by="me", written_ms=20) == 2
    assert (acknowledged(connection, KEY), dismissed(connection, 7)) == ((), frozenset())
    assert len(acknowledged(connection, OTHER)) == 1
    assert kept(connection, KEY, by="") == ()
    assert kept(connection, PullKey(repository_id=8, number=12), by="") == ()


def test_who_took_it_back_finds_it_again_and_nobody_else_does(connection: sa.Connection) -> None:
    keep(connection, 10)
    undo(connection, KEY, KEPT, by="me", written_ms=20)
    assert undo(connection, KEY, KEPT, by="another", written_ms=30) == 0
    again = tuple(replace(one, is_undone=True) for one in KEPT)
    assert (kept(connection, KEY, by="me"), kept(connection, KEY, by="another")) == (again, ())


def test_only_what_was_written_later_makes_it_hold_again(connection: sa.Connection) -> None:
    keep(connection, 10)
    undo(connection, KEY, KEPT, by="me", written_ms=20)
    keep(connection, 19)  # tried again
    assert (acknowledged(connection, KEY), dismissed(connection, 7)) == ((), frozenset())
    keep(connection, 20)
    assert acknowledged(connection, KEY) == (ACK,)
    assert dismissed(connection, 7) == {IGNORED.fingerprint}


def test_what_is_kept_anew_meanwhile_is_not_taken_back(connection: sa.Connection) -> None:
    keep(connection, 10)
    read = kept(connection, KEY, by="me")
    undo(connection, KEY, read, by="another", written_ms=20)
    keep(connection, 30)
    assert undo(connection, KEY, read, by="me", written_ms=20) == 0
    assert len(kept(connection, KEY, by="")) == 2


def test_who_wrote_before_an_undo_finds_what_it_took_back(connection: sa.Connection) -> None:
    keep(connection, 10)
    undo(connection, KEY, KEPT, by="me", written_ms=20)
    assert undone_since(connection, KEY, written_ms=20) == frozenset()
    undone = undone_since(connection, KEY, written_ms=19)
    assert undone == {("ack", "m/a.md"), ("ignore", "0123456789abcdef")}
    assert undone_since(connection, OTHER, written_ms=19) == {("ignore", "0123456789abcdef")}
