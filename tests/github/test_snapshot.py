"""Reading a pull request from GitHub."""

from bot.github.installation import RepositoryAccess
from bot.github.snapshot import load
from tests.github.conftest import Shop


async def test_a_pull_request_of_one_commit(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "three = 3\n"}, title="Add b", body="Because")
    loaded = await load(access, pull.number)
    snapshot = loaded.snapshot
    assert snapshot.pull.title == "Add b"
    assert [file.path for file in snapshot.files] == ["src/b.py"]
    assert [block.text for block in snapshot.files[0].added] == ["three = 3"]
    assert [commit.added for commit in snapshot.commits] == [snapshot.files[0].added]
    assert [m.id for m in snapshot.base.stores[0].memories] == ["20260102-one", "20260102-two"]
    assert snapshot.head.stores == snapshot.base.stores
    assert [file.path for file in snapshot.head.agent_files] == ["AGENTS.md"]
    assert snapshot.unread == ()
