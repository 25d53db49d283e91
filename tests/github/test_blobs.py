"""Contents by object id."""

import hashlib

from bot.github.blobs import read_blobs
from bot.github.installation import RepositoryAccess
from tests.github.conftest import FakeTime, Shop


def oid_of(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()


async def test_many_come_in_few_requests_and_once(shop: Shop, access: RepositoryAccess) -> None:
    contents = {f"f{index}": f"text {index}\n".encode() for index in range(430)}
    shop.repository.commit("main", files=contents)
    sizes = {oid_of(data): len(data) for data in contents.values()}
    await access.installation.permissions()
    with shop.github.measure() as measured:
        found = await read_blobs(access, sizes)
    assert {oid: blob.data for oid, blob in found.items()} == {
        oid_of(data): data for data in contents.values()
    }
    assert (len(measured.requests), measured.depth) == (3, 1)
    with shop.github.measure() as measured:
        assert await read_blobs(access, sizes) == found
    assert measured.requests == ()


async def test_each_kind_of_content(shop: Shop, access: RepositoryAccess) -> None:
    contents = {
        "latin": "Grüße\n".encode("latin-1"),
        "mark": b"\xef\xbb\xbfwith a byte order mark\n",
        "ends": b"a\r\nb\rc\n",
        "empty": b"",
        "long": b"0123456789\n" * 60_000,  # beyond what GraphQL gives
        "binary": b"\0\1\2",
        "huge": b"x" * 3_000_000,
    }
    shop.repository.commit("main", files=contents)
    oids = {name: oid_of(data) for name, data in contents.items()}
    found = await read_blobs(access, dict.fromkeys(oids.values(), 0), max_bytes=2_000_000)
    for name in ("latin", "mark", "ends", "empty", "long"):
        assert found[oids[name]].data == contents[name], name
    assert (found[oids["binary"]].data, found[oids["binary"]].is_binary) == (None, True)
    assert (found[oids["huge"]].data, found[oids["huge"]].is_lost) == (None, False)
    assert "KiB" in (found[oids["huge"]].unread or "")


async def test_what_is_not_there_is_lost(access: RepositoryAccess, clock: FakeTime) -> None:
    found = await read_blobs(access, {"0" * 40: 0})
    assert found["0" * 40].is_lost
    assert clock.slept == [1.0, 2.0]


async def test_a_new_content_is_given_time_to_be_known(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    """Also where GitHub has the commit already that it belongs to."""
    text, latin = b"text\n", "Grüße\n".encode("latin-1")
    shop.repository.commit("main", files={"text": text, "latin": latin})
    sizes = {oid_of(data): len(data) for data in (text, latin)}
    unknown = {"data": {"repository": {"b0": None, "b1": None}}}
    shop.github.faults.add("graphql Blobs", status=200, body=unknown)
    shop.github.faults.add("GET /repos/octo/shop/git/blobs", status=404, times=2)
    found = await read_blobs(access, sizes)
    assert [found[oid].data for oid in sizes] == [text, latin]
    assert clock.slept == [1.0, 1.0, 2.0]
