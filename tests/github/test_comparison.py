"""All files between two commits, beyond what GitHub lists of a comparison."""

import pytest

from bot.github.comparison import compare
from bot.github.errors import NotFound
from bot.github.installation import RepositoryAccess
from tests.github.conftest import Shop

MANY = {f"data/{number:03}.txt": f"{number}\n" for number in range(320)}


def base(shop: Shop) -> str:
    tip = shop.repository.git.branch("main")
    assert tip is not None
    return tip


async def test_few_files_come_with_their_patches(shop: Shop, access: RepositoryAccess) -> None:
    start = base(shop)
    shop.repository.commit("main", files={"src/a.py": "one = 1\n", "b.py": "1\n"})
    end = shop.repository.commit("main", delete=["README.md"])
    found = await compare(access, start, end)
    assert [(file.path, file.status) for file in found.listed] == [
        ("README.md", "removed"),
        ("b.py", "added"),
        ("src/a.py", "modified"),
    ]
    assert all(file.patch for file in found.listed)
    assert [one["sha"] for one in found.commits][-1] == end
    assert (found.before, found.unread, len(found.commits)) == (start, (), 2)


async def test_many_files_of_one_commit_come_with_their_patches(
    shop: Shop, access: RepositoryAccess
) -> None:
    start = base(shop)
    found = await compare(access, start, shop.repository.commit("main", files=MANY))
    assert len(found.listed) == 320
    assert all(file.patch for file in found.listed)
    assert found.unread == ()


async def test_many_files_of_several_commits_come_from_the_trees(
    shop: Shop, access: RepositoryAccess
) -> None:
    start = base(shop)
    shop.repository.commit("main", files=MANY, rename={"src/a.py": "src/moved.py"})
    end = shop.repository.commit("main", files={"AGENTS.md": "# Other\n"}, delete=["README.md"])
    found = await compare(access, start, end)
    told = {file.path: (file.status, file.previous_path) for file in found.listed}
    assert len(told) == 323
    assert told["src/moved.py"] == ("renamed", "src/a.py")
    assert told["AGENTS.md"] == ("modified", None)
    assert told["README.md"] == ("removed", None)
    assert told["data/319.txt"] == ("added", None)
    assert all(file.needs_contents for file in found.listed if file.status != "removed")
    assert found.unread == ()


async def test_a_commit_that_is_not_there(shop: Shop, access: RepositoryAccess) -> None:
    with pytest.raises(NotFound):
        await compare(access, base(shop), "f" * 40)
