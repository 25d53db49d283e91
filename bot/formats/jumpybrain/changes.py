"""What a change must leave alone in documents that were there (spec/jumpybrain.md).

Pure comparison of a memory root before and after: no rule here looks at who changed it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.core.model import Problem
from bot.formats.jumpybrain.document import Document
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.layout import is_derived

IDENTITY: Final = ("id", "type", "created_at", "source")  # stay as they were written


def protected_changes(
    before: Sequence[Document],
    after: Sequence[Document],
    *,
    renames: Mapping[str, str] | None = None,
) -> tuple[Problem, ...]:
    """Documents whose identity changed, or that lie elsewhere now; at the path after, by line.

    renames: the paths that documents had, by the new ones, as far as it is known; without it a
    document is known again by its id. Rules: `protected-field:<name>` for those of IDENTITY,
    `renamed` in its bucket, `moved` to another one or out of all. A document that is gone is no
    fault, nor is a field that it never had.
    """
    old = {document.path: document for document in before}
    places = {document.path for document in after}
    gone = {
        document.id: document
        for document in before
        if document.path not in places and is_id(document.id)
    }
    known_new = renames or {}
    problems: list[Problem] = []
    for document in after:
        was = old.get(document.path)
        if was is None:
            renamed = old.get(known_new.get(document.path, ""))
            was = renamed if renamed and renamed.path not in places else gone.get(document.id)
            if was is not None:
                problems.append(_elsewhere(was, document))
        if was is not None:
            problems += _fields(was, document)
    problems += [
        _elsewhere(old[path], new)
        for new, path in known_new.items()
        if path in old and new not in places and path not in places
    ]
    return tuple(sorted(problems))


def derived_state(folder: str, paths: Iterable[str]) -> tuple[Problem, ...]:
    """Derived state among some files that are to be committed. folder: the memory root."""
    message = "Derived state is made anew from the documents. Have .gitignore list .jumpybrain/."
    return tuple(
        Problem(path=path, rule="derived-state", message=message)
        for path in sorted(paths)
        if is_derived(folder, path)
    )


def _elsewhere(was: Document, now: Document | str) -> Problem:
    """now: the document, or the path of what is none any more."""
    bucket = now.place.partition("/")[0] if isinstance(now, Document) else ""
    moved = was.place.partition("/")[0] != bucket
    what = "is moved out of its bucket" if moved else "is renamed"
    return Problem(
        path=now.path if isinstance(now, Document) else now,
        line=_line(now, "id") if isinstance(now, Document) else 1,
        rule="moved" if moved else "renamed",
        message=f"The document {what}: it was {was.path}. Its path is stable; put it back.",
    )


def _fields(was: Document, document: Document) -> Iterator[Problem]:
    for name in IDENTITY:
        if name == "type":
            old, new = was.type, document.type
        else:
            old, new = was.parts.text(name), document.parts.text(name)
        stands = is_id(old) if name == "id" else bool(old)
        if stands and old != new:
            yield Problem(
                path=document.path,
                line=_line(document, name),
                rule=f"protected-field:{name}",
                message=f"`{name}` is set once, and here it "
                f"{'changes' if new else 'is taken out'}. Put it back.",
            )


def _line(document: Document, name: str) -> int:
    found = document.parts.fields.get(name)
    return found.line if found else 1
