"""The description in one API version: what an operation declares, as validators ready to use."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, Registry

from bot.sandbox.contract import description as openapi
from bot.sandbox.contract.description import Json
from bot.sandbox.contract.skeleton import skeleton

_JSON: Final = "application/json"
# Answers that GitHub gives on any route, whether or not its description says so for this one.
_NOT_MODIFIED: Final = 304
_ANYWHERE: Final = frozenset([301, 307, 400, 401, 403, 404, 410, 415, 422, 429, *range(500, 600)])
_ANYWHERE_SCHEMAS: Final = ("basic-error", "validation-error", "validation-error-simple")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One route of the description. id is GitHub's operationId, such as "checks/create"."""

    id: str
    method: str  # upper case
    template: str  # "/repos/{owner}/{repo}/check-runs"


class Version:
    """The description in one API version, with the validators compiled so far."""

    def __init__(self, description: Json, version: str) -> None:
        self._source = description
        self._version = version
        self._uri = f"urn:github:{version}"
        self._request: dict[str, tuple[Draft202012Validator, bool] | None] = {}
        self._response: dict[tuple[str, int], list[Draft202012Validator] | None] = {}
        self._parameters: dict[tuple[str, str], dict[str, tuple[Json, Draft202012Validator]]] = {}

    @cached_property
    def _description(self) -> Json:
        return openapi.at_version(self._source, self._version)

    @cached_property
    def _registry(self) -> Registry:
        document = openapi.components_document(self._description, base_uri=self._uri)
        return Registry([(self._uri, document)])

    def operations(self) -> Iterator[Operation]:
        for template, methods in self._description["paths"].items():
            for method, operation in methods.items():
                yield Operation(
                    id=operation["operationId"], method=method.upper(), template=template
                )

    def multi_segment(self, operation: Operation) -> frozenset[str]:
        """Name the path parameters that may hold slashes."""
        parameters = self._declared(operation)
        return frozenset(item["name"] for item in parameters if item.get("x-multi-segment"))

    def parameters(
        self, operation: Operation, place: str
    ) -> dict[str, tuple[Json, Draft202012Validator]]:
        """Give declaration and validator of each parameter in "path" or "query", by name."""
        key = (operation.id, place)
        if key not in self._parameters:
            self._parameters[key] = {
                item["name"]: (item, self._compile(item["schema"]))
                for item in self._declared(operation)
                if item["in"] == place
            }
        return self._parameters[key]

    def request_validator(self, operation: Operation) -> tuple[Draft202012Validator, bool] | None:
        """Give the body's validator and whether a body must be there; None when it takes none."""
        if operation.id not in self._request:
            declared = self._node(operation).get("requestBody")
            self._request[operation.id] = None
            if declared is not None:
                body = openapi.resolve(self._description, declared)
                validator = self._compile(body["content"][_JSON]["schema"])
                self._request[operation.id] = (validator, body.get("required", False))
        return self._request[operation.id]

    def response_validators(
        self, operation: Operation, status: int
    ) -> list[Draft202012Validator] | None:
        """Give the validators of which one must accept; [] means no body, None no such answer."""
        key = (operation.id, status)
        if key not in self._response:
            schemas = self._response_schemas(operation, status)
            self._response[key] = (
                None if schemas is None else [self._compile(schema) for schema in schemas]
            )
        return self._response[key]

    def skeleton(self, operation: Operation, status: int) -> Any:
        schemas = self._response_schemas(operation, status)
        if schemas is None:
            raise KeyError(f"{operation.id} does not document status {status}")
        return skeleton(self._description, schemas[0]) if schemas else None

    def component_skeleton(self, name: str) -> Any:
        return skeleton(self._description, self._description["components"]["schemas"][name])

    def _response_schemas(self, operation: Operation, status: int) -> list[Json] | None:
        """Give the alternatives for a body, the documented one first; [] and None as above."""
        responses = self._node(operation)["responses"]
        documented = str(status) in responses
        schemas = []
        if documented:
            content = openapi.resolve(self._description, responses[str(status)]).get("content", {})
            schemas += [content[_JSON]["schema"]] if _JSON in content else []
        if status in _ANYWHERE:
            schemas += [{"$ref": f"#/components/schemas/{name}"} for name in _ANYWHERE_SCHEMAS]
        return schemas if schemas or documented or status == _NOT_MODIFIED else None

    def _declared(self, operation: Operation) -> list[Json]:
        listed = self._node(operation).get("parameters", ())
        return [openapi.resolve(self._description, item) for item in listed]

    def _node(self, operation: Operation) -> Json:
        node: Json = self._description["paths"][operation.template][operation.method.lower()]
        return node

    def _compile(self, schema: Json) -> Draft202012Validator:
        converted = openapi.to_json_schema(schema, base_uri=self._uri)
        return Draft202012Validator(converted, registry=self._registry, validate_formats=True)
