"""The edit contract: whole documents by their id, against a token (spec/jumpybrain.md, "Editing").

What is submitted replaces the document but for what its writer owns. The path never changes.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.core.line_editor import decode, encode
from bot.core.model import Severity
from bot.formats.jumpybrain import frontmatter
from bot.formats.jumpybrain.document import Document, read_document
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.layout import bucket_of
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.root import require_writable, root_of
from bot.formats.jumpybrain.sections import lacking
from bot.formats.jumpybrain.times import timestamp
from bot.formats.jumpybrain.validate import PROTECTED, problems_of
from bot.formats.jumpybrain.writing import refuse_bad_wrapup, refuse_secrets
from bot.formats.limits import MAX_FILE_BYTES

_OPEN: Final = "The frontmatter has no second line of three dashes."


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A document that was asked for by its id."""

    document: Document
    data: bytes = field(repr=False)

    @property
    def content_hash(self) -> str:
        """The token that an update of it must bring."""
        return content_hash(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """A document as it is to be."""

    place: str  # its path from the memory root, as before
    data: bytes = field(repr=False)

    @property
    def content_hash(self) -> str:
        """The token of what it becomes."""
        return content_hash(self.data)


def content_hash(data: bytes) -> str:
    """The token of exact bytes: `sha256:` and 64 hex digits."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def show(files: Mapping[str, bytes], id_: str) -> Shown:
    """The one document with an id. files: of a memory root, by their paths from it.

    Raises Refused: `invalid_id` for what has not the shape of one, `missing_id`, `duplicate_id`.
    """
    if not is_id(id_):
        raise Refused("invalid_id", "An id is mem_ and a UUID in lower case.")
    digits = id_.encode()
    found = [
        document
        for place, data in sorted(files.items())
        if bucket_of(place) and (digits in data or b"\\u" in data)
        if (document := read_document(place, data)).id == id_
    ]
    if not found:
        raise Refused("missing_id", f"No document here has the id {id_}.")
    if len(found) > 1:
        paths = tuple(document.place for document in found)
        raise Refused("duplicate_id", f"{' and '.join(paths)} share the id {id_}.", paths=paths)
    return Shown(document=found[0], data=files[found[0].place])


def update(
    files: Mapping[str, bytes],
    id_: str,
    *,
    if_match: str | None,
    content: bytes,
    now: datetime,
    allow_secrets: bool = False,
) -> Updated:
    """Plan a document with other content, exactly as submitted but for protected fields.

    if_match: the token of the content that was edited. Of the fields in PROTECTED those that the
    document has stay as they are there; `updated_at` is now. Raises Refused, in this order:
    `precondition_required` without a token, what `show` raises, `precondition_failed` where the
    document is another by now, and `bad-document`, `bad-wrapup` or `secret` for the content.
    """
    require_writable(root_of(files))
    if not if_match:
        raise Refused("precondition_required", "An update needs the token of what it replaces.")
    shown = show(files, id_)
    if if_match != shown.content_hash:
        raise Refused(
            "precondition_failed",
            f"{shown.document.place} has changed since. Show it again, and edit what it says now.",
        )
    before = frontmatter.parse(decode(shown.data))
    text = _submitted(content, shown.document)
    submitted = frontmatter.parse(text)
    changes = {
        name: field.raw
        for name in PROTECTED
        if (field := before.fields.get(name)) is not None and field.raw
        if name not in submitted.fields or submitted.text(name) != field.text
    }
    changes["updated_at"] = frontmatter.written(timestamp(now))
    data = encode(frontmatter.with_fields(text, changes, gap=False))
    _must_be_sound(read_document(shown.document.place, data), shown.document, len(data))
    if not allow_secrets:
        refuse_secrets(text)
    return Updated(place=shown.document.place, data=data)


def _submitted(content: bytes, before: Document) -> str:
    """A submission as text. Raises Refused for one that is no document."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("bad-document", "The content is not UTF-8.") from None
    parts = frontmatter.parse(text)
    if parts.is_open:
        raise Refused("bad-document", _OPEN)
    if not text[parts.body_start :].strip() and (before.body.strip() or not text.strip()):
        raise Refused("bad-document", "The content has no text below its frontmatter.")
    return text


def _must_be_sound(after: Document, before: Document, size: int) -> None:
    """Raise Refused for a fault that the document did not have, and for what does not read back."""
    if size > MAX_FILE_BYTES:
        raise Refused("bad-document", f"The content is larger than {MAX_FILE_BYTES >> 10} KiB.")
    if after.is_wrapup and lacking(after.body) != lacking(before.body):
        refuse_bad_wrapup(after.body)
    known = {one.rule for one in problems_of([before])}
    for one in problems_of([after]):
        if one.severity is Severity.ERROR and one.rule not in known:
            raise Refused("bad-document", f"Line {one.line}: {one.message}")
