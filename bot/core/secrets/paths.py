"""What a path says about the credentials in its file: how strict to be there."""

import re
from enum import Enum
from typing import Final

_GENERATED_NAMES: Final = frozenset(
    {
        "bun.lock",
        "cargo.lock",
        "composer.lock",
        "deno.lock",
        "flake.lock",
        "gemfile.lock",
        "go.sum",
        "gradle.lockfile",
        "mix.lock",
        "npm-shrinkwrap.json",
        "package-lock.json",
        "packages.lock.json",
        "package.resolved",
        "pdm.lock",
        "pipfile.lock",
        "pnpm-lock.yaml",
        "podfile.lock",
        "poetry.lock",
        "pubspec.lock",
        "uv.lock",
        "yarn.lock",
    }
)
_VENDORED: Final = frozenset(
    {"bower_components", "node_modules", "site-packages", "third_party", "vendor", "vendored"}
)
_LENIENT: Final = frozenset(
    {
        "__tests__",
        "doc",
        "docs",
        "documentation",
        "example",
        "examples",
        "fixture",
        "fixtures",
        "mock",
        "mocks",
        "sample",
        "samples",
        "spec",
        "specs",
        "test",
        "testdata",
        "tests",
    }
)
_TEST_FILE = re.compile(r"(?:^|[_.-])(?:test|tests|spec|mock|fixture)s?(?:[_.-]|$)")
_CODE_WORDS: Final = """
    c cc cjs cpp cs cxx dart ex exs go groovy h hpp java js jsx kt kts lua m mjs mm php pl pm py
    pyi r rb rs scala svelte swift ts tsx vb vue zig
"""
_CODE: Final = frozenset(_CODE_WORDS.split())
_CONFIGURATION_WORDS: Final = """
    cfg cnf conf config env ini json json5 plist properties tf tfvars toml xml yaml yml
"""
_CONFIGURATION: Final = frozenset(_CONFIGURATION_WORDS.split())


class Place(Enum):
    """The kind of place a file stands in."""

    SOURCE = "source"
    LENIENT = "tests, examples and documentation"  # findings count one level lower
    GENERATED = "lock files, source maps and vendored trees"  # only proofs by shape count


class Syntax(Enum):
    """How a value stands in a file."""

    CODE = "code"  # strings are quoted; a bare word is a name
    CONFIGURATION = "configuration"  # a bare word is a value
    OTHER = "other"


def place(path: str) -> Place:
    """The kind of place, by the folders and the name of a repository-relative POSIX path."""
    *folders, name = path.lower().split("/")
    if name in _GENERATED_NAMES or name.endswith(".map") or not _VENDORED.isdisjoint(folders):
        return Place.GENERATED
    if not _LENIENT.isdisjoint(folders) or _TEST_FILE.search(name):
        return Place.LENIENT
    return Place.SOURCE


def syntax(path: str) -> Syntax:
    """How values stand in the file, by its extension."""
    name = path.lower().rpartition("/")[2]
    extension = name.rpartition(".")[2]
    if extension in _CODE:
        return Syntax.CODE
    if extension in _CONFIGURATION or name.startswith(".env"):
        return Syntax.CONFIGURATION
    return Syntax.OTHER
