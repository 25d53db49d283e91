"""What maintainers say is no secret, by keyed fingerprint: the value itself is nowhere.

A dismissal holds in its repository until it is taken back (kept.py). Why it was made stands in the
comment.
"""

from dataclasses import asdict, dataclass
from typing import Final

import sqlalchemy as sa

MAX_DISMISSED: Final = 10_000  # of a repository; beyond, the oldest count no more


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissal:
    """One value that a person answers for."""

    fingerprint: str  # 16 hex digits
    actor_id: int
    number: int  # of the pull request
    comment: str | None  # its anchor; it gives the reason. None for a check's button


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A dismissal that holds, with where and since when."""

    dismissal: Dismissal
    repository_id: int
    installation_id: int
    repository: str  # owner/name, as it is called now
    at_ms: int


def dismiss(
    connection: sa.Connection,
    repository_id: int,
    dismissal: Dismissal,
    *,
    written_ms: int,
    now_ms: int,
) -> bool:
    """Write it down; the first who said so stays, unless that was taken back. Whether it is new.

    written_ms: when the comment that makes it was written.
    """
    named = {"repository_id": repository_id, **asdict(dismissal)}
    named |= {"written": written_ms, "now": now_ms}
    return connection.execute(_DISMISS, named).rowcount == 1


_DISMISS: Final = sa.text("""
    INSERT INTO dismissed_secrets
        (repository_id, fingerprint, actor_id, number, comment, at_ms)
    VALUES (:repository_id, :fingerprint, :actor_id, :number, :comment, :now)
    ON CONFLICT (repository_id, fingerprint) DO UPDATE
        SET actor_id = excluded.actor_id, number = excluded.number, comment = excluded.comment,
            at_ms = excluded.at_ms, undone_by = NULL, undone_ms = NULL
        WHERE dismissed_secrets.undone_ms <= :written
""")


def dismissed(connection: sa.Connection, repository_id: int) -> frozenset[str]:
    """The fingerprints that count as no secret in a repository."""
    rows = connection.execute(_DISMISSED, {"repository_id": repository_id, "most": MAX_DISMISSED})
    return frozenset(row.fingerprint for row in rows)


_DISMISSED: Final = sa.text("""
    SELECT fingerprint FROM dismissed_secrets
    WHERE repository_id = :repository_id AND undone_by IS NULL
    ORDER BY at_ms DESC LIMIT :most
""")


def newest(
    connection: sa.Connection, *, repository: str | None = None, limit: int = MAX_DISMISSED
) -> tuple[Standing, ...]:
    """The dismissals that hold, the newest first. repository: owner/name, in any letter case."""
    wanted = {"repository": repository, "limit": limit}
    return tuple(
        Standing(
            dismissal=Dismissal(
                fingerprint=row.fingerprint,
                actor_id=row.actor_id,
                number=row.number,
                comment=row.comment,
            ),
            repository_id=row.repository_id,
            installation_id=row.installation_id,
            repository=row.repository,
            at_ms=row.at_ms,
        )
        for row in connection.execute(_NEWEST, wanted)
    )


_NEWEST: Final = sa.text("""
    SELECT dismissed_secrets.repository_id, fingerprint, actor_id, dismissed_secrets.number,
        comment, at_ms, repository, installation_id
    FROM dismissed_secrets JOIN pull_states
        ON pull_states.repository_id = dismissed_secrets.repository_id
        AND pull_states.number = dismissed_secrets.number
    WHERE undone_by IS NULL
        AND (:repository IS NULL OR lower(repository) = lower(:repository))
    ORDER BY at_ms DESC, fingerprint LIMIT :limit
""").bindparams(sa.bindparam("repository", type_=sa.Text))
