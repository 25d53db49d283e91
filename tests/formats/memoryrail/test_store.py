"""A store from the files of a tree: what belongs to it, and what hides nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Problem, Status, TreeFile
from bot.formats import FORMATS, Format, memoryrail

CONFIG = TreeFile(path=".memoryrail/config.json", oid="c", data=b'{"version": 1}')


def file(
    id_: str, *more: str, type_: str = "decision", status: str = "active", root: str = ""
) -> TreeFile:
    lines = [
        "---",
        f"id: {id_}",
        f"type: {type_}",
        f"title: Title of {id_}",
        f"status: {status}",
        "created: 2026-10-01T08:00:00Z",
        "updated: 2026-10-01T08:00:00Z",
        *more,
        "---",
        "",
    ]
    path = f"{root}.memoryrail/memories/{id_}.md"
    return TreeFile(path=path, oid=f"oid-{id_}", data="\n".join(lines).encode())


def problems(*files: TreeFile) -> list[tuple[str, int, str, str]]:
    store = memoryrail.read("", [CONFIG, *files])
    assert store is not None
    return [(p.path.rpartition("/")[2], p.line, p.rule, p.severity.value) for p in store.problems]


def test_the_package_is_a_format() -> None:
    formats: tuple[Format, ...] = FORMATS
    assert memoryrail in formats
    assert memoryrail.NAME == "memoryrail"


@pytest.mark.parametrize(
    ("root", "path", "expected"),
    [
        ("", ".memoryrail/config.json", True),
        ("", ".memoryrail/memories/a.md", True),
        ("", ".memoryrail/memories/a.b.md", True),
        ("", ".memoryrail/memories/.md", False),
        ("", ".memoryrail/memories/a.MD", False),
        ("", ".memoryrail/memories/old/a.md", False),
        ("", ".memoryrail/memories.md", False),
        ("", "pkg/.memoryrail/memories/a.md", False),
        ("pkg/a", "pkg/a/.memoryrail/memories/a.md", True),
        ("pkg/a", "pkg/a/.memoryrail/config.json", True),
        ("pkg", "pkg/a/.memoryrail/config.json", False),
    ],
)
def test_which_files_belong_to_a_store(root: str, path: str, expected: bool) -> None:
    assert memoryrail.wanted(root, path) is expected
    (directory,) = memoryrail.marks(root)
    assert not expected or path.startswith(f"{directory}/")


def test_a_store_knows_its_files_by_their_paths_in_the_repository() -> None:
    config = TreeFile(path="pkg/.memoryrail/config.json", oid="c", data=CONFIG.data)
    store = memoryrail.read(
        "pkg", [file("b", root="pkg/"), config, file("a"), file("a", root="pkg/")]
    )
    assert store is not None
    assert [memory.path for memory in store.memories] == [
        "pkg/.memoryrail/memories/a.md",
        "pkg/.memoryrail/memories/b.md",
    ]
    assert {path: one.oid for path, one in store.files.items()} == {
        "pkg/.memoryrail/memories/a.md": "oid-a",
        "pkg/.memoryrail/memories/b.md": "oid-b",
    }
    assert store.config == "pkg/.memoryrail/config.json"
    assert store.agent_files[0] == "pkg/AGENTS.md"
    assert (store.root, store.gated, store.problems) == ("pkg", False, ())


def test_without_a_config_there_is_no_store() -> None:
    assert memoryrail.read("", [file("a")]) is None
    assert memoryrail.read("", []) is None


@pytest.mark.parametrize(
    ("data", "rule", "line"),
    [
        (b"", "bad-config", 1),
        (b"[]", "bad-config", 1),
        (b'{\n "version": 1,\n "review": off }', "bad-config", 3),
        (b'{"version": 1}\xff', "bad-config", 1),
        (b"[" * 100_000, "bad-config", 1),
        (b'{"version": ' + b"1" * 5000 + b"}", "bad-config", 1),
        (b'{\n"review": "off"}', "bad-config", 1),
        (b'{\n"version": true}', "bad-config", 2),
        (b'{"version": 1, "review": "agents", "review": "off"}', "bad-config", 1),
        (b'{"version": 1,\n"review": "Agents"}', "bad-config", 2),
        (b'{"version": 1,\n"review": ["agents"]}', "bad-config", 2),
        (b'{"version": 1, "review": null}', "bad-config", 1),
    ],
)
def test_a_broken_config_is_reported_and_leaves_the_memories(
    data: bytes, rule: str, line: int
) -> None:
    """What it does not say clearly counts as the stricter choice: the gate is on."""
    config = TreeFile(path=CONFIG.path, oid="c", data=data)
    store = memoryrail.read("", [config, file("a")])
    assert store is not None
    assert [(problem.rule, problem.line) for problem in store.problems] == [(rule, line)]
    assert store.gated
    assert [memory.id for memory in store.memories] == ["a"]


@pytest.mark.parametrize("version", ["2", "0", "1.5", "-1", "1e300"])
def test_a_store_of_another_version_is_not_read(version: str) -> None:
    config = TreeFile(path=CONFIG.path, oid="c", data=f'{{"version": {version}}}'.encode())
    store = memoryrail.read("", [config, file("a"), TreeFile(path="x", oid="")])
    assert store is not None
    assert [problem.rule for problem in store.problems] == ["unsupported-version"]
    assert store.memories == ()
    assert sorted(store.files) == [".memoryrail/memories/a.md"]


@pytest.mark.parametrize(
    "data", [b'{"version": 1.0, "x": {}}', b'\xef\xbb\xbf{"version": 1}', b'{"version":1}\r\n']
)
def test_a_config_may_hold_more_and_be_written_otherwise(data: bytes) -> None:
    store = memoryrail.read("", [TreeFile(path=CONFIG.path, oid="c", data=data)])
    assert store is not None
    assert (store.problems, store.gated) == ((), False)


@pytest.mark.parametrize(
    ("config", "rule"),
    [
        (TreeFile(path=CONFIG.path, oid="c", data=b"x", is_symlink=True), "symlink"),
        (TreeFile(path=CONFIG.path, oid="c", unread="a limit"), "unread"),
    ],
)
def test_a_config_that_was_not_read_still_makes_a_store(config: TreeFile, rule: str) -> None:
    store = memoryrail.read("", [file("a"), config])
    assert store is not None
    assert [problem.rule for problem in store.problems] == [rule]
    assert store.gated


def test_one_bad_file_hides_nothing() -> None:
    broken = TreeFile(path=".memoryrail/memories/b.md", oid="", data=b"\xff\xfe")
    link = TreeFile(path=".memoryrail/memories/c.md", oid="", data=b"a.md", is_symlink=True)
    store = memoryrail.read("", [CONFIG, link, broken, file("d"), file("a")])
    assert store is not None
    assert [memory.id for memory in store.memories] == ["a", "d"]
    assert [problem.rule for problem in store.problems] == ["bad-encoding", "symlink"]


def test_supersession_is_told_on_both_sides() -> None:
    assert problems(file("a", "supersedes: gone")) == [("a.md", 8, "unknown-supersedes", "warning")]
    assert problems(file("a", status="superseded")) == [
        ("a.md", 5, "missing-superseded-by", "warning")
    ]
    assert problems(file("a"), file("b", "supersedes: a")) == [
        ("a.md", 5, "missing-superseded-by", "warning")
    ]
    superseded = file("a", "superseded_by: b", status="superseded")
    assert problems(superseded, file("b", "supersedes: a")) == []


def test_a_proposal_changes_nothing_about_what_it_would_supersede() -> None:
    assert problems(file("a"), file("b", "supersedes: a", status="proposed")) == []


def test_only_threads_are_resolved() -> None:
    assert problems(file("a", type_="thread", status="resolved")) == []
    assert problems(file("a", status="resolved")) == [("a.md", 5, "resolved-not-thread", "warning")]


@pytest.mark.parametrize("link", ["../x", "/etc", "a/../../x", "''"])
def test_a_link_out_of_the_repository_is_an_error(link: str) -> None:
    expected = [("a.md", 8, "link-outside-repo", "error")]
    assert problems(file("a", f"links: [src, {link}]")) == expected
    assert problems(file("a", f"links: [{link}]", status="archived")) == []


def test_links_inside_the_repository_are_fine() -> None:
    assert problems(file("a", "links: [src, ./a, a/../b, ., 'a b/ü']")) == []


FILES = [
    CONFIG,
    file("a", "supersedes: b"),
    file("b"),
    file("c", status="resolved"),
    TreeFile(path=".memoryrail/memories/d.md", oid="", data=b"---\nid: a\n---\n"),
]


@given(st.permutations(FILES))
def test_the_order_of_files_does_not_matter(files: list[TreeFile]) -> None:
    assert memoryrail.read("", files) == memoryrail.read("", FILES)


def test_problems_and_memories_are_in_order() -> None:
    store = memoryrail.read("", list(reversed(FILES)))
    assert store is not None
    assert list(store.problems) == sorted(store.problems, key=_place)
    assert [memory.id for memory in store.memories] == ["a", "b", "c"]
    assert [memory.status for memory in store.active] == [Status.ACTIVE] * 2


def _place(problem: Problem) -> tuple[str, int]:
    return problem.path, problem.line


@given(st.lists(st.tuples(st.sampled_from("abc"), st.binary(max_size=60)), max_size=4))
def test_hostile_files_never_raise(contents: list[tuple[str, bytes]]) -> None:
    files = [
        TreeFile(path=f".memoryrail/memories/{name}.md", oid="", data=data)
        for name, data in dict(contents).items()
    ]
    store = memoryrail.read("", [CONFIG, *files])
    assert store is not None
    assert {problem.path for problem in store.problems} == {one.path for one in files}


@pytest.mark.parametrize(
    ("file", "rule"),
    [
        (TreeFile(path=".memoryrail/memories", oid="l", data=b"../m", is_symlink=True),
         "bad-layout"),
        (TreeFile(path=".memoryrail/memories", oid="f", data=b"text"), "bad-layout"),
        (TreeFile(path=".memoryrail/memories", oid="", unread="Permission denied"), "unread"),
    ],
)  # fmt: skip
def test_what_stands_in_the_place_of_the_directory_is_said(file: TreeFile, rule: str) -> None:
    assert memoryrail.wanted("", file.path)
    assert problems(file) == [("memories", 1, rule, "error")]
