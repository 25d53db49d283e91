"""Changed files as REST lists them."""

import pytest

from bot.github.installation import RepositoryAccess
from bot.github.listed import head_of_page, listed_files
from bot.github.snapshot import load
from tests.github.conftest import Shop


def entry(**fields: object) -> dict[str, object]:
    usual: dict[str, object] = {
        "filename": "a",
        "status": "modified",
        "sha": "1" * 40,
        "changes": 2,
    }
    return usual | fields


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"patch": "@@ -1 +1 @@"}, False),
        ({}, True),
        ({"changes": 0}, True),  # binary, or a text that .gitattributes declares binary
        ({"status": "removed"}, False),
        ({"status": "renamed", "changes": 0}, True),  # it may be binary and changed
        ({"status": "renamed"}, True),
        ({"status": "added", "changes": 0}, True),
        ({"sha": None}, False),
    ],
)
def test_where_lines_may_hide(fields: dict[str, object], expected: bool) -> None:
    (file,) = listed_files([entry(**fields)])
    assert file.needs_contents is expected


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (f"@@ -1 +1 @@\n-Subproject commit {'1' * 40}\n+Subproject commit {'2' * 40}", True),
        (f"@@ -0,0 +1 @@\n+Subproject commit {'2' * 40}\n", True),
        (f"@@ -0,0 +2 @@\n+Subproject commit {'2' * 40}\n+more", False),
        (None, False),
    ],
)
def test_a_submodule_is_no_file(patch: str | None, expected: bool) -> None:
    (file,) = listed_files([entry(patch=patch)])
    assert file.is_submodule is expected


def test_a_status_that_github_invents_tomorrow_is_a_change() -> None:
    (file,) = listed_files([entry(status="transmogrified")])
    assert file.status == "changed"


def test_what_is_no_list_of_files_is_empty() -> None:
    assert listed_files(None) == listed_files({"message": "no"}) == listed_files([None, {}]) == ()


def test_the_head_is_told_by_files_that_stand_there() -> None:
    gone = entry(status="removed", contents_url="https://x/contents/a?ref=old")
    here = entry(contents_url="https://x/contents/a%3Fb?ref=new")
    assert head_of_page([gone, here]) == "new"
    assert head_of_page([gone]) is None
    assert head_of_page([entry()]) is None
    assert head_of_page([]) is None


async def test_a_text_declared_binary_is_scanned_all_the_same(
    shop: Shop, access: RepositoryAccess
) -> None:
    shop.repository.commit("main", files={"keys.env": "old\n", ".gitattributes": "*.env binary\n"})
    pull = shop.open({"keys.env": "old\nnew\n"})
    loaded = await load(access, pull.number)
    (file,) = loaded.snapshot.files
    assert [block.text for block in file.added] == ["new"]
