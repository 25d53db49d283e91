"""Where the files of stores lie in the trees of base and head: paths, object ids, no contents."""

import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.snapshot import ChangedFile
from bot.formats import FORMATS
from bot.github.answers import Json, child, children, number, text
from bot.github.installation import RepositoryAccess

MAX_ROOTS: Final = 100  # that are asked for one by one; beyond, whole trees are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of a tree."""

    path: str
    oid: str
    size: int  # bytes
    is_symlink: bool = False


Listing = Mapping[str, Entry]  # path -> file

ENTRY: Final = """
fragment entry on TreeEntry {
  mode type oid size
  object { ... on Tree { entries {
    name mode type oid size
    object { ... on Tree { entries { name mode type oid size } } }
  } } }
}
"""


def candidate_roots(files: Iterable[ChangedFile], named: Iterable[str]) -> tuple[str, ...]:
    """Where a store may stand: at the root, where settings say, above any changed path.

    Not inside a store: what changes there is the store's own.
    """
    found = {"", *(root.strip("/") for root in named)}
    for file in files:
        for path in (file.path, file.previous_path or ""):
            parent = path.rpartition("/")[0]
            while parent not in found:
                found.add(parent)
                parent = parent.rpartition("/")[0]
    inside = tuple(f"/{folder}/" for folder in store_paths([""]))
    return tuple(
        sorted(root for root in found if not any(folder in f"/{root}/" for folder in inside))
    )


def store_paths(roots: Iterable[str]) -> tuple[str, ...]:
    """The directories of stores at these roots, of all formats."""
    found = (path for root in roots for format_ in FORMATS for path in format_.directories(root))
    return tuple(dict.fromkeys(found))


def agent_paths(roots: Iterable[str]) -> tuple[str, ...]:
    """The generated files beside stores at these roots, of all formats."""
    names = tuple(dict.fromkeys(name for format_ in FORMATS for name in format_.AGENT_FILES))
    return tuple(f"{root}/{name}".lstrip("/") for root in roots for name in names)


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
) -> tuple[Listing, ...]:
    """Look paths up in the trees of some commits, in one request."""
    text_, types, values = fragment(paths)
    fields = " ".join(f"c{index}: object(oid: $c{index}) {{ ...paths }}" for index in _range(shas))
    shas_types = " ".join(f"$c{index}: GitObjectID!" for index in _range(shas))
    query = (
        f"query Trees($owner: String!, $name: String!, {shas_types} {types}) "
        f"{{ repository(owner: $owner, name: $name) {{ {fields} }} }} {text_}"
    )
    values |= {f"c{index}": sha for index, sha in enumerate(shas)}
    data = (await access.query(query, values)).data
    return tuple(listing(child(data, "repository", f"c{index}"), paths) for index in _range(shas))


async def whole_tree(access: RepositoryAccess, sha: str) -> tuple[Listing, bool]:
    """All files of a commit, and whether the list is complete (GitHub stops at 100,000)."""
    data = (await access.get(f"/git/trees/{sha}", recursive=1)).data
    found = {
        text(item, "path"): Entry(
            path=text(item, "path"),
            oid=text(item, "sha"),
            size=number(item, "size"),
            is_symlink=text(item, "mode") == "120000",
        )
        for item in children(data, "tree")
        if text(item, "type") == "blob"
    }
    return found, child(data).get("truncated") is not True


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
