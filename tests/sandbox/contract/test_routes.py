"""Which operation a path means, judged while it is still percent-encoded."""

import pytest

from bot.sandbox.contract.rest import RestContract

REPO = "/repos/octo/demo"


@pytest.mark.parametrize(
    ("method", "path", "operation", "parameters"),
    [
        ("GET", "/app", "apps/get-authenticated", {}),
        ("get", "/app", "apps/get-authenticated", {}),
        ("GET", f"{REPO}/pulls/7/files", "pulls/list-files", {"pull_number": "7"}),
        ("GET", f"{REPO}/contents/docs/a.md", "repos/get-content", {"path": "docs/a.md"}),
        ("GET", f"{REPO}/contents/docs%2Fa%23b.md", "repos/get-content", {"path": "docs/a#b.md"}),
        (
            "GET",
            f"{REPO}/compare/main...user/topic",
            "repos/compare-commits-with-basehead",
            {"basehead": "main...user/topic"},
        ),
        ("GET", f"{REPO}/git/ref/heads/a/b", "git/get-ref", {"ref": "heads/a/b"}),
        ("PATCH", f"{REPO}/git/refs/heads/a/b", "git/update-ref", {"ref": "heads/a/b"}),
        ("GET", f"{REPO}/commits/a/b", "repos/get-commit", {"ref": "a/b"}),
        ("GET", f"{REPO}/commits/a/b/check-runs", "checks/list-for-ref", {"ref": "a/b"}),
        ("GET", f"{REPO}/commits/a%2Fcheck-runs", "repos/get-commit", {"ref": "a/check-runs"}),
        ("GET", f"{REPO}/installation", "apps/get-repo-installation", {}),
        ("GET", f"{REPO}/issues/comments/5", "issues/get-comment", {"comment_id": "5"}),
        ("GET", f"{REPO}/rules/branches/a/b", "repos/get-branch-rules", {"branch": "a/b"}),
    ],
)
def test_a_path_means_one_operation(
    rest: RestContract, method: str, path: str, operation: str, parameters: dict[str, str]
) -> None:
    found = rest.match(method, path)
    assert found is not None
    owner = {"owner": "octo", "repo": "demo"} if path.startswith(REPO) else {}
    assert (found[0].id, found[1]) == (operation, owner | parameters)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/app"),
        ("GET", "/app/"),
        ("GET", "/nowhere"),
        ("GET", f"{REPO}/pulls/7/"),
        ("GET", f"{REPO}/pulls/7/8"),
        ("GET", f"{REPO}/git/ref/"),
        ("GET", "/repos/octo//pulls"),
        ("GET", "/api/v3/app"),
    ],
)
def test_a_path_that_the_description_lacks_means_none(
    rest: RestContract, method: str, path: str
) -> None:
    assert rest.match(method, path) is None


def test_each_operation_is_found_by_its_own_template(rest: RestContract) -> None:
    """No route hides another."""
    for operation in rest.operations.values():
        found = rest.match(operation.method, operation.template.replace("{", "").replace("}", ""))
        assert found is not None
        assert found[0] is operation
