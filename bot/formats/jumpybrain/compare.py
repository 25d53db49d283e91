"""A memory root before and after a change (spec/jumpybrain.md, "On pull requests").

Only documents that the change touches are looked at, and none of a root that cannot be read.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.core.model import MemoryStore, Problem, Severity
from bot.core.snapshot import ChangedFile
from bot.formats.jumpybrain.changes import derived_state, protected_changes
from bot.formats.jumpybrain.document import Document, readable

_GONE: Final = frozenset({"removed", "renamed"})
_HARMLESS: Final = "bad-index-root"  # of jumpybrain.json: the documents are read all the same


def compare(
    before: MemoryStore | None, after: MemoryStore | None, files: Sequence[ChangedFile]
) -> tuple[Problem, ...]:
    """What a change must not do to a root, and documents that it deletes (a warning).

    before, after: the store, None where there is none. Rules beyond those of changes.py:
    `root-removed`, `root-moved`, `document-removed`.
    """
    found: list[Problem] = []
    if after is not None:
        paths = [file.path for file in files if file.status != "removed"]
        found += derived_state(_folder(after), paths)
    if before is not None and after is None:
        found += _root_removed(before, files)
    elif before is not None and after is not None and before.config != after.config:
        message = (
            f"Documents are read beside this file from now on, and no more beside {before.config}, "
            "which stays. Keep one of the two."
        )
        found.append(Problem(path=after.config, rule="root-moved", message=message))
    elif before is not None and after is not None and _is_read(before) and _is_read(after):
        found += _documents(before, after, files)
    return tuple(sorted(found))


def _root_removed(before: MemoryStore, files: Sequence[ChangedFile]) -> Iterator[Problem]:
    """That nothing is memory any more; no fault where all documents go as well."""
    gone = {file.paths[-1] for file in files if file.status in _GONE}
    if before.config not in gone:
        return  # what the base has gained meanwhile
    stays = [path for path in before.files if path not in gone]
    message = (
        f"Without this file {stays[0]} and all other documents beside it are no memory. Put it back."
        if stays
        else "The project memory here is taken away, with all its documents."
    )
    severity = Severity.ERROR if stays else Severity.WARNING
    yield Problem(path=before.config, rule="root-removed", message=message, severity=severity)


def _is_read(store: MemoryStore) -> bool:
    """Whether a root is compatible, so that its documents are known."""
    return all(one.path != store.config or one.rule == _HARMLESS for one in store.problems)


def _documents(
    before: MemoryStore, after: MemoryStore, files: Sequence[ChangedFile]
) -> Iterator[Problem]:
    touched = [file for file in files if file.path in after.files or file.paths[-1] in before.files]
    # Where no line goes, what the head lacks is what the base has gained meanwhile.
    paths = [one.paths[-1] for one in touched if one.status in _GONE or one.removed != 0]
    was = _read(before, paths)
    now = _read(after, [file.path for file in touched])
    renames = {file.path: file.paths[-1] for file in touched if file.status == "renamed"}
    yield from protected_changes(was, now, renames=renames)
    ids = {document.id for document in now}
    gone = {file.path for file in touched if file.status == "removed"}
    for document in was:
        if document.path in gone and document.id not in ids:
            yield Problem(
                path=document.path,
                rule="document-removed",
                message=f"{document.shown_title} is deleted, and by its id nothing is found.",
                severity=Severity.WARNING,
            )


def _read(store: MemoryStore, paths: Iterable[str]) -> tuple[Document, ...]:
    """The documents at some paths, as far as they are there and can be read."""
    files = (store.files[path] for path in paths if path in store.files)
    return readable(files, _folder(store))[0]


def _folder(store: MemoryStore) -> str:
    """The memory root."""
    return store.config.rpartition("/")[0]
