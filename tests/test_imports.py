"""Imports run one way: which folder of the bot may import which (README, "The folders")."""

import ast
from pathlib import Path

import pytest

import bot

ROOT = Path(bot.__file__).parent
EVERYTHING = frozenset(
    [
        "core",
        "formats",
        "render",
        "commands",
        "github",
        "git",
        "store",
        "jobs",
        "handlers",
        "web",
        "cli",
        "sandbox",
        "app",
        "settings",
        "logs",
        "metrics",
    ]
)
MAY_IMPORT: dict[str, frozenset[str]] = {
    "core": frozenset(),
    "formats": frozenset({"core"}),
    "render": frozenset({"core"}),
    "commands": frozenset({"core", "formats", "render"}),
    "github": frozenset({"core", "formats"}),
    "git": frozenset({"core", "formats"}),
    "store": frozenset({"core"}),
    "jobs": frozenset({"store", "logs"}),
    "handlers": EVERYTHING - {"web", "cli", "sandbox", "app", "settings", "metrics"},
    "web": frozenset({"handlers", "store", "jobs", "logs"}),
    "cli": EVERYTHING,
    "sandbox": frozenset(),
    "app": EVERYTHING - {"cli", "sandbox"},
    "settings": frozenset({"core", "logs"}),
    "logs": frozenset({"core"}),
    "metrics": frozenset({"github", "jobs", "store"}),
}
# What the pure folders never touch: clocks, sockets, the environment, randomness, logging.
IMPURE = frozenset(
    [
        "asyncio",
        "logging",
        "os",
        "random",
        "secrets",
        "socket",
        "subprocess",
        "time",
        "httpx",
        "githubkit",
        "sqlalchemy",
        "dbos",
        "starlette",
        "tempfile",
    ]
)
PURE = ("core", "formats", "render", "commands")


def _modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def _folder(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def _imported(path: Path) -> set[str]:
    """Full dotted names that a module imports, those inside functions included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports here are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_each_module_imports_only_what_its_folder_may(path: Path) -> None:
    folder = _folder(path)
    if folder == "__init__":
        return
    targets = {name.split(".")[1] for name in _imported(path) if name.startswith("bot.")}
    assert targets - {folder} <= MAY_IMPORT[folder]


@pytest.mark.parametrize(
    "path",
    [path for path in _modules() if _folder(path) in PURE],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_pure_folders_touch_nothing_outside(path: Path) -> None:
    touched = {name for name in _imported(path) if name.split(".")[0] in IMPURE}
    assert not touched
