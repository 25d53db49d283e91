"""Which links cover which changed paths, and how a hit is explained."""

import pytest

from bot.core.model import MemoryStore
from bot.core.precheck.index import Index
from bot.core.precheck.links import MAX_HITS, covering, parts_of
from bot.core.report import LinkHit
from tests.making import memory, store


def hits(stores: list[MemoryStore], *paths: str, old: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """For each memory that a link brings: `link < path` of its hits."""
    matches = Index(stores).matches(paths, "", old_paths=old)
    return {
        match.memory.id: [f"{hit.link} < {hit.path}" for hit in match.links]
        for match in matches
        if match.links
    }


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("src/db/", ("src", "db")),
        ("./src//db/.", ("src", "db")),
        ("a/../b", ("b",)),
        (".", ()),
        ("a/..", ()),
        ("", None),
        ("/src", None),
        ("../src", None),
        ("a/../../src", None),
    ],
)
def test_a_path_comes_down_to_its_parts(path: str, parts: tuple[str, ...] | None) -> None:
    assert parts_of(path) == parts


def test_paths_that_cover_another() -> None:
    among = {"", "src", "src/db", "src/db/pool.py", "src/d", "db"}
    assert covering("src/db/pool.py", among) == ("src/db/pool.py", "src/db", "src", "")
    assert covering("src/database", among) == ("src", "")
    assert covering("", among) == ("",)
    assert covering("src/db", {"lib"}) == ()


def test_the_closest_hit_comes_first() -> None:
    one = memory(links=["src", "src/db/pool.py", "src/db", "docs"])
    (match,) = Index([store(one)]).matches(["src/db/pool.py"], "")
    assert match.links[0] == LinkHit(
        path="src/db/pool.py", link="src/db/pool.py", exact=True, depth=3
    )
    assert [hit.link for hit in match.links] == ["src/db/pool.py", "src/db", "src"]
    assert [hit.exact for hit in match.links] == [True, False, False]


def test_a_link_is_hit_once_by_the_first_path_below_it() -> None:
    found = hits([store(memory("m", links=["src"]))], "src/b.py", "src/a.py")
    assert found == {"m": ["src < src/a.py"]}


def test_a_renamed_file_counts_under_both_names() -> None:
    stores = [store(memory("new", links=["src/new.py"]), memory("old", links=["src/old.py"]))]
    found = {
        match.memory.id: match.links[0].renamed_from
        for match in Index(stores).matches(["src/new.py"], "", old_paths=["src/old.py"])
    }
    assert found == {"new": False, "old": True}


def test_a_current_name_explains_a_directory_better_than_a_former_one() -> None:
    found = hits([store(memory("m", links=["src"]))], "src/z.py", old=("src/a.py",))
    assert found == {"m": ["src < src/z.py"]}


def test_every_store_above_a_path_is_asked_and_its_links_start_at_its_root() -> None:
    outer = store(memory("outer", links=["web/src", "api"]))
    inner = store(memory("inner", links=["src", "api"], root="web"), root="web")
    assert hits([outer, inner], "web/src/a.ts") == {
        "inner": ["src < web/src/a.ts"],
        "outer": ["web/src < web/src/a.ts"],
    }
    assert hits([outer, inner], "api/a.py") == {"outer": ["api < api/a.py"]}
    assert hits([inner], "src/a.ts") == {}


def test_stores_of_two_formats_at_one_root_both_govern() -> None:
    first, second = store(memory("a", links=["src"])), store(memory("b", links=["src"]))
    assert set(hits([first, second], "src/x.py")) == {"a", "b"}


def test_a_name_that_begins_like_a_root_is_not_below_it() -> None:
    inner = store(memory("inner", links=["."], root="web"), root="web")
    assert hits([inner], "website/a.ts", "web") == {}


def test_a_memory_of_many_links_is_explained_by_the_closest_few() -> None:
    links = [f"src/{number:03}.py" for number in range(100)]
    found = hits([store(memory("m", links=["src", *links]))], *links)
    assert found == {"m": [f"{link} < {link}" for link in links[:MAX_HITS]]}
