"""The smallest value that fits a schema, for the sandbox to merge real values into."""

from typing import Any, Final

from bot.sandbox.contract.description import Json, resolve

_BY_FORMAT: Final = {
    "uri": "https://api.github.com/",
    "date-time": "2026-01-01T00:00:00Z",
    "email": "octocat@users.noreply.github.com",
}


def skeleton(description: Json, schema: Json) -> Any:
    """Build a fresh value: required properties only, null where allowed, first value of an enum.

    The value itself is not null, even where it might be. description: OpenAPI, brought to the
    version that is meant; schema: a part of it.
    """
    schema = resolve(description, schema)
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema or "allOf" in schema or schema.get("type") == "object":
        return _object(description, schema)
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return skeleton(description, schema[choice][0])
    return _plain(schema)


def _object(description: Json, schema: Json) -> Json:
    result: Json = {}
    for part in schema.get("allOf", ()):
        result |= _object(description, resolve(description, part))
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        result[name] = _property(description, properties.get(name, {}))
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            result |= _object(description, resolve(description, schema[choice][0]))
    return result


def _property(description: Json, schema: Json) -> Any:
    if resolve(description, schema).get("nullable"):
        return None
    return skeleton(description, schema)


def _plain(schema: Json) -> Any:
    kind = schema.get("type", "string")
    if kind == "array":
        return []
    if kind in {"integer", "number"}:
        return max(0, schema.get("minimum", 0))
    if kind == "boolean":
        return False
    return _BY_FORMAT.get(schema.get("format", ""), "x" * schema.get("minLength", 0))
