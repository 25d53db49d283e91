"""The ids are git's."""

from bot.core.git_oid import blob_oid


def test_ids_that_git_gives() -> None:
    assert blob_oid(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert blob_oid(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"
