"""New documents: memories and wrap-ups (spec/jumpybrain.md, "Writing").

Every path here is from the memory root. What is written reads back as it was given.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bot.formats.cursor import secrets
from bot.formats.jumpybrain import sections
from bot.formats.jumpybrain.document import (
    AGENT_DRAFTED,
    REMEMBER,
    REVIEW_RECOMMENDED,
    USER_REVIEWED,
    WRAPUP,
)
from bot.formats.jumpybrain.frontmatter import block, written
from bot.formats.jumpybrain.layout import BUCKET_OF
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.root import require_writable, root_of
from bot.formats.jumpybrain.times import timestamp

MAX_SLUG: Final = 80  # characters

_UNTITLED: Final = "Untitled memory"
_UNTITLED_WRAPUP: Final = "Session wrapup"
_DRAFTED: Final = {
    "confidence": written(AGENT_DRAFTED),
    "review": written(REVIEW_RECOMMENDED),
}
_NO_SLUG: Final = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A new document."""

    place: str  # its path from the memory root
    id: str
    data: bytes = field(repr=False)


def remember(
    files: Mapping[str, bytes],
    *,
    type_: str,
    title: str | None,
    body: str,
    tags: Sequence[str] = (),
    session_id: str = "",
    now: datetime,
    new_id: str,
    by_agent: bool = False,
    allow_secrets: bool = False,
) -> Written:
    """Plan a document that somebody wants kept; what an agent does waits for a person's review.

    files: of the memory root by their paths, jumpybrain.json among them where there is one; none of
    them changes. title: None where none was given; blanks get a usual one. new_id: of ids.minted.
    Raises Refused: `bad-type`, `title-required`, `empty-body`, `secret`, `bad-encoding`, and what
    keeps a root from being written.
    """
    require_writable(root_of(files))
    if type_ not in BUCKET_OF:
        raise Refused("bad-type", f"The type is one of {', '.join(BUCKET_OF)}.")
    shown = _title(title, _UNTITLED)
    fields = {
        **_opening(
            {
                "id": new_id,
                "type": type_,
                "title": shown,
                "source": REMEMBER,
                "session_id": session_id.strip(),
            },
            now,
        ),
        **(_DRAFTED if by_agent else {"confidence": written(USER_REVIEWED)}),
        "tags": written(_tags(tags)),
    }
    said = _said(body)
    place = free_name(files, file_name(type_, shown, now), now)
    return _written(place, new_id, fields, shown, said, allow_secrets=allow_secrets)


def wrapup(
    files: Mapping[str, bytes],
    *,
    title: str | None,
    body: str,
    topic: str = "",
    tags: Sequence[str] = (),
    session_id: str = "",
    now: datetime,
    new_id: str,
    allow_secrets: bool = False,
) -> Written:
    """Plan the document of a session, which a person is to look at. topic: what was recalled for.

    Raises Refused as remember does, and `bad-wrapup` for a body without the strict sections.
    """
    require_writable(root_of(files))
    shown = _title(title, _UNTITLED_WRAPUP)
    said = _said(body)
    refuse_bad_wrapup(said)
    fields = {
        **_opening(
            {
                "id": new_id,
                "type": "session",
                "title": shown,
                "source": WRAPUP,
                "session_id": session_id.strip(),
            },
            now,
        ),
        **_DRAFTED,
        "tags": written(_tags(tags)),
    }
    if topic.strip():
        fields["recall_topic"] = written(topic.strip())
    name = file_name("session", shown, now, fallback="session-wrapup")
    place = free_name(files, name, now)
    return _written(place, new_id, fields, shown, said, allow_secrets=allow_secrets)


def file_name(type_: str, title: str, now: datetime, *, fallback: str = "untitled") -> str:
    """The path of a new document: its bucket, the day in UTC and the title's slug."""
    return f"{BUCKET_OF[type_]}/{now.astimezone(UTC):%Y-%m-%d}-{slug(title) or fallback}.md"


def slug(title: str) -> str:
    """A title in a file's name; "" where nothing of it is left."""
    return _NO_SLUG.sub("-", title.lower()).strip("-")[:MAX_SLUG]


def free_name(files: Iterable[str], place: str, now: datetime) -> str:
    """The path, or one with the moment and a number behind it where a file has it already.

    Letter case does not tell two files apart: on some systems it does not.
    """
    taken = {path.casefold() for path in files}
    stem = place.removesuffix(".md")
    moment, number = int(now.timestamp() * 1000), 0
    while place.casefold() in taken:
        number += 1
        place = f"{stem}-{moment}-{number}.md"
    return place


def refuse_bad_wrapup(body: str) -> None:
    """Raise Refused for a wrap-up's body that lacks strict sections, all of them named."""
    lacks = sections.lacking(body)
    empty = tuple(name for name, _ in lacks.empty)
    if not lacks.missing and not empty:
        return
    said = [f"{', '.join(names)} {word}" for names, word in (
        (lacks.missing, "missing"), (empty, "empty"),
    ) if names]  # fmt: skip
    raise Refused(
        "bad-wrapup",
        f"A wrap-up has four sections, and here are {'; '.join(said)}. Write "
        f"`{sections.NONE_CAPTURED}` below a heading where there is nothing to say.",
        missing=lacks.missing,
        empty=empty,
    )


def refuse_secrets(*texts: str) -> None:
    """Raise Refused for the first credential in some texts; the value is not shown."""
    found = secrets.first_in(texts)
    if found is not None:
        raise Refused(
            "secret",
            f"The text holds what looks like a credential: {found.description} ({found.rule}). "
            "Put a placeholder such as <STRIPE_KEY> in its place.",
        )


def _opening(said: Mapping[str, str], now: datetime) -> dict[str, str]:
    """The first fields of a document, in their order; those without a value are left out."""
    times = dict.fromkeys(("created_at", "updated_at"), timestamp(now))
    return {name: written(value) for name, value in {**said, **times}.items() if value}


def _written(
    place: str, id_: str, fields: Mapping[str, str], title: str, body: str, *, allow_secrets: bool
) -> Written:
    text = f"{block(fields)}\n# {title}\n\n{body}\n"
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused("bad-encoding", "The title or the text is not UTF-8.") from None
    if not allow_secrets:
        refuse_secrets(text)
    return Written(place=place, id=id_, data=data)


def _title(title: str | None, usual: str) -> str:
    if title is None:
        raise Refused("title-required", "A document has a title.")
    return " ".join(title.split()) or usual


def _said(body: str) -> str:
    said = body.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not said:
        raise Refused("empty-body", "The document has no text.")
    return said


def _tags(tags: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(said for tag in tags if (said := tag.strip())))
