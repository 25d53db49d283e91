"""What people do meanwhile: pull requests, pushes, commands, and deliveries sent once more.

A command is given as a maintainer gives it: on a proposal that they can see the bot's verdict of,
and nobody touches its file afterwards. So each one has to end as exactly one commit.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from bot.sandbox import Sandbox
from bot.sandbox.deliveries import Delivery
from bot.sandbox.state.apps import App
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.making import github_token
from tests.scenarios.commanding import SHOP
from tests.scenarios.conftest import memory

MAINTAINER: Final = "ada"
AGENT: Final = "coder[bot]"
PULLS_OF_A_REPOSITORY: Final = 10
PROPOSALS: Final = 4  # of one pull request
_VISIBLE: Final = timedelta(seconds=3)  # that a verdict stands before a maintainer decides on it
_DRIVEN: Final = frozenset(["pull_request", "push", "issue_comment"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A maintainer's command, and the file of the proposal that it decides on."""

    comment_id: int
    verb: str
    path: str


@dataclass(slots=True, kw_only=True)
class Change:
    """A pull request, and what was done on it. undecided: ids of its proposals."""

    pull: PullRequest
    undecided: list[str] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)  # comments that ask for an answer only
    heads: list[str] = field(default_factory=list)
    pushes: int = 0


class Scenery:
    """Repositories of several owners, with the pull requests that are opened in the course."""

    def __init__(self, github: Sandbox, app: App, *, pulls: int, dice: random.Random) -> None:
        self.github, self.app, self.most_pulls = github, app, pulls
        self.changes: list[Change] = []
        self.redelivered = 0
        self._dice = dice
        github.user(AGENT, type="Bot")
        count = -(-pulls // PULLS_OF_A_REPOSITORY)
        self.repositories = [self._repository(f"org{index}/shop") for index in range(count)]
        self._acts: dict[Callable[[], None], float] = {
            self._open: 0,  # see act
            self._push: 40,
            self._push_over: 4,
            self._push_to_base: 2,
            self._edit: 6,
            self._close_and_reopen: 4,
            self._command: 25,
            self._ask: 5,
            self._talk: 4,
            self._redeliver: 10,
        }

    @property
    def deliveries(self) -> int:
        """How many people caused so far, those that were sent once more among them."""
        sent = [
            one
            for one in self.github.deliveries
            if _is_from_people(one) and one.payload["sender"]["id"] != self.app.bot.id
        ]
        return len(sent) + self.redelivered

    def act(self) -> None:
        """One thing that somebody does."""
        missing = self.most_pulls - len(self.changes)
        opens = 10 + 100 * missing / self.most_pulls if missing else 0
        weights = {**self._acts, self._open: opens if self.changes else 1e9}
        (act,) = self._dice.choices(list(weights), list(weights.values()))
        act()

    def _repository(self, name: str) -> Repository:
        repository = self.github.create_repository(name, files=SHOP)
        repository.grant(MAINTAINER, "maintain")
        self.app.install(repository)
        return repository

    def _change(self) -> Change:
        return self._dice.choice(self.changes)

    # What people do

    def _open(self) -> None:
        number = len(self.changes)
        repository = self.repositories[number % len(self.repositories)]
        branch = f"feature-{number}"
        ids = [f"20260{6 + index}01-plan-{number}" for index in range(PROPOSALS)]
        proposes = self._dice.random() < 0.7
        files = {f"src/api/part_{number}.py": "def part(): ...\n"}
        for id_ in ids if proposes else ():
            title = f"Plan {id_[4:6]} of part {number}"
            files |= memory(id_, "decision", title, "Because.", status="proposed")
        repository.branch(branch)
        repository.commit(branch, files=files, login=AGENT)
        pull = repository.open_pull(head=branch, title=f"Part {number}", user=AGENT)
        self.changes.append(
            Change(pull=pull, undecided=ids if proposes else [], heads=[pull.head_sha])
        )

    def _push(self) -> None:
        change = self._change()
        change.pushes += 1
        path = self._dice.choice(["src/api/orders.py", "docs/notes.md", "src/db/pool.py"])
        files: dict[str, str | bytes] = {path: f"push = {change.pushes}\n"}
        kind = self._dice.random()
        if kind < 0.05:
            files["deploy/key.py"] = f'TOKEN = "{github_token()}"\n'
        elif kind < 0.1:
            files[".memoryrail/memories/broken.md"] = f"---\nid: {change.pushes}\n---\n"
        elif kind < 0.15:
            files["AGENTS.md"] = f"# Agents\n\nRewritten {change.pushes}.\n"
        message = self._dice.choice(["Change it", "Change it [per CON-7475]"])
        change.heads.append(change.pull.push(files=files, message=message, login="alice"))

    def _push_over(self) -> None:
        """Rewrite a branch; not one on which something was decided, for that would be gone."""
        able = [one for one in self.changes if not one.asked and not one.undecided]
        if able:
            change = self._dice.choice(able)
            change.pushes += 1
            files = {f"src/api/again_{change.pushes}.py": "def again(): ...\n"}
            change.heads.append(change.pull.force_push(files=files))

    def _push_to_base(self) -> None:
        """Make a memory on the default branch: every open pull request is judged anew."""
        number = self.deliveries
        files = memory(f"20260501-base-{number}", "gotcha", f"Base {number}", "Mind the gap.")
        repository = self._dice.choice(self.repositories)
        repository.commit(repository.default_branch, files=files, login=MAINTAINER)

    def _edit(self) -> None:
        change = self._change()
        body = self._dice.choice(["", "Keeps to [per CON-7475].", "Money stays integer cents."])
        change.pull.edit(title=f"{change.pull.title} again"[:80], body=body)

    def _close_and_reopen(self) -> None:
        change = self._change()
        change.pull.close()
        change.pull.reopen()

    def _command(self) -> None:
        able = [one for one in self.changes if one.undecided and self._is_visible(one)]
        if able:
            change = self._dice.choice(able)
            id_ = change.undecided.pop(0)
            verb = self._dice.choice(["approve", "reject"])
            comment = change.pull.comment(MAINTAINER, f"/memoryrail {verb} {id_}")
            path = f".memoryrail/memories/{id_}.md"
            change.asked.append(Asked(comment_id=comment.id, verb=verb, path=path))

    def _ask(self) -> None:
        change = self._change()
        if len(change.questions) < 5:
            verb = self._dice.choice(["why", "help"])
            comment = change.pull.comment("bob", f"/memoryrail {verb}")
            change.questions.append(comment.id)

    def _talk(self) -> None:
        self._change().pull.comment("bob", "Looks good to me.")

    def _redeliver(self) -> None:
        delivery = self._dice.choice(self.github.deliveries)
        if _is_from_people(delivery):
            self.github.redeliver(delivery)
            self.redelivered += 1

    def _is_visible(self, change: Change) -> bool:
        """Whether a verdict on a head with the proposals has stood there for a little."""
        long_ago = self.github.now() - _VISIBLE
        for head in change.heads:
            runs = change.pull.check_runs(head)
            times = [run.completed_at for run in runs if run.completed_at is not None]
            if len(times) == len(runs) == 4 and max(times) < long_ago:
                return True
        return False


def _is_from_people(delivery: Delivery) -> bool:
    return delivery.event in _DRIVEN and not delivery.redelivery
