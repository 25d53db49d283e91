"""Read a merge queue's group into a snapshot: what its base branch would become.

The group's commits are GitHub's. Which pull requests are in it is told by the name of its branch
and by the messages of the commits that the queue made; of those that are open on that base, the
words count as the group's.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.errors import GitHubError
from bot.core.model import Problem
from bot.core.report import Unread
from bot.core.repository_settings import SETTINGS_PATH, RepositorySettings
from bot.core.snapshot import ChangedFile, Commit, PullRequest, Snapshot
from bot.core.staleness import links_to_look_up
from bot.formats.differences import differences
from bot.formats.discovery import candidate_roots
from bot.github.answers import Json, child, children, graphql_actor, text
from bot.github.budget import Budget
from bot.github.comparison import Comparison, compare
from bot.github.diffs import commit_diff
from bot.github.errors import NotFound
from bot.github.first import COMMIT, REPOSITORY, commit_of, repository_of
from bot.github.installation import Answer, RepositoryAccess
from bot.github.lines import with_lines
from bot.github.published import ACTOR, CHECKS, Published
from bot.github.settings import files_of, governing, is_partial, read_settings
from bot.github.sides import Sides, incomplete, read_sides
from bot.github.snapshot import with_diff
from bot.github.standing import on_commit
from bot.github.trees import Listing, fragment, listing, missing_from, side_paths

MAX_PULLS: Final = 100  # GitHub's largest group
_PAGE: Final = 100
_PAUSES: Final = (1.0, 2.0, None)  # seconds that GitHub is given to know the commits
_PATHS: Final = (*side_paths([""], [""]), SETTINGS_PATH)

# https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
_REF: Final = re.compile(r"gh-readonly-queue/.+/pr-([1-9]\d{0,8})-[0-9a-f]{40,64}", re.ASCII)
_MERGED: Final = re.compile(r"Merge pull request #([1-9]\d{0,8})\b", re.ASCII)
_SQUASHED: Final = re.compile(r".*\(#([1-9]\d{0,8})\)\s*", re.ASCII)

_QUERY: Final = f"""
query Group(
  $owner: String!, $name: String!, $base: GitObjectID!, $head: GitObjectID!, $appId: Int!,
  $settings: String!, %s
) {{
  repository(owner: $owner, name: $name) {{
    {REPOSITORY}
    base: object(oid: $base) {{ ...paths }}
    head: object(oid: $head) {{ ...paths ...checks }}
  }}
}}
{CHECKS}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A merge queue's group, as its delivery names it."""

    base_ref: str
    base_sha: str
    head_ref: str  # the branch that the queue made; "" where it was not told
    head_sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedGroup:
    """A group as it is, what we have published on it, and the open pull requests found in it."""

    snapshot: Snapshot
    published: Published
    numbers: tuple[int, ...]


async def load_group(
    access: RepositoryAccess, group: Group, *, fingerprint_key: bytes = b""
) -> LoadedGroup:
    """Read a group. Raises NotFound when its commits are not there; RateLimited; GitHubError."""
    timing = access.installation.app.client.timing
    read_at, budget = timing.now(), Budget()
    answer, compared = await _first_wave(access, group)
    found = child(answer.data, "repository")
    rules = await governing(access, files_of(access, found))
    files, unread_lines = await with_lines(
        access, compared.listed, before=compared.before, budget=budget
    )
    known = (listing(child(found, "base"), _PATHS), listing(child(found, "head"), _PATHS))
    sides, (commits, unread_commits), pulls, proposed = await asyncio.gather(
        _sides(access, group, known, candidate_roots(files, rules.settings.stores)),
        _commits(access, compared.commits, budget),
        _pulls(access, group, numbers(group, compared.commits)),
        _proposed_settings(access, known[1], files, rules.defaults),
    )
    suspects = links_to_look_up(sides.base.stores, sides.head.stores, files)
    unread = (*(incomplete() if is_partial(answer) else ()), *compared.unread, *unread_lines)
    snapshot = Snapshot(
        repository=repository_of(found),
        pull=_as_one(group, pulls),
        files=files,
        commits=commits,
        base=sides.base,
        head=sides.head,
        differences=await asyncio.to_thread(differences, sides.base, sides.head, files),
        settings=rules.settings,
        settings_problems=rules.problems,
        owners_settings_problems=rules.owners_problems,
        proposed_settings_problems=proposed,
        gone=await missing_from(access, group.head_sha, suspects),
        unread=tuple(dict.fromkeys((*unread, *sides.unread, *unread_commits))),
        fingerprint_key=fingerprint_key,
    )
    return LoadedGroup(
        snapshot=snapshot,
        published=on_commit(found, child(found, "head"), base_ref=group.base_ref, read_at=read_at),
        numbers=tuple(pull.number for pull in pulls),
    )


def numbers(group: Group, commits: Sequence[Json]) -> tuple[int, ...]:
    """The pull requests that a group's branch and the queue's own commits name, in order.

    The queue's commits are those from the head back by first parents; what a pull request brings
    along behind a merge says nothing.
    """
    found = [int(match[1])] if (match := _REF.fullmatch(group.head_ref)) else []
    by_sha = {text(commit, "sha"): commit for commit in commits}
    commit = by_sha.pop(group.head_sha, None)
    while commit is not None:
        subject = text(child(commit, "commit"), "message").partition("\n")[0][:1000]
        if match := _MERGED.match(subject) or _SQUASHED.fullmatch(subject):
            found.append(int(match[1]))
        first = next((text(parent, "sha") for parent in children(commit, "parents")), "")
        commit = by_sha.pop(first, None)
    return tuple(sorted(set(found[:MAX_PULLS])))


async def _first_wave(access: RepositoryAccess, group: Group) -> tuple[Answer, Comparison]:
    """What can be asked for at once; asked again while GitHub does not know the commits yet."""
    timing = access.installation.app.client.timing
    for pause in _PAUSES:
        try:
            answer, compared = await asyncio.gather(
                _first(access, group), compare(access, group.base_sha, group.head_sha)
            )
        except NotFound:
            if pause is None:
                raise
            await timing.sleep(pause)
        else:
            return answer, compared
    raise NotFound(f"commit {group.head_sha[:12]} of {access.full_name}")


async def _first(access: RepositoryAccess, group: Group) -> Answer:
    identity = await access.installation.app.identity()
    text_, types, values = fragment(_PATHS)
    values |= {
        "base": group.base_sha,
        "head": group.head_sha,
        "appId": identity.app_id,
        "settings": SETTINGS_PATH,
    }
    answer = await access.query(f"{_QUERY % types}{text_}", values)
    repository = child(answer.data, "repository")
    if repository:
        access.confirm(repository)
    for name, sha in (("base", group.base_sha), ("head", group.head_sha)):
        if text(child(repository, name), "oid") != sha:
            what = f"commit {sha[:12]} of {access.full_name}"
            if is_partial(answer):
                raise GitHubError(f"GitHub did not give {what}")
            raise NotFound(what)
    return answer


async def _sides(
    access: RepositoryAccess, group: Group, known: tuple[Listing, Listing], roots: Sequence[str]
) -> Sides:
    return await read_sides(
        access,
        shas=(group.base_sha, group.head_sha),
        known=known,
        known_roots=("",),
        known_stores=("",),
        roots=roots,
    )


async def _proposed_settings(
    access: RepositoryAccess,
    head: Listing,
    files: Sequence[ChangedFile],
    defaults: RepositorySettings,
) -> tuple[Problem, ...] | None:
    """What is wrong with the group's settings file; None where it writes none."""
    if all(file.path != SETTINGS_PATH or file.status == "removed" for file in files):
        return None
    return (await read_settings(access, head.get(SETTINGS_PATH), defaults))[1]


async def _commits(
    access: RepositoryAccess, listed: Sequence[Json], budget: Budget
) -> tuple[tuple[Commit, ...], tuple[Unread, ...]]:
    """The commits with their lines. GraphQL alone says which of them GitHub itself signed."""
    shas = [text(commit, "sha") for commit in listed]
    slices = [shas[start : start + _PAGE] for start in range(0, len(shas), _PAGE)]
    read, diffs = await asyncio.gather(
        _described(access, slices),
        asyncio.gather(*(commit_diff(access, sha, budget=budget) for sha in shas)),
    )
    commits = tuple(with_diff(commit, diff) for commit, diff in zip(read, diffs, strict=True))
    return commits, tuple(one for diff in diffs for one in diff.unread)


async def _described(
    access: RepositoryAccess, slices: Sequence[Sequence[str]]
) -> tuple[Commit, ...]:
    identity = await access.installation.app.identity()
    answers = await asyncio.gather(*(_ask_for(access, shas) for shas in slices))
    found = []
    for shas, answer in zip(slices, answers, strict=True):
        for index, sha in enumerate(shas):
            commit = child(answer.data, "repository", f"c{index}")
            if text(commit, "oid") != sha:
                raise GitHubError(f"GitHub did not give commit {sha[:12]} of {access.full_name}")
            found.append(commit_of(commit, identity))
    return tuple(found)


async def _ask_for(access: RepositoryAccess, shas: Sequence[str]) -> Answer:
    types = " ".join(f"$c{index}: GitObjectID!" for index, _ in enumerate(shas))
    fields = " ".join(
        f"c{index}: object(oid: $c{index}) {{ ...commit }}" for index, _ in enumerate(shas)
    )
    query = (
        f"query Commits($owner: String!, $name: String!, {types}) "
        f"{{ repository(owner: $owner, name: $name) {{ {fields} }} }} {COMMIT}"
    )
    return await access.query(query, {f"c{index}": sha for index, sha in enumerate(shas)})


async def _pulls(
    access: RepositoryAccess, group: Group, named: Sequence[int]
) -> tuple[PullRequest, ...]:
    """Those of the named pull requests that are open on the group's base: only they can be in."""
    if not named:
        return ()
    fields = " ".join(
        f"p{each}: pullRequest(number: {each}) "
        "{ number title body state baseRefName headRefOid author { ...actor } }"
        for each in named
    )
    query = (
        "query GroupPulls($owner: String!, $name: String!) "
        f"{{ repository(owner: $owner, name: $name) {{ {fields} }} }} {ACTOR}"
    )
    answer = await access.query(query, {})
    if answer.is_partial:
        raise GitHubError(f"GitHub did not give all pull requests of {access.full_name}")
    return tuple(_open_on(group, child(answer.data, "repository"), named))


def _open_on(
    group: Group, found: Mapping[str, object], named: Sequence[int]
) -> Iterator[PullRequest]:
    for each in named:
        pull = child(found, f"p{each}")
        if text(pull, "state") == "OPEN" and text(pull, "baseRefName") == group.base_ref:
            yield PullRequest(
                number=each,
                title=text(pull, "title"),
                body=text(pull, "body"),
                author=graphql_actor(child(pull, "author")),
                base_ref=group.base_ref,
                base_sha=group.base_sha,
                head_ref=group.head_ref,
                head_sha=group.head_sha,
            )


def _as_one(group: Group, pulls: Sequence[PullRequest]) -> PullRequest:
    """The group as if it were a pull request, with the words of all that are in it.

    Of several, each commit speaks for itself: none of their authors opened the others.
    """
    if len(pulls) == 1:
        return replace(pulls[0], number=0)
    return PullRequest(
        number=0,
        title="; ".join(pull.title for pull in pulls),
        body="\n\n".join(pull.body for pull in pulls),
        author=None,
        base_ref=group.base_ref,
        base_sha=group.base_sha,
        head_ref=group.head_ref,
        head_sha=group.head_sha,
    )
