"""`memoryrail-bot demo`: the real bot on a GitHub that runs on this machine, step by step."""

import contextlib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, Self

import click

from bot.cli import Refusal, telling
from bot.cli.telling import heading

if TYPE_CHECKING:
    from bot.sandbox import Sandbox
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.state.repositories import Repository

_TOLD: Final = frozenset({"pull_request", "issue_comment"})  # events of the story
_STOPPED: Final = 130  # exit code of a program that Ctrl-C ended
_COMMITS: Final = 10  # of another repository's history that the pull request holds at most
_NO_EXTRA: Final = (
    "the demo needs the extra `sandbox`: pip install 'memoryrail-bot[sandbox]', "
    "or in a checkout: pip install '.[sandbox]'"
)
_NOTHING_LEFT: Final = "Nothing was left behind, and nothing left this machine."
_NO_MEMORY: Final = """\
This repository has no project memory, so nothing but secrets was looked for. To see
more, leave out --repo: the sample has memories (in a checkout: make demo). To start
your own, commit .memoryrail/config.json with {"version": 1, "review": "agents"} and
a Markdown file for each memory in .memoryrail/memories/ (spec/memoryrail.md)."""


@click.command(name="demo")
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A directory of a git repository: its newest commits become the pull request, on a copy.",
)
@click.option("--once", is_flag=True, help="End when the story is told. DEMO=once says the same.")
def command(repo: Path | None, once: bool) -> None:
    """Open a pull request and push to it, and see what the bot says.

    The bot, its database, its signed deliveries and the git repository are real; GitHub is a
    server on this machine that is strict about GitHub's published contract. It stays, with a page
    on which you can comment and try commands, until you press Ctrl-C.
    """
    if shutil.which("git") is None:
        raise Refusal("the demo needs git, which is not on the PATH")
    try:
        from bot.sandbox import Sandbox
    except ModuleNotFoundError as error:
        if (error.name or "bot").partition(".")[0] == "bot":
            raise
        raise Refusal(_NO_EXTRA) from error

    stays = not once and os.environ.get("DEMO") != "once"
    try:
        with (
            _orders_to_end(),
            tempfile.TemporaryDirectory(prefix="memoryrail-demo-") as folder,
            Sandbox.start(Path(folder) / "github") as github,
            _Stage(github, Path(folder), stays=stays) as stage,
        ):
            waiting = _sample_story(stage) if repo is None else _story_of(stage, repo)
            if github.violations:
                raise click.ClickException(f"GitHub would refuse: {github.violations[0]}")
            if stays:
                _stay(stage.page, waiting)
    except KeyboardInterrupt:
        heading(f"Stopped before the end. {_NOTHING_LEFT}")
        raise click.exceptions.Exit(_STOPPED) from None
    heading(f"Done. {_NOTHING_LEFT}")


@contextlib.contextmanager
def _orders_to_end() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end the demo as Ctrl-C does, with everything put away."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # where no signal arrives
        yield
        return
    orders = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN  # as under nohup
    ]
    before = {number: signal.signal(number, stop) for number in orders}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Stage:
    """The bot, served and installed, and what happened since the last look."""

    def __init__(self, github: "Sandbox", folder: Path, *, stays: bool) -> None:
        """stays: the pages can be looked at when the story is told."""
        from bot.app import Bot
        from bot.settings import Settings
        from bot.web.background import Background

        self.github = github
        self.page = github.url  # address of what there is to look at
        self._stays = stays
        self._said: dict[int, str] = {}  # comments as they were shown, by id
        self._app = github.create_app()
        self._bot = Bot(
            Settings.read(
                {
                    "MEMORYRAIL_APP_ID": str(self._app.id),
                    "MEMORYRAIL_PRIVATE_KEY": self._app.private_key_pem,
                    "MEMORYRAIL_WEBHOOK_SECRET": self._app.webhook_secret,
                    "MEMORYRAIL_GITHUB_URL": github.url,
                    "MEMORYRAIL_DATABASE_URL": f"sqlite:///{folder / 'bot.sqlite'}",
                }
            ),
            compares=False,  # nothing gets lost here, and every request is told
        )
        self._served = Background(self._bot.web)
        self._seen = 0, 0

    def __enter__(self) -> Self:
        self._served.__enter__()
        self._app.webhook_url = f"{self._served.url}/webhook"
        return self

    def __exit__(self, *error: object) -> None:
        self._served.__exit__(*error)

    def repository(self, name: str) -> "Repository":
        """An empty repository, and people who may do more and less in it."""
        from bot.sandbox.sample import ROLES

        repository = self.github.create_repository(name)
        for login, role in ROLES.items():
            repository.grant(login, role)
        return repository

    def open_pull(
        self, repository: "Repository", *, head: str, title: str, body: str, user: str | None = None
    ) -> "PullRequest":
        """Open a pull request, and say where it can be watched."""
        pull = repository.open_pull(head=head, title=title, body=body, user=user)
        self.page = f"{self.github.url}/{repository.full_name}/pull/{pull.number}"
        if self._stays:
            click.echo(f"\n  watch it in a browser: {self.page}")
        return pull

    def install(self, repository: "Repository") -> None:
        """Install the app; what was pushed before is not news."""
        click.echo(f"GitHub's stand-in is at {self.github.url}, the bot at {self._served.url}.")
        self._app.install(repository)
        self._settle()
        self._seen = len(self.github.deliveries), len(self.github.requests)

    def show(self, pull: "PullRequest") -> None:
        """Wait until the bot is done; print what arrived, what it read and what it says."""
        self._settle()
        deliveries, requests = self._seen
        for delivery in self.github.deliveries[deliveries:]:
            sender = delivery.payload.get("sender") or {}
            if delivery.event in _TOLD and sender.get("login") != self._app.bot.login:
                what = f"{delivery.event}.{delivery.action}"
                click.echo(f"\n  delivery {delivery.guid}  {what}  answered {delivery.status}")
        telling.asked(self.github.requests[requests:])
        self._seen = len(self.github.deliveries), len(self.github.requests)
        telling.commits(pull, self._app.bot.login)
        telling.checks(pull)
        telling.comments(pull, self._app.bot.login, self._said)

    def _settle(self) -> None:
        known = -1
        while known != len(self.github.deliveries):
            known = len(self.github.deliveries)
            self.github.settle_deliveries()
            self._served.run(self._bot.engine.idle())


def _sample_story(stage: _Stage) -> Sequence[str]:
    """Tell it; the refs of the proposals that wait at its end."""
    from bot.core.model import TreeFile
    from bot.core.sync import place
    from bot.formats import memoryrail
    from bot.sandbox import sample

    repository = stage.repository(sample.NAME)
    stage.github.user(sample.OPENED.login, "Bot")
    written: dict[str, str] = {}
    for made in sample.HISTORY:
        written |= made.files
        repository.commit(
            "main", files=made.files, message=made.message, login=made.login, date=made.at
        )
    files = [TreeFile(path=path, oid="", data=text.encode()) for path, text in written.items()]
    store = memoryrail.read("", files)
    assert store is not None  # noqa: S101 - the sample has one
    agents = place(written["AGENTS.md"].encode(), store.memories, path="AGENTS.md")
    repository.commit("main", files={"AGENTS.md": agents}, message="Show agents the memory")
    stage.install(repository)
    heading(
        f"{sample.NAME}: {len(sample.HISTORY) + 1} commits, {len(store.memories)} memories. "
        "An agent opens a pull request that retries orders"
    )

    def commit(made: sample.SampleCommit) -> dict[str, object]:
        return {"files": made.files, "message": made.message, "login": made.login, "date": made.at}

    repository.branch(sample.PULL_BRANCH)
    repository.commit(sample.PULL_BRANCH, **commit(sample.OPENED))  # type: ignore[arg-type]
    pull = stage.open_pull(
        repository,
        head=sample.PULL_BRANCH,
        title=sample.PULL_TITLE,
        body=sample.PULL_BODY,
        user=sample.OPENED.login,
    )
    stage.show(pull)
    heading("It pushes a key for the gateway, and a decision that nobody approved")
    pull.push(**commit(sample.PUSHED))  # type: ignore[arg-type]
    stage.show(pull)
    heading("It reads the comment and pushes again, by force: no key, and two proposals")
    pull.force_push(files=sample.AMENDED.files, message=sample.AMENDED.message)
    stage.show(pull)
    heading(f"{sample.MAINTAINER}, who maintains the repository, comments: {sample.APPROVAL}")
    stage.github.advance(timedelta(seconds=5))  # which she takes to read
    pull.comment(sample.MAINTAINER, sample.APPROVAL)
    stage.show(pull)
    return (sample.WAITING,)


def _story_of(stage: _Stage, path: Path) -> Sequence[str]:
    """Tell it; the refs of the proposals that wait at its end."""
    from bot.core.review import review
    from bot.git.repository import LocalRepository
    from bot.git.snapshot import load
    from bot.render.phrases import count, proposals
    from bot.sandbox.git import GitError

    local = LocalRepository.discover(path)
    local.commit("HEAD")  # or there are none, which is said in one line
    repository = stage.repository(f"local/{local.name}")
    try:
        repository.import_from(local.git_dir)
    except GitError as error:
        raise Refusal(f"{path} cannot be copied: {error}") from error
    git, main = repository.git, repository.default_branch
    if main not in git.branches():
        raise Refusal(f"{path} has no local branch; make one: git switch -c demo")
    line = git.log("--first-parent", f"--max-count={_COMMITS + 1}", main)
    if len(line) < 2:
        raise Refusal(f"{path} has a single commit; the demo needs two or more")
    head, first, base = line[0], line[max(0, len(line) - 2)], line[-1]
    sides = load(path, base=base, head=head)
    repository.move(main, base, sender=repository.owner)
    repository.branch("demo", start=first)
    stage.install(repository)
    newest = git.commit_at(head)
    message = newest.message if newest else ""
    heading(f"{local.name}: a pull request into {main} as of {count(len(line) - 1, 'commit')} ago")
    title, _, body = message.partition("\n")
    pull = stage.open_pull(repository, head="demo", title=title, body=body.strip())
    stage.show(pull)
    if first != head:
        others = len(line) - 2
        pushed = "other commit is" if others == 1 else f"other {others} commits are"
        heading(f"The {pushed} pushed")
        repository.move("demo", head, sender=repository.owner)
        stage.show(pull)
    if not (sides.base.stores or sides.head.stores):
        heading(_NO_MEMORY)
    return proposals(review(sides))


def _stay(address: str, waiting: Sequence[str]) -> None:
    from bot.sandbox.sample import MAINTAINER, READER

    tries = [
        (MAINTAINER, f"/memoryrail approve {ref}", "a proposal that waits; the bot commits")
        for ref in waiting[:1]
    ]
    tries += [(READER, command, "refused: it takes a maintainer") for _, command, _ in tries]
    tries += [("anyone", "/memoryrail why", "which memories apply, and why each does")]
    lines = [f"  as {who:<8}{command:<30}{what}" for who, command, what in tries]
    heading(
        "\n".join([f"{address}\nshows the pull request. Comment there, and watch:", "", *lines])
        + "\n\nCtrl-C ends the demo."
    )
    with contextlib.suppress(KeyboardInterrupt):
        _until_told()


def _until_told() -> None:
    threading.Event().wait()
