"""Where the files of stores lie in the trees of base and head: paths, object ids, no contents."""

import asyncio
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.errors import GitHubError
from bot.core.secrets import IGNORE_PATH
from bot.formats import FORMATS
from bot.formats.discovery import is_inside_a_store
from bot.github.answers import Json, child, children, number, text
from bot.github.errors import NotFound
from bot.github.installation import RepositoryAccess

_PATHS: Final = 120  # of one request
MAX_ROOTS: Final = 100  # that are asked for one by one; beyond, whole trees are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of a tree."""

    path: str
    oid: str
    size: int  # bytes
    is_symlink: bool = False
    is_beyond: bool = False  # there is too much to read it too


Listing = Mapping[str, Entry]  # path -> file

_AGENT_FILES: Final = tuple(f"/{name}" for format_ in FORMATS for name in format_.AGENT_FILES)

ENTRY: Final = """
fragment entry on TreeEntry {
  mode type oid size
  object { ... on Tree { entries {
    name mode type oid size
    object { ... on Tree { entries { name mode type oid size } } }
  } } }
}
"""


def store_paths(roots: Iterable[str]) -> tuple[str, ...]:
    """The directories of stores at these roots, of all formats."""
    found = (path for root in roots for format_ in FORMATS for path in format_.directories(root))
    return tuple(dict.fromkeys(found))


def agent_paths(roots: Iterable[str]) -> tuple[str, ...]:
    """The generated files beside stores at these roots, of all formats."""
    names = tuple(dict.fromkeys(name for format_ in FORMATS for name in format_.AGENT_FILES))
    return tuple(f"{root}/{name}".lstrip("/") for root in roots for name in names)


def side_paths(roots: Iterable[str], stores: Iterable[str]) -> tuple[str, ...]:
    """What is looked up on both sides at once: stores at roots, files beside stores, marks."""
    return (*store_paths(roots), *agent_paths(stores), IGNORE_PATH)


def fragment(paths: Sequence[str]) -> tuple[str, str, dict[str, object]]:
    """A fragment "paths" on Commit that looks paths up; its variables' types, and their values.

    Paths travel as variables: they come from a pull request and are hostile.
    """
    fields = " ".join(f"p{index}: file(path: $p{index}) {{ ...entry }}" for index in _range(paths))
    types = " ".join(f"$p{index}: String!" for index in _range(paths))
    text_ = f"fragment paths on Commit {{ oid {fields} }}{ENTRY if paths else ''}"
    return text_, types, {f"p{index}": path for index, path in enumerate(paths)}


def listing(commit: Json, paths: Sequence[str]) -> Listing:
    """The files that a commit has at and below the paths of its fragment."""
    found: dict[str, Entry] = {}
    for index, path in enumerate(paths):
        found |= {entry.path: entry for entry in _walk(path, child(commit, f"p{index}"))}
    return found


async def look_up(
    access: RepositoryAccess, shas: Sequence[str], paths: Sequence[str]
) -> tuple[tuple[Listing, ...], bool]:
    """Look paths up in the trees of some commits; raises NotFound for a commit.

    Gives the files of each commit, and whether the lists are complete: GitHub may answer in part.
    Takes one request, or several at once for more paths than GitHub answers in its ten seconds.
    """
    slices = [paths[start : start + _PATHS] for start in range(0, len(paths), _PATHS)]
    found = await asyncio.gather(*(_look_up(access, shas, some) for some in slices))
    merged: list[dict[str, Entry]] = [{} for _ in shas]
    for listings, _ in found:
        for whole, part in zip(merged, listings, strict=True):
            whole.update(part)
    return tuple(merged), all(complete for _, complete in found)


async def missing_from(access: RepositoryAccess, sha: str, paths: Sequence[str]) -> frozenset[str]:
    """Those of some paths at which a commit has neither a file nor a directory.

    Where GitHub answers in part nothing is said to be missing.
    """
    some = paths[:_PATHS]
    if not some:
        return frozenset()
    types = " ".join(f"$p{index}: String!" for index in _range(some))
    fields = " ".join(f"p{index}: file(path: $p{index}) {{ oid }}" for index in _range(some))
    query = (
        f"query Links($owner: String!, $name: String!, $sha: GitObjectID!, {types}) "
        "{ repository(owner: $owner, name: $name) { object(oid: $sha) { ... on Commit { "
        f"oid {fields} }} }} }} }}"
    )
    values = {f"p{index}": path for index, path in enumerate(some)}
    answer = await access.query(query, {"sha": sha, **values})
    commit = child(answer.data, "repository", "object")
    if answer.is_partial or not commit:
        return frozenset()
    return frozenset(p for index, p in enumerate(some) if not child(commit, f"p{index}"))


async def whole_tree(access: RepositoryAccess, sha: str) -> tuple[Listing, bool]:
    """All files of a commit that may concern a store, wherever it stands.

    Gives also whether the list is complete: GitHub stops at 100,000 files.
    """
    data = (await access.get(f"/git/trees/{sha}", recursive=1)).data
    found = {
        text(item, "path"): Entry(
            path=text(item, "path"),
            oid=text(item, "sha"),
            size=number(item, "size"),
            is_symlink=text(item, "mode") == "120000",
        )
        for item in children(data, "tree")
        if text(item, "type") == "blob" and _may_concern_a_store(text(item, "path"))
    }
    return found, child(data).get("truncated") is not True


async def _look_up(
    access: RepositoryAccess, shas: Sequence[str], paths: Sequence[str]
) -> tuple[tuple[Listing, ...], bool]:
    text_, types, values = fragment(paths)
    fields = " ".join(f"c{index}: object(oid: $c{index}) {{ ...paths }}" for index in _range(shas))
    shas_types = " ".join(f"$c{index}: GitObjectID!" for index in _range(shas))
    query = (
        f"query Trees($owner: String!, $name: String!, {shas_types} {types}) "
        f"{{ repository(owner: $owner, name: $name) {{ {fields} }} }} {text_}"
    )
    values |= {f"c{index}": sha for index, sha in enumerate(shas)}
    answer = await access.query(query, values)
    commits = [child(answer.data, "repository", f"c{index}") for index in _range(shas)]
    for sha, commit in zip(shas, commits, strict=True):
        if not commit:  # else a side would silently be without memories
            if answer.is_partial:
                raise GitHubError(f"GitHub did not give commit {sha[:12]} of {access.full_name}")
            raise NotFound(f"commit {sha[:12]} of {access.full_name}")
    return tuple(listing(commit, paths) for commit in commits), not answer.is_partial


def _may_concern_a_store(path: str) -> bool:
    return f"/{path}".endswith(_AGENT_FILES) or is_inside_a_store(path)


def _walk(path: str, entry: Json) -> Iterator[Entry]:
    """The files at and below an entry; what a symlink or a submodule points to is not followed."""
    if text(entry, "type") == "blob":
        yield Entry(
            path=path,
            oid=text(entry, "oid"),
            size=number(entry, "size"),
            is_symlink=stat.S_ISLNK(number(entry, "mode")),
        )
    for below in children(entry, "object", "entries"):
        yield from _walk(f"{path}/{text(below, 'name')}", below)


def _range(items: Sequence[str]) -> range:
    return range(len(items))
