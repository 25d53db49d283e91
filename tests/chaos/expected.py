"""What should stand on a pull request: the review run over the git repository, without GitHub.

Only what git does not know is taken from elsewhere: who people are, and what was approved, which is
what the bot's commits for the maintainers' commands say.
"""

from dataclasses import replace
from functools import cache

from bot.commands.message import names
from bot.core.check_run import CheckRun
from bot.core.review import review
from bot.core.snapshot import Actor, PullRequest, Repository, Snapshot
from bot.git.snapshot import load
from bot.render.check_runs import check_runs
from bot.render.comment import Place, comment
from bot.sandbox import Sandbox
from bot.sandbox.state.people import User
from bot.store.commands import digest
from tests.chaos.scenery import Change


def should_show(
    change: Change, github: Sandbox, *, fingerprint_key: bytes, standing: str | None
) -> tuple[tuple[CheckRun, ...], str | None]:
    """The check runs, and the comment's body; None where there should be none.

    standing: the comment as it is, whose first line tells what the head before it showed.
    """
    snapshot = _snapshot(change, github, fingerprint_key)
    report = review(snapshot)
    place = Place(url=snapshot.repository.url, number=snapshot.pull.number)
    return check_runs(report), comment(report, place, standing)


def commits_for(change: Change, github: Sandbox, comment_id: int) -> list[str]:
    """The commits of the bot's on the branch that name a comment."""
    body = change.pull.repository.comments[comment_id].body
    return [
        commit.oid
        for commit in change.pull.commits
        if names(commit.message, f"issuecomment-{comment_id}", digest(body))
        and commit.oid in github.world.signed
    ]


def _snapshot(change: Change, github: Sandbox, fingerprint_key: bytes) -> Snapshot:
    pull, world = change.pull, github.world
    repository = pull.repository
    local = load(repository.git.path, base=pull.base_tip, head=pull.head_sha)
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
        pull=PullRequest(
            number=pull.number,
            title=pull.title,
            body=pull.body or "",
            author=_actor(pull.user),
            base_ref=pull.base_ref,
            base_sha=pull.base_tip,
            head_ref=pull.head_ref,
            head_sha=pull.head_sha,
        ),
        commits=commits,
        history=replace(local.history, changes=0, terms={}),  # the bot does not ask GitHub for it
        approvals=_approvals(change, github),
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
