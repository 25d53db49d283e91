"""What the sandbox answers is held to the description, and skeletons fit it by construction."""

from typing import Any

import pytest

from bot.sandbox.contract.rest import API_VERSIONS, BASE_VERSION, RestContract

NEWER = "2026-03-10"


@pytest.mark.parametrize("version", API_VERSIONS)
def test_every_skeleton_fits_its_own_schema(rest: RestContract, version: str) -> None:
    statuses = (200, 201, 202, 204, 304, 400, 403, 404, 409, 422, 503)
    seen = 0
    for operation in rest.operations.values():
        for status in statuses:
            try:
                body = rest.skeleton(operation, status, version)
            except KeyError:
                continue
            seen += 1
            assert rest.check_response(operation, status=status, body=body, version=version) == []
    assert seen > 2 * len(rest.operations)


@pytest.mark.parametrize("version", API_VERSIONS)
@pytest.mark.parametrize(
    ("component", "operation"),
    [
        ("pull-request-simple", "pulls/list"),
        ("diff-entry", "pulls/list-files"),
        ("issue-comment", "issues/list-comments"),
        ("commit", "repos/list-commits"),
        ("content-file", "repos/get-content"),
        ("integration", "apps/get-authenticated"),
    ],
)
def test_a_component_fits_where_it_is_used(
    rest: RestContract, version: str, component: str, operation: str
) -> None:
    item = rest.component_skeleton(component, version)
    is_list = isinstance(rest.skeleton(rest.operations[operation], 200, version), list)
    body = [item] if is_list and component != "content-file" else item
    found = rest.check_response(rest.operations[operation], status=200, body=body, version=version)
    assert found == []


def test_a_skeleton_is_fresh_each_time(rest: RestContract) -> None:
    operation = rest.operations["pulls/get"]
    first = rest.skeleton(operation, 200, BASE_VERSION)
    first["head"]["sha"] = "changed"
    assert rest.skeleton(operation, 200, BASE_VERSION)["head"]["sha"] == ""


def test_each_version_has_its_own_properties(rest: RestContract) -> None:
    """At 2026-03-10 pull requests lost merge_commit_sha and assignee; both patches count."""
    operation = rest.operations["pulls/get"]
    gone = {"merge_commit_sha", "assignee"}
    older, newer = (rest.skeleton(operation, 200, version) for version in (BASE_VERSION, NEWER))
    assert older.keys() - newer.keys() == gone
    assert newer.keys() <= older.keys()
    found = rest.check_response(operation, status=200, body=older, version=NEWER)
    in_repository = {f"body/{side}/repo/has_downloads" for side in ("head", "base")}
    assert {item.where for item in found} == {f"body/{name}" for name in gone} | in_repository
    found = rest.check_response(operation, status=200, body=newer, version=BASE_VERSION)
    assert len(found) == len(gone | in_repository)


def test_a_name_that_github_does_not_send_is_found_at_depth(rest: RestContract) -> None:
    operation = rest.operations["pulls/get"]
    body = rest.skeleton(operation, 200, NEWER)
    body["head"]["usr"] = None
    (found,) = rest.check_response(operation, status=200, body=body, version=NEWER)
    assert str(found) == "body/head/usr: is unknown to GitHub here"


def test_of_alternatives_the_nearest_is_explained(rest: RestContract) -> None:
    body = rest.component_skeleton("content-file", NEWER) | {"size": "3"}
    operation = rest.operations["repos/get-content"]
    (found,) = rest.check_response(operation, status=200, body=body, version=NEWER)
    assert str(found) == 'body/size: "3" is not of type "integer"'


@pytest.mark.parametrize(
    ("operation", "status", "body", "where"),
    [
        ("checks/create", 200, {}, "status"),
        ("issues/delete-comment", 204, {}, "body"),
        ("checks/get", 304, {}, "body"),
        ("issues/get-comment", 404, "Not Found", "body"),
        ("git/delete-ref", 422, None, "body"),
        ("rate-limit/get", 200, {}, "body"),
    ],
)
def test_a_wrong_answer_is_named(
    rest: RestContract, operation: str, status: int, body: Any, where: str
) -> None:
    found = rest.check_response(rest.operations[operation], status=status, body=body, version=NEWER)
    assert [item.where for item in found] == [where]


@pytest.mark.parametrize("status", [401, 403, 404, 422, 429, 500, 502, 503])
def test_errors_come_from_any_route(rest: RestContract, status: int) -> None:
    body = {"message": "No", "documentation_url": "https://docs.github.com/rest"}
    for operation in rest.operations.values():
        assert rest.check_response(operation, status=status, body=body, version=NEWER) == []


def test_the_shape_of_a_validation_error_is_checked(rest: RestContract) -> None:
    operation = rest.operations["checks/create"]
    error = {"resource": "CheckRun", "code": "custom", "field": "summary", "message": "too long"}
    body = {"message": "Validation Failed", "documentation_url": "https://d", "errors": [error]}
    assert rest.check_response(operation, status=422, body=body, version=NEWER) == []
    del error["code"]
    assert rest.check_response(operation, status=422, body=body, version=NEWER) != []


def test_a_raw_body_is_not_judged(rest: RestContract) -> None:
    operation = rest.operations["git/get-blob"]
    assert rest.check_response(operation, status=200, body=b"\x00", version=NEWER) == []


def test_an_unknown_version_is_refused(rest: RestContract) -> None:
    with pytest.raises(KeyError):
        rest.skeleton(rest.operations["pulls/get"], 200, "2020-01-01")
