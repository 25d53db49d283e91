"""`memoryrail-bot demo`: the real bot on a GitHub that runs on this machine, step by step."""

import contextlib
import os
import shutil
import tempfile
import threading
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import click

from bot.cli import Refusal

if TYPE_CHECKING:
    from bot.sandbox import Sandbox
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.state.repositories import Repository

_TOLD: Final = frozenset({"pull_request", "issue_comment"})  # events of the story
_COMMITS: Final = 10  # of another repository's history that the pull request holds at most
_NO_EXTRA: Final = (
    "the demo needs the extra `sandbox`: pip install 'memoryrail-bot[sandbox]', "
    "or in a checkout: pip install '.[sandbox]'"
)
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

    with (
        tempfile.TemporaryDirectory(prefix="memoryrail-demo-") as folder,
        Sandbox.start(Path(folder) / "github") as github,
        _Stage(github, Path(folder)) as stage,
    ):
        pull = _sample_story(stage) if repo is None else _story_of(stage, repo)
        if github.violations:
            raise click.ClickException(f"GitHub would refuse: {github.violations[0]}")
        if not once and os.environ.get("DEMO") != "once":
            _stay(f"{github.url}/{pull.repository.full_name}/pull/{pull.number}")
        _heading("Done. Nothing was left behind, and nothing left this machine.")


class _Stage:
    """The bot, served and installed, and what happened since the last look."""

    def __init__(self, github: "Sandbox", folder: Path) -> None:
        from bot.app import Bot
        from bot.settings import Settings
        from bot.web.background import Background

        self.github = github
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
            )
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
        """An empty repository."""
        return self.github.create_repository(name)

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
        click.echo("  the bot asked GitHub:")
        for request in self.github.requests[requests:]:
            operation = request.operation or request.path
            click.echo(f"    {request.method:<5} {operation}  {request.status}")
        self._seen = len(self.github.deliveries), len(self.github.requests)
        _commits(pull, self._app.bot.login)
        _checks(pull)
        _comment(pull, self._app.bot.login)

    def _settle(self) -> None:
        known = -1
        while known != len(self.github.deliveries):
            known = len(self.github.deliveries)
            self.github.settle_deliveries()
            self._served.run(self._bot.engine.idle())


def _sample_story(stage: _Stage) -> "PullRequest":
    from bot.core.model import TreeFile
    from bot.core.sync import place
    from bot.formats import memoryrail
    from bot.sandbox import sample

    repository = stage.repository(sample.NAME)
    stage.github.user(sample.OPENED.login, "Bot")
    for login, role in sample.ROLES.items():
        repository.grant(login, role)
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
    _heading(
        f"{sample.NAME}: {len(sample.HISTORY) + 1} commits, {len(store.memories)} memories. "
        "An agent opens a pull request that retries orders"
    )

    def commit(made: sample.SampleCommit) -> dict[str, object]:
        return {"files": made.files, "message": made.message, "login": made.login, "date": made.at}

    repository.branch(sample.PULL_BRANCH)
    repository.commit(sample.PULL_BRANCH, **commit(sample.OPENED))  # type: ignore[arg-type]
    pull = repository.open_pull(
        head=sample.PULL_BRANCH,
        title=sample.PULL_TITLE,
        body=sample.PULL_BODY,
        user=sample.OPENED.login,
    )
    stage.show(pull)
    _heading("It pushes a key for the gateway, and a decision that nobody approved")
    pull.push(**commit(sample.PUSHED))  # type: ignore[arg-type]
    stage.show(pull)
    _heading("It reads the comment and pushes again, by force: no key, and a proposal")
    pull.force_push(files=sample.AMENDED.files, message=sample.AMENDED.message)
    stage.show(pull)
    _heading(f"{sample.MAINTAINER}, who maintains the repository, comments: {sample.APPROVAL}")
    stage.github.advance(timedelta(seconds=5))  # which she takes to read
    pull.comment(sample.MAINTAINER, sample.APPROVAL)
    stage.show(pull)
    return pull


def _story_of(stage: _Stage, path: Path) -> "PullRequest":
    from bot.git.repository import LocalRepository
    from bot.git.snapshot import load
    from bot.render.phrases import count
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
    _heading(f"{local.name}: a pull request into {main} as of {count(len(line) - 1, 'commit')} ago")
    pull = repository.open_pull(
        head="demo", title=message.partition("\n")[0], body=message.partition("\n")[2].strip()
    )
    stage.show(pull)
    if first != head:
        others = len(line) - 2
        pushed = "other commit is" if others == 1 else f"other {others} commits are"
        _heading(f"The {pushed} pushed")
        repository.move("demo", head, sender=repository.owner)
        stage.show(pull)
    if not (sides.base.stores or sides.head.stores):
        _heading(_NO_MEMORY)
    return pull


def _stay(address: str) -> None:
    _heading(f"{address}\nshows the pull request. Comment there, and watch. Ctrl-C ends the demo.")
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


def _commits(pull: "PullRequest", bot: str) -> None:
    for commit in pull.commits:
        if commit.author.email.endswith(f"+{bot}@users.noreply.github.com"):
            title = commit.message.partition("\n")[0]
            click.echo(f"\n  the bot committed {commit.oid[:7]}, signed by GitHub: {title}")


def _checks(pull: "PullRequest") -> None:
    click.echo(f"\n  checks on {pull.head_sha[:7]}")
    for run in sorted(pull.check_runs(), key=lambda run: run.id):
        click.echo(f"    {run.conclusion!s:<16} {run.name:<20}  {run.title}")
        for note in run.annotations:
            click.echo(f"      {note.path}:{note.start_line}: {note.message}")


def _comment(pull: "PullRequest", bot: str) -> None:
    comments = [one for one in pull.comments if one.author.login == bot]
    if not comments:
        click.echo("\n  no comment: nothing to say")
    for comment in comments:
        click.echo(f"\n  the comment of {bot} (id {comment.id})\n")
        for line in comment.body.splitlines()[1:]:
            click.echo(f"    {line}".rstrip())


def _heading(text: str) -> None:
    click.echo(f"\n{'─' * 80}\n{text}\n{'─' * 80}")
