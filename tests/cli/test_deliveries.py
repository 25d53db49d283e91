"""`deliveries` beside a bot that runs, with GitHub's log of what it sent."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.app import Bot
from bot.sandbox import Delivery, Sandbox
from bot.settings import Settings
from bot.web.background import Background
from tests.cli.running import run


class Scene:
    """A bot, GitHub with one repository, and the bot's settings in the environment."""

    def __init__(self, github: Sandbox, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.github, self.app = github, github.create_app()
        self.environment = {
            "MEMORYRAIL_APP_ID": str(self.app.id),
            "MEMORYRAIL_PRIVATE_KEY": self.app.private_key_pem,
            "MEMORYRAIL_WEBHOOK_SECRET": self.app.webhook_secret,
            "MEMORYRAIL_GITHUB_URL": github.url,
            "MEMORYRAIL_DATABASE_URL": f"sqlite:///{folder / 'bot.sqlite'}",
        }
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)
        self.repository = github.create_repository("octo/shop", files={"README.md": "# Shop\n"})
        self.bot = Bot(Settings.read(self.environment))
        self.served = Background(self.bot.web)

    def connect(self) -> None:
        self.app.webhook_url = f"{self.served.url}/webhook"

    def settle(self) -> None:
        self.github.settle_deliveries()
        self.served.run(self.bot.engine.idle())

    def sent(self, event: str) -> list[Delivery]:
        return [one for one in self.github.deliveries if one.event == event]

    def told(self, *arguments: str) -> list[dict[str, object]]:
        shown: list[dict[str, object]] = json.loads(run("deliveries", *arguments, "--json").stdout)
        return shown


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    with ExitStack() as stack:
        github = stack.enter_context(Sandbox.start(tmp_path / "github"))
        scene = Scene(github, tmp_path, monkeypatch)
        stack.enter_context(scene.served)
        yield scene


def test_what_github_sent_is_seen_and_sent_again(scene: Scene) -> None:
    scene.app.webhook_url = "http://127.0.0.1:1/webhook"  # nobody is there
    scene.app.install(scene.repository)
    scene.github.settle_deliveries()
    (lost,) = scene.sent("installation")
    assert run("deliveries", "list").stdout == "No such delivery.\n"
    result = run("deliveries", "show", lost.guid)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no delivery {lost.guid} came" in result.stderr

    scene.connect()
    replayed = run("deliveries", "replay", lost.guid)
    assert (replayed.stdout, replayed.stderr) == (f"GitHub sends {lost.guid} again.\n", "")
    scene.settle()
    (row,) = [one for one in scene.told("list") if one["guid"] == lost.guid]
    assert (row["event"], row["action"], row["outcome"]) == ("installation", "created", "done")
    head, *rows = run("deliveries", "list").stdout.splitlines()
    assert head.split() == ["DELIVERY", "EVENT", "ABOUT", "CAME", "OUTCOME", "REASON"]
    assert any(line.startswith(f"{lost.guid}  installation.created") for line in rows)


def test_a_delivery_that_was_dealt_with_is_acted_on_again(scene: Scene) -> None:
    scene.connect()
    scene.app.install(scene.repository)
    scene.settle()
    (done,) = scene.sent("installation")
    jobs = len(scene.github.requests)
    run("deliveries", "replay", done.guid)
    scene.settle()
    assert [one.status for one in scene.sent("installation")] == [202, 202]
    asked = [one.path for one in scene.github.requests[jobs:] if "/hook/" not in one.path]
    assert "/graphql" in asked  # what it is about was looked at anew
    assert "outcome       done\n" in run("deliveries", "show", done.guid).stdout


def test_what_github_does_not_know_is_told(scene: Scene) -> None:
    result = run("deliveries", "replay", "0-0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: GitHub's log of this app's deliveries has no 0-0 (any longer)\n"
    assert run("deliveries", "replay", "no guid").stderr.startswith("Error: 'no guid' is no GUID")
    scene.github.faults.add("GET /app/hook/deliveries", status=401, times=2)
    refused = run("deliveries", "replay", "0-0")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "the private key does not belong to app" in refused.stderr


def test_what_is_being_worked_on_is_not_sent_again(scene: Scene) -> None:
    scene.connect()
    scene.app.install(scene.repository)
    scene.settle()
    scene.repository.branch("feature")
    scene.repository.commit("feature", files={"a.py": "import os\n"}, login="alice")
    hanging = scene.github.faults.add("POST /graphql", hang=True)
    scene.repository.open_pull(head="feature", user="alice")
    scene.github.settle_deliveries()
    assert hanging.waiting.wait(20)
    (pending,) = scene.sent("pull_request")
    result = run("deliveries", "replay", pending.guid)
    assert result.stderr == (
        f"Error: {pending.guid} is being worked on: memoryrail-bot jobs show octo/shop#1\n"
    )
    assert [one["guid"] for one in scene.told("list", "--outcome", "pending")] == [pending.guid]
    hanging.release()
    scene.settle()
    assert scene.told("list", "--outcome", "pending") == []
