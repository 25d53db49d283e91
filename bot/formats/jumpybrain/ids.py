"""Ids of documents, and stamping them where they are missing (spec/jumpybrain.md, "Ids")."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from bot.core.line_editor import decode, encode
from bot.formats.jumpybrain import frontmatter
from bot.formats.jumpybrain.layout import bucket_of
from bot.formats.jumpybrain.root import require_writable, root_of
from bot.formats.jumpybrain.times import timestamp

_ID: Final = re.compile(
    r"mem_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII
)


def is_id(text: str) -> bool:
    """Whether a text has the shape of an id: `mem_` and a UUID in lower case."""
    return _ID.fullmatch(text) is not None


def minted(uuid: UUID) -> str:
    """The id that a UUID makes; whoever calls draws it at random."""
    return f"mem_{uuid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """What stamping changes, and what it leaves alone."""

    files: Mapping[str, bytes] = field(repr=False)  # as they are to be, by path, sorted
    ids: Mapping[str, str]  # the new ones, by path
    foreign: tuple[str, ...] = ()  # paths of documents whose id has another shape: they keep it


def ensure_ids(files: Mapping[str, bytes], *, now: datetime, new_id: Callable[[], str]) -> Stamped:
    """Plan an id for each document that has none; a second time there is nothing to do.

    files: of a memory root by their paths from it, jumpybrain.json among them where there is one;
    those that are no documents are passed over. new_id: another id at each call. All other bytes
    stay, but for `updated_at`. Raises Refused for a root that must not be written.
    """
    require_writable(root_of(files))
    changed: dict[str, bytes] = {}
    ids: dict[str, str] = {}
    foreign: list[str] = []
    for path in sorted(path for path in files if bucket_of(path)):
        text = decode(files[path])
        known = frontmatter.parse(text).text("id")
        if known:
            if not is_id(known):
                foreign.append(path)
            continue
        ids[path] = new_id()
        changed[path] = encode(
            frontmatter.with_fields(
                text,
                {"updated_at": frontmatter.written(timestamp(now))},
                first={"id": frontmatter.written(ids[path])},
            )
        )
    return Stamped(files=changed, ids=ids, foreign=tuple(foreign))
