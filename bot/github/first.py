"""The one GraphQL request that a reading begins with: all that can be asked for at once.

Trees come as paths and object ids only; contents are asked for afterwards, as far as they are new.
The head is asked for by the sha that the delivery named, or by the ref that GitHub keeps for every
pull request, forks included. Never by the merge ref: it lags, and is gone when there is a conflict.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.errors import GitHubError
from bot.core.repository_settings import SETTINGS_PATH
from bot.core.snapshot import Commit, PullRequest, Repository
from bot.github.answers import (
    Json,
    child,
    children,
    commit_author,
    graphql_actor,
    number,
    text,
    text_or_none,
)
from bot.github.installation import RepositoryAccess
from bot.github.own_commits import OWN_COMMIT, is_ours
from bot.github.published import (
    ACTOR,
    CHECKS,
    COMMENT,
    Published,
    checks_of,
    find_comments,
    ours,
    shared_with,
)
from bot.github.settings import SETTINGS, SettingsFiles, files_of, is_partial
from bot.github.tokens import Identity
from bot.github.trees import Listing, fragment, listing, unopened

MAX_COMMITS: Final = 1000  # of one pull request
# Of a repository, in a query with the variable $settings.
REPOSITORY: Final = f"id databaseId nameWithOwner isPrivate url {SETTINGS}"
COMMIT: Final = f"""
fragment commit on Commit {{
  oid message author {{ name email user {{ __typename login databaseId }} }} ...ownCommit
}}
{OWN_COMMIT}"""
_COMMITS: Final = f"""
fragment commits on PullRequestCommitConnection {{
  totalCount pageInfo {{ hasNextPage endCursor }} nodes {{ commit {{ ...commit }} }}
}}
{COMMIT}"""
_QUERY: Final = """
query PullRequest(
  $owner: String!, $name: String!, $number: Int!, $head: String!, $appId: Int!,
  $settings: String!, %(types)s
) {
  repository(owner: $owner, name: $name) {
    %(repository)s
    head: object(expression: $head) { ...paths ...checks }
    pullRequest(number: $number) {
      id number title body state isDraft isCrossRepository locked changedFiles mergeable
      baseRefName baseRefOid headRefName headRefOid
      author { ...actor }
      headRepository { id nameWithOwner }
      baseRef { target { ...paths } }
      commits(first: 100) { ...commits }
      %(comments)s
    }
  }
  %(comment)s
}
"""
_LISTED: Final = "comments(first: 100) { pageInfo { hasNextPage endCursor } nodes { ...comment } }"
_KNOWN: Final = "node(id: $comment) { ...comment }"
_MORE_COMMITS: Final = """
query MoreCommits($pull: ID!, $after: String!) {
  node(id: $pull) { ... on PullRequest { commits(first: 100, after: $after) { ...commits } } }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """What the first request brought."""

    repository: Repository
    pull: PullRequest
    published: Published
    commits: tuple[Commit, ...]  # the oldest first, without lines
    total_commits: int
    changed_files: int
    settings: SettingsFiles
    base: Listing | None  # None where the branch is gone: ask for the commit
    head: Listing | None  # None where another commit was asked for than the head is
    unopened: frozenset[str]  # directories below the paths, deeper than those listings go
    at_ref: str | None  # the head as git has it, where it was asked for by its ref
    is_partial: bool  # GitHub left something out, and did not say that it does not exist


async def read_first(
    access: RepositoryAccess,
    number_: int,
    *,
    head: str | None,
    paths: Sequence[str],
    comment: str | None,
) -> First | None:
    """Ask for a pull request; None where GitHub does not know it (yet).

    head: the sha to look for. paths: what to look up in base and head. comment: node id of ours.
    """
    app = access.installation.app
    read_at, identity = app.client.timing.now(), await app.identity()
    text_, types, values = fragment(paths)
    query = _QUERY % {
        "repository": REPOSITORY,
        "types": f"{types} $comment: ID!" if comment else types,
        "comments": "" if comment else _LISTED,
        "comment": _KNOWN if comment else "",
    }
    values |= {
        "number": number_,
        "head": head or f"refs/pull/{number_}/head",
        "appId": identity.app_id,
        "settings": SETTINGS_PATH,
    }
    if comment:
        values["comment"] = comment
    answer = await access.query(f"{query}{text_}{ACTOR}{COMMENT}{CHECKS}{_COMMITS}", values)
    repository = child(answer.data, "repository")
    if repository:
        access.confirm(repository)
    pull = child(repository, "pullRequest")
    if not pull:
        if is_partial(answer):
            raise GitHubError(f"GitHub did not give pull request {number_} of {access.full_name}")
        return None
    head_sha = text(pull, "headRefOid")
    at_head = child(repository, "head")
    found_head = text(at_head, "oid") == head_sha
    at_base = child(pull, "baseRef", "target")
    if comment:
        comments = ours([child(answer.data, "node")], identity)
    else:
        comments = await find_comments(access, pull, identity)
    parsed = _pull(pull, base_sha=text(at_base, "oid") or text(pull, "baseRefOid"))
    commits = await _all_commits(access, pull, identity)
    return First(
        repository=repository_of(repository),
        pull=parsed,
        published=Published(
            repository_id=number(repository, "databaseId"),
            repository_node=text(repository, "id"),
            pull_node=text(pull, "id"),
            number=number_,
            base_ref=parsed.base_ref,
            head_sha=head_sha,
            shared_with=shared_with(at_head, number_, head_sha) if found_head else (),
            is_locked=pull.get("locked") is True,
            comment=next(iter(comments), None),
            doubled=comments[1:],
            checks=checks_of(at_head) if found_head else (),
            read_at=read_at,
        ),
        commits=commits,
        total_commits=number(child(pull, "commits"), "totalCount"),
        changed_files=number(pull, "changedFiles"),
        settings=files_of(access, repository),
        base=listing(at_base, paths) if at_base else None,
        head=listing(at_head, paths) if found_head else None,
        unopened=unopened(at_base, paths) | unopened(at_head, paths),
        at_ref=None if head else text_or_none(at_head, "oid"),
        is_partial=is_partial(answer),
    )


def repository_of(value: Json) -> Repository:
    """A repository with the fields of REPOSITORY."""
    return Repository(
        id=number(value, "databaseId"),
        full_name=text(value, "nameWithOwner"),
        default_branch=text(child(value, "defaultBranchRef"), "name"),
        private=value.get("isPrivate") is True,
        url=text(value, "url").rstrip("/"),
    )


def _pull(value: Json, *, base_sha: str) -> PullRequest:
    in_same_repository = value.get("isCrossRepository") is False
    return PullRequest(
        number=number(value, "number"),
        title=text(value, "title"),
        body=text(value, "body"),
        author=graphql_actor(child(value, "author")),
        base_ref=text(value, "baseRefName"),
        base_sha=base_sha,
        head_ref=text(value, "headRefName"),
        head_sha=text(value, "headRefOid"),
        head_repository=text(child(value, "headRepository"), "nameWithOwner"),
        is_fork=not in_same_repository or not child(value, "headRepository"),
        is_draft=value.get("isDraft") is True,
        is_open=text(value, "state") == "OPEN",
        is_merged=text(value, "state") == "MERGED",
        merges=text(value, "mergeable") == "MERGEABLE",
    )


async def _all_commits(
    access: RepositoryAccess, pull: Json, identity: Identity
) -> tuple[Commit, ...]:
    page = child(pull, "commits")
    commits = [
        commit_of(child(node, "commit"), identity)
        for node in children(page, "nodes")
        if child(node, "commit")
    ]
    while child(page, "pageInfo").get("hasNextPage") is True and len(commits) < MAX_COMMITS:
        after = text(child(page, "pageInfo"), "endCursor")
        variables = {"pull": text(pull, "id"), "after": after}
        answer = await access.installation.graphql(f"{_MORE_COMMITS}{_COMMITS}", variables)
        page = child(answer.data, "node", "commits")
        commits += [
            commit_of(child(node, "commit"), identity)
            for node in children(page, "nodes")
            if child(node, "commit")
        ]
    return tuple(commits)


def commit_of(commit: Json, identity: Identity) -> Commit:
    """A commit with the fields of COMMIT, without lines."""
    author = child(commit, "author")
    return Commit(
        sha=text(commit, "oid"),
        message=text(commit, "message"),
        author=commit_author(author),
        author_name=text(author, "name"),
        author_email=text(author, "email"),
        committer=commit_author(child(commit, "committer")),
        is_ours=is_ours(commit, identity),
    )
