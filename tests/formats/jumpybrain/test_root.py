"""jumpybrain.json, read and written."""

import json
from datetime import UTC, datetime

import pytest

from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.root import (
    find_root,
    index_folder,
    indexed,
    initialized,
    read_root,
    require_writable,
    root_of,
)
from tests.formats.jumpybrain.making import config

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "rules", "compatible"),
    [
        ('{"schemaVersion": 1}', [], True),
        ('{"schemaVersion": "1"}', [], True),
        ('{"schemaVersion": 1.0}', [], True),
        ('{"schemaVersion": 2}', ["schema-too-new"], False),
        ('{"schemaVersion": 1.5}', ["bad-schema-version"], False),
        ('{"schemaVersion": 0}', ["bad-schema-version"], False),
        ('{"schemaVersion": true}', ["bad-schema-version"], False),
        ('{"schemaVersion": [1]}', ["bad-schema-version"], False),
        ('{"schemaVersion": Infinity}', ["bad-schema-version"], False),
        ('{"schemaVersion": NaN}', ["bad-schema-version"], False),
        ("{}", ["bad-schema-version"], False),
        ("null", ["bad-config"], False),
        ('\ufeff{"schemaVersion": 1}', ["bad-config"], False),
        ('{"schemaVersion": 1, "schemaVersion": 2}', ["bad-config"], False),
        ("[" * 100_000, ["bad-config"], False),
        ('{\n"schemaVersion": 1,\n"indexRoot": "../../x"}', ["bad-index-root"], True),
        ('{"schemaVersion": 1, "indexRoot": 3}', ["bad-index-root"], True),
        ('{"schemaVersion": 1, "indexRoot": ".."}', [], True),
    ],
)
def test_what_a_root_says(text: str, rules: list[str], compatible: bool) -> None:
    root = read_root(config(data=text.encode()))
    assert [one.rule for one in root.problems] == rules
    assert root.is_compatible is compatible
    if not compatible:
        with pytest.raises(Refused) as refused:
            require_writable(root)
        assert refused.value.rule == rules[0]


def test_a_number_that_is_too_long_is_told_as_what_it_is() -> None:
    (problem,) = read_root(config(data=b'{"schemaVersion": %s}' % (b"9" * 5000))).problems
    assert (problem.rule, "too long a number" in problem.message) == ("bad-config", True)


def test_a_fault_stands_at_its_line() -> None:
    root = read_root(config(data=b'{\n"schemaVersion": 1,\n"indexRoot": "/etc"}'))
    assert [one.line for one in root.problems] == [3]
    assert root.index_root is None


@pytest.mark.parametrize(
    ("folder", "value", "found"),
    [
        ("memory", "..", ""),
        ("memory", "", "memory"),
        ("memory", "./x/", "memory/x"),
        ("a/memory", "../../docs", "docs"),
        ("memory", "../..", None),
        ("memory", "../../memory", None),
        ("", "..", None),
        ("memory", "/etc", None),
        ("memory", "C:/x", None),
        ("memory", "..\\x", None),
        ("memory", "~/x", None),
        ("memory", None, None),
    ],
)
def test_the_index_stays_in_the_repository(folder: str, value: object, found: str | None) -> None:
    assert index_folder(folder, value) == found


def test_an_index_over_nothing_is_refused() -> None:
    assert indexed("", ["docs/d.md", "dist/x.md", "a.txt"]) == ("docs/d.md",)
    with pytest.raises(Refused):
        indexed("memory/nope", ["memory/notes/a.md"])


def test_a_root_is_looked_for_upwards() -> None:
    paths = {"memory/jumpybrain.json", "app/jumpybrain.json"}
    assert find_root("src/deep", paths) == "memory"
    assert find_root("app/x", paths) == "app"
    with pytest.raises(Refused):
        find_root("src", {"notes/a.md"})


def test_a_root_is_made_once() -> None:
    made = initialized({}, now=NOW, version="1.2.3")
    assert json.loads(made["jumpybrain.json"])["createdAt"] == "2026-10-10T17:30:00.000Z"
    assert root_of(made).is_compatible
    assert initialized(made, now=NOW, version="1.2.3") == {}
    broken = {"jumpybrain.json": b"{"}
    with pytest.raises(Refused):
        initialized(broken, now=NOW, version="1.2.3")
    assert root_of(initialized(broken, now=NOW, version="1", force=True)).is_compatible
    with pytest.raises(Refused):
        initialized({"jumpybrain.json": b'{"schemaVersion": 2}'}, now=NOW, version="1", force=True)
