"""The app on a sandbox GitHub with one repository, and a clock that does not wait."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.github.client import Timing
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.sandbox import Sandbox
from bot.sandbox.git import Contents
from bot.sandbox.state.apps import App, Installation
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository

CONFIG = '{"version": 1, "review": "off"}\n'


def memory(id_: str, *, type_: str = "constraint", links: str = "src", body: str = "Why.") -> str:
    """The text of a memory file."""
    return (
        f'---\nid: "{id_}"\ntype: "{type_}"\ntitle: "About {id_}"\nstatus: "active"\n'
        f'created: "2026-01-02T03:04:05.000Z"\nupdated: "2026-01-02T03:04:05.000Z"\n'
        f'links: ["{links}"]\n---\n\n{body}\n'
    )


@dataclass
class FakeTime:
    """The real clock, put forward by each sleep instead of waiting."""

    ahead: timedelta = timedelta(0)
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.ahead += timedelta(seconds=seconds)

    @property
    def timing(self) -> Timing:
        return Timing(now=self.now, sleep=self.sleep, chance=lambda: 0.5, pacing=None)


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Sandbox]:
    """Fails the test when anything broke GitHub's contract and the test did not clear it."""
    with Sandbox.start(tmp_path / "github") as sandbox:
        yield sandbox
        assert [str(each) for each in sandbox.violations] == []


@pytest.fixture
def clock() -> FakeTime:
    return FakeTime()


@dataclass(frozen=True, kw_only=True)
class Shop:
    """octo/shop, which has a store with two memories; the app is installed on it."""

    github: Sandbox
    app: App
    installation: Installation
    repository: Repository

    def open(self, *pushes: Mapping[str, Contents], **fields: str | bool) -> PullRequest:
        """A pull request of alice from `feature`, one commit for each of pushes."""
        self.repository.branch("feature")
        for files in pushes:
            self.repository.commit("feature", files=files, login="alice")
        return self.repository.open_pull(head="feature", user="alice", **fields)  # type: ignore[arg-type]  # plain keywords


@pytest.fixture
def shop(github: Sandbox) -> Shop:
    repository = github.create_repository(
        "octo/shop",
        files={
            "README.md": "# Shop\n",
            "src/a.py": "one = 1\ntwo = 2\n",
            ".memoryrail/config.json": CONFIG,
            ".memoryrail/memories/20260102-one.md": memory("20260102-one"),
            ".memoryrail/memories/20260102-two.md": memory("20260102-two"),
            "AGENTS.md": "# Agents\n",
        },
    )
    app = github.create_app()
    return Shop(github=github, app=app, installation=app.install(repository), repository=repository)


@pytest.fixture
async def bot(shop: Shop, clock: FakeTime) -> AsyncIterator[GitHubApp]:
    """The bot's side, with a cold cache."""
    app = GitHubApp(
        app_id=str(shop.app.id),
        private_key=shop.app.private_key_pem,
        api_url=shop.github.url,
        timing=clock.timing,
    )
    yield app
    await app.aclose()


@pytest.fixture
def access(bot: GitHubApp, shop: Shop) -> RepositoryAccess:
    return bot.installation(shop.installation.id).repository("octo", "shop")
