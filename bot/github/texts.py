"""What can be scanned of contents that GitHub shows no patch of, whatever it takes them for."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.contents import is_media, text_of
from bot.github.blobs import MAX_GRAPHQL_BYTES, Blob, read_blobs
from bot.github.installation import RepositoryAccess


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What can be scanned of a content; or why it was not read."""

    text: str = field(default="", repr=False)
    unread: str | None = None


async def read_texts(access: RepositoryAccess, sizes: Mapping[str, int]) -> dict[str, Content]:
    """Read what can be scanned of blobs, for each id that was asked for.

    sizes: object id -> bytes, 0 where the size is not known. Raises GitHubError, RateLimited.
    """
    media = access.installation.app.cache.media
    words = {oid: media.get(oid) for oid in sizes}
    found = {oid: Content(text=text) for oid, text in words.items() if text is not None}
    asked = {oid: size for oid, size in sizes.items() if oid not in found}
    blobs = await read_blobs(access, asked, binaries=True)
    for oid, blob in blobs.items():
        read = await _large(access, oid, blob) if blob.is_too_large else blob
        found[oid] = await asyncio.to_thread(_content, read)
        if read.data is not None and is_media(read.data):
            media.put(oid, found[oid].text, len(found[oid].text))
    return found


async def _large(access: RepositoryAccess, oid: str, blob: Blob) -> Blob:
    """The content of a large blob, if it is a picture or the like: the rest stays unread."""
    found = (await read_blobs(access, {oid: 0}, max_bytes=MAX_GRAPHQL_BYTES, binaries=True))[oid]
    return found if found.data is not None and is_media(found.data) else blob


def _content(blob: Blob) -> Content:
    if blob.data is None:
        return Content(unread=blob.unread or "no reason is known")
    return Content(text=text_of(blob.data))
