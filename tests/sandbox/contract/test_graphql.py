"""GraphQL requests that GitHub would refuse are refused, and the others run on plain objects."""

from typing import Any

import pytest
from graphql import GraphQLError

from bot.sandbox.contract.graphql import (
    MAX_NODES,
    GraphQLContract,
    GraphQLSyntaxError,
    check_body,
    fault,
)

OID = "a" * 40
COMMIT = """
mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}
"""


def repository(selection: str) -> str:
    return f'{{ repository(owner: "octo", name: "demo") {{ {selection} }} }}'


def messages(
    graphql: GraphQLContract, query: str, variables: dict[str, Any] | None = None
) -> list[str]:
    return [error["message"] for error in graphql.check(graphql.parse(query), variables)]


def commit_input(**changes: Any) -> dict[str, Any]:
    given = {
        "branch": {"repositoryNameWithOwner": "octo/demo", "branchName": "main"},
        "message": {"headline": "Approve DEC-a3f9"},
        "expectedHeadOid": OID,
        "fileChanges": {"additions": [{"path": "a.md", "contents": "YQ=="}]},
    }
    return {"input": {k: v for k, v in (given | changes).items() if v is not None}}


@pytest.mark.parametrize(
    "query",
    [
        repository("id defaultBranchRef { target { oid } }"),
        repository("pullRequests(first: 100) { nodes { number } }"),
        repository("pullRequests(last: 1) { totalCount nodes { number } }"),
        repository("pullRequests { totalCount }"),
        repository("pullRequest(number: 7) { reviewDecision comments(first: 5) { nodes { id } } }"),
        "{ rateLimit { cost remaining } viewer { login } }",
        '{ nodes(ids: ["a", "b"]) { ... on Blob { text isTruncated } } }',
    ],
)
def test_a_good_query_passes(graphql: GraphQLContract, query: str) -> None:
    assert graphql.check(graphql.parse(query)) == []


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        (repository("nmae"), "Cannot query field 'nmae' on type 'Repository'"),
        ('{ repository(owner: "o") { id } }', "Argument 'Query.repository(name:)'"),
        (repository('object(sha: "x") { id }'), "Unknown argument 'sha'"),
        (repository("pullRequest(number: 1)"), "must have a selection of subfields"),
        (repository('object(oid: "main") { id }'), "40 lower-case hexadecimal"),
        (repository("pullRequests { nodes { id } }"), "You must provide a `first` or `last`"),
        (repository("pullRequests { pageInfo { endCursor } }"), "You must provide a `first`"),
        (repository("pullRequests(first: 101) { totalCount }"), "exceeds the `first` limit of 100"),
        (repository("pullRequests(last: 0) { totalCount }"), "must be from 1 to 100"),
        ("{ a: viewer { login } b }", "Cannot query field 'b'"),
        ("query A { viewer { id } } query B { viewer { id } }", "No one operation"),
    ],
)
def test_a_bad_query_is_refused(graphql: GraphQLContract, query: str, problem: str) -> None:
    (message,) = messages(graphql, query)
    assert problem in message


def test_text_that_is_not_graphql_is_a_syntax_error(graphql: GraphQLContract) -> None:
    with pytest.raises(GraphQLSyntaxError):
        graphql.parse("{ viewer {")


def test_a_parsed_text_is_kept(graphql: GraphQLContract) -> None:
    assert graphql.parse("{ viewer { id } }") is graphql.parse("{ viewer { id } }")


def test_an_error_has_the_shape_of_githubs(graphql: GraphQLContract) -> None:
    query = repository("open: pullRequests { nodes { id } }")
    assert graphql.check(graphql.parse(query)) == [
        {
            "type": "MISSING_PAGINATION_BOUNDARIES",
            "path": ["query", "repository", "open"],
            "locations": [{"line": 1, "column": 45}],
            "message": "You must provide a `first` or `last` value to properly paginate"
            " the `pullRequests` connection.",
        }
    ]


def test_bounds_come_from_variables_and_their_defaults(graphql: GraphQLContract) -> None:
    query = f"query($n: Int = 101) {repository('pullRequests(first: $n) { totalCount }')}"
    assert "Requesting 101 records" in messages(graphql, query)[0]
    assert messages(graphql, query, {"n": 100}) == []
    assert "Requesting 500 records" in messages(graphql, query, {"n": 500})[0]


def test_nodes_are_counted_through_fragments_and_as_often_as_reached(
    graphql: GraphQLContract,
) -> None:
    """50 pull requests, 100 commits each, 100 pull requests of each: 50 + 5,000 + 500,000."""
    query = """
      { repository(owner: "o", name: "r") { pullRequests(first: 50) { nodes { ...Pull } } } }
      fragment Pull on PullRequest { commits(first: 100) { nodes { commit {
        ... on Node { ... on Commit { associatedPullRequests(first: 100) { nodes { id } } } }
      } } } }
    """
    (message,) = messages(graphql, query)
    assert message.startswith("This query requests up to 505,050 possible nodes")
    assert message.endswith(f"exceeds the maximum limit of {MAX_NODES:,}.")
    assert messages(graphql, query.replace("50)", "49)")) == []


def test_aliased_objects_do_not_count_as_nodes(graphql: GraphQLContract) -> None:
    aliases = (f'o{i}: object(oid: "{OID}") {{ ... on Blob {{ text }} }}' for i in range(200))
    assert messages(graphql, repository(" ".join(aliases))) == []


def test_at_most_a_hundred_ids_are_taken(graphql: GraphQLContract) -> None:
    query = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }"
    assert messages(graphql, query, {"ids": ["x"] * 100}) == []
    (error,) = graphql.check(graphql.parse(query), {"ids": ["x"] * 101})
    assert error["type"] == "ARGUMENT_LIMIT"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({}, None),
        ({"expectedHeadOid": None}, "expectedHeadOid"),
        ({"expectedHeadOid": "a" * 39}, "40 lower-case hexadecimal"),
        ({"author": {"name": "me"}}, "author"),
        ({"fileChanges": {"additions": [{"path": "a", "contents": "a b"}]}}, "Base64String"),
        ({"fileChanges": {"additions": [{"path": "a"}]}}, "contents"),
        ({"message": "text"}, "CommitMessage"),
    ],
)
def test_the_input_of_a_commit_is_checked(
    graphql: GraphQLContract, changes: dict[str, Any], problem: str | None
) -> None:
    found = messages(graphql, COMMIT, commit_input(**changes))
    assert (found == []) if problem is None else (problem in found[0])


def test_a_variable_that_is_not_declared_is_refused(graphql: GraphQLContract) -> None:
    found = messages(graphql, "{ viewer { id } }", {"first": 3})
    assert found == ["Variable $first is not declared"]


class Blob:
    __typename = "Blob"
    byte_size = 2


class Demo:
    """A repository of the sandbox: names in snake case, methods for fields with arguments."""

    name_with_owner = "octo/demo"

    def object(self, _info: Any, oid: str | None = None, expression: str | None = None) -> Blob:
        assert (oid, expression) == (OID, None)
        return Blob()

    def pull_request(self, _info: Any, number: int) -> None:
        message = f"Could not resolve to a PullRequest with the number of {number}."
        raise fault(message, "NOT_FOUND")

    def pull_requests(self, _info: Any, **arguments: Any) -> dict[str, Any]:
        return {"totalCount": 0, "nodes": [], "asked": arguments["first"]}


def root(_info: Any, *, owner: str, name: str, follow_renames: bool) -> Demo:
    assert (owner, name, follow_renames) == ("octo", "demo", True)
    return Demo()


def run(graphql: GraphQLContract, query: str) -> dict[str, Any]:
    document = graphql.parse(query)
    assert graphql.check(document) == []
    return graphql.execute(document, {"repository": root})


def test_a_query_runs_on_objects_and_mappings(graphql: GraphQLContract) -> None:
    query = repository(
        f'nameWithOwner object(oid: "{OID}") {{ __typename ... on Blob {{ byteSize }} }}'
        " pullRequests(first: 3) { totalCount }"
    )
    assert run(graphql, query)["data"]["repository"] == {
        "nameWithOwner": "octo/demo",
        "object": {"__typename": "Blob", "byteSize": 2},
        "pullRequests": {"totalCount": 0},
    }


def test_a_fault_stands_beside_the_rest_of_the_data(graphql: GraphQLContract) -> None:
    answer = run(graphql, repository("nameWithOwner gone: pullRequest(number: 9) { id }"))
    assert answer["data"]["repository"] == {"nameWithOwner": "octo/demo", "gone": None}
    (error,) = answer["errors"]
    assert error["type"] == "NOT_FOUND"
    assert error["path"] == ["repository", "gone"]
    assert error["message"] == "Could not resolve to a PullRequest with the number of 9."


def test_what_the_sandbox_lacks_is_not_answered_with_null(graphql: GraphQLContract) -> None:
    with pytest.raises(NotImplementedError, match=r"Repository\.description"):
        run(graphql, repository("description"))
    with pytest.raises(NotImplementedError, match=r"Query\.rateLimit"):
        run(graphql, "{ rateLimit { cost } }")


@pytest.mark.parametrize(
    ("viewer", "error"),
    [(None, TypeError), ({"login": []}, GraphQLError), ({"login": None}, TypeError)],
)
def test_a_value_that_does_not_fit_the_schema_is_a_bug(
    graphql: GraphQLContract, viewer: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        graphql.execute(graphql.parse("{ viewer { login } }"), {"viewer": viewer})


@pytest.mark.parametrize("body", [" \n", "x" * 65_537])
def test_a_comment_that_is_blank_or_too_long_is_refused(body: str) -> None:
    with pytest.raises(GraphQLError) as refused:
        check_body(body)
    assert refused.value.extensions == {"type": "UNPROCESSABLE"}


def test_a_comment_of_the_greatest_length_is_taken() -> None:
    check_body("é" * 65_536)
