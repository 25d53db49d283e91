"""How common a term is in software English at large, whatever the project.

A project of ten memories says little about which words are common; this table, made once by
deploy/make_stems.py, says it for them.
"""

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

UNKNOWN_IDF: Final = 6.0  # of a term that the table lacks, and the most that any has


def general_idf(term: str) -> float:
    """Inverse document frequency: near 0 for a word of every text, 6 for a rare one."""
    return _table().get(term, UNKNOWN_IDF)


@cache
def _table() -> Mapping[str, float]:
    """stems.tsv: a term and the share of texts that hold it, on each line."""
    lines = files(__package__).joinpath("stems.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {term: min(UNKNOWN_IDF, -math.log(float(share))) for term, share in rows}
