"""Cut the parts of GitHub's published contract that the sandbox serves, anew from npm packages.

    npm pack @octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1    # and unpack each
    python -m bot.sandbox.contract.refresh OPENAPI_FOLDER GRAPHQL_FOLDER

An operation or type that is wanted next is added to the lists here, and this is run again. Prose
and examples are left out; what decides validity stays, the patches to later versions included.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from graphql import (
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    get_named_type,
    is_leaf_type,
    lexicographic_sort_schema,
    print_schema,
)

OPERATIONS: Final = (
    "GET /app",
    "POST /app-manifests/{code}/conversions",
    "GET /app/hook/config",
    "PATCH /app/hook/config",
    "GET /app/hook/deliveries",
    "GET /app/hook/deliveries/{delivery_id}",
    "POST /app/hook/deliveries/{delivery_id}/attempts",
    "GET /app/installations",
    "GET /app/installations/{installation_id}",
    "POST /app/installations/{installation_id}/access_tokens",
    "GET /installation/repositories",
    "GET /meta",
    "GET /orgs/{org}/teams/{team_slug}/memberships/{username}",
    "GET /rate_limit",
    "GET /repos/{owner}/{repo}",
    "GET /repos/{owner}/{repo}/branches/{branch}",
    "POST /repos/{owner}/{repo}/check-runs",
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
    "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    "GET /repos/{owner}/{repo}/commits",
    "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    "GET /repos/{owner}/{repo}/commits/{ref}",
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    "GET /repos/{owner}/{repo}/compare/{basehead}",
    "GET /repos/{owner}/{repo}/contents/{path}",
    "POST /repos/{owner}/{repo}/git/blobs",
    "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
    "POST /repos/{owner}/{repo}/git/commits",
    "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    "GET /repos/{owner}/{repo}/git/ref/{ref}",
    "POST /repos/{owner}/{repo}/git/refs",
    "DELETE /repos/{owner}/{repo}/git/refs/{ref}",
    "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
    "POST /repos/{owner}/{repo}/git/trees",
    "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
    "GET /repos/{owner}/{repo}/installation",
    "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "GET /repos/{owner}/{repo}/pulls",
    "POST /repos/{owner}/{repo}/pulls",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
    "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}",
    "GET /repos/{owner}/{repo}/rules/branches/{branch}",
    "GET /user/{account_id}",
    "GET /users/{username}",
)
# Objects, interfaces and unions; their fields that lead elsewhere are left out.
TYPES: Final = frozenset(
    """
    Actor App Blob Bot BranchProtectionRule CheckRun CheckRunConnection CheckSuite
    CheckSuiteConnection Comment Commit CommitConnection CommitEdge CommitHistoryConnection
    Deletable EnterpriseUserAccount GitActor GitObject GitSignature GpgSignature Issue
    IssueComment IssueCommentConnection IssueCommentEdge IssueOrPullRequest Mannequin Minimizable
    Node
    Organization PageInfo PullRequest PullRequestChangedFile PullRequestChangedFileConnection
    PullRequestCommit PullRequestCommitConnection PullRequestConnection PullRequestParameters
    PullRequestReview PullRequestReviewComment PullRequestReviewConnection RateLimit Reactable
    Reaction Ref RefConnection
    RefUpdateRule Repository RepositoryCollaboratorConnection RepositoryCollaboratorEdge
    RepositoryOwner RepositoryRule RepositoryRuleConnection RuleParameters Tag Tree TreeEntry
    Updatable User
    """.split()  # noqa: SIM905 - a list literal would take a line for each
)
MUTATIONS: Final = frozenset(
    """
    addComment addPullRequestReview addReaction createCheckRun createCommitOnBranch
    createPullRequest createRef
    deleteIssueComment mergeBranch minimizeComment removeReaction updateCheckRun
    updateIssueComment updateRef updateRefs
    """.split()  # noqa: SIM905 - a list literal would take a line for each
)

DATA: Final = Path(__file__).parent / "data"

Json = dict[str, Any]

_PROSE: Final = frozenset(
    ["description", "example", "examples", "externalDocs", "summary", "title"]
)


def main(openapi_folder: Path, graphql_folder: Path) -> None:
    """Write both files of the data folder from the unpacked packages."""
    source = json.loads((openapi_folder / "generated" / "api.github.com.json").read_text("utf-8"))
    text = json.dumps(cut_openapi(source), ensure_ascii=False, separators=(",", ":"))
    (DATA / "openapi.json").write_text(text + "\n", "utf-8")
    sdl = (graphql_folder / "schema.graphql").read_text("utf-8")
    (DATA / "schema.graphql").write_text(cut_graphql(sdl) + "\n", "utf-8")


def cut_openapi(source: Json) -> Json:
    """Keep the listed operations and the components that they reach."""
    paths: Json = {}
    for operation in OPERATIONS:
        method, template = operation.split(" ")
        node = source["paths"][template][method.lower()]
        paths.setdefault(template, {})[method.lower()] = _without_prose(node)
    components: Json = {}
    waiting = list(_references(paths))
    while waiting:
        kind, name = waiting.pop().removeprefix("#/components/").split("/")
        found = components.setdefault(kind, {})
        if name not in found:
            found[name] = _without_prose(source["components"][kind][name])
            if kind == "responses":
                _describe(found[name])
            waiting.extend(_references(found[name]))
    return {
        "openapi": source["openapi"],
        "info": {key: source["info"][key] for key in ("title", "version", "license")},
        "servers": source["servers"],
        "paths": paths,
        "components": {kind: dict(sorted(components[kind].items())) for kind in sorted(components)},
    }


def cut_graphql(sdl: str) -> str:
    """Keep the listed types and mutations, the fields that stay among them, and their inputs."""
    schema = build_schema(sdl, assume_valid=True, no_location=True)
    types = schema.type_map
    mutations = schema.mutation_type.fields if schema.mutation_type else {}
    payloads = {get_named_type(mutations[name].type).name for name in MUTATIONS}
    kept = {*TYPES, *payloads, "Query", "Mutation"}
    for name in mutations.keys() - MUTATIONS:
        del mutations[name]
    for name in kept:
        _narrow(types[name], kept)
    cut = GraphQLSchema(
        query=schema.query_type,
        mutation=schema.mutation_type,
        types=[types[name] for name in sorted(kept)],
        directives=schema.directives,
    )
    for type_ in cut.type_map.values():
        _silence(type_)
    return print_schema(lexicographic_sort_schema(cut))


def _narrow(type_: GraphQLNamedType, kept: set[str]) -> None:
    """Take out of a type what leads to types that do not stay; scalars and enums always do."""
    if isinstance(type_, GraphQLUnionType):
        type_.types = tuple(member for member in type_.types if member.name in kept)
    elif isinstance(type_, GraphQLObjectType | GraphQLInterfaceType):
        type_.interfaces = tuple(face for face in type_.interfaces if face.name in kept)
        for name, field in list(type_.fields.items()):
            target = get_named_type(field.type)
            if not is_leaf_type(target) and target.name not in kept:
                del type_.fields[name]


def _silence(type_: GraphQLNamedType) -> None:
    type_.description = None
    for part in [*getattr(type_, "fields", {}).values(), *getattr(type_, "values", {}).values()]:
        part.description = None
        for argument in getattr(part, "args", {}).values():
            argument.description = None


def _without_prose(node: Any, *, names: bool = False) -> Any:
    """Drop what only people read; `names` says that the keys here are names of properties."""
    if isinstance(node, list):
        return [_without_prose(item) for item in node]
    if not isinstance(node, dict):
        return node
    result = {
        key: _without_prose(value, names=key == "properties" and not names)
        for key, value in node.items()
        if names or key not in _PROSE
    }
    if "responses" in result and "operationId" in result:
        for response in result["responses"].values():
            _describe(response)
    return result


def _describe(response: Json) -> None:
    """Give a response the description that OpenAPI wants it to have, an empty one."""
    if "$ref" not in response:
        response["description"] = ""


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
