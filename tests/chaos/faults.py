"""GitHub on a bad day: a share of its answers is false, in every way that it is known for.

The seed decides on the sequence of faults; which request each of them meets is a matter of timing.
"""

import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Final

from bot.sandbox.faults import Fault, Faults

_WRITES: Final = {"Publish", "Commit", "React", "Reply"}  # our operations that mutate
_OF_A_NODE: Final = {"Newest", "Head", "MoreComments", "MoreCommits"}
_CLIENT_WAITS: Final = 21.0  # seconds; a little more than the bot has patience for
_LIMITED: Final = "You have exceeded a secondary rate limit. Please wait before you try again."
_ANY: Final = re.compile("")


def _is_read(subject: str) -> bool:
    name = subject.removeprefix("POST /graphql").strip()
    return subject.startswith("GET ") or (name != subject and name not in _WRITES)


def _may_be_unknown(subject: str) -> bool:
    """Whether a replica may not know yet what is asked for."""
    return subject.startswith(("GET /repos/", "POST /graphql")) and _is_read(subject)


def _anything(_subject: str) -> bool:
    return True


def _is_graphql(subject: str) -> bool:
    return subject.startswith("POST /graphql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A way to fail. weight: how often, against the others. make: the fault's fields."""

    name: str
    weight: float
    make: Callable[[str], Mapping[str, Any]]
    fits: Callable[[str], bool] = _anything
    takes_long: bool = False  # a limit that lasts a minute, or a request that hangs


def _soon() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=2)


def _until_reset() -> dict[str, str]:
    return {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(_soon().timestamp()))}


def _limit(status: int, form: str) -> Callable[[str], Mapping[str, Any]]:
    def make(_subject: str) -> Mapping[str, Any]:
        headers = {
            "seconds": {"retry-after": "1"},
            "date": {"retry-after": format_datetime(_soon(), usegmt=True)},
            "reset": _until_reset(),
            "nothing": {},
        }[form]
        return {"status": status, "message": _LIMITED, "headers": headers}

    return make


def _graphql_limit(_subject: str) -> Mapping[str, Any]:
    body = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    return {"status": 200, "body": body, "headers": _until_reset()}


def _unknown(subject: str) -> Mapping[str, Any]:
    """As a replica answers that has not heard of it: GraphQL with null."""
    if not _is_graphql(subject):
        return {"status": 404}
    top = "node" if subject.rpartition(" ")[2] in _OF_A_NODE else "repository"
    error = {"type": "NOT_FOUND", "path": [top], "message": "Could not resolve to it."}
    return {"status": 200, "body": {"data": {top: None}, "errors": [error]}}


def _always(**fields: Any) -> Callable[[str], Mapping[str, Any]]:
    return lambda _subject: fields


KINDS: Final = (
    Kind(name="502, no effect", weight=3, make=_always(status=502)),
    Kind(name="502 after the effect", weight=3, make=_always(status=502, after_effect=True)),
    Kind(name="503", weight=1, make=_always(status=503)),
    Kind(name="connection cut", weight=1, make=_always(cut=True)),
    Kind(name="cut after the effect", weight=1, make=_always(cut=True, after_effect=True)),
    Kind(name="time-out", weight=0.2, make=_always(cut=True, hangs=True), takes_long=True),
    Kind(
        name="time-out after the effect",
        weight=0.2,
        make=_always(cut=True, hangs=True, after_effect=True),
        takes_long=True,
    ),
    *(
        Kind(
            name=f"{status}, told by {form}",
            weight=0.25 if form == "nothing" else 0.75,
            make=_limit(status, form),
            takes_long=form == "nothing",
        )
        for status in (403, 429)
        for form in ("seconds", "date", "reset", "nothing")
    ),
    Kind(name="200 with RATE_LIMITED", weight=0.75, make=_graphql_limit, fits=_is_graphql),
    Kind(name="401", weight=1.5, make=_always(status=401)),
    Kind(name="404, then 200", weight=2, make=_unknown, fits=_may_be_unknown),
    Kind(name="stale head", weight=2, make=_always(stale_head=True), fits=_is_read),
    Kind(name="stale comments", weight=2, make=_always(stale_comments=True), fits=_is_read),
)


@dataclass(slots=True)
class Tally:
    """What was done to the requests so far."""

    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class Chaos(Faults):
    """Makes a share of the answers false, as long as `share` is above 0."""

    def __init__(self, seed: int, *, quick: bool = False) -> None:
        """quick: without what takes long."""
        super().__init__()
        self.share = 0.0
        self.tally = Tally()
        self._kinds = [kind for kind in KINDS if not (quick and kind.takes_long)]
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self._dice = threading.Lock()
        self._hanging: list[threading.Timer] = []

    def take(self, subject: str) -> Fault | None:
        """What is to happen to a request."""
        with self._dice:
            self.tally.requests += 1
            if self._random.random() >= self.share:
                return None
            kinds = [kind for kind in self._kinds if kind.fits(subject)]
            (kind,) = self._random.choices(kinds, [kind.weight for kind in kinds])
            self.tally.faults[kind.name] += 1
        fields = {
            "status": None,
            "message": "",
            "body": None,
            "headers": {},
            "after_effect": False,
            "stale_head": False,
            "stale_comments": False,
            **kind.make(subject),
        }
        hangs = fields.pop("hangs", False)
        fault = Fault(pattern=_ANY, times=1, **fields)
        if not hangs:
            fault.release()
        else:
            timer = threading.Timer(_CLIENT_WAITS, fault.release)
            timer.daemon = True
            timer.start()
            self._hanging.append(timer)
        return fault

    def clear(self) -> None:
        """Let what hangs go on; nothing fails any more."""
        self.share = 0.0
        for timer in self._hanging:
            timer.cancel()
            timer.function()
        super().clear()
