"""Commands on a merged pull request: planned on its base branch as it is now, and landed there.

Where settings do not let the bot commit to that branch, or its rules do not, the bot opens a pull
request (bot/github/own_pulls.py).
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.commands import message
from bot.core.edit_plan import EditPlan, neutral
from bot.core.snapshot import Actor, Snapshot
from bot.github import own_pulls
from bot.github.own_pulls import Landed, Landing
from bot.handlers.turn import Turn
from bot.store.audit import AuditRow

_PREFIX: Final = "memoryrail/"
_MAX_SLUG: Final = 60  # characters
_PLAIN: Final = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterMerge:
    """The commands of one comment on a merged pull request."""

    turn: Turn
    snapshot: Snapshot  # as at_base() gives it
    rows: Sequence[AuditRow]  # one for each command, in order
    sender: Actor | None

    async def land(self, plan: EditPlan, *, body: str) -> Landed:
        """Commit a plan. Raises CannotPush, StaleHead, RateLimited, GitHubError."""
        return await own_pulls.land(
            self.turn.access,
            plan,
            self.snapshot.pull,
            self._landing,
            body=body,
            on_base=self.snapshot.settings.commands.commit_after_merge,
        )

    async def landed(self) -> Landed | None:
        """What an earlier try committed. Raises CannotPush, RateLimited, GitHubError."""
        return await own_pulls.landed(self.turn.access, self._landing)

    @property
    def _landing(self) -> Landing:
        waiting, pull = self.turn.waiting, self.snapshot.pull
        address = message.address(
            waiting.comment, number=pull.number, repository=self.snapshot.repository
        )
        who = neutral(self.sender.login, 100) if self.sender else "Somebody"
        return Landing(
            base_ref=pull.base_ref,
            branch=branch_of(pull.number, self.rows, waiting.comment, waiting.digest),
            is_it=partial(message.names, comment=waiting.comment, digest=waiting.digest),
            description=(
                f"{who} asked for this [on #{pull.number}]({address}), after that was merged. "
                "The commit says what is done, and who decided."
            ),
        )


def at_base(snapshot: Snapshot) -> Snapshot:
    """A merged pull request with the tip of its base branch as its head.

    Commits stay those of the pull request, and files as far as the base has them as it brought
    them: its commits do not tell who wrote what others made of them since.
    """

    def stands(path: str) -> bool:
        brought, now = snapshot.head.memory_file(path), snapshot.base.memory_file(path)
        return (brought and brought.oid) == (now and now.oid)

    return replace(
        snapshot,
        head=snapshot.base,
        files=tuple(file for file in snapshot.files if stands(file.path)),
        pull=replace(
            snapshot.pull,
            head_ref=snapshot.pull.base_ref,
            head_sha=snapshot.pull.base_sha,
            head_repository=snapshot.repository.full_name,
            is_fork=False,
        ),
    )


def branch_of(number: int, rows: Sequence[AuditRow], comment: str, digest: str) -> str:
    """The branch for a comment: memoryrail/pr-12-approve-DEC-a3f9-0b989ba4, the same at each try.

    Named after its first command, which its text decides, whatever becomes of it.
    """
    first = f"{rows[0].verb} {rows[0].refs}" if rows else ""
    slug = _PLAIN.sub("-", first)[:_MAX_SLUG].strip("-")
    known_by = hashlib.sha256(f"{comment} {digest}".encode()).hexdigest()[:8]
    return _PREFIX + "-".join(filter(None, [f"pr-{number}", slug, known_by]))
