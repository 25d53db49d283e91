"""The cut of GitHub's description and schema: complete, without prose, and its own cut."""

import json
from typing import Any

from graphql import build_schema

from bot.sandbox.contract.refresh import DATA, OPERATIONS, cut_graphql, cut_openapi


def stored() -> dict[str, Any]:
    description: dict[str, Any] = json.loads((DATA / "openapi.json").read_text("utf-8"))
    return description


def test_cutting_the_stored_description_again_changes_nothing() -> None:
    description = stored()
    assert cut_openapi(description) == description


def test_cutting_the_stored_schema_again_changes_nothing() -> None:
    schema = (DATA / "schema.graphql").read_text("utf-8")
    assert cut_graphql(schema) + "\n" == schema
    assert '"""' not in schema


def test_a_property_named_like_prose_stays() -> None:
    """`title` and `description` are prose of a schema, but properties of a pull request."""
    source = stored()
    run = source["components"]["schemas"]["check-run"]
    run |= {"title": "Check run", "example": {"id": 1}, "x-github-breaking-changes": []}
    cut = cut_openapi(source)["components"]["schemas"]["check-run"]
    assert not cut.keys() & {"title", "example"}
    assert "x-github-breaking-changes" in cut
    assert "title" in cut["properties"]["output"]["properties"]


def test_an_operation_that_is_not_listed_is_left_out() -> None:
    source = stored()
    source["paths"]["/zen"] = {"get": {"operationId": "meta/get-zen", "responses": {}}}
    source["components"]["schemas"]["unused"] = {"type": "string"}
    cut = cut_openapi(source)
    assert "/zen" not in cut["paths"]
    assert "unused" not in cut["components"]["schemas"]
    assert sum(len(methods) for methods in cut["paths"].values()) == len(OPERATIONS)


def test_a_field_stays_when_its_type_does() -> None:
    schema = (DATA / "schema.graphql").read_text("utf-8")
    extended = schema + (
        "type Gist { id: ID! }\n"
        "enum Mood { GOOD }\n"
        "extend type Blob { gist: Gist, mood: Mood, again: Blob }\n"
    )
    cut = build_schema(cut_graphql(extended))
    assert "Gist" not in cut.type_map
    assert "Mood" in cut.type_map
