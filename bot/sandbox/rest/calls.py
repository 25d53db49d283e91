"""What a REST handler is given and gives, and the table of all handlers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from bot.sandbox.auth import Caller
from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.shapes import Shapes
from bot.sandbox.state.apps import App, Token
from bot.sandbox.state.people import User
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from bot.sandbox.state.world import World
from bot.sandbox.wire import Reply, Request

Json = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request that is known to fit the contract and to be permitted."""

    world: World
    request: Request
    caller: Caller | None
    parameters: Mapping[str, str]  # of the path, decoded
    version: str
    target: Repository | None  # when the path names one

    @property
    def shapes(self) -> Shapes:
        return Shapes(self.world, self.version)

    @property
    def repository(self) -> Repository:
        if self.target is None:
            raise not_found()
        return self.target

    @property
    def body(self) -> Json:
        return self.request.json or {}

    @property
    def app(self) -> App:
        """The app that asks, by itself or through an installation."""
        return self._known_caller.app

    @property
    def token(self) -> Token:
        token = self._known_caller.token
        if token is None:
            raise Refusal(401, "Bad credentials: this needs an installation token")
        return token

    @property
    def user(self) -> User:
        """The account as which an installation acts: its app's bot."""
        return self.app.bot

    @property
    def _known_caller(self) -> Caller:
        if self.caller is None:
            raise Refusal(401, "Requires authentication")
        return self.caller

    def may(self, permission: str) -> bool:
        """Whether the caller has a permission; see Caller.may."""
        return self._known_caller.may(permission)

    def number(self, name: str) -> int:
        return int(self.parameters[name])

    def pull(self, name: str = "pull_number") -> PullRequest:
        pull = self.repository.pulls.get(self.number(name))
        if pull is None:
            raise not_found()
        return pull

    def page(self, items: Sequence[T], *, of: int | None = None) -> tuple[Sequence[T], Json]:
        """One page of the items and the Link header that leads to the others.

        of: how many items GitHub would list at most.
        """
        items = items[:of]
        size = int(self.request.query.get("per_page", "30"))
        number = int(self.request.query.get("page", "1"))
        last = max(1, -(-len(items) // size))
        pages = {"prev": number - 1, "next": number + 1, "last": last, "first": 1}
        hidden = {"prev", "first"} if number <= 1 else set()
        hidden |= {"next", "last"} if number >= last else set()
        links = [
            f'<{self._page_url(page)}>; rel="{name}"'
            for name, page in pages.items()
            if name not in hidden
        ]
        shown = items[(number - 1) * size : number * size]
        return shown, {"link": ", ".join(links)} if links else {}

    def _page_url(self, page: int) -> str:
        query = urlencode({**self.request.query, "page": str(page)})
        return f"{self.world.url}{self.request.path}?{query}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """who: "app" (a JWT), "installation" (a token) or "anyone". needs: see Caller.may."""

    answer: Callable[[Call], Reply]
    who: str = "installation"
    needs: str = "metadata:read"


HANDLERS: Final[dict[str, Handler]] = {}


def handles(
    operation: str, *, needs: str = "metadata:read", who: str = "installation"
) -> Callable[[Callable[[Call], Reply]], Callable[[Call], Reply]]:
    """Enter a function into the table as what answers an operation."""

    def enter(answer: Callable[[Call], Reply]) -> Callable[[Call], Reply]:
        HANDLERS[operation] = Handler(answer=answer, needs=needs, who=who)
        return answer

    return enter


@dataclass(slots=True)
class PatchBudget:
    """Decides which patches of one answer are left out, as GitHub does without saying where.

    A file of many lines or bytes has none, nor has any once the answer is full.
    """

    left: int = 1_000_000  # bytes of one answer
    most: int = 100_000  # bytes of one file
    lines: int = 3_000  # changed lines of one file

    def allows(self, patch: str | None, changed_lines: int) -> bool:
        size = len((patch or "").encode())
        if patch is None or size > self.most or changed_lines > self.lines or size > self.left:
            return False
        self.left -= size
        return True
