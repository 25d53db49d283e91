"""Lines where GitHub shows no patch, and of merges: text does not hide in either."""

import pytest

from bot.core.report import Section
from bot.core.snapshot import Snapshot
from bot.github.budget import TOO_MUCH, Budget
from bot.github.cache import Bounded
from bot.github.installation import RepositoryAccess
from bot.github.snapshot import load
from bot.sandbox.git import Edits
from tests.github.conftest import Shop

TEXT = "first = 1\nTOKEN = 'a value that counts'\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


async def read(access: RepositoryAccess, number: int) -> Snapshot:
    return (await load(access, number)).snapshot


def lines(snapshot: Snapshot) -> dict[str, str]:
    """The added text of each file of the net difference."""
    return {file.path: "\n".join(block.text for block in file.added) for file in snapshot.files}


@pytest.mark.parametrize(
    "data",
    [b"\0\n" + TEXT.encode(), TEXT.encode("utf-16"), TEXT.encode("utf-16-be")],
    ids=["nul", "utf-16", "utf-16-be"],
)
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_text_that_passes_for_a_binary(
    shop: Shop, access: RepositoryAccess, data: bytes, commits: int
) -> None:
    pull = shop.open({"b.env": data}, *[{"c.txt": "c\n"}] * (commits - 1))
    snapshot = await read(access, pull.number)
    assert "TOKEN = 'a value that counts'" in lines(snapshot)["b.env"]
    assert "TOKEN = 'a value that counts'" in snapshot.commits[0].added[0].text
    assert snapshot.unread == ()


async def test_a_binary_that_is_changed_adds_what_is_new(
    shop: Shop, access: RepositoryAccess
) -> None:
    shop.repository.commit("main", files={"b.env": TEXT.encode("utf-16")})
    pull = shop.open({"b.env": (TEXT + "new = 2\n").encode("utf-16")})
    assert lines(await read(access, pull.number)) == {"b.env": "new = 2"}


async def test_a_binary_that_is_renamed_and_changed(shop: Shop, access: RepositoryAccess) -> None:
    old = "".join(f"line {index}\n" for index in range(200))
    shop.repository.commit("main", files={"b.env": old.encode("utf-16")})
    pull = shop.open({})
    pull.push(files={"c.env": (old + "new = 2\n").encode("utf-16")}, delete=["b.env"])
    snapshot = await read(access, pull.number)
    assert [file.status for file in snapshot.files] == ["renamed"]
    assert lines(snapshot) == {"c.env": "new = 2"}


async def test_the_words_in_a_picture_however_often_it_is_read(
    shop: Shop, access: RepositoryAccess
) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + b"\0\1" * (3 << 20) + b"a value that counts"
    pull = shop.open({"a.png": picture})
    for _ in range(2):
        assert lines(await read(access, pull.number)) == {"a.png": "a value that counts"}
        access.installation.app.cache.commits = Bounded(1 << 20)


async def test_a_large_text_declared_binary(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.commit("main", files={".gitattributes": "*.env binary\n"})
    pull = shop.open({"keys.env": "word\n" * 150_000 + "last\n"})
    assert lines(await read(access, pull.number))["keys.env"].endswith("\nword\nlast")


@pytest.mark.parametrize("size", [100_000, 5_000_000])
async def test_pictures_are_passed_over_and_remembered(
    shop: Shop, access: RepositoryAccess, size: int
) -> None:
    pull = shop.open({"a.png": PNG + b"\xfe" * size})
    snapshot = await read(access, pull.number)
    assert (lines(snapshot), snapshot.unread) == ({"a.png": ""}, ())
    with shop.github.measure() as measured:
        await load(access, pull.number)
    assert not {each.operation for each in measured.requests} & {"git/get-blob", "graphql Blobs"}


@pytest.mark.parametrize("size", [5_000_000, 11_000_000])
async def test_other_large_binaries_are_not_passed_silently(
    shop: Shop, access: RepositoryAccess, size: int
) -> None:
    pull = shop.open({"a.bin": b"\0\xff" * (size // 2)})
    snapshot = await read(access, pull.number)
    assert [(one.section, one.what) for one in snapshot.unread] == [(Section.SECRETS, "a.bin")]


async def test_more_than_one_reading_holds(
    shop: Shop, access: RepositoryAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.github.snapshot.Budget", lambda: Budget(added=25))
    pull = shop.open({"a.txt": "0123456789\n"}, {"b.txt": "0123456789\n"}, {"c.txt": "c\n"})
    for _ in range(2):
        snapshot = await read(access, pull.number)
        held = sum(len(text) for text in lines(snapshot).values()) + sum(
            len(block.text) for commit in snapshot.commits for block in commit.added
        )
        assert held <= 25
        assert TOO_MUCH in snapshot.unread
        assert [commit.paths for commit in snapshot.commits] == [("a.txt",), ("b.txt",), ("c.txt",)]


async def test_more_binaries_than_are_fetched(
    shop: Shop, access: RepositoryAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.github.snapshot.Budget", lambda: Budget(fetched=10))
    pull = shop.open({f"{index:02}.bin": b"\0%d" % index for index in range(20)})
    assert (await read(access, pull.number)).unread == (TOO_MUCH,)


async def test_what_a_merge_itself_adds(shop: Shop, access: RepositoryAccess) -> None:
    """New lines that neither parent has; a later commit takes them out of the net difference."""
    shop.repository.branch("feature")
    shop.repository.commit("feature", files={"src/a.py": "zero = 0\none = 1\ntwo = 2\n"})
    shop.repository.commit(
        "main", files={"src/a.py": "one = 1\ntwo = 2\nthree = 3\n", "m.txt": "m\n"}
    )
    merge(
        shop,
        {
            "src/a.py": "zero = 0\none = 1\nevil = 1\ntwo = 2\nthree = 3\n",
            "m.txt": "m\n",
            "leak.py": TEXT,
        },
    )
    shop.repository.commit("feature", files={"src/a.py": "clean\n"}, delete=["leak.py"])
    pull = shop.repository.open_pull(head="feature", user="alice")
    snapshot = await read(access, pull.number)
    made = snapshot.commits[1]
    assert (made.is_merge, made.paths) == (True, ("leak.py", "src/a.py"))
    assert [(block.path, block.start, block.text) for block in made.added] == [
        ("leak.py", 1, TEXT.rstrip("\n")),
        ("src/a.py", 3, "evil = 1"),
    ]


async def test_what_a_large_merge_itself_adds(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.branch("feature")
    shop.repository.commit("feature", files={"b.txt": "b\n"})
    taken = {f"src/m{index:03}.py": "m\n" for index in range(150)}
    shop.repository.commit("main", files=taken)
    merge(shop, {**taken, "zz/leak.py": TEXT})
    shop.repository.commit("feature", delete=["zz/leak.py"])
    pull = shop.repository.open_pull(head="feature", user="alice")
    with shop.github.measure() as measured:
        snapshot = await read(access, pull.number)
    assert [block.path for block in snapshot.commits[1].added] == ["zz/leak.py"]
    assert sum(each.operation == "repos/get-commit" for each in measured.requests) == 3


def merge(shop: Shop, files: dict[str, str]) -> None:
    """A merge of main into feature that holds what its author likes."""
    repository = shop.repository
    with repository.world.lock:
        parents = [repository.git.resolve(name) or "" for name in ("feature", "main")]
        author = repository.git.commit_at(parents[0])
        assert author is not None
        made = repository.git.commit(
            parents=parents,
            edits=Edits(files=files),
            message="Merge main",
            author=author.author,
            committer=author.author,
        )
        repository.move("feature", made, sender=repository.owner)
