"""The one kind of job: bring a pull request up to date, whatever woke it.

Load what GitHub has, let the core decide, publish the difference. Doing it again changes nothing.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

from bot.github.answers import child, text
from bot.github.errors import Forbidden, HeadMoved, NotFound, OutOfReach
from bot.github.in_progress import put_in_progress
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.github.publish import Judged, Publication, difference, publish
from bot.github.published import Published, open_with_head, read_nothing, read_published
from bot.github.snapshot import Loaded
from bot.handlers import permissions
from bot.handlers.commands import CommandJobs
from bot.handlers.indexes import Indexes
from bot.handlers.loading import Loader
from bot.handlers.own_failures import runs_after
from bot.handlers.reaching import access_to, lacking, limits_pause_the_job
from bot.handlers.showing import Showing
from bot.jobs.worker import RetryLater
from bot.render.buttons import with_buttons
from bot.render.check_runs import check_runs
from bot.render.combined import MAX_PULLS, combined, too_many
from bot.render.comment import Place, comment
from bot.store import pulls
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.heads import Heads
from bot.store.pulls import Failure, PullKey, PullState
from bot.store.shown_memories import BASE_REF

log = logging.getLogger(__name__)

_HEADS: Final = 3  # newer heads that one job follows before it makes room for others
_PAUSE: Final = timedelta(seconds=5)
_REMEDY: Final = "Push again or edit the description to have it checked anew."


@dataclass(frozen=True, slots=True, kw_only=True)
class PullJobs:
    """Brings pull requests up to date, and says so where that fails for good."""

    github: GitHubApp
    database: Database
    loader: Loader
    indexes: Indexes
    commands: CommandJobs
    showing: Showing
    heads: Heads

    async def bring_up_to_date(self, claim: Claim) -> None:
        """Run the commands that wait; then publish verdicts and comment for the newest head.

        Raises RetryLater while GitHub limits our requests and when another process has begun the
        job, GitHubError when GitHub cannot be asked or does not know the pull request (yet).
        """
        key = claim.key
        state = await self._state(key)
        access, head = access_to(self.github, self.database, state, claim), state.head_sha
        with limits_pause_the_job():
            if missing := await lacking(access):
                await _say_what_is_missing(access, state, missing)
                return
            if state.unsettled_ms is not None:  # at once: commands may take their time
                async with self.heads.held(key.repository_id, head or ""):
                    await self._take_back(access, key, head)
            if await self.commands.run_waiting(access, state):
                head = None  # they may have committed
            for _ in range(_HEADS):
                try:
                    async with self.heads.held(key.repository_id, head or ""):
                        await self._publish(access, state, head)
                except HeadMoved as moved:
                    log.info("pull request %s: %s", key, moved)
                    if moved.head == head:  # GitHub does not show it everywhere yet
                        raise
                    head = moved.head
                else:
                    await self.commands.retry_the_rest(state)
                    return
        raise RetryLater(_PAUSE)

    async def give_up(self, claim: Claim, failure: Failure) -> None:
        """Give every check a verdict on the newest head: failed, with the id that finds the log.

        Nothing is said where the pull request is closed, or out of reach: REST does not know it
        after all the time that was given to it. Comments that wait are tried further, as long as
        they may wait: what is out of reach may be there again. Raises RetryLater and GitHubError as
        above.
        """
        key = claim.key
        state = await self._state(key)
        access = access_to(self.github, self.database, state, claim)
        with limits_pause_the_job():
            try:
                await self._say_that_it_failed(access, key, failure)
            except (NotFound, OutOfReach, Forbidden) as error:
                log.warning("pull request %s is out of reach: %s", key, error)
            await self.commands.let_go(state)
            await self.commands.retry_the_rest(state, untried=True)

    async def _say_that_it_failed(
        self, access: RepositoryAccess, key: PullKey, failure: Failure
    ) -> None:
        pull = child((await access.get(f"/pulls/{key.number}")).data)
        if text(pull, "state") == "open":
            head = text(child(pull, "head"), "sha")
            published, _ = await read_published(access, key.number, head_sha=head)
            runs = runs_after(failure, remedy=_REMEDY)
            await publish(access, Publication(check_runs=runs, comment=None), published)

    async def _publish(self, access: RepositoryAccess, state: PullState, head: str | None) -> None:
        loaded = await self.loader.load(access, state, state.key.number, head)
        if not loaded.snapshot.pull.is_open:
            return
        decided, applies = await asyncio.to_thread(_decide, loaded, self.indexes)
        wanted = replace(decided, reruns=state.reruns)
        shared = await self._shared_with(access, state.key, loaded.published)
        if shared and loaded.published.head_sha != head:  # it is not ours alone, nor locked
            raise HeadMoved(head or "", loaded.published.head_sha)
        if len(shared) >= MAX_PULLS:
            runs = too_many(wanted.check_runs, len(shared) + 1)
            wanted = replace(wanted, check_runs=runs)
        elif shared:
            wanted = await self._with_others(access, state, loaded, wanted, shared)
        if difference(wanted, loaded.published):
            await self.showing.begin(state.key, loaded.snapshot.head.sha, applies)
        receipt = await publish(access, wanted, loaded.published)
        await self.showing.done(state.key, loaded.snapshot.head.sha, applies)
        log.info(
            "pull request %s at %s: wrote %d checks%s",
            state.key,
            loaded.snapshot.head.sha[:12],
            len(receipt.check_runs),
            " and the comment" if receipt.comment else "",
        )

    async def _take_back(self, access: RepositoryAccess, key: PullKey, head: str | None) -> None:
        """Let no verdict of another base stand; once, whoever of those with this head is first."""
        state = await self._state(key)
        if state.unsettled_ms is not None:
            is_open = await put_in_progress(access, key.number, head=head)
            if not is_open or head != state.head_sha:
                state = replace(state, head_sha=None)  # nothing was done for those that share it
            await self.database.transact(partial(pulls.settle, state=state))

    async def _shared_with(
        self, access: RepositoryAccess, key: PullKey, published: Published
    ) -> tuple[int, ...]:
        """The other open pull requests with this head: GitHub's own list, and what we heard of."""
        head = published.head_sha
        heard = await self.database.transact(partial(pulls.sharing, key=key, heads=(head,)))
        unsure = {wake.key.number for wake in heard}.difference(published.shared_with)
        found = await open_with_head(access, sorted(unsure), head) if unsure else ()
        return tuple(sorted({*published.shared_with, *found}))

    async def _with_others(
        self,
        access: RepositoryAccess,
        state: PullState,
        loaded: Loaded,
        wanted: Publication,
        shared: tuple[int, ...],
    ) -> Publication:
        """The strictest verdicts of all pull requests with this head; the comment stays our own."""
        pull = loaded.snapshot.pull
        verdicts, bases = {pull.number: wanted.check_runs}, {pull.number: pull.base_ref}
        reruns = state.reruns
        for number in shared:
            try:
                other = await self.loader.load(access, state, number)
            except HeadMoved:  # its own job reviews the new one, and wakes this one again
                continue
            if other.snapshot.pull.is_open and other.snapshot.pull.head_sha == pull.head_sha:
                decided, _ = await asyncio.to_thread(_decide, other, self.indexes)
                verdicts[number] = decided.check_runs
                bases[number] = other.snapshot.pull.base_ref
                key = PullKey(repository_id=state.key.repository_id, number=number)
                heard = await self.database.transact(partial(pulls.state, key=key))
                reruns += heard.reruns if heard else 0
        first = min(verdicts)  # so that it is the same one whoever writes
        return replace(
            wanted,
            check_runs=combined(verdicts),
            judged=Judged(number=first, base_ref=bases[first]),
            reruns=reruns,
        )

    async def _state(self, key: PullKey) -> PullState:
        state = await self.database.transact(partial(pulls.state, key=key))
        if state is None:
            raise LookupError(f"pull request {key} was never heard of")
        return state


async def _say_what_is_missing(
    access: RepositoryAccess, state: PullState, missing: tuple[str, ...]
) -> None:
    """Fail every check on the last head that we heard of: the pull request may be unreadable."""
    log.error(
        "installation %d, which %s belongs to, has not granted %s",
        state.installation_id,
        state.repository,
        ", ".join(missing),
    )
    if "checks: write" in missing or state.head_sha is None:
        return
    published = await read_nothing(access, state.key.number, head_sha=state.head_sha)
    runs = permissions.runs_without(missing)
    await publish(access, Publication(check_runs=runs, comment=None), published)


def _decide(loaded: Loaded, indexes: Indexes) -> tuple[Publication, dict[str, str]]:
    """What the pull request should show, and what of the base branch, as shown_memories.py has it.

    Takes milliseconds to seconds, so not on the loop.
    """
    snapshot, standing = loaded.snapshot, loaded.published.comment
    report = indexes.review(snapshot)
    place = Place(url=snapshot.repository.url, number=snapshot.pull.number)
    publication = Publication(
        check_runs=with_buttons(check_runs(report), report),
        comment=comment(report, place, standing.body if standing else None),
    )
    applies = dict(snapshot.base.version(match.memory) for match in report.matches)
    return publication, {**applies, BASE_REF: snapshot.pull.base_ref}
