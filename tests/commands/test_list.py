"""`list [STATUS] [TYPE] [PATH]`: which memories, and misspelt filters."""

from dataclasses import replace

import pytest

from tests.commands.making import context, file, memory_file, said, store_tree, texts

UTC = memory_file("20261005-utc", "active", type_="constraint", title="UTC only")
LINKED = file(
    UTC.path, (UTC.data or b"").replace(b"---\nB.", b'links: ["src/db"]\npinned: true\n---\nB.')
)
OLD = memory_file("20261001-old", "active", title="Use @MySQL")
NEW = memory_file("20261009-new", title="Use Postgres")
SHOP = memory_file("20261007-shop", "active", root="apps/shop/")
ON = context(LINKED, OLD, NEW)
CON = "- **CON-f27c** · constraint, active, pinned · UTC only"
DEC = "- **DEC-da6f** · decision, active · Use @&#8203;MySQL"
PRO = "- **DEC-e65d** · decision, proposed · Use Postgres"


@pytest.mark.parametrize(
    ("filters", "top", "rows"),
    [
        ("", "2 memories (active).", [CON, DEC]),
        ("proposed", "1 memory (proposed).", [PRO]),
        ("all decisions", "2 memories (all; decision).", [DEC, PRO]),
        ("Constraints", "1 memory (active; constraint).", [CON]),
        ("active proposed decision", "2 memories (active or proposed; decision).", [DEC, PRO]),
        ("src/db/pool.py", "1 memory (active; about `src/db/pool.py`).", [CON]),
        ("src", "1 memory (active; about `src`).", [CON]),
        ("gotcha src/db", "no memory (active; gotcha; about `src/db`).", []),
    ],
)
def test_which_are_listed(filters: str, top: str, rows: list[str]) -> None:
    (text,) = texts(said(f"/memoryrail list {filters}", ON))
    assert text == "\n".join([f"At the head: {top}", *([""] if rows else []), *rows])


def test_a_misspelt_filter_is_no_path() -> None:
    (text,) = texts(said("/memoryrail list propsed", ON))
    assert text == (
        "propsed is neither a status nor a type. Did you mean proposed? "
        "Write `/memoryrail list [STATUS] [TYPE] [PATH]`."
    )


def test_all_stores_are_listed_up_to_a_hundred() -> None:
    both = replace(ON, trees=(*ON.trees, store_tree(SHOP, root="apps/shop/")))
    (text,) = texts(said("/memoryrail list", both))
    assert "3 memories (active)." in text
    many = context(*(memory_file(f"2026100{n % 10}-{n}", "active") for n in range(120)))
    (text,) = texts(said("/memoryrail list", many))
    assert text.endswith("\n- 20 more")
