"""Make bot/core/precheck/stems.tsv: how common the stems of software English are.

    python deploy/make_stems.py

Counts the words of texts that this machine has: the descriptions of the installed packages and the
docstrings of Python's standard library, cut into pieces of equal length. The table holds counts
only. It changes with the machine, so make it anew on purpose and look at what precheck then finds.
"""

import ast
import sysconfig
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from bot.core.precheck import words

TABLE: Final = Path(words.__file__).with_name("stems.tsv")
PIECE: Final = 400  # words
STEMS: Final = 2000
OURS: Final = "memoryrail-bot"


def main() -> None:
    """Write the table: stem, tab, share of the pieces that hold it; the commonest first."""
    pieces = [piece for text in (*_descriptions(), *_docstrings()) for piece in _pieces(text)]
    held = Counter(term for piece in pieces for term in words.terms(piece))
    commonest = sorted(held.items(), key=lambda pair: (-pair[1], pair[0]))[:STEMS]
    lines = [f"{term}\t{count / len(pieces):.4f}\n" for term, count in commonest]
    TABLE.write_text("".join(lines), "utf-8")


def _descriptions() -> Iterator[str]:
    """Of each installed package, in the order of their names."""
    found = {package.name.lower(): package for package in metadata.distributions()}
    for name in sorted(found.keys() - {OURS}):
        payload = found[name].metadata.get_payload()  # type: ignore[attr-defined]  # it is a Message
        yield payload if isinstance(payload, str) else ""


def _docstrings() -> Iterator[str]:
    """One text for each module of the standard library, tests and third parties left out."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*.py")):
        if {"test", "tests", "idle_test", "site-packages", "dist-packages"} & {*path.parts}:
            continue
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        documented = (node for node in ast.walk(tree) if isinstance(node, kinds))
        yield "\n".join(ast.get_docstring(node) or "" for node in documented)


def _pieces(text: str) -> Iterator[str]:
    """Pieces of PIECE words; what is left over counts when it is half as long at least."""
    found = text.split()
    for start in range(0, len(found), PIECE):
        piece = found[start : start + PIECE]
        if len(piece) >= PIECE // 2:
            yield " ".join(piece)


if __name__ == "__main__":
    main()
