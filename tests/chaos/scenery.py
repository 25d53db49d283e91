"""What people do meanwhile: pull requests, pushes, commands, and deliveries sent once more.

A command is given as a maintainer gives it: on a proposal that they can see the bot's verdict of,
and nobody touches its file afterwards. So each one has to end as exactly one commit. In the same
way nobody closes a pull request while something that was said on it waits for an answer.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from bot.core.comment import COMMENT_MARKER, reply_marker
from bot.sandbox import Sandbox
from bot.sandbox.deliveries import Delivery
from bot.sandbox.git import GitError
from bot.sandbox.state.apps import App
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.chaos.merge_queue import Group
from tests.making import github_token
from tests.scenarios.commanding import SHOP
from tests.scenarios.conftest import memory

MAINTAINER: Final = "ada"
AGENT: Final = "coder[bot]"
STRANGER: Final = "eve"
BASES: Final = ("main", "release")
PULLS_OF_A_REPOSITORY: Final = 10
PROPOSALS: Final = 4  # of one pull request
_VISIBLE: Final = timedelta(seconds=3)  # that a verdict stands before a maintainer decides on it
_BODIES: Final = ("", "Keeps to [per CON-7475].", "As [per CON-0000] says.")  # one is unknown
_STANDING: Final = 0.1  # groups that stand at the same time, for each pull request
_BASE_REFS: Final = frozenset(f"refs/heads/{base}" for base in BASES)
_DRIVEN: Final = frozenset(["pull_request", "push", "issue_comment", "merge_group"])


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

    @property
    def is_open(self) -> bool:
        return self.pull.state == "open"

    @property
    def is_answered(self) -> bool:
        """Whether the bot has done all that it was told to, and has answered what it was asked."""
        comments = {one.id: one for one in self.pull.comments}
        replies = [one.body for one in comments.values() if one.app is not None]
        done = (
            any(one.content == "+1" for one in comments[asked.comment_id].reactions)
            for asked in self.asked
        )
        said = (
            any(reply.startswith(reply_marker(f"issuecomment-{question}")) for reply in replies)
            for question in self.questions
        )
        return all(done) and all(said)


class Scenery:
    """Repositories of several owners, with the pull requests that are opened in the course."""

    def __init__(self, github: Sandbox, app: App, *, pulls: int, dice: random.Random) -> None:
        self.github, self.app, self.most_pulls = github, app, pulls
        self.changes: list[Change] = []
        self.groups: list[Group] = []
        self.redelivered = 0
        self._dice = dice
        github.user(AGENT, type="Bot")
        count = -(-pulls // PULLS_OF_A_REPOSITORY)
        self.repositories = [self._repository(f"org{index}/shop") for index in range(count)]
        self.acts: dict[Callable[[], None], float] = {
            self.open: 0,  # see act
            self.open_twin: 5,
            self.push: 40,
            self.push_over: 4,
            self.push_to_base: 3,
            self.edit: 6,
            self.choose_base: 8,
            self.draft_or_not: 3,
            self.close: 7,
            self.reopen: 3,
            self.delete_fork: 1,
            self.command: 25,
            self.ask: 6,
            self.talk: 4,
            self.queue: 8,
            self.conclude: 6,
            self.redeliver: 10,
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

    @property
    def figures(self) -> dict[str, int]:
        """How much there was of what is no push and no command, by name."""
        pulls = [change.pull for change in self.changes]
        heads = Counter(pull.head_sha for pull in pulls if pull.state == "open")
        first = [one for one in self.github.deliveries if not one.redelivery]
        happened = Counter(f"{one.event}.{one.action}" for one in first)
        return {
            "from_forks": sum(pull.head_repository is not pull.repository for pull in pulls),
            "forks_that_are_gone": sum(pull.head_repository is None for pull in pulls),
            "sharing_a_head": sum(count for count in heads.values() if count > 1),
            "drafts": sum(pull.draft for pull in pulls),
            "closed": sum(pull.state == "closed" and pull.merged_at is None for pull in pulls),
            "merged": sum(pull.merged_at is not None for pull in pulls),
            "merge_groups": len(self.groups),
            "merge_groups_that_stand": sum(group.stands for group in self.groups),
            "times_reopened": happened["pull_request.reopened"],
            "times_made_ready": happened["pull_request.ready_for_review"],
            "times_made_a_draft": happened["pull_request.converted_to_draft"],
            "times_another_base": sum("base" in one.payload.get("changes", ()) for one in first),
            "pushes_to_a_base": sum(
                one.payload["ref"] in _BASE_REFS for one in first if one.event == "push"
            ),
        }

    def act(self, name: str = "") -> None:
        """One thing that somebody does: the one of this name, by default any."""
        missing = self.most_pulls - len(self.changes)
        opens = 10 + 100 * missing / self.most_pulls if missing else 0
        twins = self.acts[self.open_twin] if missing else 0
        weights = {**self.acts, self.open: opens if self.changes else 1e9, self.open_twin: twins}
        able = {act: weight for act, weight in weights.items() if name in ("", act.__name__)}
        (act,) = self._dice.choices(list(able), list(able.values()))
        act()

    def sharing(self, change: Change) -> list[Change]:
        """The pull requests with the same commit as their head, this one too, open or not."""
        pull = change.pull
        return [
            one
            for one in self.changes
            if (one.pull.repository, one.pull.head_sha) == (pull.repository, pull.head_sha)
        ]

    def _repository(self, name: str) -> Repository:
        repository = self.github.create_repository(name, files=SHOP)
        repository.grant(MAINTAINER, "maintain")
        repository.branch("release")
        self.app.install(repository)
        return repository

    def _some(self, fits: Callable[[Change], bool]) -> Iterator[Change]:
        """One of the pull requests that an act may be done on; none where there is none."""
        able = [one for one in self.changes if fits(one)]
        if able:
            yield self._dice.choice(able)

    def _may_move(self, change: Change) -> bool:
        """Whether its branch may be pushed to: that would put what is queued out of the queue."""
        pull = change.pull
        return change.is_open and pull.head_repository is not None and not self._is_queued(change)

    def _is_queued(self, change: Change) -> bool:
        """Whether it is in a group that stands, or has its head from the branch of one that is."""
        queued = (pull for group in self.groups if group.stands for pull in group.pulls)
        return any(_branch(pull) == _branch(change.pull) for pull in queued)

    def _takes_base(self, pull: PullRequest, base: str) -> bool:
        """GitHub takes one pull request only from a branch into another."""
        others = pull.repository.pulls.values()
        return all((_branch(one), one.base_ref) != (_branch(pull), base) for one in others)

    def _describe(self, pull: PullRequest) -> None:
        others = [body for body in _BODIES if body != (pull.body or "")]
        pull.edit(title=f"{pull.title} again"[:80], body=self._dice.choice(others))

    # What people do

    def open(self) -> None:
        """A pull request: most of them propose, every sixth is a stranger's, from a fork."""
        number = len(self.changes)
        repository = self.repositories[number % len(self.repositories)]
        is_fork, branch = number % 6 == 1, f"feature-{number}"
        proposes = self._dice.random() < 0.7
        ids = [f"20260{6 + index}01-plan-{number}" for index in range(PROPOSALS if proposes else 0)]
        files = {f"src/api/part_{number}.py": "def part(): ...\n"}
        for id_ in ids:
            title = f"Plan {id_[4:6]} of part {number}"
            files |= memory(id_, "decision", title, "Because.", status="proposed")
        source = repository.fork(f"{STRANGER}{number}") if is_fork else repository
        author = STRANGER if is_fork else AGENT
        source.branch(branch)
        source.commit(branch, files=files, login=author)
        pull = repository.open_pull(
            head=(source, branch),
            title=f"Part {number}",
            user=author,
            base="release" if number % 8 == 4 else None,
            draft=number % 7 == 3,
        )
        change = Change(pull=pull, heads=[pull.head_sha])
        if not is_fork:  # there the bot may not commit
            change.undecided = ids
        self.changes.append(change)

    def open_twin(self) -> None:
        """Another pull request of the same commit, into the other base."""

        def fits(change: Change) -> bool:
            pull = change.pull
            return self._may_move(change) and any(self._takes_base(pull, base) for base in BASES)

        for change in self._some(fits):
            pull = change.pull
            head = pull.head_repository
            (base,) = [base for base in BASES if self._takes_base(pull, base)]
            assert head is not None
            twin = pull.repository.open_pull(
                head=(head, pull.head_ref), base=base, title=f"{pull.title} too", user="bob"
            )
            self.changes.append(Change(pull=twin, heads=[twin.head_sha]))

    def push(self) -> None:
        for change in self._some(self._may_move):
            change.pushes += 1
            number = self.changes.index(change)
            own = [f"src/api/part_{number}.py", f"docs/part_{number}.md", f"src/db/{number}.py"]
            path = self._dice.choice(["src/api/orders.py", *own])  # one on which others conflict
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

    def push_over(self) -> None:
        """Rewrite a branch; not one on which something was decided, for that would be gone."""

        def fits(change: Change) -> bool:
            of_it = [one for one in self.changes if _branch(one.pull) == _branch(change.pull)]
            return self._may_move(change) and not any(one.asked or one.undecided for one in of_it)

        for change in self._some(fits):
            change.pushes += 1
            files = {f"src/api/again_{change.pushes}.py": "def again(): ...\n"}
            change.heads.append(change.pull.force_push(files=files))

    def push_to_base(self) -> None:
        """Make a memory on a base branch: every open pull request into it is judged anew."""
        number = self.deliveries
        files = memory(f"20260501-base-{number}", "gotcha", f"Base {number}", "Mind the gap.")
        repository, base = self._dice.choice(self.repositories), self._dice.choice(BASES)
        repository.commit(base, files=files, login=MAINTAINER)

    def edit(self) -> None:
        """Of a closed one too, which has to be judged by it when it is open again."""
        for change in self._some(lambda one: not self._is_queued(one)):
            self._describe(change.pull)

    def choose_base(self) -> None:
        """Let it go into the other base branch."""

        def other(change: Change) -> str:
            return next(base for base in BASES if base != change.pull.base_ref)

        def fits(change: Change) -> bool:
            return self._may_move(change) and self._takes_base(change.pull, other(change))

        for change in self._some(fits):
            change.pull.edit(base=other(change))

    def draft_or_not(self) -> None:
        for change in self._some(lambda one: one.is_open and not self._is_queued(one)):
            if change.pull.draft:
                change.pull.ready()
            else:
                change.pull.convert_to_draft()

    def close(self) -> None:
        """Every second time it is opened again at once; else it says something else by then."""

        def fits(change: Change) -> bool:
            return change.is_open and not self._is_queued(change) and change.is_answered

        for change in self._some(fits):
            change.pull.close()
            if self._dice.random() < 0.5:
                change.pull.reopen()
            else:
                self._describe(change.pull)

    def reopen(self) -> None:
        for change in self._some(_is_only_closed):
            _reopen(change)

    def reopen_all(self) -> None:
        """What is closed in the end: nothing comes after it that would bring the verdict too."""
        for change in filter(_is_only_closed, self.changes):
            _reopen(change)

    def delete_fork(self) -> None:
        """Its pull requests stay as they are."""

        def fits(change: Change) -> bool:
            head = change.pull.head_repository
            return self._may_move(change) and head is not change.pull.repository

        for change in self._some(fits):
            assert change.pull.head_repository is not None
            change.pull.head_repository.delete()

    def command(self) -> None:
        def fits(change: Change) -> bool:
            return bool(change.undecided) and self._may_move(change) and self._is_visible(change)

        for change in self._some(fits):
            id_ = change.undecided.pop(0)
            verb = self._dice.choice(["approve", "reject"])
            comment = change.pull.comment(MAINTAINER, f"/memoryrail {verb} {id_}")
            path = f".memoryrail/memories/{id_}.md"
            change.asked.append(Asked(comment_id=comment.id, verb=verb, path=path))

    def ask(self) -> None:
        for change in self._some(lambda one: one.is_open and len(one.questions) < 5):
            verb = self._dice.choice(["why", "help"])
            comment = change.pull.comment("bob", f"/memoryrail {verb}")
            change.questions.append(comment.id)

    def talk(self) -> None:
        self._dice.choice(self.changes).pull.comment("bob", "Looks good to me.")

    def queue(self) -> None:
        """Put up to three pull requests into the merge queue as one group, if they merge."""

        def fits(change: Change) -> bool:
            return self._may_move(change) and not change.pull.draft and change.is_answered

        if sum(group.stands for group in self.groups) > _STANDING * len(self.changes):
            return
        for first in self._some(fits):
            pull = first.pull
            able = [
                one.pull
                for one in self.changes
                if fits(one)
                and one.pull.repository is pull.repository
                and one.pull.base_ref == pull.base_ref
                and one is not first
            ]
            behind = self._dice.sample(able, min(len(able), self._dice.randrange(3)))
            for together in (behind, ()):
                with suppress(GitError):  # they do not merge
                    self.groups.append(Group.of(pull, *together))
                    break

    def conclude(self) -> None:
        """Merge a group that has its verdicts, or put it out of the queue. Others may wait."""
        able = [group for group in self.groups if group.stands and group.has_verdicts]
        for group in self._dice.sample(able, min(len(able), 1)):
            if group.passes and self._dice.random() < 0.3:
                group.merge()
            else:
                group.dequeue()

    def redeliver(self) -> None:
        delivery = self._dice.choice(self.github.deliveries)
        if _is_from_people(delivery):
            self.github.redeliver(delivery)
            self.redelivered += 1

    def _is_visible(self, change: Change) -> bool:
        """Whether verdict and comment on a head with the proposals have stood there for a little.

        The verdict alone may be another pull request's with the same head.
        """
        long_ago = self.github.now() - _VISIBLE
        if not any(
            one.body.startswith(COMMENT_MARKER) and one.created_at < long_ago
            for one in change.pull.comments
        ):
            return False
        for head in change.heads:
            runs = change.pull.check_runs(head)
            times = [run.completed_at for run in runs if run.completed_at is not None]
            if len(times) == len(runs) == 4 and max(times) < long_ago:
                return True
        return False


def _is_only_closed(change: Change) -> bool:
    return not change.is_open and change.pull.merged_at is None


def _reopen(change: Change) -> None:
    change.pull.reopen()
    change.heads.append(change.pull.head_sha)


def _branch(pull: PullRequest) -> tuple[Repository | None, str]:
    return pull.head_repository, pull.head_ref


def _is_from_people(delivery: Delivery) -> bool:
    return delivery.event in _DRIVEN and not delivery.redelivery
