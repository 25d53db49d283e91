"""From a store as a commit has it to the files that plans work on, and back to edits."""

from collections.abc import Mapping

from bot.core.edit_plan import FileEdit
from bot.core.model import MemoryStore
from bot.formats.jumpybrain.layout import relative, within
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.store import folder_of, incompatible


def contents(store: MemoryStore) -> dict[str, bytes]:
    """The documents that were read, by their paths from the memory root.

    Raises Refused where the root is not compatible, as a plan on its jumpybrain.json would.
    """
    if (problem := incompatible(store)) is not None:
        raise Refused(problem.rule, f"{store.config}: {problem.message}")
    folder = folder_of(store)
    return {
        relative(folder, path) or path: file.data
        for path, file in store.files.items()
        if file.data is not None and not file.is_symlink
    }


def edits(store: MemoryStore, files: Mapping[str, bytes]) -> tuple[FileEdit, ...]:
    """Planned files as edits, by path. files: by their paths from the memory root."""
    folder = folder_of(store)
    planned = {within(folder, place): data for place, data in sorted(files.items())}
    return tuple(
        FileEdit(
            path=path,
            data=data,
            expected_oid=store.files[path].oid if path in store.files else None,
        )
        for path, data in planned.items()
    )
