"""A commit after the merge: on the base branch, or in a pull request from a branch of the bot's.

Branch, commit and pull request are three writes, and the process may stop between any two. So each
is looked for before it is made: the branch is named after the comment, and the commit names it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.core.edit_plan import EditPlan
from bot.core.errors import GitHubError
from bot.core.snapshot import PullRequest
from bot.github.answers import Json, child, children, number, text, text_or_none
from bot.github.commit import CannotPush, check_permission, commit
from bot.github.errors import NotFound, WriteUncertain
from bot.github.installation import Answer, RepositoryAccess
from bot.github.mutations import Mutation, request_of
from bot.github.own_commits import OWN_COMMIT, is_ours
from bot.github.tokens import Identity

_ATTEMPTS: Final = 3
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_HEADS: Final = "refs/heads/"
_REFUSALS: Final = frozenset({"FORBIDDEN", "UNPROCESSABLE"})
_QUERY: Final = f"""
query Landed(
  $owner: String!, $name: String!, $base: String!, $own: String!, $head: String!
) {{
  repository(owner: $owner, name: $name) {{
    id databaseId
    base: ref(qualifiedName: $base) {{ target {{ ...recent }} }}
    own: ref(qualifiedName: $own) {{ id target {{ oid ...recent }} }}
    pullRequests(headRefName: $head, last: 5) {{ nodes {{
      number url isCrossRepository author {{ __typename login }}
    }} }}
  }}
}}
fragment recent on Commit {{ history(first: 100) {{ nodes {{ oid message ...ownCommit }} }} }}
{OWN_COMMIT}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """Where a plan is to go, and how its commit is known again."""

    base_ref: str
    branch: str  # of the bot's own, for this comment alone
    is_it: Callable[[str], bool]  # whether a commit with this message is the plan's
    description: str  # of the pull request; Markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPull:
    """A pull request that the bot opened."""

    number: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """A commit that stands after the merge."""

    sha: str
    pull: OwnPull | None = None  # that brings it; None: it is on the base branch


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    repository_node: str
    on_base: Json  # the plan's commit among the newest 100; empty: it is not
    on_own: Json  # likewise, on the bot's branch
    own_ref: str  # node id of that branch; "" when there is none
    own_tip: str  # sha
    pull: OwnPull | None  # opened from that branch, whatever became of it since


async def land(
    access: RepositoryAccess,
    plan: EditPlan,
    pull: PullRequest,
    landing: Landing,
    *,
    body: str,
    on_base: bool,
) -> Landed:
    """Commit a plan on the base branch, if that may be and can; else open a pull request with it.

    pull: with the tip of its base branch, which the plan was made on, as its head. body: of the
    commit's message. Raises CannotPush where neither can be, StaleHead, RateLimited, GitHubError.
    """
    await check_permission(access)
    if on_base:
        try:
            made = await commit(access, plan, pull, body=body, branch=landing.base_ref)
        except CannotPush:  # it is protected
            pass
        else:
            return Landed(sha=made.sha)
    sha = await _make_branch(access, landing, pull.head_sha)
    if sha is None:
        sha = (await commit(access, plan, pull, body=body, branch=landing.branch)).sha
    return Landed(sha=sha, pull=await _open(access, landing, plan.title))


async def landed(access: RepositoryAccess, landing: Landing) -> Landed | None:
    """What an earlier try made; a pull request that it did not come to open is opened.

    None where the commit is not made. Raises CannotPush, RateLimited, GitHubError.
    """
    standing = await _look(access, landing)
    if standing.on_base:
        return Landed(sha=text(standing.on_base, "oid"), pull=standing.pull)
    if not standing.on_own:
        return None
    title = text(standing.on_own, "message").partition("\n")[0]
    return Landed(sha=text(standing.on_own, "oid"), pull=await _open(access, landing, title))


async def _look(access: RepositoryAccess, landing: Landing) -> _Standing:
    variables = {
        "base": f"{_HEADS}{landing.base_ref}",
        "own": f"{_HEADS}{landing.branch}",
        "head": landing.branch,
    }
    answer = await access.query(_QUERY, variables)
    repository = child(answer.data, "repository")
    if not repository:
        raise NotFound(access.full_name)
    if answer.is_partial:
        raise GitHubError(f"GitHub did not give all branches of {access.full_name}")
    access.confirm(repository)
    identity = await access.installation.app.identity()

    def commit_on(name: str) -> Json:
        recent = children(child(repository, name, "target", "history"), "nodes")
        found = (
            one for one in recent if landing.is_it(text(one, "message")) and is_ours(one, identity)
        )
        return next(found, {})

    return _Standing(
        repository_node=text(repository, "id"),
        on_base=commit_on("base"),
        on_own=commit_on("own"),
        own_ref=text(child(repository, "own"), "id"),
        own_tip=text(child(repository, "own", "target"), "oid"),
        pull=_own_pull(repository, identity),
    )


def _own_pull(repository: Json, identity: Identity) -> OwnPull | None:
    """The one that our app's bot opened; no user can have the type Bot."""
    for pull in children(child(repository, "pullRequests"), "nodes"):
        author = child(pull, "author")
        is_bot = author.get("__typename") == "Bot" and pull.get("isCrossRepository") is False
        if is_bot and text(author, "login").removesuffix("[bot]") == identity.slug:
            return OwnPull(number=number(pull, "number"), url=text(pull, "url"))
    return None


async def _make_branch(access: RepositoryAccess, landing: Landing, sha: str) -> str | None:
    """Make the bot's branch at a commit, or bring one forward that an earlier try made.

    Gives the plan's commit where that stands on it already.

    It is never moved by force: who pushed to it meant something by that.
    """
    for _ in range(_ATTEMPTS):
        standing = await _look(access, landing)
        if standing.own_tip == sha or standing.on_own:
            return text_or_none(standing.on_own, "oid")
        fields = {"oid": sha}
        mutation = (
            Mutation.update_ref(fields | {"refId": standing.own_ref})
            if standing.own_ref
            else Mutation.create_ref(
                fields
                | {"repositoryId": standing.repository_node, "name": f"{_HEADS}{landing.branch}"}
            )
        )
        try:
            answer = await access.mutate(request_of({"ref": mutation}, name="MakeBranch"))
            if mutation.made(child(answer.data, "ref")):
                return None
            _check(answer, f"GitHub does not let the app make the branch {landing.branch}.")
        except WriteUncertain:
            pass
        await access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
    raise GitHubError("GitHub does not make a branch, and does not say why")


async def _open(access: RepositoryAccess, landing: Landing, title: str) -> OwnPull:
    """The pull request from the bot's branch, opened unless it was before."""
    for _ in range(_ATTEMPTS):
        standing = await _look(access, landing)
        if standing.pull is not None:
            return standing.pull
        mutation = Mutation.create_pull_request(
            {
                "repositoryId": standing.repository_node,
                "baseRefName": landing.base_ref,
                "headRefName": landing.branch,
                "title": title,
                "body": landing.description,
            }
        )
        try:
            answer = await access.mutate(request_of({"pull": mutation}, name="OpenPull"))
            if made := child(answer.data, "pull", "pullRequest"):
                return OwnPull(number=number(made, "number"), url=text(made, "url"))
            _check(answer, f"GitHub does not let the app open a pull request for {landing.branch}.")
        except WriteUncertain:
            pass
        await access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
    raise GitHubError("GitHub does not open a pull request, and does not say why")


def _check(answer: Answer, reason: str) -> None:
    for problem in answer.problems:
        if problem.type in _REFUSALS:
            raise CannotPush(reason, problem.message)
