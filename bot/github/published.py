"""What stands on GitHub now: our comment on a pull request and our check runs on its head."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.core.comment import COMMENT_MARKER
from bot.core.errors import GitHubError
from bot.github.answers import Json, child, children, number, text, text_or_none
from bot.github.errors import NotFound
from bot.github.installation import RepositoryAccess
from bot.github.tokens import Identity

_MAX_COMMENT_PAGES: Final = 30  # of 100 each
_PULLS: Final = 100  # of one request


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedComment:
    """Our comment."""

    node_id: str
    database_id: int | None
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCheck:
    """Our newest check run of one name."""

    node_id: str
    name: str
    status: str  # GitHub's words in upper case: COMPLETED, IN_PROGRESS, QUEUED …
    conclusion: str | None  # SUCCESS, FAILURE …
    title: str | None
    external_id: str  # says for which pull request and what content, see publish.external_id
    completed_at: datetime | None = None  # by GitHub's clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What a pull request shows of us, and the ids that writing needs."""

    repository_id: int
    repository_node: str
    pull_node: str
    number: int
    base_ref: str
    head_sha: str  # the one that the checks belong to
    shared_with: tuple[int, ...] = ()  # other open pull requests with this head, by number
    is_locked: bool = False  # the conversation takes no comment
    comment: PublishedComment | None = None
    doubled: tuple[PublishedComment, ...] = ()  # further ones of ours, which should not be there
    checks: tuple[PublishedCheck, ...] = ()
    read_at: datetime  # by our clock

    def check(self, name: str) -> PublishedCheck | None:
        """Our check run of this name, None where there is none."""
        return next((check for check in self.checks if check.name == name), None)


ACTOR: Final = """
fragment actor on Actor { __typename login ... on User { databaseId } ... on Bot { databaseId } }
"""
COMMENT: Final = """
fragment comment on IssueComment { id fullDatabaseId body author { ...actor } }
"""
# A commit on the default branch gives the merged pull requests only, and none that is open:
# https://docs.github.com/en/graphql/reference/objects#commit
CHECKS: Final = """
fragment checks on Commit {
  associatedPullRequests(first: 100) { nodes { number state headRefOid } }
  checkSuites(first: 20, filterBy: {appId: $appId}) { nodes {
    checkRuns(first: 50, filterBy: {checkType: LATEST}) { nodes {
      id name status conclusion title externalId startedAt completedAt
    } }
  } }
}
"""
_QUERY: Final = f"""
query Standing(
  $owner: String!, $name: String!, $number: Int!, $head: GitObjectID!, $appId: Int!
) {{
  repository(owner: $owner, name: $name) {{
    id databaseId
    object(oid: $head) {{ ...checks }}
    pullRequest(number: $number) {{
      id baseRefName headRefOid locked
      comments(first: 100) {{ pageInfo {{ hasNextPage endCursor }} nodes {{ ...comment }} }}
    }}
  }}
}}
{ACTOR}{COMMENT}{CHECKS}"""
_IDS: Final = """
query Ids($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { id databaseId }
}
"""
_MORE_COMMENTS: Final = f"""
query MoreComments($pull: ID!, $after: String!) {{
  node(id: $pull) {{ ... on PullRequest {{
    comments(first: 100, after: $after) {{
      pageInfo {{ hasNextPage endCursor }} nodes {{ ...comment }}
    }}
  }} }}
}}
{ACTOR}{COMMENT}"""


async def read_published(
    access: RepositoryAccess, number_: int, *, head_sha: str
) -> tuple[Published, str]:
    """Read what is published, and the sha that is the head now (which may be another one)."""
    app = access.installation.app
    read_at, identity = app.client.timing.now(), await app.identity()
    variables = {"number": number_, "head": head_sha, "appId": identity.app_id}
    answer = await access.query(_QUERY, variables)
    repository = child(answer.data, "repository")
    if repository:
        access.confirm(repository)
    pull = child(repository, "pullRequest")
    if not pull:
        if answer.is_partial:
            raise GitHubError(f"GitHub did not give pull request {number_} of {access.full_name}")
        raise NotFound(f"pull request {number_} of {access.full_name}")
    comments = await find_comments(access, pull, identity)
    published = Published(
        repository_id=number(repository, "databaseId"),
        repository_node=text(repository, "id"),
        pull_node=text(pull, "id"),
        number=number_,
        base_ref=text(pull, "baseRefName"),
        head_sha=head_sha,
        shared_with=shared_with(child(repository, "object"), number_, head_sha),
        is_locked=pull.get("locked") is True,
        comment=next(iter(comments), None),
        doubled=comments[1:],
        checks=checks_of(child(repository, "object")),
        read_at=read_at,
    )
    return published, text(pull, "headRefOid")


async def read_nothing(access: RepositoryAccess, number_: int, *, head_sha: str) -> Published:
    """The ids that check runs need, for a pull request that we may not read."""
    read_at = access.installation.app.client.timing.now()
    answer = await access.query(_IDS, {})
    repository = child(answer.data, "repository")
    if not repository:
        raise NotFound(access.full_name)
    access.confirm(repository)
    return Published(
        repository_id=number(repository, "databaseId"),
        repository_node=text(repository, "id"),
        pull_node="",
        number=number_,
        base_ref="",
        head_sha=head_sha,
        read_at=read_at,
    )


async def open_with_head(
    access: RepositoryAccess, numbers: Sequence[int], head_sha: str
) -> tuple[int, ...]:
    """Those of these pull requests that are open and have this head. Raises GitHubError."""
    found: list[int] = []
    for start in range(0, len(numbers), _PULLS):
        some = numbers[start : start + _PULLS]
        fields = " ".join(
            f"p{each}: pullRequest(number: {each}) {{ number state headRefOid }}" for each in some
        )
        query = (
            "query Heads($owner: String!, $name: String!) "
            f"{{ repository(owner: $owner, name: $name) {{ {fields} }} }}"
        )
        answer = await access.query(query, {})
        if answer.is_partial:
            raise GitHubError(f"GitHub did not give all pull requests of {access.full_name}")
        repository = child(answer.data, "repository")
        pulls = (child(repository, f"p{each}") for each in some)
        found += [
            number(pull, "number")
            for pull in pulls
            if text(pull, "state") == "OPEN" and text(pull, "headRefOid") == head_sha
        ]
    return tuple(found)


async def find_comments(
    access: RepositoryAccess, pull: Json, identity: Identity
) -> tuple[PublishedComment, ...]:
    """Our comment among those of a pull request; later pages are asked for while it is missing.

    The oldest first, where a list that lagged and a crash left several.
    """
    page = child(pull, "comments")
    for _ in range(_MAX_COMMENT_PAGES):
        if found := ours(children(page, "nodes"), identity):
            return found
        info = child(page, "pageInfo")
        if info.get("hasNextPage") is not True:
            break
        variables = {"pull": text(pull, "id"), "after": text(info, "endCursor")}
        answer = await access.installation.graphql(_MORE_COMMENTS, variables)
        page = child(answer.data, "node", "comments")
    return ()


def ours(
    nodes: Iterable[Json], identity: Identity, marker: str = COMMENT_MARKER
) -> tuple[PublishedComment, ...]:
    """The comments that our app's bot wrote and that start with the marker, as GitHub lists them.

    That is by age. The marker alone proves nothing: anyone can paste it. No user can have the type
    Bot.
    """
    return tuple(
        PublishedComment(
            node_id=text(node, "id"),
            database_id=_big(node.get("fullDatabaseId")),
            body=text(node, "body"),
        )
        for node in nodes
        if child(node, "author").get("__typename") == "Bot"
        and text(child(node, "author"), "login").removesuffix("[bot]") == identity.slug
        and text(node, "body").startswith(marker)
    )


def checks_of(commit: Json) -> tuple[PublishedCheck, ...]:
    """The newest of our check runs for each name, by name."""
    newest: dict[str, Json] = {}
    for suite in children(commit, "checkSuites", "nodes"):
        for run in children(suite, "checkRuns", "nodes"):
            known = newest.get(text(run, "name"))
            if known is None or text(known, "startedAt") < text(run, "startedAt"):
                newest[text(run, "name")] = run
    return tuple(
        PublishedCheck(
            node_id=text(run, "id"),
            name=name,
            status=text(run, "status"),
            conclusion=text_or_none(run, "conclusion"),
            title=text_or_none(run, "title"),
            external_id=text(run, "externalId"),
            completed_at=_moment(text(run, "completedAt")),
        )
        for name, run in sorted(newest.items())
    )


def shared_with(commit: Json, number_: int, head_sha: str) -> tuple[int, ...]:
    """The other open pull requests that have a commit as their head, by number."""
    found = {
        number(pull, "number")
        for pull in children(commit, "associatedPullRequests", "nodes")
        if text(pull, "state") == "OPEN" and text(pull, "headRefOid") == head_sha
    }
    return tuple(sorted(found - {number_}))


def _moment(value: str) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _big(value: object) -> int | None:
    """A number that GraphQL writes as a string, as it is too large for its integers."""
    return int(value) if isinstance(value, str) and value.isdecimal() else None
