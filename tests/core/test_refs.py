"""Refs and ids that people write, and the memories they mean."""

import contextlib
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.errors import UserError
from bot.core.model import Memory, MemoryType, Status
from bot.core.refs import MAX_CITATIONS, AmbiguousRef, Refs, UnknownRef, citations, resolve


def memory(id_: str, type_: MemoryType = MemoryType.DECISION, title: str = "A title") -> Memory:
    return Memory(
        id=id_,
        type=type_,
        title=title,
        status=Status.ACTIVE,
        created="",
        updated="",
        path=f".memoryrail/memories/{id_}.md",
    )


DRIZZLE = memory("20261010-use-drizzle-over-prisma", title="Use Drizzle over Prisma")  # DEC-5dbe
QUEUE = memory("20261010-keep-invoice-queue")  # DEC-0663
LEDGER = memory("20261010-keep-invoice-ledger")  # DEC-0663 as well
ALL = (DRIZZLE, QUEUE, LEDGER)


@pytest.mark.parametrize(
    "text",
    [
        "DEC-5dbe",
        "dec-5DBE",
        "[per DEC-5dbe]",
        "[PER dec-5dbe]",
        " per DEC-5dbe ",
        "`DEC-5dbe`",
        "20261010-use-drizzle-over-prisma",
        "[per 20261010-use-drizzle-over-prisma]",
    ],
)
def test_a_memory_is_found_by_ref_and_id(text: str) -> None:
    assert resolve(ALL, text) is DRIZZLE


@pytest.mark.parametrize(
    "text",
    [
        DRIZZLE.path,
        "memories/20261010-use-drizzle-over-prisma.md",
        "20261010-use-drizzle-over-prisma.md",
    ],
)
def test_a_memory_is_found_by_the_end_of_its_path(text: str) -> None:
    assert resolve(ALL, text) is DRIZZLE
    twin = replace(DRIZZLE, path=f"app/{DRIZZLE.path}")
    assert resolve((*ALL, twin), f"app/{DRIZZLE.path}") is twin
    assert resolve((*ALL, twin), DRIZZLE.path) is DRIZZLE
    with pytest.raises(AmbiguousRef):
        resolve((*ALL, twin), "20261010-use-drizzle-over-prisma.md")
    with pytest.raises(UnknownRef):
        resolve(ALL, "prisma.md")


def test_a_shared_ref_names_its_candidates() -> None:
    with pytest.raises(AmbiguousRef) as error:
        resolve(ALL, "DEC-0663")
    assert error.value.candidates == (LEDGER, QUEUE)
    assert "20261010-keep-invoice-ledger (A title)" in str(error.value)


def test_an_id_that_is_spelt_like_the_ref_of_another_memory_is_ambiguous() -> None:
    impostor = memory("DEC-5dbe")
    with pytest.raises(AmbiguousRef):
        resolve((*ALL, impostor), "DEC-5dbe")


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("CON-5dbe", DRIZZLE),  # right digits, wrong type
        ("DEC-5dbf", DRIZZLE),
        ("DEC-5db", DRIZZLE),
        ("20261010-use-drizle-over-prisma", DRIZZLE),
        ("DEC-ffff", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_an_unknown_ref_offers_the_nearest(text: str, suggestion: Memory | None) -> None:
    with pytest.raises(UnknownRef) as error:
        resolve(ALL, text)
    assert error.value.suggestion is suggestion


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As agreed [per DEC-a3f9].", ("DEC-a3f9",)),
        ("[per DEC-a3f9, CON-1f3a] and [per dec-A3F9]", ("DEC-a3f9", "CON-1f3a")),
        ("[per DEC-a3f9 and\n per `CON-1f3a`]", ("DEC-a3f9", "CON-1f3a")),
        ("[Per 20261010-use-drizzle-over-prisma]", ("20261010-use-drizzle-over-prisma",)),
        ("[per DEC-a3g9]", ("DEC-a3g9",)),  # mistyped: to be reported, not passed over
        ("[per request] [per the docs] [per RFC-2119]", ()),
        ("per DEC-a3f9, DEC-a3f9, [see DEC-a3f9], [perDEC-a3f9]", ()),
        ("[per DEC-a3f9](https://example.com)", ("DEC-a3f9",)),
        ("[per [per DEC-a3f9]", ("DEC-a3f9",)),
    ],
)
def test_citations(text: str, expected: tuple[str, ...]) -> None:
    assert citations(text) == expected


def test_a_known_id_of_any_shape_is_a_citation() -> None:
    assert citations("[per keep-sqlite]", known={"keep-sqlite"}) == ("keep-sqlite",)


def test_citations_are_limited() -> None:
    text = " ".join(f"[per DEC-{number:04x}]" for number in range(MAX_CITATIONS + 50))
    assert len(citations(text)) == MAX_CITATIONS


@pytest.mark.parametrize("piece", ["[per ", "[per\n\n", "[", "]", "[per DEC-a3f9 ", "per [ "])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    begin = time.process_time()
    citations(piece * 20_000)
    assert time.process_time() - begin < 2


@given(st.text())
def test_resolving_raises_nothing_but_our_errors(text: str) -> None:
    refs = Refs(ALL)
    with contextlib.suppress(UserError):
        assert refs.resolve(text) in ALL
