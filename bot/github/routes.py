"""Which of GitHub's operations a request is, by the few names that ours have.

A name holds nothing of the request itself, no owner, branch or number, so that it can be counted
under: REST's paths as https://docs.github.com/en/rest spells them, GraphQL's operations by the name
that stands in our own text.
"""

import re
from typing import Final

OTHER: Final = "other"
_REPOSITORY: Final = r"/repos/[^/]+/[^/]+"
_ROUTES: Final = tuple(
    (re.compile(pattern.replace("{repo}", _REPOSITORY)), name)
    for pattern, name in (
        (r"GET /app", "GET /app"),
        (
            r"POST /app/installations/\d+/access_tokens",
            "POST /app/installations/{installation_id}/access_tokens",
        ),
        (r"GET /app/hook/deliveries", "GET /app/hook/deliveries"),
        (
            r"POST /app/hook/deliveries/\d+/attempts",
            "POST /app/hook/deliveries/{delivery_id}/attempts",
        ),
        (r"GET /app/installations", "GET /app/installations"),
        (r"GET /installation/repositories", "GET /installation/repositories"),
        (r"GET /repositories/\d+", "GET /repositories/{repository_id}"),
        (r"GET {repo}/pulls/\d+", "GET /repos/{owner}/{repo}/pulls/{pull_number}"),
        (r"GET {repo}/pulls/\d+/files", "GET /repos/{owner}/{repo}/pulls/{pull_number}/files"),
        (r"GET {repo}/compare/.+", "GET /repos/{owner}/{repo}/compare/{basehead}"),
        (r"GET {repo}/commits/[^/]+", "GET /repos/{owner}/{repo}/commits/{ref}"),
        (r"GET {repo}/git/trees/[^/]+", "GET /repos/{owner}/{repo}/git/trees/{tree_sha}"),
        (r"GET {repo}/git/blobs/[^/]+", "GET /repos/{owner}/{repo}/git/blobs/{file_sha}"),
        (
            r"GET {repo}/issues/comments/\d+",
            "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
        ),
        (
            r"GET {repo}/pulls/\d+/reviews/\d+",
            "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
        ),
        (
            r"GET {repo}/pulls/comments/\d+",
            "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}",
        ),
        (
            r"GET {repo}/collaborators/[^/]+/permission",
            "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
        ),
        (
            r"GET /orgs/[^/]+/teams/[^/]+/memberships/[^/]+",
            "GET /orgs/{org}/teams/{team_slug}/memberships/{username}",
        ),
    )
)
# GitHub's own links to further pages name the repository by its id.
_BY_ID: Final = re.compile(r"/repositories/\d+(?=/)")
_OPERATION: Final = re.compile(rb'\{"query": ?"(?:\\n|\s)*(?:query|mutation) (\w{1,40})\b')


def route_of(method: str, path: str, body: bytes) -> str:
    """The name of a request's operation; "other" for one that has none here.

    path: below the API's root. body: of a GraphQL request, as JSON.
    """
    if path.endswith("/graphql"):
        found = _OPERATION.match(body)
        return f"POST /graphql {found[1].decode()}" if found else f"POST /graphql {OTHER}"
    asked = f"{method} {_BY_ID.sub('/repos/o/r', path)}"
    return next((name for pattern, name in _ROUTES if pattern.fullmatch(asked)), OTHER)
