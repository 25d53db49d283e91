"""What shows when the memories of a store are seen together."""

from dataclasses import replace

import pytest

from bot.core.model import Memory
from bot.formats.memoryrail.layout import id_of
from bot.formats.memoryrail.lint import lint
from tests.making import memory


def found(*memories: Memory) -> list[tuple[str, str, str]]:
    return [(one.rule, id_of(one.path), one.severity.value) for one in lint(memories)]


@pytest.mark.parametrize(
    ("memories", "expected"),
    [
        ([memory("a", supersedes="none")], [("unknown-supersedes", "a", "warning")]),
        (
            [memory("a", superseded_by="none", status="superseded")],
            [("unknown-superseded-by", "a", "warning")],
        ),
        (
            [memory("a", superseded_by="b"), memory("b", supersedes="a")],
            [("not-superseded", "a", "warning")],
        ),
        (
            [memory("a", status="superseded", superseded_by="b"), memory("b")],
            [("missing-supersedes", "a", "warning")],
        ),
        (
            [memory("a", status="superseded", superseded_by="b"), memory("b", supersedes="a")],
            [],
        ),
        ([memory("a"), memory("b", supersedes="a")], [("missing-superseded-by", "a", "warning")]),
        ([memory("a"), memory("b", supersedes="a", status="proposed")], []),
        ([memory("a", status="superseded")], [("missing-superseded-by", "a", "warning")]),
        (
            [
                memory("a", status="superseded", superseded_by="b"),
                memory("b", supersedes="a"),
                memory("c", supersedes="a"),
            ],
            [("superseded-twice", "b", "warning"), ("superseded-twice", "c", "warning")],
        ),
        ([memory("a", supersedes="a", status="archived")], [("supersedes-cycle", "a", "error")]),
        ([memory("a", supersedes="a")], [("supersedes-cycle", "a", "error")]),
        (
            [memory("a-b"), memory("A-b")],
            [("case-collision", "A-b", "warning"), ("case-collision", "a-b", "warning")],
        ),
        (
            [
                memory("a", status="superseded", supersedes="c", superseded_by="b"),
                memory("b", status="superseded", supersedes="a", superseded_by="c"),
                memory("c", status="superseded", supersedes="b", superseded_by="a"),
                memory("d", status="archived", supersedes="c"),
            ],
            [
                ("supersedes-cycle", "a", "error"),
                ("supersedes-cycle", "b", "error"),
                ("supersedes-cycle", "c", "error"),
            ],
        ),
        ([memory("a", status="resolved")], [("resolved-not-thread", "a", "warning")]),
        ([memory("a", links=("../x",))], [("link-outside-repo", "a", "error")]),
        ([memory("a", links=("../x",), status="archived")], []),
        (
            [memory("20261010-keep-invoice-queue"), memory("20261010-keep-invoice-ledger")],
            [
                ("ambiguous-ref", "20261010-keep-invoice-ledger", "notice"),
                ("ambiguous-ref", "20261010-keep-invoice-queue", "notice"),
            ],
        ),
    ],
)
def test_lint(memories: list[Memory], expected: list[tuple[str, str, str]]) -> None:
    assert found(*memories) == expected
    assert found(*reversed(memories)) == expected


def test_thousands_of_memories_that_hang_together_take_no_longer_each() -> None:
    """A hostile store: one chain, one ref or one target for all. Quadratic work would not end."""
    number = 3_000
    chain = [
        memory(str(n), status="archived", **({"supersedes": str(n - 1)} if n else {}))
        for n in range(number)
    ]
    assert {rule for rule, _, _ in found(*chain)} == {"ambiguous-ref"}
    rivals = [memory(f"r{n}", supersedes="0") for n in range(number)]
    rules = [rule for rule, _, _ in found(*chain[:1], *rivals)]
    assert rules.count("superseded-twice") == number
    twins = [replace(memory("20261010-x"), path=f".memoryrail/memories/{n}.md") for n in range(9)]
    assert found(*twins) == []  # each is named by its file: id-filename-mismatch says so
