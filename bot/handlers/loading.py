"""Reading a pull request or a group for a job: GitHub's side of it, and what our database adds."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot.core.report import Decision
from bot.core.snapshot import History, Snapshot
from bot.github.group import Group, LoadedGroup, load_group
from bot.github.installation import RepositoryAccess
from bot.github.snapshot import Loaded, load
from bot.handlers.histories import Histories
from bot.store import approvals, audit, dismissals, pulls
from bot.store.acknowledgements import acknowledged
from bot.store.audit import AuditOutcome
from bot.store.database import Database
from bot.store.pulls import PullKey, PullState
from bot.store.work import Work

MAX_DECISIONS: Final = 50  # that a check shows; the audit has all


@dataclass(frozen=True, slots=True, kw_only=True)
class Loader:
    """Reads pull requests of any installation."""

    database: Database
    histories: Histories
    fingerprint_key: bytes = field(repr=False)

    async def load(
        self, access: RepositoryAccess, state: PullState, number: int, head: str | None = None
    ) -> Loaded:
        """A pull request of state's repository as it is now. head: a sha that it has, or newer.

        Raises what bot.github.snapshot.load raises.
        """
        loaded = await load(access, number, head=head, fingerprint_key=self._key(state))
        await self._relabel(state, loaded.snapshot)
        # What was approved on another pull request with this head is approved for the head. We may
        # have heard of an older head of it last, in a delivery that came late.
        key = PullKey(repository_id=state.key.repository_id, number=number)
        heads = (loaded.snapshot.pull.head_sha,)
        heard = await self.database.transact(partial(pulls.sharing, key=key, heads=heads))
        others = {wake.key.number for wake in heard}.union(loaded.published.shared_with)
        snapshot = await self._decided(state, loaded.snapshot, (number,), also=sorted(others))
        snapshot = replace(
            snapshot,
            history=await self._history(access, state, snapshot),
            decisions=await self._decisions(state, number),
        )
        return replace(loaded, snapshot=snapshot)

    async def load_group(
        self, access: RepositoryAccess, state: PullState, work: Work
    ) -> LoadedGroup:
        """A merge queue's group. What was approved or acknowledged on those in it is so here.

        Raises what bot.github.group.load_group raises.
        """
        group = Group(
            base_ref=work.base_ref,
            base_sha=work.base_sha,
            head_ref=work.head_ref,
            head_sha=work.head_sha,
        )
        loaded = await load_group(access, group, fingerprint_key=self._key(state))
        await self._relabel(state, loaded.snapshot)
        snapshot = await self._decided(state, loaded.snapshot, loaded.numbers)
        snapshot = replace(snapshot, history=await self._history(access, state, snapshot))
        return replace(loaded, snapshot=snapshot)

    async def _history(
        self, access: RepositoryAccess, state: PullState, snapshot: Snapshot
    ) -> History:
        return await self.histories.read(
            access, state.key.repository_id, snapshot, secret=self._key(state)
        )

    def _key(self, state: PullState) -> bytes:
        installation = str(state.installation_id).encode()
        return hmac.digest(self.fingerprint_key, installation, hashlib.sha256)

    async def _approved(self, state: PullState, *numbers: int) -> frozenset[tuple[str, str]]:
        """The paths and object ids that were approved on some pull requests."""
        found: frozenset[tuple[str, str]] = frozenset()
        for number in numbers:
            key = PullKey(repository_id=state.key.repository_id, number=number)
            found |= await self.database.transact(partial(approvals.approved, key=key))
        return found

    async def _decided(
        self,
        state: PullState,
        snapshot: Snapshot,
        numbers: Sequence[int],
        *,
        also: Sequence[int] = (),
    ) -> Snapshot:
        """The snapshot with what people decided on some pull requests.

        also: others, whose approvals count too.
        """
        dismissed = await self.database.transact(
            partial(dismissals.dismissed, repository_id=state.key.repository_id)
        )
        return replace(
            snapshot,
            approvals=await self._approved(state, *numbers, *also),
            acknowledged=await self._acknowledged(state, snapshot, *numbers),
            dismissed=dismissed,
        )

    async def _decisions(self, state: PullState, number: int) -> tuple[Decision, ...]:
        """What people decided by commands on a pull request, as its check shows it."""
        key = PullKey(repository_id=state.key.repository_id, number=number)
        find = partial(audit.decisions, key=key, limit=MAX_DECISIONS)
        return tuple(
            Decision(
                at=f"{datetime.fromtimestamp(one.at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC",
                actor=one.row.actor,
                permission=one.row.permission,
                verb=one.row.verb,
                refs=one.row.refs,
                done=one.row.outcome is AuditOutcome.DONE,
                commit_sha=one.row.commit_sha,
            )
            for one in await self.database.transact(find)
        )

    async def _acknowledged(
        self, state: PullState, snapshot: Snapshot, *numbers: int
    ) -> frozenset[str]:
        """Anchors of memories that were accepted on some pull requests and are still the same."""
        accepted: set[tuple[str, str]] = set()
        for number in numbers:
            key = PullKey(repository_id=state.key.repository_id, number=number)
            rows = await self.database.transact(partial(acknowledged, key=key))
            accepted |= {(one.path, one.oid) for one in rows}
        if not accepted:
            return frozenset()
        base = snapshot.base
        memories = (memory for store in base.stores for memory in store.memories)
        return frozenset(one.anchor for one in memories if base.version(one) in accepted)

    async def _relabel(self, state: PullState, snapshot: Snapshot) -> None:
        """Follow a renamed repository, which GitHub still finds under its old name for a while."""
        name = snapshot.repository.full_name
        if name != state.repository:
            await self.database.transact(
                partial(
                    pulls.relabel,
                    repository_id=state.key.repository_id,
                    repository=name,
                    installation_id=state.installation_id,
                )
            )
