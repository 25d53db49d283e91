"""Contents of files by object id: from memory, else in few GraphQL requests, else one by one.

GraphQL gives texts, cut at 512,000 bytes and in UTF-8 whatever the file is in. So each is checked
against its object id, and asked for by REST, which gives bytes, where it is not the same.
"""

import asyncio
import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, number, text, text_or_none
from bot.github.client import Reply
from bot.github.errors import NotFound, RateLimited
from bot.github.installation import RepositoryAccess

MAX_BLOB_BYTES: Final = 4 << 20  # larger ones are not read
MAX_TEXT_BYTES: Final = 512_000  # that GraphQL gives of a blob; isBinary is null beyond
MAX_GRAPHQL_BYTES: Final = 10_000_000  # GraphQL does not speak of a blob that is larger
_CHUNK: Final = 200  # blobs of one request, of some KB each as a rule
_CHUNK_BYTES: Final = 2 << 20  # and their sizes together: GitHub gives up after 10 s
_PAUSES: Final = (1.0, 2.0)  # seconds that GitHub is given to know a new object everywhere
_FRAGMENT: Final = "fragment blob on Blob { byteSize isBinary isTruncated text }"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A content, or why there is none: data None and is_binary is a file that is no text."""

    data: bytes | None = field(default=None, repr=False)
    is_binary: bool = False
    is_lost: bool = False  # GitHub did not give it, though it may be a text of fair size
    is_too_large: bool = False
    unread: str | None = None


async def read_blobs(
    access: RepositoryAccess,
    sizes: Mapping[str, int],
    *,
    max_bytes: int = MAX_BLOB_BYTES,
    binaries: bool = False,
) -> dict[str, Blob]:
    """Read blobs; the answer has each id that was asked for. Raises GitHubError, RateLimited.

    sizes: object id -> bytes, 0 where the size is not known. binaries: read those too, which takes
    a request for each.
    """
    cache = access.installation.app.cache.blobs
    found: dict[str, Blob] = {}
    missing: dict[str, int] = {}
    for oid, size in sizes.items():
        if size > max_bytes:
            found[oid] = _too_large(max_bytes)
        elif (data := cache.get(oid)) is not None:
            found[oid] = _blob(data, binaries)
        else:
            missing[oid] = size
    chunks = await asyncio.gather(
        *(_read_chunk(access, chunk, max_bytes, binaries) for chunk in _chunks(missing))
    )
    for chunk in chunks:
        found |= chunk
    for oid in missing:
        if (read := found[oid].data) is not None:
            cache.put(oid, read, len(read))
    return found


def keep_text(access: RepositoryAccess, blob: Json) -> None:
    """Put a blob into the cache that another request brought along, if its text is its content."""
    value, oid = text_or_none(blob, "text"), text(blob, "oid")
    if value is not None and _oid_of(data := value.encode(), oid) == oid:
        access.installation.app.cache.blobs.put(oid, data, len(data))


async def _read_chunk(
    access: RepositoryAccess, oids: Sequence[str], max_bytes: int, binaries: bool
) -> dict[str, Blob]:
    aliases = [f"b{index}" for index in range(len(oids))]
    fields = " ".join(f"{alias}: object(oid: ${alias}) {{ ...blob }}" for alias in aliases)
    types = " ".join(f"${alias}: GitObjectID!" for alias in aliases)
    query = (
        f"query Blobs($owner: String!, $name: String!, {types}) "
        f"{{ repository(owner: $owner, name: $name) {{ {fields} }} }} {_FRAGMENT}"
    )
    variables = dict(zip(aliases, oids, strict=True))
    answer = await access.query(query, variables)
    for pause in _PAUSES:
        repository = child(answer.data, "repository")
        if answer.problems or all(child(repository, alias) for alias in aliases):
            break
        await access.installation.app.client.timing.sleep(pause)
        answer = await access.query(query, variables)
    repository = child(answer.data, "repository")
    blobs = await asyncio.gather(
        *(
            _checked(access, oid, child(repository, alias), max_bytes, binaries)
            for alias, oid in zip(aliases, oids, strict=True)
        )
    )
    return dict(zip(oids, blobs, strict=True))


async def _checked(
    access: RepositoryAccess, oid: str, blob: Json, max_bytes: int, binaries: bool
) -> Blob:
    if not blob:  # not there, or larger than GraphQL can speak of
        most = MAX_GRAPHQL_BYTES // 1_000_000
        why = f"GitHub does not give its content, which may be larger than {most} MB"
        return Blob(is_lost=True, unread=why)
    if blob.get("isBinary") is True and not binaries:
        return Blob(is_binary=True, unread="it is binary")
    if number(blob, "byteSize") > max_bytes:
        return _too_large(max_bytes)
    value = text_or_none(blob, "text")
    if value is not None and _oid_of(data := value.encode(), oid) == oid:
        return _blob(data, binaries)
    return await _by_rest(access, oid, binaries)


async def _by_rest(access: RepositoryAccess, oid: str, binaries: bool) -> Blob:
    try:
        answer = child((await _get(access, f"/git/blobs/{oid}")).data)
        data = base64.b64decode(text(answer, "content"))
    except RateLimited:
        raise
    except GitHubError as error:
        if error.status is None or error.status >= 500:  # it may come to itself
            raise
        return Blob(is_lost=True, unread="GitHub does not give its content")
    except binascii.Error:
        return Blob(is_lost=True, unread="GitHub does not give its content")
    return _blob(data, binaries)


async def _get(access: RepositoryAccess, path: str) -> Reply:
    for pause in _PAUSES:
        try:
            return await access.get(path)
        except NotFound:
            await access.installation.app.client.timing.sleep(pause)
    return await access.get(path)


def _blob(data: bytes, binaries: bool) -> Blob:
    if not binaries and b"\0" in data[:8000]:  # as git tells a binary file from a text
        return Blob(is_binary=True, unread="it is binary")
    return Blob(data=data)


def _chunks(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    chunk: list[str] = []
    total = 0
    for oid, known in sizes.items():
        size = known or MAX_TEXT_BYTES  # what the answer can hold of it
        if chunk and (len(chunk) == _CHUNK or total + size > _CHUNK_BYTES):
            yield chunk
            chunk, total = [], 0
        chunk.append(oid)
        total += size
    if chunk:
        yield chunk


def _oid_of(data: bytes, like: str) -> str:
    """The object id that git gives to a content, by the hash that another id is of."""
    head = b"blob %d\0" % len(data)
    if len(like) == 64:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()


def _too_large(max_bytes: int) -> Blob:
    return Blob(is_too_large=True, unread=f"it is larger than {max_bytes >> 10:,} KiB")
