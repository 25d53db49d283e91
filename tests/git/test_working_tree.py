"""What stands at a path on disk."""

import os
from pathlib import Path

import pytest

from bot.git.working_tree import Spot, WorkingTree


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> WorkingTree:
    """Files, and symlinks of all kinds."""
    outside = tmp_path_factory.mktemp("outside")
    top = tmp_path_factory.mktemp("top")
    (top / "src/deep").mkdir(parents=True)
    (top / "src/a.py").touch()
    (top / "src/cafe\u0301.py").touch()  # decomposed, as some systems write names
    Path(os.fsdecode(bytes(top) + b"/src/\xff.py")).touch()
    for name, target in {
        "inside": "src",
        "deep/../again": "inside",
        "absolute": str(top / "src/a.py"),
        "outside": str(outside),
        "src/up": "../..",
        "src/top": "..",
        "twice": "src/up",
        "dangling": "src/none",
        "dangling-out": "../none",
        "circle": "circle",
        "sibling": f"{top}-not",
    }.items():
        (top / os.path.normpath(name)).symlink_to(target)
    return WorkingTree(top)


@pytest.mark.parametrize(
    ("path", "paths"),
    [
        ("", [""]),
        ("src", ["src"]),
        ("src/deep", ["src/deep"]),
        ("src/caf\u00e9.py", ["src/caf\u00e9.py"]),
        ("src/\\xff.py", ["src/\\xff.py"]),
        ("inside", ["inside", "src"]),
        ("inside/a.py", ["inside", "src/a.py"]),
        ("again/a.py", ["again", "src/a.py"]),
        ("absolute", ["absolute", "src/a.py"]),
        ("src/top", ["src/top", ""]),
        ("src/top/src/top/src/deep", ["src/top", "src/deep"]),
    ],
)
def test_what_is_there(tree: WorkingTree, path: str, paths: list[str]) -> None:
    spot = tree.look(tuple(filter(None, path.split("/"))))
    assert spot == Spot(is_there=True, paths=tuple(paths))


@pytest.mark.parametrize(
    "path",
    [
        "none",
        "Src",
        "src/a.py/below",
        "src/none/a.py",
        "inside/none",
        "dangling",
        "dangling/x",
        "circle",
        "a\0b",
        "\ud800",
        "x" * 5_000,
    ],
)
def test_what_is_not_there(tree: WorkingTree, path: str) -> None:
    assert tree.look(tuple(path.split("/"))) == Spot(is_there=False, paths=(path,))


@pytest.mark.parametrize(
    "path", ["outside", "outside/x", "src/up", "src/up/none", "twice", "dangling-out", "sibling"]
)
def test_what_leads_out(tree: WorkingTree, path: str) -> None:
    assert tree.look(tuple(path.split("/"))) == Spot(is_there=False, is_outside=True)
