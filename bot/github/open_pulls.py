"""The open pull requests of a repository, the newest first."""

from dataclasses import dataclass
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import child, children, number, text
from bot.github.errors import NotFound
from bot.github.installation import RepositoryAccess

_QUERY: Final = """
query OpenPulls($owner: String!, $name: String!, $base: String, $after: String) {
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner
    pullRequests(
      states: [OPEN], baseRefName: $base, first: 100, after: $after,
      orderBy: {field: CREATED_AT, direction: DESC}
    ) {
      totalCount pageInfo { hasNextPage endCursor } nodes { number headRefOid }
    }
  }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPulls:
    """Some open pull requests: number and sha of the head. total: how many are open in all."""

    repository: str  # owner/name, as GitHub spells it now
    pulls: tuple[tuple[int, str], ...]
    total: int


async def open_pulls(
    access: RepositoryAccess, *, base_ref: str | None = None, limit: int = 300
) -> OpenPulls:
    """List open pull requests, those for one base branch or all, in pages of 100.

    GraphQL gives the two fields that are needed; in REST a page of 100 has more than a megabyte.
    Raises NotFound for the repository, GitHubError, RateLimited.
    """
    found: list[tuple[int, str]] = []
    variables: dict[str, object] = {"base": base_ref}
    while True:
        answer = await access.query(_QUERY, variables)
        repository = child(answer.data, "repository")
        if repository:
            access.confirm(repository)
        page = child(repository, "pullRequests")
        if not page:
            if repository or answer.is_partial:
                raise GitHubError(f"GitHub did not give the pull requests of {access.full_name}")
            raise NotFound(access.full_name)
        found += [
            (number(pull, "number"), text(pull, "headRefOid")) for pull in children(page, "nodes")
        ]
        next_page = child(page, "pageInfo")
        if next_page.get("hasNextPage") is not True or len(found) >= limit:
            return OpenPulls(
                repository=text(repository, "nameWithOwner"),
                pulls=tuple(found[:limit]),
                total=number(page, "totalCount"),
            )
        variables["after"] = text(next_page, "endCursor")
