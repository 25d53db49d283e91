"""Heads without finished verdicts, in every installation: their pull requests and groups get a job.

So does whatever was given up. Half of an installation's rate limit is left to what comes in; what
does not fit into it is looked at in the next round, which goes on at the same page.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import islice
from typing import Final

import sqlalchemy as sa

from bot.core.errors import GitHubError
from bot.github.installation import GitHubApp, Installation
from bot.github.survey import (
    Head,
    Installed,
    installations,
    lacking,
    open_heads,
    repositories,
)
from bot.handlers import permissions
from bot.handlers.round import Round, ms
from bot.jobs.queue import now_ms
from bot.store import pulls
from bot.store import reconciliation as stored
from bot.store.pulls import PullKey, Wake
from bot.store.reconciliation import Looked
from bot.store.work import News, RepositoryNews, Work, WorkKind

log = logging.getLogger(__name__)

MAX_WOKEN: Final = 100  # jobs of one installation a round; what comes in waits behind them
SHARE: Final = 0.5  # of an installation's points, kept for what comes in
_TRUSTED: Final = timedelta(hours=6)  # that a head keeps the verdicts that it was seen with
_MAX_TRUSTED: Final = 50_000


@dataclass(slots=True, kw_only=True)
class LackingVerdicts:
    """Looks through the installations. hear: makes durable what news wakes."""

    github: GitHubApp
    hear: Callable[[Sequence[News]], Awaitable[None]]
    every: timedelta  # between rounds
    trusted: dict[Head, int] = field(default_factory=dict)  # until when

    async def wake(self, done: Round) -> None:
        """Look at each installation that was not looked at just now. Raises GitHubError, LeaseLost.

        What one of them answers stops no other.
        """
        found = await installations(self.github)
        known: Mapping[int, Looked] = await done.transact(stored.looked)
        gone = known.keys() - {one.id for one in found}
        await done.transact(partial(stored.forget_installations, gone=gone))
        just_now = now_ms() - ms(self.every) // 2
        at = {one.id: known.get(one.id, Looked()) for one in found if _can_be_judged(one)}
        for id_, looked in sorted(at.items(), key=lambda one: one[1].looked_ms):
            if looked.looked_ms < just_now:
                try:
                    await self._look(done, self.github.installation(id_), looked)
                except GitHubError as error:
                    log.warning("comparing with GitHub: installation %d: %s", id_, error)

    async def _look(self, done: Round, installation: Installation, looked: Looked) -> None:
        """Go through an installation's repositories, page by page, as far as there is room."""
        room = _Room(installation=installation)
        await self._wake_given_up(done, room)
        page, more = looked.page, True
        while more:
            nodes, more = await repositories(installation, page)
            await self._look_at(done, nodes, room)
            if room.is_full:
                log.info(
                    "comparing with GitHub: the rest of installation %d is left for the next round",
                    installation.id,
                )
                done.more |= room.left <= 0
                return
            page = page + 1 if more else 1
            at = Looked(page=page, looked_ms=looked.looked_ms if more else now_ms())
            await done.transact(
                partial(stored.keep_looked, installation_id=installation.id, looked=at)
            )

    async def _look_at(self, done: Round, nodes: Sequence[str], room: "_Room") -> None:
        async for heads in open_heads(room.installation, nodes):
            await done.go_on()
            unsure = [head for head in heads if not self._is_trusted(head)]
            if room.is_full:
                return
            async for missing, whole in lacking(room.installation, unsure):
                await done.go_on()
                await self._wake_heads(done, missing, whole, room)
                if room.is_full:
                    return

    async def _wake_heads(
        self, done: Round, missing: Sequence[Head], whole: Sequence[Head], room: "_Room"
    ) -> None:
        """Wake those that lack verdicts, and those that we never heard of at this head.

        Verdicts belong to the commit: they may be another pull request's, into a laxer base.
        """

        def choose(connection: sa.Connection) -> tuple[list[Head], list[News]]:
            known = [head for head in whole if _is_known(connection, head)]
            others = [*missing, *(head for head in whole if head not in known)]
            found = (_news(connection, room.installation.id, head) for head in others)
            return known, list(islice(filter(None, found), room.left))

        known, news = await done.transact(choose)
        self._trust(known)
        await self._hear(done, news, room)

    async def _wake_given_up(self, done: Round, room: "_Room") -> None:
        def choose(connection: sa.Connection) -> list[News]:
            found = stored.given_up(
                connection, room.installation.id, now_ms=now_ms(), limit=room.left
            )
            return [_again(wake) for wake in found if _may_try(connection, wake.key, wake.head_sha)]

        await self._hear(done, await done.transact(choose), room)

    async def _hear(self, done: Round, news: Sequence[News], room: "_Room") -> None:
        if news:
            await self.hear(news)
        room.left -= len(news)
        done.woken += len(news)

    def _is_trusted(self, head: Head) -> bool:
        return self.trusted.get(head, 0) > now_ms()

    def _trust(self, heads: Sequence[Head]) -> None:
        if len(self.trusted) > _MAX_TRUSTED:
            self.trusted.clear()
        until = now_ms() + ms(_TRUSTED)
        self.trusted |= dict.fromkeys(heads, until)


@dataclass(slots=True, kw_only=True)
class _Room:
    """How much of an installation's means is left to a round."""

    installation: Installation
    left: int = field(default_factory=lambda: MAX_WOKEN)  # jobs

    @property
    def is_full(self) -> bool:
        now = self.installation.app.client.timing.now()
        return self.left <= 0 or any(
            rate.remaining < rate.limit * SHARE and rate.reset > now
            for rate in self.installation.rates.values()
        )


def _can_be_judged(installed: Installed) -> bool:
    return not installed.is_suspended and not permissions.missing(installed.permissions)


def _is_known(connection: sa.Connection, head: Head) -> bool:
    """Whether a pull request was woken for this head; a group has it for itself."""
    state = pulls.state(connection, _key(head))
    return head.number == 0 or (state is not None and state.head_sha == head.sha)


def _news(connection: sa.Connection, installation_id: int, head: Head) -> News | None:
    """What brings the verdicts; None where a job is at it, or was not long ago in vain."""
    key = _key(head)
    state = pulls.state(connection, key)
    if state is not None and state.busy:
        return None
    if key.is_repository and not head.base_sha:
        return None
    if not _may_try(connection, key, head.sha):
        return None
    if not key.is_repository:
        return Wake(
            key=key,
            installation_id=installation_id,
            repository=head.repository,
            head_sha=head.sha,
        )
    # What the queue built the group upon is not told here; all that it adds to its base branch is
    # judged, what other groups bring among it.
    group = Work(
        kind=WorkKind.GROUP,
        base_ref=head.base_ref,
        base_sha=head.base_sha,
        head_ref=head.ref,
        head_sha=head.sha,
    )
    return RepositoryNews(
        repository_id=head.repository_id,
        installation_id=installation_id,
        repository=head.repository,
        work=(group,),
    )


def _key(head: Head) -> PullKey:
    return PullKey(repository_id=head.repository_id, number=head.number)


def _again(wake: Wake) -> News:
    """What brings up to date what was given up. What a repository waited for is not known."""
    if not wake.key.is_repository:
        return wake
    return RepositoryNews(
        repository_id=wake.key.repository_id,
        installation_id=wake.installation_id,
        repository=wake.repository,
        work=(Work(kind=WorkKind.WAKE),),
    )


def _may_try(connection: sa.Connection, key: PullKey, head_sha: str | None) -> bool:
    return stored.try_again(connection, key, head_sha or "", now_ms=now_ms())
