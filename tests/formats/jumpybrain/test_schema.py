"""The schemas in spec/ say what the readers say of a document's fields and of jumpybrain.json."""

import json
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.layout import bucket_of
from bot.formats.jumpybrain.root import read_root
from bot.formats.jumpybrain.validate import problems_of
from tests.formats.jumpybrain.making import config, text
from tests.vectors.cases import VECTORS, content, load

_SPEC: Final = Path(__file__).parents[3] / "spec"
# What the fields of one document, as values, do not show.
_BEYOND: Final = (
    *("duplicate-", "type-not-of-bucket", "unread-line", "missing-section", "empty-section"),
    *("invalid-utf8", "open-frontmatter"),
)


_INDEX_ROOTS: Final = ("..", "", "x/y", "/etc", "C:/x", "~/x", "a\\b", "a\0b", 3, None)


def _schema(name: str) -> Any:
    return jsonschema_rs.validator_for(json.loads((_SPEC / name).read_text()))


def _files() -> list[tuple[str, bytes]]:
    """Every file of the vectors, each once."""
    cases = [case.data for case in load(VECTORS / "jumpybrain")]
    files = {
        (path, content(text_)) for data in cases for path, text_ in data.get("files", {}).items()
    }
    return sorted(files)


_WRONG: Final = (
    text(),
    text(id="note-7"),
    text(id=""),
    text(type="lesson"),
    text(created_at="yesterday"),
    text(created_at="2026-06-02T25:00:00Z"),
    text(updated_at="2026-06-02"),
    text(confidence="sure"),
    text(tags="a"),
    text().replace('"user-reviewed"', "0.8"),
    text().replace("---\n\n", "tags: [a, b]\n---\n\n"),
)


def test_documents() -> None:
    validator = _schema("jumpybrain-document.schema.json")
    documents = [(path, data) for path, data in _files() if bucket_of(path)]
    documents += [("notes/a.md", one.encode()) for one in _WRONG]
    for path, data in documents:
        document = read_document(path, data)
        fields = {name: field.value for name, field in document.parts.fields.items() if field.raw}
        faults = [one.rule for one in problems_of([document]) if not one.rule.startswith(_BEYOND)]
        assert validator.is_valid(fields) is (not faults), (path, faults)


@pytest.mark.parametrize(
    "said",
    [
        *('{"schemaVersion": 1}', '{"schemaVersion": "1"}', '{"schemaVersion": 1.0}', "null", "{}"),
        *('{"schemaVersion": 2}', '{"schemaVersion": true}', '{"schemaVersion": "1.5"}', "[]"),
        *(json.dumps({"schemaVersion": 1, "indexRoot": one}) for one in _INDEX_ROOTS),
    ],
)
def test_roots(said: str) -> None:
    validator = _schema("jumpybrain-root.schema.json")
    assert validator.is_valid(json.loads(said)) is (
        not read_root(config(data=said.encode())).problems
    )
