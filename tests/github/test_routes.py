import pytest

from bot.github.routes import _ROUTES, OTHER, route_of
from bot.sandbox.contract import description

SHA = "a" * 40


@pytest.mark.parametrize(
    ("asked", "route"),
    [
        ("GET /app", "GET /app"),
        (
            "POST /app/installations/5/access_tokens",
            "POST /app/installations/{installation_id}/access_tokens",
        ),
        ("GET /repositories/7", "GET /repositories/{repository_id}"),
        ("GET /repos/octo/cat/pulls/3", "GET /repos/{owner}/{repo}/pulls/{pull_number}"),
        (
            "GET /repositories/7/pulls/3/files",  # GitHub's own link to a further page
            "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
        ),
        (
            f"GET /repos/octo/cat/compare/release/1.0...{SHA}",
            "GET /repos/{owner}/{repo}/compare/{basehead}",
        ),
        (f"GET /repos/octo/cat/commits/{SHA}", "GET /repos/{owner}/{repo}/commits/{ref}"),
        (
            "GET /repos/octo/cat/collaborators/eve%5Bbot%5D/permission",
            "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
        ),
        (
            "GET /orgs/octo/teams/crew/memberships/eve",
            "GET /orgs/{org}/teams/{team_slug}/memberships/{username}",
        ),
        ("DELETE /repos/octo/cat", OTHER),
        ("GET /repos/octo/cat/pulls/3/../../x", OTHER),
    ],
)
def test_a_path_becomes_githubs_name_of_the_operation(asked: str, route: str) -> None:
    method, _, path = asked.partition(" ")
    assert route_of(method, path, b"") == route


def test_each_name_is_githubs_own() -> None:
    paths = description.load()["paths"]
    names = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    ours = {name for _, name in _ROUTES}
    # Undocumented, and what GitHub's links lead to.
    assert ours - names == {"GET /repositories/{repository_id}"}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (rb'{"query":"\nquery Branch(\n  $owner: String!) {"}', "Branch"),
        (rb'{"query": "mutation Publish($a: X!) { }", "variables": {}}', "Publish"),
        (rb'{"variables":{"x":"query Evil("},"query":"{ viewer }"}', OTHER),
        (b"", OTHER),
    ],
)
def test_graphql_goes_by_the_name_in_our_own_text(body: bytes, name: str) -> None:
    assert route_of("POST", "/graphql", body) == f"POST /graphql {name}"
