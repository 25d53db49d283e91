"""What should stand on a pull request or group: the review run over git, without GitHub.

Only what git does not know is taken from elsewhere: who people are, and what was approved, which is
what the bot's commits for the maintainers' commands say.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Final

from bot.commands.message import names
from bot.core.check_run import CheckRun
from bot.core.review import review
from bot.core.snapshot import Actor, History, PullRequest, Repository, Snapshot
from bot.git.snapshot import load
from bot.render.check_runs import check_runs
from bot.render.combined import combined
from bot.render.comment import Place, comment
from bot.sandbox import Sandbox
from bot.sandbox.state.people import User
from bot.sandbox.state.pulls import PullRequest as Pull
from bot.sandbox.state.repositories import Repository as Hosted
from bot.store.commands import digest
from tests.chaos.merge_queue import Group
from tests.chaos.scenery import Change

_STORE: Final = ".memoryrail/"


def bases(sharing: Sequence[Change]) -> Iterator[dict[str, str]]:
    """The tips of their base branches, by branch, first those of now.

    What is pushed there and touches no memory brings no new verdict: then the one before may stand.
    """
    tips = {change.pull.base_ref: _equal_tips(change.pull) for change in sharing}
    for chosen in product(*tips.values()):
        yield dict(zip(tips, chosen, strict=True))


def should_show(
    sharing: Sequence[Change], github: Sandbox, tips: Mapping[str, str], *, fingerprint_key: bytes
) -> tuple[CheckRun, ...]:
    """The check runs on a head.

    sharing: the pull requests that have it, of which the open ones count. tips: see bases().
    """
    reports = {
        change.pull.number: review(_of_pull(change, sharing, github, tips, fingerprint_key))
        for change in sharing
        if change.is_open
    }
    return combined({number: check_runs(report) for number, report in reports.items()})


def should_say(
    change: Change,
    sharing: Sequence[Change],
    github: Sandbox,
    tips: Mapping[str, str],
    *,
    fingerprint_key: bytes,
    standing: str | None,
) -> str | None:
    """The comment's body; None where there should be none.

    standing: the comment as it is, whose first line tells what the head before it showed.
    """
    snapshot = _of_pull(change, sharing, github, tips, fingerprint_key)
    place = Place(url=snapshot.repository.url, number=snapshot.pull.number)
    return comment(review(snapshot), place, standing)


def should_show_on(
    group: Group, changes: Sequence[Change], github: Sandbox, *, fingerprint_key: bytes
) -> tuple[CheckRun, ...]:
    """The check runs on a group of the merge queue. changes: the pull requests in it."""
    pulls = [change.pull for change in changes]
    is_alone = len(pulls) == 1
    pull = PullRequest(
        number=0,
        title="; ".join(one.title for one in pulls),
        body="\n\n".join(one.body or "" for one in pulls),
        author=_actor(pulls[0].user) if is_alone else None,
        base_ref=group.base_ref,
        base_sha=group.base_sha,
        head_ref=group.head_ref,
        head_sha=group.head_sha,
    )
    snapshot = _snapshot(group.repository, pull, github, fingerprint_key)
    approvals = frozenset[tuple[str, str]]().union(*(_approvals(one, github) for one in changes))
    return check_runs(review(replace(snapshot, approvals=approvals)))


def commits_for(change: Change, github: Sandbox, comment_id: int) -> list[str]:
    """The commits of the bot's on the branch that name a comment."""
    body = change.pull.repository.comments[comment_id].body
    return [
        commit.oid
        for commit in change.pull.commits
        if names(commit.message, f"issuecomment-{comment_id}", digest(body))
        and commit.oid in github.world.signed
    ]


def _equal_tips(pull: Pull) -> list[str]:
    """The tip of the base branch, and those before it as far as none has other memories."""
    git, found = pull.repository.git, [pull.base_tip]
    while (commit := git.commit_at(found[-1])) is not None and commit.parents:
        changes = git.changes(commit.parents[0], commit.oid)
        if any(one.path.startswith(_STORE) for one in changes):
            break
        found.append(commit.parents[0])
    return found


def _of_pull(
    change: Change,
    sharing: Sequence[Change],
    github: Sandbox,
    tips: Mapping[str, str],
    fingerprint_key: bytes,
) -> Snapshot:
    pull = change.pull
    judged = PullRequest(
        number=pull.number,
        title=pull.title,
        body=pull.body or "",
        author=_actor(pull.user),
        base_ref=pull.base_ref,
        base_sha=tips[pull.base_ref],
        head_ref=pull.head_ref,
        head_sha=pull.head_sha,
        is_fork=pull.head_repository is not pull.repository,
        is_draft=pull.draft,
    )
    snapshot = _snapshot(pull.repository, judged, github, fingerprint_key)
    approvals = frozenset[tuple[str, str]]().union(*(_approvals(one, github) for one in sharing))
    return replace(snapshot, approvals=approvals)


def _snapshot(
    repository: Hosted, pull: PullRequest, github: Sandbox, fingerprint_key: bytes
) -> Snapshot:
    world = github.world
    local = load(repository.git.path, base=pull.base_sha, head=pull.head_sha)
    commits = tuple(
        replace(
            commit,
            author=_actor(world.emails.get(commit.author_email)),
            is_ours=commit.sha in world.signed,
        )
        for commit in local.commits
    )
    return replace(
        local,
        repository=Repository(
            id=repository.id,
            full_name=repository.full_name,
            default_branch=repository.default_branch,
            url=f"{world.url}/{repository.full_name}",
        ),
        pull=pull,
        commits=commits,
        history=History(),  # the bot does not ask GitHub for it
        fingerprint_key=fingerprint_key,
    )


def _approvals(change: Change, github: Sandbox) -> frozenset[tuple[str, str]]:
    git = change.pull.repository.git
    found = set()
    for asked in change.asked:
        if asked.verb == "approve":
            for sha in commits_for(change, github, asked.comment_id):
                if entry := git.entry(sha, asked.path):
                    found.add((asked.path, entry.oid))
    return frozenset(found)


@cache
def _actor(user: User | None) -> Actor | None:
    if user is None:
        return None
    return Actor(id=user.id, login=user.login, is_bot=user.type == "Bot")
