"""The sandbox as tests and the demo hold it: the world, its server, switches and records."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.sandbox import events
from bot.sandbox.deliveries import Delivery
from bot.sandbox.faults import Faults
from bot.sandbox.git import Contents
from bot.sandbox.server import Server
from bot.sandbox.state.apps import App
from bot.sandbox.state.people import User
from bot.sandbox.state.repositories import Repository
from bot.sandbox.state.world import DEFAULT_EVENTS, DEFAULT_PERMISSIONS, DEFAULT_SECRET, World
from bot.sandbox.traffic import Exchange, Measure, Traffic, Violation


def _system_clock() -> datetime:
    return datetime.now(UTC)


class Sandbox:
    """Everything here may be used from any thread, also from async tests: no call takes long.

    url: what a client takes as GitHub's API address; GraphQL is below it at /graphql.
    """

    def __init__(
        self, root: Path, *, clock: Callable[[], datetime], faults: Faults | None = None
    ) -> None:
        self.faults = faults or Faults()
        self._traffic = Traffic()
        self.world = World(root, clock=clock)
        self._courier = self.world.courier
        self._server = Server(self.world, self._traffic, self.faults)
        self.url = self.world.url = self._server.url

    @classmethod
    def start(
        cls,
        root: Path,
        *,
        clock: Callable[[], datetime] = _system_clock,
        faults: Faults | None = None,
    ) -> Self:
        """Serve at once; repositories are kept below `root`, which may not exist yet."""
        sandbox = cls(root, clock=clock, faults=faults)
        sandbox._server.start()
        return sandbox

    def close(self) -> None:
        """End threads, connections and processes; what stands on disk stays."""
        self._courier.close()
        self._server.stop()
        self.world.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # What exists

    def create_app(
        self,
        *,
        slug: str = "memoryrail",
        name: str | None = None,
        owner: str = "octo",
        webhook_url: str | None = None,
        webhook_secret: str = DEFAULT_SECRET,
        permissions: Mapping[str, str] = DEFAULT_PERMISSIONS,
        events: Sequence[str] = DEFAULT_EVENTS,
    ) -> App:
        """Register an app. Without a webhook_url its deliveries are only recorded."""
        return self.world.create_app(
            slug=slug,
            name=name,
            owner=owner,
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            permissions=permissions,
            events=events,
        )

    def create_repository(
        self,
        full_name: str,
        *,
        files: Mapping[str, Contents] | None = None,
        private: bool = False,
        default_branch: str = "main",
    ) -> Repository:
        """Make a repository; with files also its first commit. Its owner is an organization."""
        return self.world.create_repository(
            full_name, files=files, private=private, default_branch=default_branch
        )

    def user(self, login: str, type: str = "User") -> User:  # noqa: A002 (GitHub's word)
        """The account of this login, made when it does not exist yet."""
        return self.world.user(login, type)

    def team(self, name: str, *members: str, invited: Sequence[str] = ()) -> None:
        """Let a team, as org/slug, have these members, and the others when they accept."""
        self.world.team(name, *members, invited=invited)

    def now(self) -> datetime:
        return self.world.now()

    def advance(self, by: timedelta) -> None:
        """Put the sandbox's clock forward: tokens expire, times differ."""
        self.world.advance(by)

    # Deliveries

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """All so far, oldest first, those of redelivery too."""
        return tuple(self._courier.log)

    def deliver(
        self, event: str, payload: Mapping[str, Any], *, app: App | None = None
    ) -> Delivery:
        """Send any payload, to the only app by default."""
        chosen = app or next(iter(self.world.apps.values()))
        return self.world.deliver(chosen, event, payload)

    def ping(self, app: App) -> Delivery:
        return self.deliver("ping", events.ping(self.world, app), app=app)

    def redeliver(self, delivery: Delivery) -> Delivery:
        """Send a delivery once more, with the same GUID and body."""
        return self.world.redeliver(delivery)

    def pause_deliveries(self) -> None:
        """Hold deliveries back from now on; they stand in `deliveries` all the same."""
        self._courier.pause()

    def resume_deliveries(self) -> None:
        """Send what was held back, in order."""
        self._courier.resume()

    def settle_deliveries(self, timeout: float = 30.0) -> None:
        """Wait until every delivery sent so far is answered; blocks, so use a thread in async code.

        Raises TimeoutError after `timeout` seconds.
        """
        self._courier.settle(timeout)

    # Records

    @property
    def requests(self) -> tuple[Exchange, ...]:
        """Every request so far, in the order of arrival."""
        return tuple(self._traffic.requests)

    @property
    def violations(self) -> list[Violation]:
        """Breaches of GitHub's contract so far. A test that provokes one clears the list."""
        return self._traffic.violations

    def measure(self, *, latency: timedelta = timedelta(milliseconds=25)) -> Measure:
        """Count requests and waves: `with github.measure() as measured: …; measured.depth`.

        latency: so long after the last of a wave is ready its answers are given, so that what is
        sent together is answered together. In an async test a busy machine does not matter.
        """
        return Measure(self._traffic, latency.total_seconds())
