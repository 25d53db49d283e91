"""spec/cursor-entry.schema.json says what the reader says of an entry's fields."""

import json
from pathlib import Path
from typing import Final

import jsonschema_rs
import pytest

from bot.core.model import Severity
from bot.formats.cursor.validate import problems_of, read_file
from tests.formats.cursor.making import entry
from tests.vectors.cases import VECTORS, content, load

SCHEMA: Final = json.loads(
    (Path(__file__).parents[3] / "spec/cursor-entry.schema.json").read_text()
)
_LISTS: Final = ("tags", "links")
# Of a file, of a body, or of the calendar: no fields of one entry show them.
_BEYOND: Final = ("kind-file-mismatch", "body-", "duplicate-id", "secret")


def _texts() -> list[str]:
    """Every file of the vectors that is read as one of entries."""
    cases = [case.data for case in load(VECTORS / "cursor") if case.data["op"] == "validate"]
    files = [text for data in cases for text in data["files"].values()]
    return [content(text).decode("utf-8", "replace") for text in files]


@pytest.mark.parametrize("text", [*_texts(), entry(at="2026-04-31T00:00:00Z")])
def test_schema_and_reader_agree_but_for_the_calendar(text: str) -> None:
    validator = jsonschema_rs.validator_for(SCHEMA)
    for one in read_file("x.md", text.encode()).blocks.entries:
        if one.faults:
            continue
        fields = {
            name: list(one.items(name)) if name in _LISTS else found.text
            for name, found in one.fields.items()
            if found.text
        }
        alone = read_file("x.md", text[one.start : one.end].encode())
        errors = [
            problem.rule
            for problem in problems_of([alone])
            if problem.severity is Severity.ERROR and not problem.rule.startswith(_BEYOND)
        ]
        no_such_day = errors == ["bad-timestamp"] and "04-31" in text
        assert validator.is_valid(fields) is (not errors or no_such_day), errors
