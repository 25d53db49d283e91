"""What is open in all repositories of an installation, and on which heads our verdicts are missing.

Many repositories a request, as a look at each of them every few minutes must cost next to nothing:
first the heads of 50 repositories, then our check runs on 50 heads. GraphQL counts what may come,
not what comes, so one question for both would cost thirty times the points.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, TypeVar

from bot.core.errors import GitHubError
from bot.core.report import Check
from bot.github.answers import Json, child, children, number, text
from bot.github.client import Request
from bot.github.installation import Answer, GitHubApp, Installation
from bot.github.published import checks_of

T = TypeVar("T")

MAX_PULLS: Final = 1000  # of one repository, those that changed last
_PAGE: Final = 100
_REPOSITORIES: Final = 50  # of one request
_HEADS: Final = 50  # of one request
_BRANCHES: Final = "refs/heads/"
_QUEUE: Final = "refs/heads/gh-readonly-queue/"

_PULLS: Final = """
fragment pulls on PullRequestConnection {
  pageInfo { hasNextPage endCursor } nodes { number headRefOid }
}
"""
_ORDER: Final = "states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}, first: 100"
_OPEN: Final = f"""
query OpenHeads($ids: [ID!]!, $queue: String!) {{
  nodes(ids: $ids) {{ ... on Repository {{
    id databaseId nameWithOwner
    pullRequests({_ORDER}) {{ ...pulls }}
    refs(refPrefix: $queue, first: 50) {{ nodes {{ prefix name target {{ oid }} }} }}
  }} }}
}}
{_PULLS}"""
_MORE: Final = f"""
query MoreHeads($id: ID!, $after: String!) {{
  node(id: $id) {{ ... on Repository {{ pullRequests({_ORDER}, after: $after) {{ ...pulls }} }} }}
}}
{_PULLS}"""
_VERDICTS: Final = """
fragment verdicts on Commit {
  checkSuites(first: 5, filterBy: {appId: $appId}) { nodes {
    checkRuns(first: 50, filterBy: {checkType: LATEST}) { nodes {
      id name status conclusion title externalId startedAt
    } }
  } }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """An installation, as the app sees it. permissions: what its owner has granted."""

    id: int
    is_suspended: bool
    permissions: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The head of an open pull request; or of a merge queue's group, whose number is 0."""

    repository_id: int
    repository_node: str
    repository: str  # owner/name
    number: int
    sha: str
    ref: str = ""  # of a group: the branch that the queue made
    base_ref: str = ""  # of a group
    base_sha: str = ""  # of a group: the tip of that branch; "" where it is gone


async def installations(app: GitHubApp) -> tuple[Installed, ...]:
    """Every installation of the app, the suspended ones too. Raises GitHubError, RateLimited."""
    found: list[Installed] = []
    path: str | None = f"/app/installations?per_page={_PAGE}"
    while path:
        reply = await app.credentials.as_app(Request(method="GET", path=path, read=True))
        found += [
            Installed(
                id=number(item, "id"),
                is_suspended=item.get("suspended_at") is not None,
                permissions={
                    name: str(level) for name, level in child(item, "permissions").items()
                },
            )
            for item in children(reply.expect(200).data)
        ]
        path = reply.next
    return tuple(found)


async def repositories(installation: Installation, page: int) -> tuple[tuple[str, ...], bool]:
    """Node ids of a page of 100 repositories that can be written to, and whether more follow.

    page: from 1. Archived repositories take no check runs.
    """
    params = {"per_page": _PAGE, "page": page}
    path = "/installation/repositories"
    reply = await installation.send(Request(method="GET", path=path, read=True, params=params))
    listed = children(reply.expect(200).data, "repositories")
    writable = (item for item in listed if item.get("archived") is not True)
    return tuple(text(item, "node_id") for item in writable), reply.next is not None


async def open_heads(
    installation: Installation, repository_nodes: Sequence[str]
) -> AsyncIterator[tuple[Head, ...]]:
    """The open heads of some repositories, request by request."""
    for ids in batches(repository_nodes, _REPOSITORIES):
        answer = await _ask(installation, _OPEN, {"ids": ids, "queue": _QUEUE})
        found = [one for one in children(answer.data, "nodes") if number(one, "databaseId")]
        yield tuple(head for one in found for head in (*_pulls(one, one), *_groups(one)))
        for one in found:
            async for more in _further(installation, one):
                yield more


async def lacking(
    installation: Installation, heads: Sequence[Head]
) -> AsyncIterator[tuple[tuple[Head, ...], tuple[Head, ...]]]:
    """Those heads without four finished check runs of ours, and the others; request by request."""
    identity = await installation.app.identity()
    for some in batches(heads, _HEADS):
        query, variables = _question(some)
        answer = await _ask(installation, query, {**variables, "appId": identity.app_id})
        missing, whole = [], []
        for index, head in enumerate(some):
            at = child(answer.data, f"h{index}")
            if _is_judged(child(at, "head")):
                whole.append(head)
            else:
                missing.append(replace(head, base_sha=text(child(at, "base", "target"), "oid")))
        yield tuple(missing), tuple(whole)


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in order, so many at a time."""
    left = iter(items)
    while some := tuple(islice(left, size)):
        yield some


async def _further(installation: Installation, repository: Json) -> AsyncIterator[tuple[Head, ...]]:
    """The pull requests of a repository beyond the first page."""
    page = child(repository, "pullRequests")
    for _ in range(_PAGE, MAX_PULLS, _PAGE):
        info = child(page, "pageInfo")
        if info.get("hasNextPage") is not True:
            return
        variables = {"id": text(repository, "id"), "after": text(info, "endCursor")}
        answer = await _ask(installation, _MORE, variables)
        node = child(answer.data, "node")
        page = child(node, "pullRequests")
        yield tuple(_pulls(repository, node))


def _pulls(repository: Json, page: Json) -> Iterator[Head]:
    for pull in children(page, "pullRequests", "nodes"):
        yield _head(repository, number(pull, "number"), text(pull, "headRefOid"))


def _groups(repository: Json) -> Iterator[Head]:
    """The groups of a merge queue, each of which has a branch named after base and pull request."""
    for ref in children(repository, "refs", "nodes"):
        full = text(ref, "prefix") + text(ref, "name")
        base, _, last = full.removeprefix(_QUEUE).rpartition("/")
        if full.startswith(_QUEUE) and base and last.startswith("pr-"):
            yield replace(
                _head(repository, 0, text(child(ref, "target"), "oid")),
                ref=full.removeprefix(_BRANCHES),
                base_ref=base,
            )


def _head(repository: Json, number_: int, sha: str) -> Head:
    return Head(
        repository_id=number(repository, "databaseId"),
        repository_node=text(repository, "id"),
        repository=text(repository, "nameWithOwner"),
        number=number_,
        sha=sha,
    )


def _question(heads: Sequence[Head]) -> tuple[str, dict[str, object]]:
    """Our check runs on each head; and of a group the tip of its base branch."""
    types, fields, variables = ["$appId: Int!"], [], dict[str, object]()
    for index, head in enumerate(heads):
        types += [f"$r{index}: ID!", f"$s{index}: GitObjectID!"]
        variables |= {f"r{index}": head.repository_node, f"s{index}": head.sha}
        base = ""
        if head.base_ref:
            types.append(f"$b{index}: String!")
            variables[f"b{index}"] = f"{_BRANCHES}{head.base_ref}"
            base = f"base: ref(qualifiedName: $b{index}) {{ target {{ oid }} }}"
        fields.append(
            f"h{index}: node(id: $r{index}) {{ ... on Repository {{ "
            f"head: object(oid: $s{index}) {{ ...verdicts }} {base} }} }}"
        )
    query = f"query Verdicts({', '.join(types)}) {{ {' '.join(fields)} }}{_VERDICTS}"
    return query, variables


def _is_judged(commit: Json) -> bool:
    finished = {check.name for check in checks_of(commit) if check.status == "COMPLETED"}
    return finished.issuperset(check.value for check in Check)


async def _ask(installation: Installation, query: str, variables: Mapping[str, object]) -> Answer:
    answer = await installation.graphql(query, variables)
    if any(not problem.type for problem in answer.problems):
        raise GitHubError("GraphQL answered in part, and does not say why")
    return answer
