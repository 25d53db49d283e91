"""`push`: the base of pull requests has other memories, or the repository other settings.

What is pushed to a pull request's head is told by `pull_request`.
https://docs.github.com/en/webhooks/webhook-events-and-payloads#push
"""

from collections.abc import Mapping
from typing import Final

from bot.core.repository_settings import OWNERS_REPOSITORY, SETTINGS_PATH
from bot.formats.discovery import may_be_memory
from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.work import InstallationNews, RepositoryNews, Work, WorkKind

MAX_COMMITS: Final = 2048  # that a delivery lists
MAX_FILES: Final = 3000  # of one commit
_EVERYWHERE, _RULES = Work(kind=WorkKind.WAKE), Work(kind=WorkKind.RULES)
_QUEUES: Final = "gh-readonly-queue/"  # nothing targets the branches of a merge queue


def meaning(payload: Payload) -> Meaning:
    """The open pull requests that are judged by what was pushed."""
    branch = read.branch(payload, "ref")
    work, ignored = None, _why_not(payload, branch)
    if branch is not None and ignored is None:
        work = _work(payload, branch)
        ignored = "it touches no memory and no settings"
    news = None if work is None else read.repository_news(payload, work)
    if work is not None and news is None:
        ignored = "it does not say which repository"
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=() if news is None else (news, *_of_the_owner(news)),
        ignored=ignored if news is None else None,
    )


def _of_the_owner(news: RepositoryNews) -> tuple[InstallationNews, ...]:
    """What is to be done for all other repositories, where it may be their owner's settings.

    Their verdicts stand meanwhile: to take those of all of them back is more than can be written.
    """
    is_owners = news.repository.partition("/")[2].lower() == OWNERS_REPOSITORY
    if not is_owners or news.work not in {(_EVERYWHERE,), (_RULES,)}:
        return ()
    return (InstallationNews(installation_id=news.installation_id, work=(_EVERYWHERE,)),)


def _why_not(payload: Payload, branch: str | None) -> str | None:
    """Why no open pull request can depend on it; None when one may."""
    if branch is None:
        return "it is no push to a branch"
    if branch.startswith(_QUEUES):
        return "nothing targets a merge queue's branch"
    if read.flag(payload, "deleted") or read.flag(payload, "created"):
        return "nothing targets a branch that is gone, or new"
    return None


def _work(payload: Payload, branch: str) -> Work | None:
    paths = _paths(payload)
    is_default = branch == read.words(payload, "repository", "default_branch")
    if is_default and paths is None:
        return _EVERYWHERE
    if is_default and paths is not None and SETTINGS_PATH in paths:  # they hold for every branch
        return _RULES
    if paths is None or any(may_be_memory(path) for path in paths):
        return Work(kind=WorkKind.WAKE, base_ref=branch)
    return None


def _paths(payload: Payload) -> frozenset[str] | None:
    """The files that a push touches; None where the delivery does not tell them all.

    After a forced push the files of the commits that are gone are missing too.
    """
    commits = read.items(payload, "commits")
    if read.flag(payload, "forced") or not commits or len(commits) >= MAX_COMMITS:
        return None
    found: set[str] = set()
    for commit in commits:
        lists = [
            read.items(commit, name) if isinstance(commit, Mapping) else None
            for name in ("added", "removed", "modified")
        ]
        paths = [path for some in lists if some is not None for path in some]
        if None in lists or len(paths) >= MAX_FILES:
            return None
        found.update(path for path in paths if isinstance(path, str))
    return frozenset(found)
