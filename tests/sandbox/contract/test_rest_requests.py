"""Good requests pass and bad ones are named, in both API versions."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.sandbox.contract.rest import API_VERSIONS, RestContract, Violation

REST = RestContract.load()
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
SHA = "a" * 40
RUN = {"name": "memoryrail/precheck", "head_sha": SHA}
ANNOTATION = {
    "path": "src/a.py",
    "start_line": 3,
    "end_line": 3,
    "annotation_level": "warning",
    "message": "Times are UTC.",
}


def annotated(*annotations: Mapping[str, Any], **output: Any) -> dict[str, Any]:
    """A check run whose output has these annotations."""
    return RUN | {"output": {"title": "t", "summary": "s", "annotations": annotations} | output}


def violations(
    rest: RestContract,
    operation: str,
    body: object = None,
    *,
    version: str,
    query: Mapping[str, str] | None = None,
    raw: bytes | None = None,
    path: Mapping[str, str] | None = None,
) -> list[Violation]:
    """Check one request, its path parameters filled in with numbers where not given."""
    found = rest.operations[operation]
    names = [part.split("}")[0] for part in found.template.split("{")[1:]]
    return rest.check_request(
        found,
        path_parameters=dict.fromkeys(names, "1") | dict(path or {}),
        query=query or {},
        body=raw if body is None else json.dumps(body).encode(),
        version=version,
    )


@pytest.mark.parametrize("version", API_VERSIONS)
@pytest.mark.parametrize(
    ("operation", "body", "query"),
    [
        ("checks/create", RUN, {}),
        ("checks/create", RUN | {"status": "completed", "conclusion": "success"}, {}),
        ("checks/create", RUN | {"conclusion": "neutral"}, {}),
        ("checks/create", RUN | {"started_at": "2026-05-01T10:00:00Z"}, {}),
        ("checks/create", annotated(*[ANNOTATION] * 50), {}),
        ("checks/create", annotated(ANNOTATION | {"start_column": 1, "end_column": 2}), {}),
        ("checks/create", annotated(ANNOTATION | {"end_line": 9}, summary="s" * 65_535), {}),
        ("checks/update", {"output": {"summary": "s"}}, {}),
        ("checks/update", {"status": "completed", "conclusion": "failure"}, {}),
        ("issues/create-comment", {"body": "é" * 65_536}, {}),
        ("issues/update-comment", {"body": "x"}, {}),
        ("pulls/list", None, {"state": "all", "per_page": "100", "page": "2", "head": "o:b"}),
        ("pulls/create", {"title": "t", "head": "h", "base": "main"}, {}),
        ("pulls/create-review", {"event": "APPROVE"}, {}),
        ("apps/create-installation-access-token", None, {}),
        ("apps/create-installation-access-token", {"permissions": {"checks": "write"}}, {}),
        ("git/create-ref", {"ref": "refs/heads/x", "sha": SHA}, {}),
        (
            "git/create-tree",
            {"tree": [{"path": "a", "mode": "100644", "type": "blob", "sha": None}]},
            {},
        ),
        ("apps/create-from-manifest", None, {}),
        ("reactions/create-for-issue-comment", {"content": "+1"}, {}),
        ("repos/list-commits", None, {"since": "2026-05-01T10:00:00Z", "path": "a/b.md"}),
    ],
)
def test_a_good_request_passes(
    rest: RestContract, version: str, operation: str, body: object, query: dict[str, str]
) -> None:
    assert violations(rest, operation, body, version=version, query=query) == []


@pytest.mark.parametrize("version", API_VERSIONS)
@pytest.mark.parametrize(
    ("operation", "body", "where"),
    [
        ("checks/create", {"name": "n"}, "body"),
        ("checks/create", RUN | {"headSha": SHA}, "body/headSha"),
        ("checks/create", RUN | {"status": "done"}, "body/status"),
        ("checks/create", RUN | {"status": "completed"}, "body/conclusion"),
        ("checks/create", RUN | {"conclusion": "stale"}, "body/conclusion"),
        (
            "checks/create",
            RUN | {"status": "in_progress", "conclusion": "success"},
            "body/status",
        ),
        ("checks/create", RUN | {"started_at": "yesterday"}, "body/started_at"),
        ("checks/create", RUN | {"output": {"title": "t"}}, "body/output"),
        ("checks/create", annotated(sumary="s"), "body/output/sumary"),
        (
            "checks/create",
            annotated(ANNOTATION, ANNOTATION | {"startLine": 1}),
            "body/output/annotations/1/startLine",
        ),
        (
            "checks/create",
            annotated(ANNOTATION | {"annotation_level": "error"}),
            "body/output/annotations/0/annotation_level",
        ),
        (
            "checks/create",
            annotated(ANNOTATION | {"end_line": 2}),
            "body/output/annotations/0/end_line",
        ),
        (
            "checks/create",
            annotated(ANNOTATION | {"start_line": 0}),
            "body/output/annotations/0/start_line",
        ),
        (
            "checks/create",
            annotated(ANNOTATION | {"end_line": 4, "start_column": 1}),
            "body/output/annotations/0",
        ),
        ("checks/update", {"status": "completed"}, "body"),
        ("checks/update", {"conclussion": "success"}, "body/conclussion"),
        ("checks/update", {"output": {"summary": "s", "txt": "t"}}, "body/output/txt"),
        ("issues/create-comment", {"body": 3}, "body/body"),
        ("issues/create-comment", {"text": "x", "body": "x"}, "body/text"),
        ("pulls/create", {"head": "h", "base": "main"}, "body"),
        ("pulls/create-review", {"event": "COMMENT"}, "body/body"),
        (
            "apps/create-installation-access-token",
            {"permissions": {"checks": "admin"}},
            "body/permissions/checks",
        ),
        (
            "apps/create-installation-access-token",
            {"permissions": {"check_runs": "write"}},
            "body/permissions/check_runs",
        ),
        ("git/create-ref", {"ref": "refs/heads/x", "sha": SHA, "force": True}, "body/force"),
        ("pulls/get", {"a": 1}, "body"),
    ],
)
def test_a_mistake_in_a_body_is_named_with_its_place(
    rest: RestContract, version: str, operation: str, body: object, where: str
) -> None:
    found = violations(rest, operation, body, version=version)
    assert [(item.where, item.kind) for item in found] == [(where, "contract")]


@pytest.mark.parametrize(
    ("operation", "body", "where"),
    [
        ("checks/create", annotated(*[ANNOTATION] * 51), "body/output/annotations"),
        ("checks/create", annotated(text="t" * 65_536), "body/output/text"),
        (
            "checks/create",
            annotated(ANNOTATION | {"title": "t" * 256}),
            "body/output/annotations/0/title",
        ),
        (
            "checks/create",
            annotated(ANNOTATION | {"message": "é" * 32_769}),
            "body/output/annotations/0/message",
        ),
        (
            "checks/create",
            RUN | {"actions": [{"label": "l" * 21, "description": "d", "identifier": "i"}]},
            "body/actions/0/label",
        ),
        (
            "checks/create",
            RUN | {"actions": [{"label": "l", "description": "d", "identifier": "i"}] * 4},
            "body/actions",
        ),
        ("issues/create-comment", {"body": "x" * 65_537}, "body/body"),
        ("issues/update-comment", {"body": " \n"}, "body/body"),
        ("pulls/create", {"title": "t" * 257, "head": "h", "base": "b"}, "body/title"),
    ],
)
def test_too_much_is_a_limit_that_github_answers(
    rest: RestContract, operation: str, body: object, where: str
) -> None:
    found = violations(rest, operation, body, version=API_VERSIONS[0])
    assert {(item.where, item.kind) for item in found} == {(where, "limit")}


def test_output_is_limited_in_bytes_though_documented_in_characters(rest: RestContract) -> None:
    (found,) = violations(
        rest, "checks/create", annotated(summary="é" * 40_000), version=API_VERSIONS[0]
    )
    assert (found.where, found.kind) == ("body/output/summary", "limit")
    assert found.what == "exceeds a maximum bytesize of 65535 (given are 80000)"


@pytest.mark.parametrize(
    ("operation", "query", "where"),
    [
        ("pulls/list", {"per_page": "101"}, "query/per_page"),
        ("pulls/list", {"per_page": "0"}, "query/per_page"),
        ("pulls/list", {"per_page": "many"}, "query/per_page"),
        ("pulls/list", {"state": "merged"}, "query/state"),
        ("pulls/list", {"perpage": "100"}, "query/perpage"),
        ("issues/list-comments", {"since": "today"}, "query/since"),
        ("issues/list-comments", {"sort": "created"}, "query/sort"),
    ],
)
def test_a_mistake_in_the_query_is_named(
    rest: RestContract, operation: str, query: dict[str, str], where: str
) -> None:
    found = violations(rest, operation, query=query, version=API_VERSIONS[1])
    assert [(item.where, item.kind) for item in found] == [(where, "contract")]


def test_a_path_parameter_has_its_type(rest: RestContract) -> None:
    found = violations(rest, "pulls/get", path={"pull_number": "seven"}, version=API_VERSIONS[1])
    assert [item.where for item in found] == ["path/pull_number"]


@pytest.mark.parametrize("raw", [None, b"", b"{", b"\xff", b'{"body": "\\ud800"}', b"[]"])
def test_a_body_that_must_be_there_is_an_object_in_json(
    rest: RestContract, raw: bytes | None
) -> None:
    found = violations(rest, "issues/create-comment", raw=raw, version=API_VERSIONS[1])
    assert [(item.where, item.kind) for item in found] == [("body", "contract")]


def test_a_violation_reads_as_one_line(rest: RestContract) -> None:
    (found,) = violations(rest, "checks/create", RUN | {"sha": SHA}, version=API_VERSIONS[1])
    assert str(found) == "body/sha: is unknown to GitHub here"


@settings(max_examples=50, deadline=None)
@given(ANYTHING, ANYTHING, st.sampled_from(sorted(REST.operations)), st.sampled_from(API_VERSIONS))
def test_no_body_makes_the_judge_fail(
    first: object, second: object, operation: str, version: str
) -> None:
    output = {"title": "t", "summary": first, "annotations": [ANNOTATION | {"title": second}]}
    bodies = [first, {"body": first, "title": second, "event": second}, RUN | {"output": output}]
    for body in bodies:
        for found in violations(REST, operation, body, version=version):
            assert found.what
