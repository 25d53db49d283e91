"""Who may run a command: decided when it runs, by what GitHub says of its sender at that moment.

Everything that is not clearly a yes is a no with its reason.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from bot.commands.context import Authors
from bot.commands.outcome import Refused
from bot.commands.registry import HANDLERS
from bot.core.agents import is_agent, names_agent
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import Actor, Commit, PullRequest
from bot.render.markdown import code

_ENOUGH: Final = frozenset({"maintain", "admin"})
_WORDS: Final = {  # how people know them, the highest first
    "admin": "admin", "maintain": "maintain", "push": "write", "triage": "triage", "pull": "read",
}  # fmt: skip


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
    verb: str,
    *,
    sender: Actor | None,
    permission: frozenset[str] | None,
    settings: RepositorySettings,
    via_app: bool = False,
) -> Refused | None:
    """Why a sender may not run a verb of HANDLERS; None when they may.

    permission: of read_permission; None when GitHub could not be asked or did not tell.
    via_app: an app wrote the comment in the sender's name.
    """
    if not HANDLERS[verb].usage.for_maintainers:
        return None
    if sender is None or sender.id is None:
        return Refused(text="GitHub no longer knows who wrote this, so nothing was done.")
    if via_app or is_agent(sender, settings.agents):
        return Refused(text=f"Bots, apps and agents do not {verb} memories. A maintainer does.")
    if permission is None:
        return Refused(
            text=f"GitHub did not say what you may do here, so nothing was done. To {verb}, try "
            "again in a minute."
        )
    if not permission & _ENOUGH:
        has = highest(permission) or "none"
        return Refused(
            text=f"Only people with the maintain or admin permission can {verb} here; "
            f"{code(f'@{sender.login}')} has {has}. Nothing was changed."
        )
    return None


def highest(permission: Collection[str]) -> str:
    """The most that an account may do, as people know it: write for push; "" for nothing."""
    return next((name for key, name in _WORDS.items() if key in permission), "")


def needs_permission(verbs: Iterable[str]) -> bool:
    """Whether GitHub must be asked for the sender's permission at all."""
    return any(HANDLERS[verb].usage.for_maintainers for verb in verbs)


def authors_of(
    commits: Iterable[Commit], pull: PullRequest, settings: RepositorySettings
) -> Authors:
    """Which people wrote the files of a pull request. commits: the oldest first.

    A commit that names an agent is the agent's work, also where it bears the name of who ran the
    agent. Whose account GitHub does not know may be who opened the pull request, or who committed
    it. Commits whose changes could not be read may have touched any file, and who wrote a file
    wrote it under its new name too.
    """
    authors: dict[str, dict[int, str]] = {}
    anywhere: dict[int, str] = {}
    for commit in commits:
        for old, new in commit.renames:
            authors[new] = {**authors.get(old, {}), **authors.get(new, {})}
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
