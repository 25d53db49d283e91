"""Files that differ between two trees."""

from bot.github.installation import RepositoryAccess
from bot.github.listed import ListedFile
from bot.github.tree_diff import completed, differing
from bot.sandbox.git import File
from tests.github.conftest import Shop

SHA = "1" * 40


async def test_what_came_went_changed_and_moved(shop: Shop, access: RepositoryAccess) -> None:
    before = shop.repository.git.branch("main")
    after = shop.repository.commit(
        "main",
        files={
            "new.txt": "four",
            "src/a.py": "one = 1\n",
            "lib": File(data=SHA.encode(), mode="160000"),
        },
        rename={"README.md": "docs/README.md"},
        delete=["AGENTS.md"],
    )
    found, is_complete = await differing(access, before, after)
    told = {file.path: (file.status, file.previous_path, file.size) for file in found}
    assert told == {
        "docs/README.md": ("renamed", "README.md", 7),
        "lib": ("added", None, 0),
        "new.txt": ("added", None, 4),
        "src/a.py": ("modified", None, 8),
        "AGENTS.md": ("removed", None, 9),
    }
    assert {file.path for file in found if file.needs_contents} == {
        "docs/README.md",
        "new.txt",
        "src/a.py",
    }
    assert is_complete


async def test_without_a_commit_before_every_file_is_new(
    shop: Shop, access: RepositoryAccess
) -> None:
    tip = shop.repository.git.branch("main")
    assert tip is not None
    found, _ = await differing(access, None, tip)
    assert {file.status for file in found} == {"added"}
    assert len(found) == 6


def test_what_is_listed_counts_before_what_trees_show() -> None:
    """Trees do not know a file again that was changed when it was moved."""

    def file(path: str, status: str, previous: str | None = None) -> ListedFile:
        return ListedFile(
            path=path,
            status=status,  # type: ignore[arg-type]  # plain words here
            previous_path=previous,
            oid=SHA,
            patch=None,
        )

    listed = [file("b", "renamed", "a"), file("c", "modified")]
    found = [file("a", "removed"), file("b", "added"), file("c", "modified"), file("d", "added")]
    assert [each.path for each in completed(listed, found)] == ["b", "c", "d"]
