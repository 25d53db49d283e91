"""Entries found and shown (spec/cursor.md, "Reading on the command line")."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.formats.cursor import grammar
from bot.formats.cursor.grammar import Entry
from bot.formats.cursor.validate import File


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for. "" asks for nothing; all that is asked for must hold."""

    words: str = ""  # in any letter case, one after the other
    file: str = ""
    tag: str = ""  # a whole one
    kind: str = ""
    status: str = ""
    author: str = ""  # part of the author or of the author's detail, in any letter case
    since: str = ""  # an ISO date or moment, from which on
    until: str = ""  # likewise, and that day or second is still in


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An entry that was found."""

    file: File
    entry: Entry
    score: int = 0  # 2: the words stand in its summary; 1: in its text; 0: there are no words


def entries_of(files: Iterable[File]) -> Iterator[Hit]:
    """All entries, in the order of their files and places."""
    return (Hit(file=file, entry=entry) for file in files for entry in file.blocks.entries)


def search(files: Iterable[File], query: Query, *, limit: int | None = None) -> tuple[Hit, ...]:
    """What a query finds: the best first, the newest first among equals."""
    words = query.words.casefold()
    found = []
    for hit in entries_of(files):
        if not _fits(hit, query):
            continue
        score = _score(hit.entry, words) if words else 0
        if score or not words:
            found.append(Hit(file=hit.file, entry=hit.entry, score=score))
    found.sort(key=lambda hit: hit.entry.text("at"), reverse=True)
    found.sort(key=lambda hit: -hit.score)
    return tuple(found[:limit])


def block(hit: Hit) -> str:
    """An entry as it stands, with \\n at the ends of its lines."""
    return grammar.block(hit.file.text, hit.entry)


def fields(entry: Entry) -> Sequence[str]:
    """A line for each field, as it was written but for quotes."""
    return [
        f"{name}: [{', '.join(found.items)}]" if found.is_list else f"{name}: {found.text}"
        for name, found in entry.fields.items()
    ]


def _fits(hit: Hit, query: Query) -> bool:
    entry = hit.entry
    at = entry.text("at")
    authors = f"{entry.text('author')} {entry.text('author_detail')}".casefold()
    return (
        query.file in {"", hit.file.name}
        and (not query.tag or query.tag in entry.items("tags"))
        and query.kind in {"", entry.text("kind")}
        and query.status in {"", entry.text("status")}
        and query.author.casefold() in authors
        and at >= query.since
        and (not query.until or at[: len(query.until)] <= query.until)
    )


def _score(entry: Entry, words: str) -> int:
    if words in entry.text("summary").casefold():
        return 2
    return int(words in entry.body.casefold())
