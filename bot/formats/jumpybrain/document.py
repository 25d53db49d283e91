"""A document as it reads: what its fields mean, whatever they lack (spec/jumpybrain.md)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.core.model import Problem, TreeFile
from bot.formats.jumpybrain import frontmatter
from bot.formats.jumpybrain.frontmatter import Parts
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.layout import BUCKET_OF, TYPE_OF, bucket_of, relative
from bot.formats.memoryrail.unread import unread_problem

AGENT_DRAFTED: Final = "agent-drafted"
USER_REVIEWED: Final = "user-reviewed"
REVIEW_RECOMMENDED: Final = "user-review-recommended"
REMEMBER: Final = "jumpybrain-remember"  # values of `source`
WRAPUP: Final = "jumpybrain-wrapup"
REMOTE: Final = "jumpybrain-remote"
PROCESS: Final = "jumpybrain-process"

_HEADING: Final = re.compile(r"^#[^\S\n]+(\S[^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file of a bucket."""

    path: str  # from the repository's root
    place: str  # from the memory root
    text: str = field(repr=False)  # bytes that are not UTF-8 are U+FFFD
    parts: Parts = field(repr=False)
    is_damaged: bool = False  # some bytes are not UTF-8

    @property
    def id(self) -> str:
        """Its id as it is written; "" where it has none."""
        return self.parts.text("id")

    @property
    def address(self) -> str:
        """Its id; without one that can be addressed, its path from the memory root."""
        return self.id if is_id(self.id) else self.place

    @property
    def type(self) -> str:
        """The canonical type: a known word, else that of the bucket."""
        said = self.parts.text("type")
        return said if said in BUCKET_OF else TYPE_OF[self.place.partition("/")[0]]

    @property
    def title(self) -> str:
        """The title as it is written; "" where it has none."""
        return self.parts.text("title")

    @property
    def shown_title(self) -> str:
        """The title on one line; without one the first heading, else the name of the file."""
        if said := " ".join(self.title.split()):
            return said
        heading = _HEADING.search(self.text, self.parts.body_start)
        return " ".join((heading[1] if heading else self.place.rpartition("/")[2][:-3]).split())

    @property
    def body(self) -> str:
        """The Markdown below the frontmatter, line ends as they are."""
        return self.text[self.parts.body_start :]

    @property
    def waits(self) -> bool:
        """Whether an agent drafted it and no person has looked at it."""
        return (
            self.parts.text("confidence") == AGENT_DRAFTED
            or self.parts.text("review") == REVIEW_RECOMMENDED
        )

    @property
    def is_wrapup(self) -> bool:
        """Whether it must have the strict sections: a session that a wrap-up wrote."""
        return self.type == "session" and self.parts.text("source") in {WRAPUP, REMOTE}

    @property
    def at(self) -> str:
        """When it was written last, as far as it says so."""
        return self.parts.text("updated_at") or self.parts.text("created_at")


def read_document(place: str, data: bytes, *, folder: str = "") -> Document:
    """Read a document. place: its path from the memory root, which lies at folder. Never raises."""
    try:
        text, is_damaged = data.decode("utf-8"), False
    except UnicodeDecodeError:
        text, is_damaged = data.decode("utf-8", "replace"), True
    return Document(
        path=f"{folder}/{place}" if folder else place,
        place=place,
        text=text,
        parts=frontmatter.parse(text),
        is_damaged=is_damaged,
    )


def readable(
    files: Iterable[TreeFile], folder: str = ""
) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """The documents among some files that can be read, by path; and why the others cannot.

    folder: the memory root.
    """
    documents: list[Document] = []
    problems: list[Problem] = []
    for file in sorted(files, key=lambda one: one.path):
        place = relative(folder, file.path)
        if place is None or bucket_of(place) is None:
            continue
        if (unread := unread_problem(file)) is not None:
            problems.append(unread)
        else:
            documents.append(read_document(place, file.data or b"", folder=folder))
    return tuple(documents), tuple(problems)
