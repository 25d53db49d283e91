"""What the pages show of the sandbox's state, beyond what it says itself."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from bot.sandbox.git import Commit, Signature
from bot.sandbox.state.conversation import Comment, Reaction
from bot.sandbox.state.people import ROLES, User

if TYPE_CHECKING:
    from bot.sandbox.state.checks import CheckRun
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.world import World

_HUES: Final = 6  # colours of avatars in the stylesheet
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_EMOJI: Final = {
    "+1": "👍",
    "-1": "👎",
    "laugh": "😄",
    "confused": "😕",
    "heart": "❤️",
    "hooray": "🎉",
    "eyes": "👀",
    "rocket": "🚀",
}
_TITLES: Final = {  # of all checks, by the tone that is looked for first
    "waits": "Some checks have not finished",
    "bad": "Some checks were not successful",
    "care": "Some checks want somebody to act",
    "good": "All checks have passed",
    "calm": "All checks have passed",
    "none": "No checks yet",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who is shown as the author of something. hue: the number of the avatar's colour."""

    name: str
    is_bot: bool
    hue: int

    @property
    def initial(self) -> str:
        return self.name[:1].upper()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitLine:
    oid: str
    title: str
    text: str  # of the message, below its first line
    author: Author
    at: datetime
    is_verified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One entry of a conversation: a comment or a commit."""

    comment: Comment | None = None
    commit: CommitLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """kind: "hunk", "added", "removed", "same" or "note"; a number is None where no line is."""

    kind: str
    old: int | None = None
    new: int | None = None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """All checks of a head in one line. counts: "1 failure", "3 success"."""

    tone: str
    title: str
    counts: str


def timeline(pull: "PullRequest") -> tuple[Event, ...]:
    """Commits and comments in the order in which they came.

    Times are whole seconds. Within one, a push comes before what is said of it, and a commit that
    an app made through the API (GitHub signs those alone) after the words that asked for it.
    """
    entries: list[tuple[datetime, int, Event]] = []
    latest = (
        pull.created_at
    )  # a commit is not older than the one before it, whatever its clock said
    for commit in pull.commits:
        line = commit_line(pull.world, commit)
        latest = max(latest, commit.committer.date)
        entries.append((latest, 2 if line.is_verified else 0, Event(commit=line)))
    entries += [(each.created_at, 1, Event(comment=each)) for each in pull.comments]
    return tuple(event for _, _, event in sorted(entries, key=lambda entry: entry[:2]))


def commit_line(world: "World", commit: Commit) -> CommitLine:
    title, _, text = commit.message.partition("\n")
    return CommitLine(
        oid=commit.oid,
        title=title,
        text=text.strip("\n"),
        author=_signed(world, commit.author),
        at=commit.committer.date,
        is_verified=commit.oid in world.signed,
    )


def author(user: User) -> Author:
    """An account as it is shown; GitHub writes a bot's name without the suffix of its login."""
    if user.gone:
        return _author("ghost", is_bot=False)
    is_bot = user.type == "Bot" or user.login != user.graphql_login
    return _author(user.graphql_login, is_bot=is_bot)


def role(repository: "Repository", user: User) -> str:
    """What a user may do, with the name of a custom role: "maintain", "write (release manager)"."""
    held = repository.role(user)
    named = repository.role_names.get(user, held)
    return held if named == held else f"{held} ({named})"


def commenters(repository: "Repository") -> tuple[User, ...]:
    """Who may comment: accounts that read the repository, those who may do most first.

    Agents are among them; organizations, and the bots of the sandbox's own apps, are not.
    """
    world = repository.world
    apps = {app.bot for app in world.apps.values()}
    accounts = (user for user in world.users.values() if user not in apps and not user.gone)
    found = [u for u in accounts if u.type != "Organization" and repository.role(u) != "none"]
    return tuple(sorted(found, key=lambda u: (-ROLES.index(repository.role(u)), u.login.lower())))


def reactions(given: list[Reaction]) -> tuple[tuple[str, str, int], ...]:
    """Emoji, who, and how many, for each kind that was given."""
    kinds = dict.fromkeys(reaction.content for reaction in given)
    who = {kind: [r.user.login for r in given if r.content == kind] for kind in kinds}
    return tuple((_EMOJI[kind], ", ".join(who[kind]), len(who[kind])) for kind in kinds)


def state(pull: "PullRequest") -> str:
    if pull.merged_at is not None:
        return "merged"
    return "draft" if pull.draft and pull.state == "open" else pull.state


def tone(run: "CheckRun") -> str:
    """How good a check's news is: "good", "bad", "care" (somebody must act), "calm" or "waits"."""
    tones = {"success": "good", "neutral": "calm", "skipped": "calm", "action_required": "care"}
    return "waits" if run.conclusion is None else tones.get(run.conclusion, "bad")


def tally(runs: Sequence["CheckRun"]) -> Tally:
    counted = Counter(run.conclusion or "waiting" for run in runs)
    tones = {tone(run) for run in runs}
    worst = next((each for each in _TITLES if each in tones), "none")
    counts = ", ".join(f"{number} {kind.replace('_', ' ')}" for kind, number in counted.items())
    return Tally(tone=worst, title=_TITLES[worst], counts=counts)


def anchor(path: str) -> str:
    """Where GitHub's page of changed files shows a path."""
    return f"diff-{sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()}"


def diff_lines(patch: str | None) -> Iterator[DiffLine]:
    old = new = 0
    for line in (patch or "").split("\n") if patch else ():
        mark, text = line[:1], line[1:]
        if mark == "+":
            yield DiffLine(kind="added", new=new, text=text)
            new += 1
        elif mark == "-":
            yield DiffLine(kind="removed", old=old, text=text)
            old += 1
        elif found := _HUNK.match(line):
            old, new = int(found[1]), int(found[2])
            yield DiffLine(kind="hunk", text=line)
        elif mark == "\\":
            yield DiffLine(kind="note", text=text.strip())
        else:
            yield DiffLine(kind="same", old=old, new=new, text=text)
            old, new = old + 1, new + 1


def _signed(world: "World", who: Signature) -> Author:
    user = world.emails.get(who.email)
    return author(user) if user else _author(who.name, is_bot=False)


def _author(name: str, *, is_bot: bool) -> Author:
    hue = sha256(name.encode("utf-8", "replace")).digest()[0] % _HUES
    return Author(name=name, is_bot=is_bot, hue=hue)
