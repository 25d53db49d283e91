"""Bringing OpenAPI 3.0 to one API version and to JSON Schema 2020-12."""

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from bot.sandbox.contract.description import at_version, to_json_schema
from bot.sandbox.contract.skeleton import skeleton

TEXT = {"type": "string"}


def patch(version: str, **patch: Any) -> dict[str, Any]:
    return {"changeset": "c", "version": version, "patch": patch}


def test_several_patches_are_one_change() -> None:
    """Each carries the whole list of required names, as if it were the only one."""
    schema = {
        "properties": {"a": TEXT, "b": TEXT, "c": TEXT},
        "required": ["a", "b", "c"],
        "x-github-breaking-changes": [
            patch("2026-03-10", properties={"a": None}, required=["b", "c"]),
            patch("2026-03-10", properties={"b": None}, required=["a", "c"]),
            patch("2027-01-01", properties={"c": None}, required=["a", "b"]),
        ],
    }
    assert at_version(schema, "2026-03-10") == {"properties": {"c": TEXT}, "required": ["c"]}
    assert at_version(schema, "2022-11-28")["required"] == ["a", "b", "c"]


def test_patches_on_examples_are_left_alone() -> None:
    change = {"changeset": "c", "version": "2026-03-10", "patch": [{"op": "remove", "path": "/a"}]}
    node = {"value": {"a": 1}, "x-github-breaking-changes": [change]}
    assert at_version(node, "2026-03-10") == {"value": {"a": 1}}


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "string", "nullable": True}, None, 1),
        ({"type": "string", "nullable": True, "enum": ["a"]}, None, "b"),
        ({"allOf": [{"type": "string"}], "nullable": True}, None, 1),
        ({"type": "string"}, "", None),
        ({"type": "object"}, {"any": 1}, []),
        ({"type": "object", "properties": {"a": TEXT}}, {"a": "x"}, {"b": "x"}),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {"any": 1},
            {"any": "x"},
        ),
        (
            {"allOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]},
            {"a": "", "b": ""},
            {"a": "", "c": ""},
        ),
        (
            {
                "properties": {"a": TEXT, "b": TEXT},
                "anyOf": [{"required": ["a"], "properties": {"a": TEXT}}],
            },
            {"a": "", "b": ""},
            {"a": "", "c": ""},
        ),
        (
            {
                "properties": {"a": TEXT},
                "anyOf": [{"properties": {"a": TEXT}, "additionalProperties": True}],
            },
            {"a": ""},
            {"c": ""},
        ),
        ({"type": "array", "items": {"properties": {"a": TEXT}}}, [{"a": ""}], [{"c": ""}]),
    ],
)
def test_a_converted_schema_says_the_same_and_is_closed(
    schema: dict[str, Any], good: object, bad: object
) -> None:
    validator = Draft202012Validator(to_json_schema(schema, base_uri="urn:test"))
    assert validator.is_valid(good)
    assert not validator.is_valid(bad)


def test_a_skeleton_holds_what_is_required() -> None:
    schema = {
        "type": "object",
        "required": ["when", "link", "mail", "state", "who", "count", "ok", "list", "name"],
        "properties": {
            "when": {"type": "string", "format": "date-time"},
            "link": {"type": "string", "format": "uri"},
            "mail": {"type": "string", "format": "email"},
            "state": {"type": "string", "enum": ["open", "closed"]},
            "who": {"type": "object", "nullable": True, "required": ["login"]},
            "count": {"type": "integer", "minimum": 1},
            "ok": {"type": "boolean"},
            "list": {"type": "array", "items": TEXT},
            "name": {"type": "string", "minLength": 2},
            "optional": TEXT,
        },
    }
    value = skeleton({}, schema)
    assert value == {
        "when": "2026-01-01T00:00:00Z",
        "link": "https://api.github.com/",
        "mail": "octocat@users.noreply.github.com",
        "state": "open",
        "who": None,
        "count": 1,
        "ok": False,
        "list": [],
        "name": "xx",
    }
    converted = to_json_schema(schema, base_uri="urn:test")
    assert Draft202012Validator(converted, validate_formats=True).is_valid(value)
