"""GitHub's OpenAPI description, brought to one API version and to JSON Schema 2020-12.

The description is that of 2022-11-28; what later versions change stands in it as merge patches
(`x-github-breaking-changes`). Its schemas are OpenAPI 3.0, which knows `nullable` where JSON Schema
has the type "null". It never forbids unknown properties, so that a misspelt name would pass: here
each object is closed.
"""

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any, Final, cast

BASE_VERSION: Final = "2022-11-28"  # what a request without X-GitHub-Api-Version means
API_VERSIONS: Final = (BASE_VERSION, "2026-03-10")

Json = dict[str, Any]

_CHANGES: Final = "x-github-breaking-changes"
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf")  # what these hold applies to the same object
_KEPT: Final = frozenset(
    [
        "type",
        "enum",
        "format",
        "required",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
    ]
)


def load() -> Json:
    """Read the description that comes with the package, in its base version."""
    text = resources.files(__package__).joinpath("data", "openapi.json").read_text("utf-8")
    return cast("Json", json.loads(text))


def at_version(description: Json, version: str) -> Json:
    """Apply the patches up to and including a version; several on one object are one change.

    Each patch carries the whole list of required names that it would leave, so that of several
    patches only the names in all lists stay required.
    """
    return cast("Json", _patched(description, version))


def resolve(description: Json, node: Json) -> Json:
    """Follow a `$ref` to where it points; a node without one is its own target."""
    while (pointer := node.get("$ref")) is not None:
        target: Any = description
        for part in pointer.removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        node = target
    return node


def to_json_schema(schema: Json, *, base_uri: str) -> Json:
    """Convert the schema of a whole value, closed: unknown properties are refused at any depth.

    An object without named properties stays open. References point into `base_uri`, the document
    that `components_document` gives.
    """
    converted = _convert(schema, base_uri)
    if _is_free_form(schema):
        return converted
    return converted | {"unevaluatedProperties": False}


def components_document(description: Json, *, base_uri: str) -> Json:
    """Convert all named schemas, to be found under "/components/schemas/NAME" of the result.

    They stay open at their root, for others extend them by `allOf`; who refers to one closes it.
    """
    schemas = description["components"]["schemas"]
    converted = {name: _convert(schema, base_uri) for name, schema in schemas.items()}
    return {"components": {"schemas": converted}}


def _patched(node: Any, version: str) -> Any:
    if isinstance(node, list):
        return [_patched(item, version) for item in node]
    if not isinstance(node, dict):
        return node
    patches = [
        change["patch"]
        for change in node.get(_CHANGES, ())
        if change["version"] <= version and isinstance(change["patch"], dict)
    ]
    result: Any = {key: _patched(value, version) for key, value in node.items() if key != _CHANGES}
    for patch in patches:
        result = _merge(result, patch)
    lists = [patch["required"] for patch in patches if "required" in patch]
    if lists:
        result["required"] = [name for name in lists[0] if all(name in names for names in lists)]
    return result


def _merge(target: Any, patch: Any) -> Any:
    """JSON merge patch: https://www.rfc-editor.org/rfc/rfc7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = _merge(result.get(key), value)
    return result


def _convert(schema: Json, base_uri: str) -> Json:
    if "$ref" in schema:  # OpenAPI 3.0 ignores what stands beside a reference
        return {"$ref": base_uri + schema["$ref"]}
    result = dict(_keywords(schema, base_uri))
    return _nullable(result) if schema.get("nullable") else result


def _keywords(schema: Json, base_uri: str) -> Iterator[tuple[str, Any]]:
    for key, value in schema.items():
        if key in _KEPT:
            yield key, value
        elif key == "properties":
            yield (
                key,
                {name: to_json_schema(part, base_uri=base_uri) for name, part in value.items()},
            )
        elif key == "items":
            yield key, to_json_schema(value, base_uri=base_uri)
        elif key in _IN_PLACE:
            yield key, [_convert(part, base_uri) for part in value]
        elif key == "additionalProperties" and isinstance(value, Mapping):
            yield key, to_json_schema(dict(value), base_uri=base_uri)
        elif key == "additionalProperties" and (value is False or "properties" not in schema):
            yield key, value  # `true` beside named properties would let misspelt names pass


def _nullable(schema: Json) -> Json:
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    result = schema | {"type": [schema["type"], "null"]}
    if "enum" in result and None not in result["enum"]:
        result["enum"] = [*result["enum"], None]
    return result


def _is_free_form(schema: Json) -> bool:
    """Whether a schema names no properties and points nowhere that might."""
    return not any(key in schema for key in ("$ref", "properties", *_IN_PLACE))
