"""The tables and their history: each entry brings a database one version further, under a lock.

An entry that was released is never edited. All SQL of this folder is plain text that SQLite and
PostgreSQL take alike; times are Unix milliseconds.
"""

from typing import Final

import sqlalchemy as sa

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE deliveries (     -- what GitHub sent
            guid TEXT PRIMARY KEY,
            event TEXT NOT NULL,
            action TEXT,
            installation_id BIGINT,
            repository_id BIGINT,
            number BIGINT,              -- the pull request that it woke
            seq BIGINT,                 -- that pull request's job which settles this delivery
            received_ms BIGINT NOT NULL,
            outcome TEXT NOT NULL,      -- an Outcome
            reason TEXT                 -- why it was ignored, or the class of what made it fail
        )""",
        "CREATE INDEX deliveries_received ON deliveries (received_ms)",
        "CREATE INDEX deliveries_pull ON deliveries (repository_id, number)",
        """CREATE TABLE pull_states (    -- what each pull request waits for
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            installation_id BIGINT NOT NULL,
            repository TEXT NOT NULL,   -- owner/name, a label: it can change
            head_sha TEXT,              -- the last heard of; deliveries come in any order
            queued BOOLEAN NOT NULL,    -- job seq has not begun, so a wake can rely on it
            seq BIGINT NOT NULL,        -- the newest job; they count from 1
            finished BIGINT NOT NULL,   -- the newest job that has ended
            attempts INTEGER NOT NULL,  -- jobs begun since the last wake
            outcome TEXT,               -- an Outcome, of the last job that ended
            error TEXT,                 -- the class of what made it fail
            request_id TEXT,            -- names that failure in the log and on GitHub
            updated_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, number)
        )""",
        "CREATE INDEX pull_states_unfinished ON pull_states (repository_id) WHERE finished < seq",
    ),
    ("CREATE INDEX pull_states_head ON pull_states (repository_id, head_sha)",),
    (
        "ALTER TABLE pull_states ADD COLUMN reruns BIGINT NOT NULL DEFAULT 0",
        """CREATE TABLE waiting_commands ( -- comments that hold commands
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            comment_id BIGINT NOT NULL,
            author_id BIGINT NOT NULL,  -- GitHub's id of who wrote it
            digest TEXT NOT NULL,       -- of the comment's text as it was delivered
            attempts INTEGER NOT NULL,  -- how often it could not be run
            outcome TEXT NOT NULL,      -- a CommandOutcome
            received_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, comment_id)
        )""",
        """CREATE INDEX waiting_commands_pull ON waiting_commands (repository_id, number)
            WHERE outcome = 'waiting'""",
        """CREATE TABLE shown_heads (      -- heads whose verdicts people could see
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            head_sha TEXT NOT NULL,
            shown_ms BIGINT NOT NULL,   -- since when
            PRIMARY KEY (repository_id, number, head_sha)
        )""",
        """CREATE TABLE approvals (        -- contents that a maintainer approved
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            path TEXT NOT NULL,
            oid TEXT NOT NULL,          -- git's object id of the file
            comment_id BIGINT NOT NULL, -- which approved it
            PRIMARY KEY (repository_id, number, path, oid)
        )""",
        """CREATE TABLE audit (            -- every command, kept for good
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            comment_id BIGINT NOT NULL,
            position INTEGER NOT NULL,  -- of the command in its comment, from 0
            actor_id BIGINT,            -- GitHub's id of who wrote it
            verb TEXT NOT NULL,
            refs TEXT NOT NULL,
            outcome TEXT NOT NULL,      -- done, refused or answered
            commit_sha TEXT,
            at_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, comment_id, position)
        )""",
    ),
    (
        """CREATE TABLE waiting_work (    -- what is to be done for a repository itself
            repository_id BIGINT NOT NULL,
            kind TEXT NOT NULL,         -- a WorkKind
            base_ref TEXT NOT NULL,     -- a branch; empty for any
            head_sha TEXT NOT NULL,     -- of a merge queue's group, as the next two; else empty
            head_ref TEXT NOT NULL,
            base_sha TEXT NOT NULL,
            received_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, kind, base_ref, head_sha)
        )""",
        "CREATE INDEX pull_states_installation ON pull_states (installation_id)",
    ),
    (  # for an operator's questions, each answered by an index however much has ended
        # from when job seq may begin
        "ALTER TABLE pull_states ADD COLUMN due_ms BIGINT NOT NULL DEFAULT 0",
        # job seq has begun
        "ALTER TABLE pull_states ADD COLUMN begun BOOLEAN NOT NULL DEFAULT FALSE",
        "UPDATE pull_states SET due_ms = updated_ms WHERE finished < seq",
        "CREATE INDEX pull_states_due ON pull_states (due_ms) WHERE finished < seq",
        "CREATE INDEX pull_states_given_up ON pull_states (updated_ms) WHERE outcome = 'failed'",
        "CREATE INDEX pull_states_name ON pull_states (lower(repository), number)",
        "CREATE INDEX deliveries_failed ON deliveries (received_ms) WHERE outcome = 'failed'",
    ),
    (
        """CREATE TABLE reconciliation (  -- one row: the comparison of all this with GitHub
            holder TEXT NOT NULL,       -- the process that is at it
            leased_until_ms BIGINT NOT NULL,
            ended_ms BIGINT NOT NULL,   -- when the last round was over
            log_read_ms BIGINT NOT NULL, -- older entries of the delivery log were looked at
            log_began_ms BIGINT,        -- when the reading began that is not through yet
            log_cursor TEXT,            -- its next page
            log_only_failures BOOLEAN NOT NULL
        )""",
        "INSERT INTO reconciliation VALUES ('', 0, 0, 0, NULL, NULL, FALSE)",
        """CREATE TABLE lost_deliveries ( -- what GitHub sent and we have not recorded
            guid TEXT PRIMARY KEY,
            delivery_id BIGINT NOT NULL, -- by which GitHub sends it again
            delivered_ms BIGINT NOT NULL,
            tries INTEGER NOT NULL,     -- how often it was asked for
            next_ms BIGINT NOT NULL     -- when to ask next
        )""",
        """CREATE TABLE reconciled_installations (
            installation_id BIGINT PRIMARY KEY,
            next_page INTEGER NOT NULL, -- of its repositories
            looked_ms BIGINT NOT NULL   -- when all of them were looked at
        )""",
        """CREATE TABLE tried_again (     -- heads that were set going again
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            head_sha TEXT NOT NULL,
            tries INTEGER NOT NULL,
            next_ms BIGINT NOT NULL,    -- when it may be tried next
            PRIMARY KEY (repository_id, number, head_sha)
        )""",
    ),
    (
        """CREATE TABLE executors (        -- the processes that take jobs
            id TEXT PRIMARY KEY,
            seen_ms BIGINT NOT NULL     -- when it last said that it lives, by the database's clock
        )""",
        """CREATE TABLE held_heads (       -- heads for which a process reads and publishes now
            repository_id BIGINT NOT NULL,
            head_sha TEXT NOT NULL,
            executor TEXT NOT NULL,
            PRIMARY KEY (repository_id, head_sha)
        )""",
    ),
    (  # since when the checks on the head may show another base's verdict; NULL: they do not
        "ALTER TABLE pull_states ADD COLUMN unsettled_ms BIGINT",
    ),
    (  # reviews and comments on lines command too, and edits; an anchor tells the kinds apart
        """CREATE TABLE new_waiting_commands ( -- comments that hold commands
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            comment TEXT NOT NULL,      -- its anchor
            digest TEXT NOT NULL,       -- of the comment's text as it was delivered
            author_id BIGINT NOT NULL,  -- GitHub's id of who wrote it
            written_ms BIGINT NOT NULL, -- when that text was written
            is_edit BOOLEAN NOT NULL,   -- its author changed what was there before
            known TEXT NOT NULL,        -- marks of the commands that stood there before
            attempts INTEGER NOT NULL,  -- how often it could not be run
            outcome TEXT NOT NULL,      -- a CommandOutcome
            received_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, comment, digest)
        )""",
        """INSERT INTO new_waiting_commands
            SELECT repository_id, number, 'issuecomment-' || comment_id, digest, author_id,
                received_ms, FALSE, '', attempts, outcome, received_ms
            FROM waiting_commands""",
        "DROP TABLE waiting_commands",
        "ALTER TABLE new_waiting_commands RENAME TO waiting_commands",
        """CREATE INDEX waiting_commands_pull ON waiting_commands (repository_id, number)
            WHERE outcome = 'waiting'""",
        """CREATE INDEX waiting_commands_author
            ON waiting_commands (repository_id, number, author_id, received_ms)""",
        """CREATE TABLE new_approvals (    -- contents that a maintainer approved
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            path TEXT NOT NULL,
            oid TEXT NOT NULL,          -- git's object id of the file
            comment TEXT NOT NULL,      -- which approved it, and its digest
            digest TEXT NOT NULL,
            PRIMARY KEY (repository_id, number, path, oid)
        )""",
        """INSERT INTO new_approvals
            SELECT approvals.repository_id, approvals.number, path, oid,
                'issuecomment-' || comment_id, COALESCE(digest, '')
            FROM approvals LEFT JOIN waiting_commands
                ON waiting_commands.repository_id = approvals.repository_id
                AND waiting_commands.comment = 'issuecomment-' || approvals.comment_id""",
        "DROP TABLE approvals",
        "ALTER TABLE new_approvals RENAME TO approvals",
        """CREATE TABLE new_audit (        -- every command, kept for good
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            comment TEXT NOT NULL,      -- its anchor
            digest TEXT NOT NULL,       -- of its text; empty in what is older than this column
            position INTEGER NOT NULL,  -- of the command in that text, from 0
            actor_id BIGINT,            -- GitHub's id of who wrote it
            actor TEXT NOT NULL,        -- their login then
            permission TEXT NOT NULL,   -- what GitHub said they may do
            head_sha TEXT NOT NULL,     -- what it was decided on
            verb TEXT NOT NULL,
            refs TEXT NOT NULL,
            outcome TEXT NOT NULL,      -- an AuditOutcome
            commit_sha TEXT,
            at_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, comment, digest, position)
        )""",
        """INSERT INTO new_audit
            SELECT audit.repository_id, audit.number, 'issuecomment-' || comment_id,
                COALESCE(digest, ''), position, actor_id, '', '', '', verb, refs, audit.outcome,
                commit_sha, at_ms
            FROM audit LEFT JOIN waiting_commands
                ON waiting_commands.repository_id = audit.repository_id
                AND waiting_commands.comment = 'issuecomment-' || audit.comment_id""",
        "DROP TABLE audit",
        "ALTER TABLE new_audit RENAME TO audit",
        "CREATE INDEX audit_time ON audit (at_ms)",
    ),
    (
        """CREATE TABLE acknowledgements ( -- what maintainers accepted on a pull request
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            path TEXT NOT NULL,         -- of the memory that applies
            oid TEXT NOT NULL,          -- git's object id of its file then
            actor TEXT NOT NULL,        -- login of who accepted it
            reason TEXT NOT NULL,
            comment TEXT NOT NULL,      -- its anchor
            at_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, number, path)
        )""",
    ),
    (
        """CREATE TABLE claims (           -- who is at the job of a pull request, or was last
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            token TEXT NOT NULL,        -- of this beginning of it
            executor TEXT NOT NULL,     -- the process
            PRIMARY KEY (repository_id, number)
        )""",
        """CREATE TABLE showing_heads (    -- heads whose verdicts were about to be published
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            head_sha TEXT NOT NULL,
            began_ms BIGINT NOT NULL,   -- when
            PRIMARY KEY (repository_id, number, head_sha)
        )""",
    ),
    (
        """CREATE TABLE dismissed_secrets ( -- what a maintainer says is no secret
            repository_id BIGINT NOT NULL,
            fingerprint TEXT NOT NULL,  -- keyed by installation; no way back to the value
            actor_id BIGINT NOT NULL,   -- GitHub's id of who said so
            number BIGINT NOT NULL,     -- the pull request on which,
            comment TEXT,               -- and the comment, which gives the reason; NULL: a button
            at_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, fingerprint)
        )""",
    ),
    (
        """CREATE TABLE histories (        -- of repositories: how many past changes were counted
            repository_id BIGINT PRIMARY KEY,
            changes BIGINT NOT NULL,    -- what they are counted as, since old ones fade
            asked_ms BIGINT NOT NULL,   -- when GitHub was last asked for those from before our time
            is_seeded BOOLEAN NOT NULL  -- it told them
        )""",
        """CREATE TABLE counted_pulls (    -- pull requests that were counted
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            PRIMARY KEY (repository_id, number)
        )""",
        """CREATE TABLE history_counts (   -- how many past changes hold a word or touch a directory
            repository_id BIGINT NOT NULL,
            key_hash BIGINT NOT NULL,   -- of it, keyed: no words are kept
            changes BIGINT NOT NULL,
            PRIMARY KEY (repository_id, key_hash)
        )""",
    ),
    (  # what a text itself asks for, so that an edit can take over what had no turn
        "ALTER TABLE waiting_commands ADD COLUMN marks TEXT",
    ),
    (
        """CREATE TABLE shown_memories (   -- texts of memories that apply, which people could see
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            path TEXT NOT NULL,         -- of the memory, as in acknowledgements
            oid TEXT NOT NULL,          -- likewise
            began_ms BIGINT NOT NULL,   -- since when it may have been seen
            shown_ms BIGINT,            -- since when it could be; NULL: nobody knows
            PRIMARY KEY (repository_id, number, path, oid, began_ms)
        )""",
    ),
    (  # who took it back, and when they wrote so; NULL: it holds
        "ALTER TABLE acknowledgements ADD COLUMN undone_by TEXT",
        "ALTER TABLE acknowledgements ADD COLUMN undone_ms BIGINT",
        "ALTER TABLE dismissed_secrets ADD COLUMN undone_by TEXT",
        "ALTER TABLE dismissed_secrets ADD COLUMN undone_ms BIGINT",
    ),
)
_LOCK: Final = 7_305_921  # any number, as long as no other user of the database takes the same


def version(engine: sa.Engine) -> int:
    """How far the tables of a database have come; 0 where there are none."""
    if not sa.inspect(engine).has_table("memoryrail_migrations"):
        return 0
    with engine.connect() as connection:
        found: int = connection.execute(_APPLIED).scalar_one()
    return found


_APPLIED: Final = sa.text("SELECT COALESCE(MAX(version), 0) FROM memoryrail_migrations")


def migrate(engine: sa.Engine) -> None:
    """Bring the tables up to date; processes that start together take turns."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # sqlite3 would not begin before a DDL
        else:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        connection.exec_driver_sql(
            "CREATE TABLE IF NOT EXISTS memoryrail_migrations (version INTEGER PRIMARY KEY)"
        )
        done: int = connection.execute(_APPLIED).scalar_one()
        for version, statements in enumerate(MIGRATIONS[done:], start=done + 1):
            for statement in statements:
                connection.exec_driver_sql(statement)
            record = sa.text("INSERT INTO memoryrail_migrations VALUES (:version)")
            connection.execute(record, {"version": version})
