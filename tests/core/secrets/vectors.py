"""The labelled texts of spec/vectors/secrets, for tests that need a made-up credential."""

from functools import cache

from tests.vectors.cases import VECTORS, load
from tests.vectors.secrets import Labelled, labelled


@cache
def cases() -> tuple[Labelled, ...]:
    """All cases, by file and position."""
    return tuple(labelled(case.data) for case in load(VECTORS / "secrets"))


def case(id: str) -> Labelled:  # noqa: A002  # the vectors' own word
    """The case of that id."""
    return next(one for one in cases() if one.id == id)
