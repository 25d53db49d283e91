"""The files that differ between two commits, by their trees: for more than GitHub lists.

A tree tells paths, object ids and sizes, but no patches, and GitHub stops at 100,000 files.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.github.answers import child, children, number, text
from bot.github.installation import RepositoryAccess
from bot.github.listed import ListedFile, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class _TreeFile:
    oid: str
    size: int
    is_submodule: bool


async def differing(
    access: RepositoryAccess, before: str | None, after: str
) -> tuple[tuple[ListedFile, ...], bool]:
    """Every file that came, went, changed or moved as it is, and whether these are all.

    before: the commit to compare with; None where every file is new. Raises NotFound, GitHubError.
    """
    (old, is_whole), (new, also_whole) = await asyncio.gather(
        _tree(access, before), _tree(access, after)
    )
    return tuple(_differing(old, new)), is_whole and also_whole


def completed(listed: Sequence[ListedFile], found: Sequence[ListedFile]) -> tuple[ListedFile, ...]:
    """The files that GitHub listed, and of those found in trees the ones that it did not.

    GitHub also knows a file that was changed when it was moved. In the trees its old name is gone.
    """
    known = {path for file in listed for path in {file.path, file.old_path}}
    return (*listed, *(file for file in found if file.path not in known))


async def _tree(access: RepositoryAccess, sha: str | None) -> tuple[Mapping[str, _TreeFile], bool]:
    """All files of a commit, and whether GitHub listed all."""
    if sha is None:
        return {}, True
    data = (await access.get(f"/git/trees/{sha}", recursive=1)).data
    found = {
        text(item, "path"): _TreeFile(
            oid=text(item, "sha"),
            size=number(item, "size"),
            is_submodule=text(item, "type") == "commit",
        )
        for item in children(data, "tree")
        if text(item, "type") in {"blob", "commit"}
    }
    return found, child(data).get("truncated") is not True


def _differing(old: Mapping[str, _TreeFile], new: Mapping[str, _TreeFile]) -> Iterator[ListedFile]:
    gone = {old[path].oid: path for path in sorted(old.keys() - new.keys(), reverse=True)}
    moved = set()
    for path, file in sorted(new.items()):
        known = old.get(path)
        if known is not None and known.oid == file.oid:
            continue
        origin = gone.get(file.oid) if known is None else None
        if origin is not None and origin not in moved:
            moved.add(origin)
            yield _listed(path, file, "renamed", previous_path=origin)
        else:
            yield _listed(path, file, "added" if known is None else "modified")
    for path in sorted(old.keys() - new.keys() - moved):
        yield _listed(path, old[path], "removed")


def _listed(
    path: str, file: _TreeFile, status: Status, *, previous_path: str | None = None
) -> ListedFile:
    """A submodule has no contents here: without an object id none are asked for."""
    return ListedFile(
        path=path,
        status=status,
        previous_path=previous_path,
        oid="" if file.is_submodule else file.oid,
        size=file.size,
        patch=None,
    )
