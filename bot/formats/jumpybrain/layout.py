"""Where the files of a memory root lie (spec/jumpybrain.md, "Layout").

A memory root is a folder with a `jumpybrain.json`. In a repository it is a store of the folder that
its documents are about: a root named `memory` belongs to the folder that it stands in, any other to
itself. That is how the format's program looks for one: here first, then in `memory/`.
"""

from collections.abc import Mapping
from typing import Final

CONFIG: Final = "jumpybrain.json"
MEMORY: Final = "memory"  # the usual name of a root
DERIVED: Final = ".jumpybrain"  # can be made anew, so it is no memory
TYPE_OF: Final[Mapping[str, str]] = {
    "notes": "note",
    "sessions": "session",
    "findings": "finding",
    "decisions": "decision",
    "preferences": "preference",
    "pages": "page",
}  # by bucket, in the order in which `init` makes them
BUCKET_OF: Final[Mapping[str, str]] = {type_: bucket for bucket, type_ in TYPE_OF.items()}
SKIPPED: Final = frozenset(
    {".git", DERIVED, ".qmd", "node_modules", "dist", "build", "logs", "reports"}
)  # folders in which nothing counts as a document

_SUFFIX: Final = ".md"


def folders(root: str) -> tuple[str, ...]:
    """Where the memory root of a store may be, the first one that is there; from the repository."""
    below = within(root, MEMORY)
    return (below,) if root.rpartition("/")[2] == MEMORY else (root, below)


def governed(folder: str) -> str:
    """The root of the store that a memory root is, so that folders(governed(x)) holds x."""
    above, _, name = folder.rpartition("/")
    return above if name == MEMORY else folder


def within(folder: str, path: str) -> str:
    """A path in a folder; "" is the repository itself."""
    return f"{folder}/{path}" if folder else path


def relative(folder: str, path: str) -> str | None:
    """A path as seen from a folder; None for one that is not in it."""
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else None


def bucket_of(path: str) -> str | None:
    """The bucket of a document, by its path from the memory root; None for any other file."""
    bucket, *above, name = path.split("/") if "/" in path else ("", path)
    is_markdown = name[-3:].lower() == _SUFFIX and len(name) > len(_SUFFIX)
    return bucket if is_markdown and bucket in TYPE_OF and SKIPPED.isdisjoint(above) else None


def is_document(folder: str, path: str) -> bool:
    """Whether path, from the repository's root, names a document of the memory root at folder."""
    inner = relative(folder, path)
    return inner is not None and bucket_of(inner) is not None


def is_derived(folder: str, path: str) -> bool:
    """Whether path, from the repository's root, is derived state of the memory root at folder."""
    inner = relative(folder, path)
    return inner is not None and inner.partition("/")[0] == DERIVED


def is_indexed(path: str) -> bool:
    """Whether the index covers a file, by its path from the index root."""
    *above, name = path.split("/")
    return name[-3:].lower() == _SUFFIX and SKIPPED.isdisjoint(above)


def may_be_of_a_root(path: str) -> bool:
    """Whether a file may make a memory root or be a document of one, wherever that is."""
    *above, name = path.split("/")
    return name == CONFIG or (name[-3:].lower() == _SUFFIX and not TYPE_OF.keys().isdisjoint(above))
