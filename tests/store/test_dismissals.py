"""What maintainers say is no secret."""

import sqlalchemy as sa

from bot.store.dismissals import Dismissal, dismiss, dismissed

ONE = Dismissal(fingerprint="0123456789abcdef", actor_id=5, number=12, comment="issuecomment-99")
BUTTON = Dismissal(fingerprint="fedcba9876543210", actor_id=6, number=13, comment=None)


def test_a_dismissal_holds_in_its_repository_only(connection: sa.Connection) -> None:
    assert dismiss(connection, 7, ONE, written_ms=1, now_ms=1)
    assert dismiss(connection, 7, BUTTON, written_ms=2, now_ms=2)
    assert dismissed(connection, 7) == {ONE.fingerprint, BUTTON.fingerprint}
    assert dismissed(connection, 8) == frozenset()


def test_the_first_who_says_so_stays(connection: sa.Connection) -> None:
    assert dismiss(connection, 7, ONE, written_ms=1, now_ms=1)
    assert not dismiss(connection, 7, ONE, written_ms=2, now_ms=2)
    assert len(dismissed(connection, 7)) == 1
