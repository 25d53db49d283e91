"""Who may run a command: decided when it runs, by what GitHub says of its sender at that moment.

Everything that is not clearly a yes is a no with its reason. What settings may say of it is in
spec/settings.md; what holds without them, as a table, in spec/commands.md.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.commands.context import Authors
from bot.commands.message import remembering
from bot.commands.outcome import Refused
from bot.core.agents import is_agent, names_agent
from bot.core.command_settings import Membership, Rule
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import Actor, Commit, PullRequest
from bot.core.verbs import PERMISSIONS
from bot.render.markdown import code
from bot.render.phrases import listed

_WORDS: Final = {  # how people know them, the highest first
    "admin": "admin", "maintain": "maintain", "push": "write", "triage": "triage", "pull": "read",
}  # fmt: skip
_WHY_NOT_A_MEMBER: Final[Mapping[Membership, str]] = {
    Membership.ELSEWHERE: "{team} is not a team of the repository's owner, so it cannot be asked "
    "for. The settings should name one that is.",
    Membership.NOT_PERMITTED: "Whether you are in {team} is not known: the app may not read "
    "members here. An owner grants it that under Settings, GitHub Apps, Configure.",
    Membership.UNKNOWN: "Whether you are in {team} is not known: GitHub did not say. Try again in "
    "a minute.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who asks for commands, and what GitHub says of them now."""

    sender: Actor | None
    via_app: bool = False  # an app wrote the comment in the sender's name
    permission: frozenset[str] | None = None  # of read_permission; None: not asked, or not told
    teams: Mapping[str, Membership] = field(default_factory=dict)  # by team, as settings name it


def read_permission(answer: object) -> frozenset[str] | None:
    """What an account may do in a repository: some of pull, triage, push, maintain and admin.

    None when GitHub's answer does not tell. The role's name is not looked at: a custom role of an
    organisation may have any.
    https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
    """
    if not isinstance(answer, Mapping):
        return None
    user = answer.get("user")
    permissions = user.get("permissions") if isinstance(user, Mapping) else None
    if not isinstance(permissions, Mapping):
        return None
    return frozenset(str(name) for name, given in permissions.items() if given is True)


def may_command(
    verb: str, asking: Asking, *, pull: PullRequest, settings: RepositorySettings
) -> Refused | None:
    """Why a sender may not run a verb of VERBS on a pull request; None when they may.

    Who wrote the memories that are to be approved is looked at when that is planned.
    """
    if (refused := _lacks(verb, asking, settings)) is not None:
        return refused
    if verb == "approve" and not settings.commands.own_pull_request and _opened(pull, asking):
        return Refused(
            text="You opened this pull request, so somebody else approves what it proposes. "
            f"Settings may allow it: {code('commands.approve.own-pull-request')}. Nothing was "
            "changed."
        )
    return None


def highest(permission: Collection[str]) -> str:
    """The most that an account may do, as people know it: write for push; "" for nothing."""
    return next((name for key, name in _WORDS.items() if key in permission), "")


def remembers_active(asking: Asking, *, pull: PullRequest, settings: RepositorySettings) -> bool:
    """Whether a memory that the sender has written is active at once, and no proposal.

    Settings must say so, and the sender be one who may approve on this pull request.
    """
    may_approve = may_command("approve", asking, pull=pull, settings=settings) is None
    return settings.commands.remember_active and may_approve


def needs_permission(verbs: Iterable[str], asking: Asking, settings: RepositorySettings) -> bool:
    """Whether GitHub must be asked for the sender's permission at all."""
    is_open = all(settings.commands.rule(verb).permission == "anyone" for verb in verbs)
    return not is_open and _is_person(asking, settings)


def team_to_ask(verbs: Iterable[str], asking: Asking, settings: RepositorySettings) -> str | None:
    """A team whose answer may let the sender run one of some verbs; None where all is clear.

    asking: with what was said of other teams.
    """
    if not _is_person(asking, settings) or not _can_read(asking):
        return None
    wanted = dict.fromkeys(verbs)
    if "remember" in wanted and settings.commands.remember_active:
        wanted["approve"] = None
    for verb in wanted:
        if _lacks(verb, asking, settings) is not None:
            for team in settings.commands.rule(verb).teams:
                if team not in asking.teams:
                    return team
    return None


def _lacks(verb: str, asking: Asking, settings: RepositorySettings) -> Refused | None:
    """What is against a sender's running a verb, wherever they do."""
    rule, sender = settings.commands.rule(verb), asking.sender
    if rule.permission == "anyone":
        return None
    if sender is None or sender.id is None:
        return Refused(text="GitHub no longer knows who wrote this, so nothing was done.")
    if not _is_person(asking, settings):
        return Refused(text=f"Bots, apps and agents may not {verb} here. A person does that.")
    if asking.permission is None:
        return Refused(
            text=f"GitHub did not say what you may do here, so nothing was done. To {verb}, try "
            "again in a minute."
        )
    if not asking.permission.isdisjoint(_enough(rule)) or _is_listed(rule, sender, asking):
        return None
    return Refused(text=_not_enough(verb, rule, sender, asking))


def _is_person(asking: Asking, settings: RepositorySettings) -> bool:
    """Whether the comment is by an account that GitHub knows, and by no app or agent."""
    is_known = asking.sender is not None and asking.sender.id is not None
    return is_known and not asking.via_app and not is_agent(asking.sender, settings.agents)


def _opened(pull: PullRequest, asking: Asking) -> bool:
    """Whether the sender opened the pull request."""
    author, sender = pull.author, asking.sender
    return author is not None and sender is not None and author.id == sender.id


def _enough(rule: Rule) -> tuple[str, ...]:
    """The permissions each of which is enough, the lowest first."""
    return PERMISSIONS[PERMISSIONS.index(rule.permission) :] if rule.permission != "anyone" else ()


def _is_listed(rule: Rule, sender: Actor, asking: Asking) -> bool:
    """Whether settings name the sender, or a team of theirs, and the sender can read."""
    is_in_a_team = any(asking.teams.get(team) is Membership.MEMBER for team in rule.teams)
    return _can_read(asking) and (sender.login.lower() in rule.users or is_in_a_team)


def _can_read(asking: Asking) -> bool:
    return bool(asking.permission and not asking.permission.isdisjoint(_WORDS))


def _not_enough(verb: str, rule: Rule, sender: Actor, asking: Asking) -> str:
    has = highest(asking.permission or ()) or "none"
    who = f"Only {_who_may(rule)} can {verb} here; {code(f'@{sender.login}')} has {has}."
    unclear = [
        why.format(team=code(team))
        for team in rule.teams
        if (why := _WHY_NOT_A_MEMBER.get(asking.teams.get(team, Membership.OUTSIDER)))
    ]
    return " ".join([who, "Nothing was changed.", *unclear])


def _who_may(rule: Rule) -> str:
    names = listed([_WORDS[name] for name in _enough(rule)], "or")
    people = f"people with the {names} permission"
    return f"{people} and those whom settings name" if rule.users or rule.teams else people


def authors_of(
    commits: Iterable[Commit], pull: PullRequest, settings: RepositorySettings
) -> Authors:
    """Which people wrote the files of a pull request. commits: the oldest first.

    A commit that names an agent is the agent's work, also where it bears the name of who ran the
    agent; but a memory that somebody had the bot write is theirs. Whose account GitHub does not
    know may be who opened the pull request, or who committed it. Commits whose changes could not be
    read may have touched any file, and who wrote a file wrote it under its new name too.
    """
    authors: dict[str, dict[int, str]] = {}
    anywhere: dict[int, str] = {}
    for commit in commits:
        for old, new in commit.renames:
            authors[new] = {**authors.get(old, {}), **authors.get(new, {})}
        if (id_ := remembering(commit.message)) is not None:  # whoever has rewritten it since
            for path in commit.paths:
                mine = authors.setdefault(path, {})
                mine.setdefault(id_, f"you had it written by commit {commit.sha[:7]}")
        if names_agent(commit, settings.agents):
            continue
        for id_, why in _people(commit, pull, settings).items():
            if not commit.paths_known:
                anywhere.setdefault(id_, f"{why}, and its changes could not be read")
            for path in commit.paths:
                authors.setdefault(path, {}).setdefault(id_, why)
    return Authors(by_path=authors, anywhere=anywhere)


def _people(commit: Commit, pull: PullRequest, settings: RepositorySettings) -> dict[int, str]:
    """Who may have written a commit that names no agent, by account; and what tells it."""
    sha = commit.sha[:7]
    if commit.author is not None and commit.author.id is not None:
        return {commit.author.id: f"commit {sha} names you as its author"}
    unknown = f"GitHub does not know who wrote commit {sha}"
    may_be = ((commit.committer, "committed it"), (pull.author, "opened this pull request"))
    return {
        account.id: f"{unknown}, and you {what}"
        for account, what in may_be
        if account is not None and account.id is not None
        if not is_agent(account, settings.agents)
    }
