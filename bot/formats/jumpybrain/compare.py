"""A memory root before and after a change (spec/jumpybrain.md, "On pull requests").

Only documents that the change touches are looked at, and none of a root that cannot be read.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.core.model import MemoryStore, Problem, Severity
from bot.core.snapshot import ChangedFile
from bot.formats.jumpybrain import frontmatter
from bot.formats.jumpybrain.changes import derived_state, protected_changes
from bot.formats.jumpybrain.document import Document, readable
from bot.formats.jumpybrain.store import folder_of, incompatible

_GONE: Final = frozenset({"removed", "renamed"})


def compare(
    before: MemoryStore | None, after: MemoryStore | None, files: Sequence[ChangedFile]
) -> tuple[Problem, ...]:
    """What a change must not do to a root, and as warnings what it does to reviewed documents.

    before, after: the store, None where there is none. Rules beyond those of changes.py:
    `root-removed` and `root-moved`, faults where documents stay behind; `document-removed` and
    `draft-again`.
    """
    found: list[Problem] = []
    if after is not None:
        paths = [file.path for file in files if file.status != "removed"]
        found += derived_state(folder_of(after), paths)
    if before is None:
        pass  # all of it is new
    elif after is None or before.config != after.config:
        found += _root_gone(before, after, files)
    elif not (incompatible(before) or incompatible(after)):
        found += _documents(before, after, files)
    return tuple(sorted(found))


def _root_gone(
    before: MemoryStore, after: MemoryStore | None, files: Sequence[ChangedFile]
) -> Iterator[Problem]:
    """That what was memory is none any more; no fault where no document of it stays."""
    touched = {path for file in files for path in file.paths}
    if touched.isdisjoint({before.config, after.config if after else ""}):
        return  # what the base has gained meanwhile
    gone = {file.paths[-1] for file in files if file.status in _GONE}
    stays = [path for path in before.files if path not in gone]
    if after is not None:
        message = f"Documents are read beside this file now, and not beside {before.config} as yet."
    elif stays:
        message = "Without this file the documents beside it are no memory. Put it back."
    else:
        message = "The memory root is taken away, with all its documents."
    yield Problem(
        path=after.config if after else before.config,
        rule="root-moved" if after else "root-removed",
        message=f"{message} {stays[0]} is no memory any more." if after and stays else message,
        severity=Severity.ERROR if stays else Severity.WARNING,
    )


def _documents(
    before: MemoryStore, after: MemoryStore, files: Sequence[ChangedFile]
) -> Iterator[Problem]:
    touched = [file for file in files if file.path in after.files or file.paths[-1] in before.files]
    # Where no line goes, what the head lacks may be what the base has gained meanwhile.
    grown = {one.path: one for one in touched if one.status not in _GONE and one.removed == 0}
    now = _read(after, [file.path for file in touched])
    was = (
        *_read(before, [one.paths[-1] for one in touched if one.path not in grown]),
        *(
            _without_added(document, grown[document.path])
            for document in now
            if document.path in grown and document.path in before.files
        ),
    )
    renames = {file.path: file.paths[-1] for file in touched if file.status == "renamed"}
    yield from protected_changes(was, now, renames=renames)
    yield from _drafts_again(was, now)
    ids = {document.id for document in now}
    gone = {file.path for file in touched if file.status == "removed"}
    for document in was:
        if document.path in gone and document.id not in ids:
            yield Problem(
                path=document.path,
                rule="document-removed",
                message=f"{document.shown_title} is deleted. What cites it leads nowhere.",
                severity=Severity.WARNING,
            )


def _without_added(document: Document, file: ChangedFile) -> Document:
    """A document that only gained lines, as it was: added frontmatter or dashes hide fields."""
    added = {
        block.start + number for block in file.added for number in range(block.text.count("\n") + 1)
    }
    lines = document.text.split("\n")
    text = "\n".join(line for number, line in enumerate(lines, 1) if number not in added)
    return replace(document, text=text, parts=frontmatter.parse(text))


def _drafts_again(was: Sequence[Document], now: Sequence[Document]) -> Iterator[Problem]:
    """Reviewed documents that count as an agent's drafts from now on, and so apply no more."""
    reviewed = {document.path for document in was if not document.waits}
    for document in now:
        if document.waits and document.path in reviewed:
            said = [document.parts.fields.get(name) for name in ("confidence", "review")]
            yield Problem(
                path=document.path,
                line=next((field.line for field in said if field), 1),
                rule="draft-again",
                message=f"{document.shown_title} was reviewed, and is an agent's draft here: it "
                "applies to no change until it is approved.",
                severity=Severity.WARNING,
            )


def _read(store: MemoryStore, paths: Iterable[str]) -> tuple[Document, ...]:
    """The documents at some paths, as far as they are there and can be read."""
    files = (store.files[path] for path in paths if path in store.files)
    return readable(files, folder_of(store))[0]
