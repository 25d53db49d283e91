"""Each test that the table of troubles names exists."""

import ast
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
README = (FOLDER / "README.md").read_text("utf-8")
ROWS = re.findall(r"^\| (?!---|trouble|what happens)(.*?) \| (.*) \|$", README, re.MULTILINE)


@cache
def functions(path: str) -> frozenset[str]:
    """The names of a file's tests."""
    tree = ast.parse((FOLDER / path).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, kinds))


def test_every_trouble_has_tests_that_exist() -> None:
    numbers = [int(found[0]) for what, _ in ROWS if (found := re.findall(r"^\d+(?=\. )", what))]
    assert numbers == list(range(1, 26))
    for what, tests in ROWS:
        named = [name.partition("::") for name in re.findall(r"`([^`]+)`", tests)]
        assert named, what
        missing = [name for path, _, name in named if name not in functions(path)]
        assert missing == [], what
