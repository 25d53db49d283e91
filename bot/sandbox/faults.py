"""Switches that make the sandbox fail as GitHub does: a small table of what, when and how often."""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.wire import Reply, error

if TYPE_CHECKING:
    from bot.sandbox.state.world import World

LAG: Final = timedelta(seconds=10)  # of a stale answer
_SECONDARY = "You have exceeded a secondary rate limit. Please wait before you try again."
_MESSAGES = {
    401: "Bad credentials",
    403: _SECONDARY,
    404: "Not Found",
    429: _SECONDARY,
    502: "Server Error",
}


@dataclass(eq=False, slots=True, kw_only=True)
class Fault:
    """One row of the table; it is struck out after `times` requests.

    pattern: searched for in "GET /repos/o/r/pulls/1" or "POST /graphql NAME".
    status: of the answer given instead of the real one; None: the real one.
    body: of that answer; None: an error in the form of REST with the message.
    after_effect: do what was asked all the same, and then give the false answer.
    cut: break the connection instead of answering.
    """

    pattern: re.Pattern[str]
    times: int
    status: int | None
    message: str
    body: Mapping[str, Any] | None
    headers: Mapping[str, str]
    after_effect: bool
    stale_head: bool
    stale_comments: bool = False
    cut: bool = False
    released: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event = field(default_factory=threading.Event)
    hits: int = 0

    def release(self) -> None:
        """Let requests that hang go on."""
        self.released.set()

    def hang(self) -> None:
        """Wait for `release`; returns at once for a fault that does not hang."""
        self.waiting.set()
        self.released.wait()

    @contextmanager
    def staleness(self, world: "World") -> Iterator[None]:
        """While it is open, the world as a replica that lags shows it."""
        with ExitStack() as stack:
            if self.stale_head:
                stack.enter_context(stale_heads(world))
            if self.stale_comments:
                stack.enter_context(stale_comments(world))
            yield

    @property
    def is_false(self) -> bool:
        """Whether the real answer is not given."""
        return self.cut or self.status is not None

    def reply(self) -> Reply:
        if self.cut:
            return Reply(status=502, is_cut=True)
        status = self.status or 502
        if self.body is not None:
            return Reply(status=status, body=self.body, headers=self.headers)
        plain = error(status, self.message or _MESSAGES.get(status, "Server Error"))
        return Reply(status=status, body=plain.body, headers=self.headers)


class Faults:
    def __init__(self) -> None:
        self._table: list[Fault] = []
        self._lock = threading.Lock()

    def add(
        self,
        pattern: str,
        *,
        status: int | None = None,
        message: str = "",
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        after_effect: bool = False,
        hang: bool = False,
        stale_head: bool = False,
        stale_comments: bool = False,
        cut: bool = False,
        times: int = 1,
    ) -> Fault:
        """Make the next `times` requests that match the pattern fail; see Fault.

        hang: do nothing until `release()` of the result; `waiting` is set once a request hangs.
        stale_head: show pull requests with the head that they had before their last push.
        stale_comments: show conversations without what was said in the last seconds.
        """
        fault = Fault(
            pattern=re.compile(pattern),
            times=times,
            status=status,
            message=message,
            body=body,
            headers=dict(headers or {}),
            after_effect=after_effect,
            stale_head=stale_head,
            stale_comments=stale_comments,
            cut=cut,
        )
        if not hang:
            fault.release()
        with self._lock:
            self._table.append(fault)
        return fault

    def take(self, subject: str) -> Fault | None:
        """The first row that matches and is not used up."""
        with self._lock:
            for fault in self._table:
                if fault.hits < fault.times and fault.pattern.search(subject):
                    fault.hits += 1
                    return fault
        return None

    def clear(self) -> None:
        """Empty the table and release what hangs."""
        with self._lock:
            for fault in self._table:
                fault.release()
            self._table.clear()


@contextmanager
def stale_heads(world: "World") -> Iterator[None]:
    """Show every pull request with its previous head, as a replica that lags does."""
    pulls = [pull for each in world.repositories.values() for pull in each.pulls.values()]
    true = [(pull, pull.head_sha) for pull in pulls]
    for pull in pulls:
        pull.head_sha = pull.previous_head_sha or pull.head_sha
    try:
        yield
    finally:
        for pull, sha in true:
            pull.head_sha = sha


@contextmanager
def stale_comments(world: "World") -> Iterator[None]:
    """Show no comment of the last seconds, as a replica that lags does."""
    since = world.now() - LAG
    true = [(each, each.comments) for each in world.repositories.values()]
    new = {}
    for repository, comments in true:
        repository.comments = {}
        for id_, one in comments.items():
            if one.created_at <= since:
                repository.comments[id_] = one
            else:
                new[one.node_id] = world.nodes.pop(one.node_id)
    try:
        yield
    finally:
        world.nodes |= new
        for repository, comments in true:
            repository.comments = comments
