"""The closed pull requests of a repository, the newest first: what they said and touched."""

from dataclasses import dataclass, field
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import child, children, number, text
from bot.github.installation import RepositoryAccess

MAX_PULLS: Final = 200
_QUERY: Final = """
query PastPulls($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner
    pullRequests(
      states: [CLOSED, MERGED], first: 50, after: $after,
      orderBy: {field: CREATED_AT, direction: DESC}
    ) {
      pageInfo { hasNextPage endCursor }
      nodes { number title body files(first: 80) { nodes { path } } }
    }
  }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPull:
    """A closed pull request."""

    number: int
    words: str = field(repr=False)  # title and body
    paths: tuple[str, ...] = field(repr=False)  # some of the changed ones


async def past_pulls(access: RepositoryAccess, *, limit: int = MAX_PULLS) -> tuple[PastPull, ...]:
    """List closed pull requests in pages of 50, each of which costs few points of GraphQL's limit.

    Raises GitHubError, RateLimited.
    """
    found: list[PastPull] = []
    variables: dict[str, object] = {}
    while True:
        answer = await access.query(_QUERY, variables)
        repository = child(answer.data, "repository")
        if repository:
            access.confirm(repository)
        page = child(repository, "pullRequests")
        if not page:
            raise GitHubError(f"GitHub did not give the pull requests of {access.full_name}")
        found += [
            PastPull(
                number=number(pull, "number"),
                words=f"{text(pull, 'title')}\n{text(pull, 'body')}",
                paths=tuple(text(one, "path") for one in children(child(pull, "files"), "nodes")),
            )
            for pull in children(page, "nodes")
        ]
        following = child(page, "pageInfo")
        if following.get("hasNextPage") is not True or len(found) >= limit:
            return tuple(found[:limit])
        variables["after"] = text(following, "endCursor")
