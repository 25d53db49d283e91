"""Topical pages, made from other documents (spec/jumpybrain.md, "Pages").

No model writes here: a page collects what its sources say first, and a person or an agent makes
prose of it. It counts as drafted by an agent until somebody looked at it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bot.core.quoting import cut
from bot.formats.jumpybrain.document import AGENT_DRAFTED, PROCESS, Document
from bot.formats.jumpybrain.frontmatter import block, written
from bot.formats.jumpybrain.layout import BUCKET_OF
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.sections import section
from bot.formats.jumpybrain.times import timestamp
from bot.formats.jumpybrain.words import Topics, words, written_at
from bot.formats.jumpybrain.writing import free_name, refuse_secrets, slug

MAX_SOURCES: Final = 20  # of a page, unless more are asked for
UNDERSTANDING: Final = "Current understanding"
SOURCES: Final = "Source memories"
MAINTENANCE: Final = "Maintenance"

_SURROGATES: Final = re.compile("[\ud800-\udfff]")  # what no file can hold
_MAX_EXCERPT: Final = 240  # characters
_WORD: Final = re.compile(r"[^\s()\[\]<>`\"']+")
_PATH: Final = re.compile(r".*\.md\b", re.IGNORECASE)  # of a word: in linear time
_ID: Final = re.compile(r"mem_[0-9a-f-]+")
_AROUND: Final = re.compile(r"^(?:\.{1,2}/|memory/)+")
_NO_PROSE: Final = re.compile(r"#|```|~~~|\||---|<!--")
_BULLET: Final = re.compile(r"^(?:[-*+]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as it is to be."""

    place: str  # its path from the memory root
    id: str
    sources: tuple[str, ...]  # paths, the newest document first
    data: bytes = field(repr=False)


def synthesize(
    documents: Sequence[Document],
    *,
    topic: str,
    now: datetime,
    new_id: str,
    since: datetime | None = None,
    limit: int = MAX_SOURCES,
) -> Page:
    """Plan the page of a topic: a new one, or the one that is there with its id and its creation.

    since: older documents are no sources; limit: of them. Raises Refused: `topic-required`,
    `bad-encoding`, `no-sources`, `secret`.
    """
    shown = " ".join(topic.split())
    if not words(shown):
        raise Refused("topic-required", "A page is about a topic.")
    if _SURROGATES.search(shown):
        raise Refused("bad-encoding", "The topic is not UTF-8.")
    found = Topics(documents).about(shown)
    sources = [one for one in found if since is None or written_at(one) >= since][:limit]
    if not sources:
        raise Refused("no-sources", f"No document here has all the words of {shown!r}.")
    there = _page_of(shown, documents)
    known = there.parts if there else None
    id_ = (known.text("id") if known else "") or new_id
    fields = {
        "id": id_,
        "type": "page",
        "title": shown,
        "topic": shown,
        "source": PROCESS,
        "created_at": (known.text("created_at") if known else "") or timestamp(now),
        "updated_at": timestamp(now),
        "confidence": AGENT_DRAFTED,
    }
    values = {name: written(value) for name, value in fields.items()}
    values["tags"] = written(dict.fromkeys(words(shown)))
    text = f"{block(values)}\n# {shown}\n\n{_body(sources, now)}"
    refuse_secrets(text)
    taken = [document.place for document in documents]
    place = f"{BUCKET_OF['page']}/{slug(shown) or 'untitled'}.md"
    return Page(
        place=there.place if there else free_name(taken, place, now),
        id=id_,
        sources=tuple(one.place for one in sources),
        data=text.encode("utf-8", "replace"),
    )


def sources_of(page: Document, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents that a page says it comes from, each once, in the order of the text.

    Those that its section of sources names, else its whole text: by path or by id.
    """
    listed = section(page.body, SOURCES)
    text = listed.text if listed else page.body
    by_place = {one.place: one for one in documents}
    by_id = {one.id: one for one in documents if one.id}
    found: dict[str, Document] = {}
    for word in _WORD.findall(text):
        path = _PATH.match(word)
        for named in [path[0]] if path else _ID.findall(word):
            one = by_id.get(named) or by_place.get(_AROUND.sub("", named))
            if one is not None and one.place != page.place:
                found.setdefault(one.place, one)
    return tuple(found.values())


def _page_of(topic: str, documents: Sequence[Document]) -> Document | None:
    """The page of a topic; one that names no topic is known by its path."""
    wanted = words(topic)
    usual = f"{BUCKET_OF['page']}/{slug(topic) or 'untitled'}.md"
    pages = [one for one in documents if one.place.startswith(f"{BUCKET_OF['page']}/")]
    of_topic = (one for one in pages if words(one.parts.text("topic")) == wanted)
    by_path = (one for one in pages if one.place == usual and not one.parts.text("topic"))
    return next(of_topic, None) or next(by_path, None)


def _body(sources: Sequence[Document], now: datetime) -> str:
    said = [f"- {_plain(one.shown_title)}: {_excerpt(one)} (`{one.place}`)" for one in sources]
    named = [
        f"- `{one.place}`, {one.type}{f', {day}' if (day := _day(one)) else ''}" for one in sources
    ]
    parts = (
        *(f"## {UNDERSTANDING}", "", *said, ""),
        *(f"## {SOURCES}", "", *named, ""),
        *(f"## {MAINTENANCE}", "", f"- Collected on {now.astimezone(UTC):%Y-%m-%d}, newest first."),
        "- Where sources disagree the newer one usually holds. Say so above, and approve the page.",
        "",
    )
    return "\n".join(parts)


def _excerpt(document: Document) -> str:
    """The first thing that a document says."""
    for line in document.body.splitlines():
        said = _BULLET.sub("", line.strip())
        if said and not _NO_PROSE.match(said):
            return _plain(said)
    return "no text"


def _plain(text: str) -> str:
    """Other people's text on one line, in which nothing is a tag."""
    said = " ".join(text.split()).replace("<", "&lt;")
    return cut(said, _MAX_EXCERPT)


def _day(document: Document) -> str:
    at = written_at(document)
    return f"{at:%Y-%m-%d}" if at.year > 1 else ""
