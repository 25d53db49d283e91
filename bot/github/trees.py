"""Where the files of stores lie in the trees of base and head: paths, object ids, no contents."""

import asyncio
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.errors import GitHubError
from bot.core.secrets import IGNORE_PATH
from bot.formats import FORMATS
from bot.formats.discovery import may_be_memory
from bot.formats.jumpybrain.layout import may_be_of_a_root
from bot.github.answers import Json, child, children, number, text
from bot.github.errors import NotFound
from bot.github.installation import RepositoryAccess

_PATHS: Final = 120  # of one request
_DEPTH: Final = 2  # directories that one answer goes into below a path
_MAX_ROUNDS: Final = 5  # of requests one after the other; each goes so much deeper
MAX_DEEPER: Final = 600  # directories of a round
MAX_FOLDERS: Final = 60  # that are asked for at once because they are known
MAX_ROOTS: Final = 100  # that are asked for one by one; beyond, whole trees are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of a tree."""

    path: str
    oid: str
    size: int  # bytes
    is_symlink: bool = False
    is_beyond: bool = False  # there is too much to read it too
    is_unopened: bool = False  # a directory that one answer does not go into; in no listing


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
    """Where the marks of stores at these roots would be, of all formats."""
    found = (path for root in roots for format_ in FORMATS for path in format_.marks(root))
    return tuple(dict.fromkeys(found))


def agent_paths(roots: Iterable[str]) -> tuple[str, ...]:
    """The generated files beside stores at these roots, of all formats."""
    names = tuple(dict.fromkeys(name for format_ in FORMATS for name in format_.AGENT_FILES))
    return tuple(f"{root}/{name}".lstrip("/") for root in roots for name in names)


def side_paths(
    roots: Iterable[str], stores: Iterable[str], folders: Iterable[str] = ()
) -> tuple[str, ...]:
    """What is looked up on both sides at once: stores at roots, files beside stores, marks.

    folders: of stores, where some are known already.
    """
    return (*store_paths(roots), *folders, *agent_paths(stores), IGNORE_PATH)


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
    return {entry.path: entry for entry in _entries(commit, paths) if not entry.is_unopened}


def unopened(commit: Json, paths: Sequence[str]) -> frozenset[str]:
    """Directories in which documents may lie below the paths of a fragment, too deep for it."""
    return frozenset(
        entry.path
        for entry in _entries(commit, paths)
        if entry.is_unopened and may_be_of_a_root(f"{entry.path}/x.md")
    ).difference(paths)


def opened(folder: str, paths: Iterable[str]) -> tuple[str, ...]:
    """The directories at and below one that must be looked up for files at some paths to show."""
    prefix = f"{folder}/"
    found = {folder: None}
    for path in paths:
        if path.startswith(prefix):
            parts = path.removeprefix(prefix).split("/")
            for depth in range(_DEPTH, len(parts), _DEPTH):
                found.setdefault(prefix + "/".join(parts[:depth]))
    return tuple(found)


def _entries(commit: Json, paths: Sequence[str]) -> Iterator[Entry]:
    for index, path in enumerate(paths):
        yield from _walk(path, child(commit, f"p{index}"))


async def look_up(
    access: RepositoryAccess, shas: Sequence[str], paths: Sequence[str]
) -> tuple[tuple[Listing, ...], bool]:
    """Look paths up in the trees of some commits; raises NotFound for a commit.

    Gives the files of each commit, and whether the lists are complete: GitHub may answer in part.
    Takes one request, or several at once for more paths than GitHub answers in its ten seconds;
    and others for documents that lie deeper below a path than one answer shows.
    """
    merged: list[dict[str, Entry]] = [{} for _ in shas]
    is_complete = True
    for _ in range(_MAX_ROUNDS):
        slices = [paths[start : start + _PATHS] for start in range(0, len(paths), _PATHS)]
        found = await asyncio.gather(*(_look_up(access, shas, some) for some in slices))
        deeper: set[str] = set()
        for commits, complete in found:
            is_complete = is_complete and complete
            for whole, commit in zip(merged, commits, strict=True):
                whole |= {entry.path: entry for entry in commit if not entry.is_unopened}
                deeper.update(entry.path for entry in commit if entry.is_unopened)
        paths = sorted(path for path in deeper if may_be_of_a_root(f"{path}/x.md"))
        if not paths:
            return tuple(merged), is_complete
        if len(paths) > MAX_DEEPER:
            break
    return tuple(merged), False


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
) -> tuple[tuple[tuple[Entry, ...], ...], bool]:
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
    found = tuple(tuple(_entries(commit, paths)) for commit in commits)
    return found, not answer.is_partial


def _may_concern_a_store(path: str) -> bool:
    return f"/{path}".endswith(_AGENT_FILES) or may_be_memory(path)


def _walk(path: str, entry: Json) -> Iterator[Entry]:
    """The files at and below an entry; what a symlink or a submodule points to is not followed."""
    if text(entry, "type") == "blob":
        yield Entry(
            path=path,
            oid=text(entry, "oid"),
            size=number(entry, "size"),
            is_symlink=stat.S_ISLNK(number(entry, "mode")),
        )
    if text(entry, "type") == "tree" and not child(entry, "object"):
        yield Entry(path=path, oid=text(entry, "oid"), size=0, is_unopened=True)
    for below in children(entry, "object", "entries"):
        yield from _walk(f"{path}/{text(below, 'name')}", below)


def _range(items: Sequence[str]) -> range:
    return range(len(items))
