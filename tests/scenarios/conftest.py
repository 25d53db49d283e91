"""The real bot over HTTP against the sandbox, as a person with a repository would see it."""

import functools
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import Bot
from bot.core.model import TreeFile
from bot.core.sync import place
from bot.formats import memoryrail
from bot.handlers.round import Round
from bot.sandbox import Sandbox
from bot.sandbox.state.apps import App, Installation
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from bot.settings import MIN_SECRET, Settings
from bot.store import pulls
from bot.store.pulls import Job, PullKey, Wake
from bot.web.background import Background
from tests.databases import KINDS, Databases
from tests.github.conftest import FakeTime

Files = Mapping[str, str | bytes]

CONFIG = '{"version": 1, "review": "agents"}\n'
POOL = "20260301-only-db-opens"  # CON-7475
MONEY = "20260302-money"  # CON-21ec
RETRY = "20260303-retry"  # ATT-335f


def memory(
    id_: str, type_: str, title: str, body: str = "", *, status: str = "active", more: str = ""
) -> dict[str, str]:
    """A memory file; more: further lines of the frontmatter."""
    text = (
        f'---\nid: "{id_}"\ntype: "{type_}"\ntitle: "{title}"\nstatus: "{status}"\n'
        f'created: "2026-03-01T09:00:00.000Z"\nupdated: "2026-03-01T09:00:00.000Z"\n{more}---\n\n'
        f"{body}\n"
    )
    return {f".memoryrail/memories/{id_}.md": text}


MEMORIES: dict[str, str] = {
    ".memoryrail/config.json": CONFIG,
    **memory(
        POOL,
        "constraint",
        "Only src/db opens connections",
        "Handlers go through the repository layer.",
        more='links: ["src/api"]\n',
    ),
    **memory(MONEY, "constraint", "Money is integer cents", more="pinned: true\n"),
    **memory(
        RETRY,
        "attempt",
        "Retrying orders inside the request charged twice",
        "When the gateway timeout fired, the first charge had often succeeded.",
    ),
}
CODE: dict[str, str] = {
    "README.md": "# Shop\n",
    "src/api/orders.py": "def place(order): ...\n",
    "src/db/pool.py": "SIZE = 8\n",
}


def synced(files: Mapping[str, str], agents: str = "# Agents\n") -> str:
    """AGENTS.md with the generated block for the memories among files."""
    tree = [TreeFile(path=path, oid="1", data=text.encode()) for path, text in files.items()]
    store = memoryrail.read("", tree)
    assert store is not None
    return place(agents.encode(), store.memories, path="AGENTS.md").decode()


class Team:
    """A repository on the sandbox, and a bot that can be stopped and started anew."""

    def __init__(self, github: Sandbox, database_url: str) -> None:
        self.github, self.database_url = github, database_url
        self.clock = FakeTime()
        self.app: App = github.create_app()
        self._running: ExitStack | None = None
        self.bot: Bot
        self._served: Background

    def repository(
        self, files: Files, name: str = "octo/shop", *, announced: bool = False
    ) -> Repository:
        """A repository with one commit, on which the app is installed.

        announced: the bot hears of the installation, and makes itself known there; most
        repositories have that long behind them.
        """
        repository = self.github.create_repository(name, files=files)
        url = self.app.webhook_url
        if not announced:
            self.app.webhook_url = None
        self.installation: Installation = self.app.install(repository)
        self.app.webhook_url = url
        if announced:
            self.settle()
        return repository

    @property
    def settings(self) -> Settings:
        """Those of the bot."""
        return replace(
            _proved(self.app.private_key_pem),
            app_id=self.app.id,
            webhook_secrets=(self.app.webhook_secret.encode(),),
            github_url=self.github.url,
            database_url=self.database_url,
        )

    def start(self) -> None:
        """Start the bot on the same database and let GitHub deliver to it."""
        self.bot = Bot(
            self.settings, timing=self.clock.timing, retry_delays=(timedelta(0),), compares=False
        )
        self._served = Background(self.bot.web)
        self._running = ExitStack()
        self._running.enter_context(self._served)
        self.app.webhook_url = f"{self._served.url}/webhook"

    def stop(self) -> None:
        """Stop the bot; GitHub's deliveries fail from now on."""
        if self._running is not None:
            self._running.close()
            self._running = None

    @property
    def url(self) -> str:
        return self._served.url

    def settle(self) -> None:
        """Wait until every delivery is answered and every job is done."""
        known = -1
        while known != len(self.github.deliveries):
            known = len(self.github.deliveries)
            self.github.settle_deliveries()
            self._served.run(self.bot.engine.idle())

    def figures(self) -> list[str]:
        """What Prometheus would fetch, without the lines that explain it."""
        text = self._served.run(self.bot.figures()).decode()
        return [line for line in text.splitlines() if not line.startswith("#")]

    def compare(self, *, after: timedelta = timedelta(0)) -> Round:
        """Have the bot compare with GitHub as when its time has come, and do what follows."""
        with self.bot.database.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE reconciled_installations SET looked_ms = 1")
        done = self._served.run(self.bot.reconciler.compare(after=after))
        assert done is not None
        self.settle()
        return done

    def sweep(self) -> None:
        """Have the engine look for jobs that it has lost, and do them."""
        self._served.run(self.bot.engine.sweep())
        self.settle()

    # What the bot remembers

    def wake(self, pull: PullRequest, *, repository: str) -> None:
        """Have a pull request brought up to date, with the name that a late delivery gives."""
        wake = Wake(
            key=PullKey(repository_id=pull.repository.id, number=pull.number),
            installation_id=self.app.installations[0].id,
            repository=repository,
        )
        self._served.run(self.bot.engine.wake(wake))
        self.settle()

    def unfinished(self) -> tuple[Job, ...]:
        """The jobs that wait or run."""
        return self._served.run(self.bot.engine.unfinished())

    def label(self, repository: Repository) -> str:
        """The name under which the bot knows a repository."""
        with self.bot.database.engine.begin() as connection:
            names = {
                state.repository
                for number in (0, *repository.pulls)
                if (state := pulls.state(connection, _key(repository, number))) is not None
            }
        (name,) = names
        return name


@functools.cache
def _proved(private_key: str) -> Settings:
    """Settings with a key, whose proof takes long; the sandbox gives each of its apps the same."""
    settings = {
        "MEMORYRAIL_APP_ID": "1",
        "MEMORYRAIL_PRIVATE_KEY": private_key,
        "MEMORYRAIL_WEBHOOK_SECRET": "0" * MIN_SECRET,
    }
    return Settings.read(settings)


def _key(repository: Repository, number: int) -> PullKey:
    return PullKey(repository_id=repository.id, number=number)


# For tests that are to be run on PostgreSQL, too.
on_both = pytest.mark.parametrize("team", KINDS, indirect=True)


@pytest.fixture
def team(request: pytest.FixtureRequest, tmp_path: Path, databases: Databases) -> Iterator[Team]:
    """Fails the test when anything broke GitHub's contract and the test did not clear it."""
    kind = getattr(request, "param", "sqlite")
    with databases.fresh(kind) as url, Sandbox.start(tmp_path / "github") as sandbox:
        team = Team(sandbox, url)
        team.start()
        yield team
        team.stop()
        assert [str(each) for each in sandbox.violations] == []


def verdicts(pull: PullRequest) -> dict[str, str]:
    """The conclusions of the newest head, by the part of the name behind the slash."""
    newest = {run.name: run for run in pull.check_runs()}
    assert all(run.status == "completed" for run in newest.values())
    return {name.partition("/")[2]: str(run.conclusion) for name, run in newest.items()}


def said(pull: PullRequest) -> list[str]:
    """The visible text of the bot's comments."""
    return [
        comment.body.partition("\n")[2]
        for comment in pull.comments
        if comment.author.login == "memoryrail[bot]"
    ]
