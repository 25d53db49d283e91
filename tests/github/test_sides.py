"""What one side may hold of memory: a change of any shape must not fill the memory."""

import pytest

from bot.core.report import Section
from bot.github import sides
from bot.github.installation import RepositoryAccess
from bot.github.snapshot import load
from tests.github.conftest import Shop, memory


@pytest.mark.parametrize(
    ("limit", "read"), [(("MAX_SIDE_BYTES", 4_000), 5), (("MAX_SIDE_FILES", 5), 4)]
)
async def test_one_blob_under_many_names_counts_each_time(
    shop: Shop,
    access: RepositoryAccess,
    monkeypatch: pytest.MonkeyPatch,
    limit: tuple[str, int],
    read: int,
) -> None:
    monkeypatch.setattr(sides, *limit)
    text = memory("20260101-bomb", body="x" * 600)
    pull = shop.open({f".memoryrail/memories/20260101-{index}.md": text for index in range(30)})
    for _ in range(2):  # cold and warm
        snapshot = (await load(access, pull.number)).snapshot
        (store,) = snapshot.head.stores
        assert sum(file.data is not None for file in store.files.values()) == read
        assert [(one.section, one.what) for one in snapshot.unread] == [
            (Section.MEMORY, "some memory files")
        ]
        assert len(snapshot.base.stores[0].memories) == 2


async def test_the_list_of_what_is_ignored_is_read_on_both_sides(
    shop: Shop, access: RepositoryAccess
) -> None:
    """It costs no request of its own while it stays the same."""
    shop.repository.commit("main", files={".gitleaksignore": "a:jwt:1\n"})
    pull = shop.open({"src/b.py": "b\n"})
    snapshot = (await load(access, pull.number)).snapshot
    for side in (snapshot.base, snapshot.head):
        assert side.ignore_file is not None
        assert side.ignore_file.data == b"a:jwt:1\n"
    assert ".gitleaksignore" not in [file.path for file in snapshot.head.agent_files]
    pull.push(files={"src/b.py": "bb\n"})
    with shop.github.measure() as measured:
        await load(access, pull.number, head=pull.head_sha)
    assert len(measured.requests) == 3
