"""How far the comparison with GitHub has come, and what it found to be lost.

One process at a time compares; it holds a lease, which it renews while it works. All it learns is
kept here step by step, so that another process, or the next start, goes on where it stopped.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey, Wake

_MINUTE_MS: Final = 60_000
# Longer than a step takes, as a rule; and so long a process that dies keeps the others from it.
LEASE_MS: Final = 2 * _MINUTE_MS
# Pauses double with each try. A delivery that did not arrive met a restart, most likely.
_FIRST_PAUSE_OF_A_DELIVERY_MS: Final = _MINUTE_MS
_FIRST_PAUSE_OF_A_JOB_MS: Final = 15 * _MINUTE_MS
_LONGEST_PAUSE_MS: Final = 24 * 60 * _MINUTE_MS
_REMEMBERED_MS: Final = 30 * 24 * 60 * _MINUTE_MS  # how long tries are counted
_MAX_TRIES: Final = 8  # of a job that was given up, over more than a day


# Whose turn it is


def begin(connection: sa.Connection, holder: str, *, ended_before_ms: int, now_ms: int) -> bool:
    """Take the lease for a round; False while another has it, or when a round ended later."""
    row = {"holder": holder, "now": now_ms, "until": now_ms + LEASE_MS, "before": ended_before_ms}
    return connection.execute(_BEGIN, row).first() is not None


_BEGIN: Final = sa.text("""
    UPDATE reconciliation SET holder = :holder, leased_until_ms = :until
    WHERE (leased_until_ms < :now OR holder = :holder) AND ended_ms <= :before
    RETURNING holder
""")


def renew(connection: sa.Connection, holder: str, *, now_ms: int) -> bool:
    """Keep the lease; False when it is another's by now, which then does the rest."""
    row = {"holder": holder, "until": now_ms + LEASE_MS}
    return connection.execute(_RENEW, row).first() is not None


_RENEW: Final = sa.text(
    "UPDATE reconciliation SET leased_until_ms = :until WHERE holder = :holder RETURNING holder"
)


def end(connection: sa.Connection, holder: str, *, is_over: bool, now_ms: int) -> None:
    """Give the lease back. is_over: the round was not cut short."""
    connection.execute(_END, {"holder": holder, "is_over": is_over, "now": now_ms})
    connection.execute(_FORGET_TRIES, {"before": now_ms - _REMEMBERED_MS})


_END: Final = sa.text("""
    UPDATE reconciliation
    SET leased_until_ms = 0, ended_ms = CASE WHEN :is_over THEN :now ELSE ended_ms END
    WHERE holder = :holder
""")
_FORGET_TRIES: Final = sa.text("DELETE FROM tried_again WHERE next_ms < :before")


# The delivery log


@dataclass(frozen=True, slots=True, kw_only=True)
class LogProgress:
    """How far GitHub's log of deliveries was read, which lists the newest first.

    read_ms: all that is older was looked at. began_ms, cursor: of a reading that has not come down
    to read_ms yet: when it began, and its next page; None when there is none.
    """

    read_ms: int = 0
    began_ms: int | None = None
    cursor: str | None = None
    only_failures: bool = False  # of that reading


def log_progress(connection: sa.Connection) -> LogProgress:
    """Where to go on."""
    row = connection.execute(_LOG).one()
    return LogProgress(
        read_ms=row.log_read_ms,
        began_ms=row.log_began_ms,
        cursor=row.log_cursor,
        only_failures=bool(row.log_only_failures),
    )


_LOG: Final = sa.text("""
    SELECT log_read_ms, log_began_ms, log_cursor, log_only_failures FROM reconciliation
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class LostDelivery:
    """A delivery that GitHub sent and that we have not recorded."""

    guid: str
    delivery_id: int  # of any attempt
    delivered_ms: int
    tries: int = 0  # how often it was asked for again


def note_page(
    connection: sa.Connection, listed: Iterable[LostDelivery], progress: LogProgress
) -> None:
    """Keep those deliveries of a page that were never recorded, and how far that was."""
    for one in listed:
        row = {"guid": one.guid, "id": one.delivery_id, "delivered": one.delivered_ms}
        connection.execute(_NOTE, row)
    connection.execute(
        _KEEP_LOG,
        {
            "read": progress.read_ms,
            "began": progress.began_ms,
            "cursor": progress.cursor,
            "only_failures": progress.only_failures,
        },
    )


_NOTE: Final = sa.text("""
    INSERT INTO lost_deliveries (guid, delivery_id, delivered_ms, tries, next_ms)
    SELECT CAST(:guid AS TEXT), CAST(:id AS BIGINT), CAST(:delivered AS BIGINT), 0, 0
    WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE guid = :guid)
    ON CONFLICT (guid) DO NOTHING
""")
_KEEP_LOG: Final = sa.text("""
    UPDATE reconciliation SET log_read_ms = :read, log_began_ms = :began, log_cursor = :cursor,
        log_only_failures = :only_failures
""")


def lost(
    connection: sa.Connection, *, since_ms: int, now_ms: int, limit: int
) -> tuple[LostDelivery, ...]:
    """Those to be asked for now, the oldest first. What has arrived or is older than since goes."""
    connection.execute(_ARRIVED, {"since": since_ms})
    rows = connection.execute(_LOST, {"now": now_ms, "limit": limit})
    return tuple(
        LostDelivery(
            guid=row.guid,
            delivery_id=row.delivery_id,
            delivered_ms=row.delivered_ms,
            tries=row.tries,
        )
        for row in rows
    )


_ARRIVED: Final = sa.text("""
    DELETE FROM lost_deliveries
    WHERE delivered_ms < :since OR guid IN (SELECT guid FROM deliveries)
""")
_LOST: Final = sa.text("""
    SELECT guid, delivery_id, delivered_ms, tries FROM lost_deliveries
    WHERE next_ms <= :now ORDER BY delivered_ms, delivery_id LIMIT :limit
""")


def asked_again(connection: sa.Connection, one: LostDelivery, *, now_ms: int) -> None:
    """A delivery was asked for; next time after a pause, should it not arrive."""
    pause = _pause_ms(one.tries, first=_FIRST_PAUSE_OF_A_DELIVERY_MS)
    row = {"guid": one.guid, "next": now_ms + pause, "tries": one.tries + 1}
    connection.execute(_ASKED, row)


_ASKED: Final = sa.text(
    "UPDATE lost_deliveries SET tries = :tries, next_ms = :next WHERE guid = :guid"
)


def forget_lost(connection: sa.Connection, guid: str) -> None:
    """A delivery cannot be had again."""
    connection.execute(_FORGET_LOST, {"guid": guid})


_FORGET_LOST: Final = sa.text("DELETE FROM lost_deliveries WHERE guid = :guid")


# Installations


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """How far an installation was looked through. page: of its repositories, the next one."""

    page: int = 1
    looked_ms: int = 0  # when all of it was, last


def looked(connection: sa.Connection) -> Mapping[int, Looked]:
    """What was looked at, by installation."""
    rows = connection.execute(_LOOKED)
    return {
        row.installation_id: Looked(page=row.next_page, looked_ms=row.looked_ms) for row in rows
    }


_LOOKED: Final = sa.text(
    "SELECT installation_id, next_page, looked_ms FROM reconciled_installations"
)


def keep_looked(connection: sa.Connection, installation_id: int, looked: Looked) -> None:
    """Keep how far an installation was looked through."""
    row = {"id": installation_id, "page": looked.page, "looked": looked.looked_ms}
    connection.execute(_KEEP_LOOKED, row)


_KEEP_LOOKED: Final = sa.text("""
    INSERT INTO reconciled_installations (installation_id, next_page, looked_ms)
    VALUES (:id, :page, :looked)
    ON CONFLICT (installation_id) DO UPDATE
        SET next_page = excluded.next_page, looked_ms = excluded.looked_ms
""")


def forget_installations(connection: sa.Connection, gone: Collection[int]) -> None:
    """Forget installations that are no more."""
    for installation_id in gone:
        connection.execute(_GONE, {"id": installation_id})


_GONE: Final = sa.text("DELETE FROM reconciled_installations WHERE installation_id = :id")


# Pull requests


def try_again(connection: sa.Connection, key: PullKey, head_sha: str, *, now_ms: int) -> bool:
    """Whether a head may be set going once more; if so, that is counted.

    The first time at once, then after pauses that double up to a day: what never ends well must not
    cost requests for ever. A new head begins anew.
    """
    row = {**_of(key), "head_sha": head_sha}
    known = connection.execute(_TRIED, row).one_or_none()
    if known is not None and known.next_ms > now_ms:
        return False
    tries = known.tries if known else 0
    pause = _pause_ms(tries, first=_FIRST_PAUSE_OF_A_JOB_MS)
    row |= {"tries": tries + 1, "next": now_ms + pause}
    connection.execute(_TRY, row)
    return True


_TRIED: Final = sa.text("""
    SELECT tries, next_ms FROM tried_again
    WHERE repository_id = :repository_id AND number = :number AND head_sha = :head_sha
""")
_TRY: Final = sa.text("""
    INSERT INTO tried_again (repository_id, number, head_sha, tries, next_ms)
    VALUES (:repository_id, :number, :head_sha, :tries, :next)
    ON CONFLICT (repository_id, number, head_sha) DO UPDATE
        SET tries = excluded.tries, next_ms = excluded.next_ms
""")


def given_up(
    connection: sa.Connection, installation_id: int, *, now_ms: int, limit: int
) -> tuple[Wake, ...]:
    """What an installation's last job failed for good on, where it may be tried again by now."""
    named = {
        "installation_id": installation_id,
        "now": now_ms,
        "most": _MAX_TRIES,
        "limit": limit,
    }
    return tuple(
        Wake(
            key=PullKey(repository_id=row.repository_id, number=row.number),
            installation_id=installation_id,
            repository=row.repository,
            head_sha=row.head_sha,
        )
        for row in connection.execute(_GIVEN_UP, named)
    )


_GIVEN_UP: Final = sa.text("""
    SELECT state.repository_id, state.number, state.repository, state.head_sha
    FROM pull_states AS state
    LEFT JOIN tried_again AS tried ON tried.repository_id = state.repository_id
        AND tried.number = state.number AND tried.head_sha = COALESCE(state.head_sha, '')
    WHERE state.outcome = 'failed' AND state.finished = state.seq
        AND state.installation_id = :installation_id
        AND (tried.tries IS NULL OR (tried.tries < :most AND tried.next_ms <= :now))
    ORDER BY state.updated_ms LIMIT :limit
""")


def _pause_ms(tries: int, *, first: int) -> int:
    doubled: int = first * 2 ** min(tries, 20)
    return min(doubled, _LONGEST_PAUSE_MS)


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
