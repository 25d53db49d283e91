"""Make bot/core/precheck/stems.tsv: how common the stems of software English are.

    python deploy/make_stems.py

Counts the words of texts that this machine has: the descriptions of the installed packages, and the
docstrings of Python's standard library, each cut into pieces of equal length. A stem is as common
as it is in that of the two where it is more common. The table holds counts only. It changes with
the machine, so make it anew on purpose and look at what precheck then finds.
"""

import ast
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
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
    prose, reference = _shares(_descriptions()), _shares(_docstrings())
    shares = {stem: max(prose[stem], reference[stem]) for stem in {*prose, *reference}}
    commonest = sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))[:STEMS]
    TABLE.write_text("".join(f"{stem}\t{share:.4f}\n" for stem, share in commonest), "utf-8")


def _shares(texts: Iterable[str]) -> defaultdict[str, float]:
    """The share of pieces that hold a stem."""
    pieces = [piece for text in texts for piece in _pieces(text)]
    held = Counter(
        stem for piece in pieces for stem in words.terms(piece) if not words.is_pair(stem)
    )
    return defaultdict(float, {stem: count / len(pieces) for stem, count in held.items()})


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
