"""The tables as the code sees them; `migrations.py` makes them. Times are Unix milliseconds."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

metadata: Final = sa.MetaData()

# What GitHub sent, one row a GUID.
deliveries: Final = sa.Table(
    "deliveries",
    metadata,
    sa.Column("guid", sa.Text, primary_key=True),
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("action", sa.Text),
    sa.Column("installation_id", sa.BigInteger),
    sa.Column("repository_id", sa.BigInteger),
    sa.Column("number", sa.BigInteger),  # the pull request it woke
    sa.Column("seq", sa.BigInteger),  # that pull request's job which settles this delivery
    sa.Column("received_ms", sa.BigInteger, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),  # an Outcome
    sa.Column("reason", sa.Text),  # why it was ignored or failed, in our words
)

# What each pull request waits for. Its jobs are numbered by seq, from 1.
pull_states: Final = sa.Table(
    "pull_states",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("installation_id", sa.BigInteger, nullable=False),
    sa.Column("repository", sa.Text, nullable=False),  # owner/name: a label, it can change
    sa.Column("head_sha", sa.Text),  # the last head heard of: a hint, deliveries come in any order
    sa.Column("queued", sa.Boolean, nullable=False),  # job seq has not begun: a wake can rely on it
    sa.Column("seq", sa.BigInteger, nullable=False),  # the newest job
    sa.Column("finished", sa.BigInteger, nullable=False),  # the newest job that has ended
    sa.Column("attempts", sa.Integer, nullable=False),  # begun without success since the last wake
    sa.Column("outcome", sa.Text),  # of the last job that ended: an Outcome
    sa.Column("error", sa.Text),  # class name of the exception that made it fail
    sa.Column("request_id", sa.Text),  # names that failure in the log and on GitHub
    sa.Column("updated_ms", sa.BigInteger, nullable=False),
)


def upsert(connection: sa.Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that knows ON CONFLICT, for this connection's database."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)
