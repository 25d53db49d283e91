"""Reading a pull request from GitHub, and how many requests that takes."""

import asyncio

import pytest

from bot.core.check_run import CheckRun
from bot.core.errors import GitHubError
from bot.core.report import Conclusion, Section
from bot.core.snapshot import Actor
from bot.github.errors import NotFound, RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.publish import Publication, publish
from bot.github.snapshot import load
from bot.github.trees import look_up
from bot.sandbox.git import File
from bot.sandbox.state.pulls import FINDING_OUT
from tests.formats.jumpybrain import making as jumpy
from tests.github.conftest import CONFIG, FakeTime, Shop, memory

ONE, TWO = "20260102-one", "20260102-two"
RUN = CheckRun(
    name="memoryrail/sync", conclusion=Conclusion.SUCCESS, title="In step", summary="All is well."
)


async def test_a_pull_request_of_one_commit(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "three = 3\n"}, title="Add b", body="Because", draft=True)
    snapshot = (await load(access, pull.number, fingerprint_key=b"key")).snapshot
    alice = Actor(id=shop.github.user("alice").id, login="alice")
    assert snapshot.repository.id == shop.repository.id
    assert snapshot.repository.full_name == "octo/shop"
    assert snapshot.repository.default_branch == "main"
    assert (snapshot.pull.title, snapshot.pull.body) == ("Add b", "Because")
    assert snapshot.pull.author == alice
    assert (snapshot.pull.base_ref, snapshot.pull.base_sha) == ("main", pull.base_tip)
    assert (snapshot.pull.head_ref, snapshot.pull.head_sha) == ("feature", pull.head_sha)
    assert (snapshot.pull.is_draft, snapshot.pull.is_open, snapshot.pull.is_fork) == (
        True,
        True,
        False,
    )
    assert [(file.path, file.status) for file in snapshot.files] == [("src/b.py", "added")]
    assert [block.text for block in snapshot.files[0].added] == ["three = 3"]
    (commit,) = snapshot.commits
    assert (commit.sha, commit.author, commit.paths) == (pull.head_sha, alice, ("src/b.py",))
    assert commit.added == snapshot.files[0].added
    assert [one.id for one in snapshot.base.stores[0].memories] == [ONE, TWO]
    assert snapshot.head.stores == snapshot.base.stores
    assert [(file.path, file.data) for file in snapshot.head.agent_files] == [
        ("AGENTS.md", b"# Agents\n")
    ]
    assert snapshot.fingerprint_key == b"key"
    assert snapshot.unread == ()


async def test_requests_of_each_push(shop: Shop, access: RepositoryAccess) -> None:
    """The targets: an ordinary push takes three reads and one write, in two waves."""
    pull = shop.open({"src/b.py": "b\n"})
    counted = []
    for number, files in enumerate(
        [
            {},
            {"src/c.py": "c\n"},
            {"src/c.py": "cc\n"},
            {".memoryrail/memories/20260103-x.md": memory("20260103-x")},
            {"src/new/c.py": "c\n"},
        ],
        start=1,
    ):
        if files:
            pull.push(files=files)
        with shop.github.measure() as measured:
            loaded = await load(access, pull.number, head=pull.head_sha)
            wanted = Publication(
                check_runs=(RUN,), comment=f"<!-- memoryrail-bot -->\nPush {number}"
            )
            await publish(access, wanted, loaded.published)
        counted.append((len(measured.requests), measured.depth))
    assert counted == [
        (7, 4),  # opened, all cold: who we are and a token, then four requests, then the write
        (4, 2),
        (4, 2),
        (5, 3),  # a new memory's text
        (5, 3),  # a directory that no push has touched before
    ]


async def test_requests_of_a_cold_start(shop: Shop, access: RepositoryAccess) -> None:
    """The target: at most 15 requests on 1,000 memory files, until all is published."""
    names = [f"20260101-m{index:04}" for index in range(1_000)]
    text = "This is why, and at some length. " * 20
    memories = {f".memoryrail/memories/{name}.md": memory(name, body=text) for name in names}
    shop.repository.commit("main", files=memories)
    pull = shop.open({"src/deep/down/b.py": "b\n"}, {"src/c.py": "c\n"})
    with shop.github.measure() as measured:
        loaded = await load(access, pull.number, head=pull.head_sha)
        wanted = Publication(check_runs=(RUN,), comment="<!-- memoryrail-bot -->\nHello")
        await publish(access, wanted, loaded.published)
    assert len(loaded.snapshot.base.stores[0].memories) == 1_002
    assert len(measured.requests) <= 15  # 14 in 4 turns, where answers come side by side
    assert measured.depth <= 5


@pytest.mark.parametrize("theirs", ["src/a.py", "src/b.py"])
async def test_that_it_merges_is_known_once_github_has_found_it_out(
    shop: Shop, access: RepositoryAccess, theirs: str
) -> None:
    pull = shop.open({"src/a.py": "mine\n"})
    shop.repository.commit("main", files={theirs: "theirs\n"})
    assert not (await load(access, pull.number)).snapshot.pull.merges
    shop.github.advance(FINDING_OUT)
    assert (await load(access, pull.number)).snapshot.pull.merges is (theirs == "src/b.py")


async def test_documents_are_found_wherever_they_lie(shop: Shop, access: RepositoryAccess) -> None:
    """A pull request that touches none of them; the second load asks for their folders at once."""
    deep = "memory/notes/2026/10/10/morning/deep.md"
    files = {
        "memory/jumpybrain.json": '{"schemaVersion": 1}',
        deep: jumpy.text(1),
        "app/jumpybrain.json": '{"schemaVersion": 1}',
        "app/pages/page.md": jumpy.text(2, type="page"),
        "app/memory/notes/none.md": "no root of its own\n",
        "pages/none.md": "no root\n",
    }
    shop.repository.commit("main", files=files)
    pull = shop.open({"app/src/b.py": "b\n"})
    snapshot = (await load(access, pull.number)).snapshot
    found = {store.key: list(store.files) for store in snapshot.base.stores}
    assert found["", "jumpybrain"] == [deep]
    assert found["app", "jumpybrain"] == ["app/pages/page.md"]
    assert snapshot.head.stores == snapshot.base.stores
    assert snapshot.unread == ()
    with shop.github.measure() as measured:
        again = (await load(access, pull.number)).snapshot
    assert again.base.stores == snapshot.base.stores
    assert (len(measured.requests), measured.depth) == (2, 1)  # as without documents
    new = "memory/notes/2026/11/11/deeper.md"  # below a directory that was not there
    pull.push(files={new: jumpy.text(3)})
    (later,) = (
        store
        for store in (await load(access, pull.number)).snapshot.head.stores
        if store.key == ("", "jumpybrain")
    )
    assert list(later.files) == [deep, new]


async def test_each_commit_has_its_own_lines(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "leaked\n"}, {"src/b.py": "gone\n"}, {"src/c.py": "c\n"})
    snapshot = (await load(access, pull.number)).snapshot
    assert [[block.text for block in commit.added] for commit in snapshot.commits] == [
        ["leaked"],
        ["gone"],
        ["c"],
    ]
    assert [commit.paths for commit in snapshot.commits] == [
        ("src/b.py",),
        ("src/b.py",),
        ("src/c.py",),
    ]
    assert [block.text for file in snapshot.files for block in file.added] == ["gone", "c"]


async def test_of_a_merge_only_what_the_pull_request_changes(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    shop.repository.commit("main", files={"src/from_main.py": "m\n"})
    merged = shop.repository.merge("main", "feature", login="alice")
    snapshot = (await load(access, pull.number)).snapshot
    assert [file.path for file in snapshot.files] == ["src/b.py"]
    merge = snapshot.commits[-1]
    assert (merge.sha, merge.is_merge, merge.paths, merge.added) == (merged, True, (), ())
    assert snapshot.unread == ()


async def test_a_large_merge_is_not_read_to_its_end(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    shop.repository.commit("main", files={f"src/m{index}.py": "m\n" for index in range(150)})
    shop.repository.merge("main", "feature", login="alice")
    with shop.github.measure() as measured:
        snapshot = (await load(access, pull.number)).snapshot
    assert [(commit.is_merge, commit.paths) for commit in snapshot.commits] == [
        (False, ("src/b.py",)),
        (True, ()),
    ]
    assert sum(each.operation == "repos/get-commit" for each in measured.requests) == 2


async def test_files_over_several_pages(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({f"src/f{index:03}.py": f"line {index}\n" for index in range(250)})
    snapshot = (await load(access, pull.number)).snapshot
    assert [file.path for file in snapshot.files] == [f"src/f{index:03}.py" for index in range(250)]
    assert all(file.added for file in snapshot.files)
    assert snapshot.unread == ()


async def test_renamed_removed_and_changed_modes(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/a.py": File(data=b"one = 1\ntwo = 2\n", mode="100755")})
    pull.push(rename={"README.md": "docs/README.md"}, delete=["AGENTS.md"])
    snapshot = (await load(access, pull.number)).snapshot
    found = [(file.path, file.status, file.previous_path) for file in snapshot.files]
    assert found == [
        ("AGENTS.md", "removed", None),
        ("docs/README.md", "renamed", "README.md"),
        ("src/a.py", "changed", None),
    ]
    assert all(file.added == () for file in snapshot.files)
    assert snapshot.head.agent_files == ()
    assert [file.path for file in snapshot.base.agent_files] == ["AGENTS.md"]
    assert snapshot.unread == ()


async def test_binary_files_are_no_texts_to_scan(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open(
        {"a.png": b"\x89PNG\0" * 300, "big.bin": b"\0\xff" * 400_000, "empty.txt": b""}
    )
    snapshot = (await load(access, pull.number)).snapshot
    assert [file.path for file in snapshot.files] == ["a.png", "big.bin", "empty.txt"]
    assert all(file.added == () for file in snapshot.files)
    assert snapshot.unread == ()


async def test_a_text_too_large_for_a_patch_is_read_whole(
    shop: Shop, access: RepositoryAccess
) -> None:
    old = [f"line {index} of a long file that goes on and on" for index in range(30_000)]
    shop.repository.commit("main", files={"data.txt": "\n".join(old) + "\n"})
    new = [f"{line}!" if index % 2 else line for index, line in enumerate(old)]
    pull = shop.open({"data.txt": "\n".join(new) + "\n", "fresh.txt": "\n".join(new) + "\n"})
    snapshot = (await load(access, pull.number)).snapshot
    changed, fresh = snapshot.files
    assert sum(block.text.count("\n") + 1 for block in changed.added) == 15_000
    assert sum(block.text.count("\n") + 1 for block in fresh.added) == 30_000
    assert changed.added[0].start == 2
    assert snapshot.unread == ()


async def test_a_text_that_is_too_large_to_read_is_said(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"data.txt": "0123456789 abcdef\n" * 300_000})
    snapshot = (await load(access, pull.number)).snapshot
    assert [(one.section, one.what) for one in snapshot.unread] == [(Section.SECRETS, "data.txt")]
    assert "KiB" in snapshot.unread[0].why


async def test_a_fork(shop: Shop, access: RepositoryAccess) -> None:
    fork = shop.repository.fork("mallory")
    fork.branch("patch-1")
    fork.commit(
        "patch-1",
        files={".memoryrail/memories/20260104-y.md": memory("20260104-y")},
        login="mallory",
    )
    pull = shop.repository.open_pull(head=(fork, "patch-1"), user="mallory")
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.pull.is_fork
    assert [one.id for one in snapshot.head.stores[0].memories] == [ONE, TWO, "20260104-y"]
    assert [one.id for one in snapshot.base.stores[0].memories] == [ONE, TWO]


async def test_a_deleted_fork(shop: Shop, access: RepositoryAccess) -> None:
    fork = shop.repository.fork("mallory")
    fork.branch("patch-1")
    fork.commit("patch-1", files={"src/b.py": "b\n"}, login="mallory")
    pull = shop.repository.open_pull(head=(fork, "patch-1"), user="mallory")
    fork.delete()
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.pull.is_fork
    assert [file.path for file in snapshot.files] == ["src/b.py"]
    assert [one.id for one in snapshot.head.stores[0].memories] == [ONE, TWO]


async def test_a_base_branch_that_is_gone(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.branch("next")
    shop.repository.branch("feature")
    shop.repository.commit("feature", files={"src/b.py": "b\n"})
    pull = shop.repository.open_pull(head="feature", base="next")
    shop.repository.delete_branch("next")
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.pull.base_sha == pull.base_sha
    assert [one.id for one in snapshot.base.stores[0].memories] == [ONE, TWO]


async def test_memories_that_bind_are_those_of_the_tip_of_the_base(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    path = ".memoryrail/memories/20260105-late.md"
    tip = shop.repository.commit("main", files={path: memory("20260105-late")})
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.base.sha == snapshot.pull.base_sha == tip
    assert "20260105-late" in [one.id for one in snapshot.base.stores[0].memories]
    assert "20260105-late" not in [one.id for one in snapshot.head.stores[0].memories]


async def test_stores_above_changed_paths_and_where_settings_say(
    shop: Shop, access: RepositoryAccess
) -> None:
    def store(root: str, name: str) -> dict[str, str]:
        return {
            f"{root}/.memoryrail/config.json": CONFIG,
            f"{root}/.memoryrail/memories/{name}.md": memory(name),
            f"{root}/CLAUDE.md": f"# {root}\n",
        }

    shop.repository.commit(
        "main",
        files={
            **store("apps/web", "20260101-web"),
            **store("tools", "20260101-tools"),
            **store("unseen", "20260101-unseen"),
            ".github/memoryrail.yml": "stores: [tools]\n",
        },
    )
    pull = shop.open({"apps/web/src/x.ts": "x\n", **store("apps/new", "20260101-new")})
    for _ in range(2):  # cold and warm
        snapshot = (await load(access, pull.number)).snapshot
        assert [each.root for each in snapshot.base.stores] == ["", "apps/web", "tools"]
        assert [each.root for each in snapshot.head.stores] == ["", "apps/new", "apps/web", "tools"]
        assert [file.path for file in snapshot.head.agent_files] == [
            "AGENTS.md",
            "apps/new/CLAUDE.md",
            "apps/web/CLAUDE.md",
            "tools/CLAUDE.md",
        ]
    assert snapshot.settings.stores == ("tools",)
    assert snapshot.settings_problems == ()


async def test_very_many_directories(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open(
        {f"d{index:03}/x.py": "x\n" for index in range(120)}
        | {"d007/.memoryrail/config.json": CONFIG, "d007/AGENTS.md": "# Seven\n"}
    )
    for _ in range(2):
        snapshot = (await load(access, pull.number)).snapshot
        assert [each.root for each in snapshot.head.stores] == ["", "d007"]
        assert [file.path for file in snapshot.head.agent_files] == ["AGENTS.md", "d007/AGENTS.md"]
    assert snapshot.unread == ()


async def test_symlinks_are_not_followed(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open(
        {
            ".memoryrail/memories/20260106-link.md": File(data=b"20260102-one.md", mode="120000"),
            "sub/.memoryrail": File(data=b"../.memoryrail", mode="120000"),
        }
    )
    snapshot = (await load(access, pull.number)).snapshot
    (store,) = snapshot.head.stores
    assert [one.id for one in store.memories] == [ONE, TWO]
    assert [problem.rule for problem in store.problems] == ["symlink"]


async def test_a_memory_that_is_no_utf_8_comes_byte_for_byte(
    shop: Shop, access: RepositoryAccess
) -> None:
    text = memory("20260107-latin", body="Grüße").encode("latin-1")
    pull = shop.open({".memoryrail/memories/20260107-latin.md": text})
    snapshot = (await load(access, pull.number)).snapshot
    (problem,) = snapshot.head.stores[0].problems
    assert problem.path.endswith("20260107-latin.md")
    assert snapshot.unread == ()  # its author's fault, not ours


@pytest.mark.parametrize("data", [b"\0binary", b"x" * (1 << 20) + b"x"], ids=["binary", "large"])
async def test_a_memory_that_cannot_be_read_is_a_problem_of_the_file(
    shop: Shop, access: RepositoryAccess, data: bytes
) -> None:
    pull = shop.open({".memoryrail/memories/20260108-bad.md": data})
    snapshot = (await load(access, pull.number)).snapshot
    assert [problem.rule for problem in snapshot.head.stores[0].problems] == ["unread"]
    assert [one.id for one in snapshot.head.stores[0].memories] == [ONE, TWO]


async def test_contents_that_github_does_not_give_are_said(
    shop: Shop, access: RepositoryAccess
) -> None:
    text = memory("20260107-latin", body="Grüße").encode("latin-1")
    pull = shop.open({".memoryrail/memories/20260107-latin.md": text})
    shop.github.faults.add("GET /repos/octo/shop/git/blobs", status=422, times=99)
    snapshot = (await load(access, pull.number)).snapshot
    assert [one.section for one in snapshot.unread] == [Section.MEMORY]
    assert snapshot.unread[0].what.endswith("20260107-latin.md")


@pytest.mark.parametrize("status", [406, 422])
async def test_a_commit_that_github_does_not_give_is_said(
    shop: Shop, access: RepositoryAccess, status: int
) -> None:
    pull = shop.open({"src/b.py": "b\n"}, {"src/c.py": "c\n"})
    shop.github.faults.add("GET /repos/octo/shop/commits/", status=status, times=99)
    snapshot = (await load(access, pull.number)).snapshot
    assert {one.section for one in snapshot.unread} == {Section.SECRETS}
    assert [one.what for one in snapshot.unread] == [
        f"commit {commit.sha[:12]}" for commit in snapshot.commits
    ]
    assert [commit.paths_known for commit in snapshot.commits] == [False, False]


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ("commits/", 404),
        ("commits/", 502),
        ("pulls/1/files", 404),
        ("pulls/1/files", 500),
        ("git/blobs/", 502),
    ],
)
async def test_what_may_pass_is_no_verdict(
    shop: Shop, access: RepositoryAccess, what: str, status: int
) -> None:
    """A 502 for some seconds: the job is tried again, and nothing is said meanwhile."""
    pull = shop.open({"src/b.py": "Grüße\n".encode("utf-16")}, {"src/c.py": "c\n"})
    shop.github.faults.add(f"GET /repos/octo/shop/{what}", status=status, times=99)
    with pytest.raises(GitHubError):
        await load(access, pull.number)


async def test_a_difference_that_github_will_not_make_comes_from_the_trees(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n", "src/a.py": "one = 1\ntwo = 3\n"})
    shop.github.faults.add("GET /repos/octo/shop/pulls/1/files", status=422, times=99)
    snapshot = (await load(access, pull.number)).snapshot
    told = [(file.path, file.status, [b.text for b in file.added]) for file in snapshot.files]
    assert told == [("src/a.py", "modified", ["two = 3"]), ("src/b.py", "added", ["b"])]
    assert snapshot.unread == ()


async def test_a_page_that_github_will_not_make_comes_from_the_trees(
    shop: Shop, access: RepositoryAccess
) -> None:
    files = {f"src/f{index:03}.py": f"{index}\n" for index in range(150)}
    pull = shop.open(files)
    shop.github.faults.add("GET /repos/octo/shop/pulls/1/files")  # the first page is there
    shop.github.faults.add("GET /repos/octo/shop/pulls/1/files", status=422)
    with shop.github.measure() as measured:
        snapshot = (await load(access, pull.number)).snapshot
    assert [file.path for file in snapshot.files] == list(files)
    assert all(file.added for file in snapshot.files)
    assert snapshot.unread == ()
    asked = [each.operation for each in measured.requests]
    assert asked.count("graphql Blobs") == 2  # the memories, and all 50 files at once


async def test_files_that_github_does_not_list_are_said(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    for what in ("pulls/1/files", "compare/"):
        shop.github.faults.add(f"GET /repos/octo/shop/{what}", status=422, times=99)
    snapshot = (await load(access, pull.number)).snapshot
    assert {one.section for one in snapshot.unread} == set(Section) - {Section.CITATIONS}
    assert [commit.paths_known for commit in snapshot.commits] == [False]
    assert [one.id for one in snapshot.base.stores[0].memories] == [ONE, TWO]


async def test_broken_settings_are_reported_and_the_defaults_apply(
    shop: Shop, access: RepositoryAccess
) -> None:
    shop.repository.commit("main", files={".github/memoryrail.yml": "agents: {a: [\n"})
    pull = shop.open({"src/b.py": "b\n"})
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.settings.agents == ()
    assert snapshot.settings_problems


async def test_settings_of_the_head_do_not_count(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({".github/memoryrail.yml": "agents: [evil]\n"})
    assert (await load(access, pull.number)).snapshot.settings.agents == ()


async def test_settings_behind_a_symlink_are_not_followed(
    shop: Shop, access: RepositoryAccess
) -> None:
    link = File(data=b"../README.md", mode="120000")
    shop.repository.commit("main", files={".github/memoryrail.yml": link})
    pull = shop.open({"src/b.py": "b\n"})
    (problem,) = (await load(access, pull.number)).snapshot.settings_problems
    assert "symbolic link" in problem.message


async def test_authors_that_are_bots_or_nobody(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    address = "49699333+dependabot[bot]@users.noreply.github.com"
    pull.force_push(files={"src/c.py": "c\n"})
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.commits[0].author is not None
    for author in (("dependabot[bot]", address), ("Nobody", "nobody@example.invalid")):
        shop.repository.commit("feature", files={"src/d.py": author[0]}, author=author)
    pull.push(files={"src/f.py": "f\n"}, login="memoryrail[bot]")
    snapshot = (await load(access, pull.number)).snapshot
    unlinked, nobody, linked = (commit.author for commit in snapshot.commits[1:])
    assert unlinked == Actor(id=49699333, login="dependabot[bot]", is_bot=True)
    assert nobody is None
    assert snapshot.commits[2].author_name == "Nobody"
    ours = shop.app.bot
    assert linked == Actor(id=ours.id, login="memoryrail[bot]", is_bot=True)


async def test_a_repository_without_memories(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.commit("main", delete=[".memoryrail/config.json"])
    pull = shop.open({"src/b.py": "b\n"})
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.base.stores == snapshot.head.stores == ()
    assert snapshot.unread == ()


async def test_more_than_a_hundred_commits(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open(*({"src/b.py": f"{index}\n"} for index in range(103)))
    snapshot = (await load(access, pull.number)).snapshot
    assert [commit.sha for commit in snapshot.commits] == [commit.oid for commit in pull.commits]
    lines = [block.text for commit in snapshot.commits for block in commit.added]
    assert lines == [str(index) for index in range(103)]


async def test_a_delivery_that_overtakes_the_replicas(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    pull.push(files={"src/c.py": "c\n"})
    shop.github.faults.add("graphql PullRequest", stale_head=True)
    snapshot = (await load(access, pull.number, head=pull.head_sha)).snapshot
    assert snapshot.pull.head_sha == pull.head_sha
    assert [file.path for file in snapshot.files] == ["src/b.py", "src/c.py"]
    assert clock.slept == [1.0]


async def test_a_pull_request_that_is_not_there_yet(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    with pytest.raises(NotFound):
        await load(access, 99)
    assert clock.slept == [1.0, 2.0]
    assert shop.repository.pulls == {}


async def test_a_newer_head_than_the_delivery_named(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    old = pull.head_sha
    pull.push(files={".memoryrail/memories/20260103-x.md": memory("20260103-x")})
    snapshot = (await load(access, pull.number, head=old)).snapshot
    assert snapshot.pull.head_sha == snapshot.head.sha == pull.head_sha
    assert len(snapshot.head.stores[0].memories) == 3
    assert clock.slept == []


async def test_a_head_that_was_pushed_over_by_force(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    old = pull.head_sha
    pull.force_push(files={"src/c.py": "c\n"})
    snapshot = (await load(access, pull.number, head=old)).snapshot
    assert [file.path for file in snapshot.files] == ["src/c.py"]
    assert clock.slept == [1.0, 2.0]


async def test_reading_survives_502s_and_a_limit_is_for_the_worker(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    shop.github.faults.add("graphql PullRequest", status=502, times=2)
    assert (await load(access, pull.number)).snapshot.files
    shop.github.faults.add("GET /repos/octo/shop/pulls/1/files", status=429)
    with pytest.raises(RateLimited):
        await load(access, pull.number)


async def test_hostile_paths_stay_what_they_are(shop: Shop, access: RepositoryAccess) -> None:
    paths = ["a#1?.txt", "café/ü.py", 'quo"te\\.txt', "x/installation", "{{p0}}/$owner.md"]
    pull = shop.open(dict.fromkeys(paths, "text\n"))
    snapshot = (await load(access, pull.number)).snapshot
    assert [file.path for file in snapshot.files] == sorted(paths)
    assert all([block.text for block in file.added] == ["text"] for file in snapshot.files)


@pytest.fixture
def many() -> dict[str, str]:
    """More files than GitHub lists of a difference, the last of which says something."""
    return {f"src/f{index:04}.py": "x\n" for index in range(3_000)} | {"src/g.py": "last\n"}


async def test_more_files_than_github_lists(
    shop: Shop, access: RepositoryAccess, many: dict[str, str]
) -> None:
    pull = shop.open(many)
    pull.push(delete=["src/f0000.py"], files={"z.py": "z\n"})
    snapshot = (await load(access, pull.number)).snapshot
    assert [file.path for file in snapshot.files] == [*list(many)[1:], "z.py"]
    assert [block.text for file in snapshot.files[-2:] for block in file.added] == ["last", "z"]
    first, second = snapshot.commits
    assert (first.paths, first.paths_known) == (tuple(many), True)
    assert "last" in [block.text for block in first.added]  # of a commit, too, GitHub lists 3,000
    assert second.paths == ("src/f0000.py", "z.py")
    assert snapshot.unread == ()


async def test_more_files_than_a_tree_holds_are_said(
    shop: Shop, access: RepositoryAccess, many: dict[str, str]
) -> None:
    pull = shop.open(many)
    shop.github.faults.add(
        "GET /repos/octo/shop/git/trees/",
        status=200,
        body={"sha": "1" * 40, "url": "", "tree": [], "truncated": True},
        times=9,
    )
    snapshot = (await load(access, pull.number)).snapshot
    assert len(snapshot.files) == 3_000
    assert {one.section for one in snapshot.unread} == set(Section) - {Section.CITATIONS}
    assert [commit.paths_known for commit in snapshot.commits] == [False]
    assert {one.why for one in snapshot.unread} == {"GitHub listed 3,000 of 3,001 files"}


async def test_an_answer_in_part_is_never_taken_for_the_whole(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"AGENTS.md": "0123456789\n" * 1_000_000})
    snapshot = (await load(access, pull.number)).snapshot
    assert {(one.section, one.why) for one in snapshot.unread} >= {
        (Section.MEMORY, "GitHub gave only part of the answer"),
        (Section.SYNC, "GitHub gave only part of the answer"),
    }
    assert [one.id for one in snapshot.head.stores[0].memories] == [ONE, TWO]


async def test_nor_where_stores_are_looked_for(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open(
        {"a/.memoryrail/config.json": CONFIG, "a/AGENTS.md": "0123456789\n" * 1_000_000}
    )
    snapshot = (await load(access, pull.number)).snapshot
    assert Section.SYNC in {one.section for one in snapshot.unread}


async def test_a_commit_that_is_not_there_is_no_empty_side(access: RepositoryAccess) -> None:
    with pytest.raises(NotFound):
        await look_up(access, ["0" * 40], ["README.md"])


async def test_without_the_count_of_commits_a_push_takes_as_few_requests(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    await load(access, pull.number, head=pull.head_sha)
    pull.push(files={"src/c.py": "c\n"})
    with shop.github.measure() as measured:
        await load(access, pull.number, head=pull.head_sha)
    assert (len(measured.requests), measured.depth) == (3, 1)


async def test_a_pull_request_that_only_removes(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({})
    pull.push(delete=["README.md", f".memoryrail/memories/{TWO}.md"])
    snapshot = (await load(access, pull.number, head=pull.head_sha)).snapshot
    assert {file.status for file in snapshot.files} == {"removed"}
    assert [one.id for one in snapshot.head.stores[0].memories] == [ONE]
    assert clock.slept == []


async def test_jobs_at_once_share_what_they_read(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    loaded = await asyncio.gather(*(load(access, pull.number) for _ in range(4)))
    assert len({each.snapshot.pull.head_sha for each in loaded}) == 1
    with shop.github.measure() as measured:
        await load(access, pull.number)
    assert "graphql Blobs" not in {each.operation for each in measured.requests}


@pytest.mark.parametrize("operation", ["PullRequest", "Trees", "Blobs"])
async def test_a_part_that_is_missing_for_no_reason_is_asked_for_again(
    shop: Shop, access: RepositoryAccess, operation: str
) -> None:
    pull = shop.open({"apps/b.py": b"\0" * 20})
    body = {
        "data": {"repository": {"id": "x", "pullRequest": None, "b0": None, "c0": None}},
        "errors": [{"path": ["repository"], "message": "Something went wrong"}],
    }
    shop.github.faults.add(f"graphql {operation}", status=200, body=body, times=99)
    with pytest.raises(GitHubError, match="in part"):
        await load(access, pull.number)
