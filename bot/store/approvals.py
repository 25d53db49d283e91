"""What maintainers approved on each pull request: contents, by path and git's object id."""

from collections.abc import Iterable, Mapping
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


def approve(
    connection: sa.Connection, key: PullKey, comment: str, digest: str, contents: Mapping[str, str]
) -> None:
    """Approve contents by a comment: path -> object id of the file that is approved."""
    for path, oid in contents.items():
        named = {"path": path, "oid": oid, "comment": comment, "digest": digest}
        connection.execute(_APPROVE, {**_of(key), **named})


_APPROVE: Final = sa.text("""
    INSERT INTO approvals (repository_id, number, path, oid, comment, digest)
    VALUES (:repository_id, :number, :path, :oid, :comment, :digest)
    ON CONFLICT (repository_id, number, path, oid) DO NOTHING
""")


def carry_over(connection: sa.Connection, key: PullKey, comment: str, digest: str) -> None:
    """Approve what a comment approved on another pull request too."""
    connection.execute(_CARRY_OVER, {**_of(key), "comment": comment, "digest": digest})


_CARRY_OVER: Final = sa.text("""
    INSERT INTO approvals (repository_id, number, path, oid, comment, digest)
    SELECT DISTINCT repository_id, CAST(:number AS BIGINT), path, oid, comment, digest
    FROM approvals
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
    ON CONFLICT (repository_id, number, path, oid) DO NOTHING
""")


def forget(connection: sa.Connection, key: PullKey, comment: str, digest: str) -> None:
    """Take back what a comment approved."""
    connection.execute(_FORGET, {**_of(key), "comment": comment, "digest": digest})


_FORGET: Final = sa.text("""
    DELETE FROM approvals
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
""")


def revoke(
    connection: sa.Connection, repository_id: int, numbers: Iterable[int], paths: Iterable[str]
) -> None:
    """Take back every approval of some files on some pull requests."""
    named = {"repository_id": repository_id, "numbers": list(numbers), "paths": list(paths)}
    connection.execute(_REVOKE, named)


_REVOKE: Final = sa.text("""
    DELETE FROM approvals
    WHERE repository_id = :repository_id AND number IN :numbers AND path IN :paths
""").bindparams(sa.bindparam("numbers", expanding=True), sa.bindparam("paths", expanding=True))


def take_back(connection: sa.Connection, repository_id: int, commit_sha: str) -> None:
    """Take back what was approved by the comment whose commands made a commit."""
    connection.execute(_TAKE_BACK, {"repository_id": repository_id, "sha": commit_sha})


_TAKE_BACK: Final = sa.text("""
    DELETE FROM approvals
    WHERE repository_id = :repository_id AND EXISTS (
        SELECT 1 FROM audit
        WHERE audit.repository_id = :repository_id AND audit.comment = approvals.comment
            AND audit.digest = approvals.digest AND audit.commit_sha = :sha
    )
""")


def approved(connection: sa.Connection, key: PullKey) -> frozenset[tuple[str, str]]:
    """Every path and object id that was approved on a pull request."""
    rows = connection.execute(_APPROVED, _of(key))
    return frozenset((row.path, row.oid) for row in rows)


_APPROVED: Final = sa.text("""
    SELECT path, oid FROM approvals WHERE repository_id = :repository_id AND number = :number
""")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
