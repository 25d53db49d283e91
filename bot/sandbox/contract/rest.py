"""Hold REST requests and responses to GitHub's OpenAPI description.

    contract = RestContract.load()
    operation, path_parameters = contract.match("GET", "/repos/o/r/git/ref/heads%2Fmain")
    contract.check_request(operation, path_parameters={…}, query={}, body=None, version=v)
    contract.check_response(operation, status=200, body={…}, version=v)

Validators are compiled when first used and kept. Every `version` is one of API_VERSIONS; another
raises KeyError, for the server refuses unknown versions before it asks.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

from bot.sandbox.contract import description as openapi
from bot.sandbox.contract.description import API_VERSIONS, BASE_VERSION, Json
from bot.sandbox.contract.limits import MAX_PER_PAGE, beyond_schema
from bot.sandbox.contract.routes import Router
from bot.sandbox.contract.skeleton import skeleton
from bot.sandbox.contract.violation import Violation

__all__ = ["API_VERSIONS", "BASE_VERSION", "Operation", "RestContract", "Violation"]

_INTEGER: Final = re.compile(r"-?\d+")
_BOOLEANS: Final = {"true": True, "false": False}
_JSON: Final = "application/json"
_SIZE_KEYWORDS: Final = frozenset(["maxLength", "minLength", "maxItems", "minItems"])
# Answers that GitHub gives on any route, whether or not its description says so for this one.
_ANYWHERE_EMPTY: Final = frozenset([304])
_ANYWHERE_ERRORS: Final = frozenset([400, 401, 403, 404, 410, 415, 422, 429])
_ERROR_SCHEMAS: Final = ("basic-error", "validation-error", "validation-error-simple")
_SERVER_ERRORS: Final = range(500, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One route of the description. id is GitHub's operationId, such as "checks/create"."""

    id: str
    method: str  # upper case
    template: str  # "/repos/{owner}/{repo}/check-runs"


class RestContract:
    """The judge of REST; make one a process with `load` and share it (it is never written to)."""

    def __init__(self, description: Json) -> None:
        self._versions = {version: _Version(description, version) for version in API_VERSIONS}
        base = self._versions[BASE_VERSION]
        self.operations: Mapping[str, Operation] = {
            operation.id: operation for operation in base.operations()
        }
        self._router = Router(
            (operation.method, operation.template, base.multi_segment(operation), operation)
            for operation in self.operations.values()
        )

    @classmethod
    def load(cls) -> "RestContract":
        """Read the description that comes with the package."""
        return cls(openapi.load())

    def match(self, method: str, raw_path: str) -> tuple[Operation, dict[str, str]] | None:
        """Find the operation and its decoded path parameters; None when the description has none.

        raw_path: still percent-encoded, without query and without a prefix such as /api/v3.
        """
        return self._router.match(method, raw_path)

    def check_request(
        self,
        operation: Operation,
        *,
        path_parameters: Mapping[str, str],
        query: Mapping[str, str],
        body: bytes | None,
        version: str,
    ) -> list[Violation]:
        """Judge parameters and body; an empty list means that GitHub would take the request.

        Credentials, permissions, User-Agent and state of the repository are the server's affair.
        """
        rules = self._versions[version]
        found = list(_check_parameters(rules, operation, path_parameters, "path"))
        found += _check_parameters(rules, operation, query, "query")
        found += _check_body(rules, operation, body)
        return found

    def check_response(
        self, operation: Operation, *, status: int, body: object, version: str
    ) -> list[Violation]:
        """Judge an answer of the sandbox itself.

        body: the JSON value; None when there is no body; bytes for a raw media type (not judged).
        """
        if isinstance(body, bytes):
            return []
        validators = self._versions[version].response_validators(operation, status)
        if validators is None:
            what = f"{operation.id} does not document status {status}"
            return [Violation(where="status", what=what)]
        if not validators:
            empty = Violation(where="body", what=f"status {status} comes without a body")
            return [] if body is None else [empty]
        findings = [list(_violations(validator, body)) for validator in validators]
        return [] if [] in findings else findings[0]

    def skeleton(self, operation: Operation, status: int, version: str) -> Any:
        """Build a fresh valid body from required properties alone; None when there is no body.

        Raises KeyError when the operation does not document the status.
        """
        return self._versions[version].skeleton(operation, status)

    def component_skeleton(self, name: str, version: str) -> Any:
        """Build the same for a named schema, such as "simple-user". Raises KeyError."""
        return self._versions[version].component_skeleton(name)


class _Version:
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
            self._response[key] = self._compile_response(operation, status)
        return self._response[key]

    def skeleton(self, operation: Operation, status: int) -> Any:
        schema = self._response_schema(operation, status)
        if schema is None:
            return None
        return skeleton(self._description, schema)

    def component_skeleton(self, name: str) -> Any:
        return skeleton(self._description, self._description["components"]["schemas"][name])

    def _compile_response(
        self, operation: Operation, status: int
    ) -> list[Draft202012Validator] | None:
        validators = []
        if str(status) in self._node(operation)["responses"]:
            schema = self._response_schema(operation, status)
            if schema is None:
                return []
            validators.append(self._compile(schema))
        elif status in _ANYWHERE_EMPTY:
            return []
        if status in _ANYWHERE_ERRORS or status in _SERVER_ERRORS:
            references = ({"$ref": f"#/components/schemas/{name}"} for name in _ERROR_SCHEMAS)
            validators += [self._compile(reference) for reference in references]
        return validators or None

    def _response_schema(self, operation: Operation, status: int) -> Json | None:
        declared = self._node(operation)["responses"][str(status)]
        content = openapi.resolve(self._description, declared).get("content", {})
        schema: Json | None = content.get(_JSON, {}).get("schema")
        return schema

    def _declared(self, operation: Operation) -> list[Json]:
        listed = self._node(operation).get("parameters", ())
        return [openapi.resolve(self._description, item) for item in listed]

    def _node(self, operation: Operation) -> Json:
        node: Json = self._description["paths"][operation.template][operation.method.lower()]
        return node

    def _compile(self, schema: Json) -> Draft202012Validator:
        converted = openapi.to_json_schema(schema, base_uri=self._uri)
        return Draft202012Validator(converted, registry=self._registry, validate_formats=True)


def _check_parameters(
    rules: _Version, operation: Operation, given: Mapping[str, str], place: str
) -> Iterator[Violation]:
    declared = rules.parameters(operation, place)
    for name, (parameter, validator) in declared.items():
        where = f"{place}/{name}"
        if name in given:
            value = _typed(given[name], parameter["schema"])
            for error in validator.iter_errors(value):
                yield Violation(where=where, what=error.message)
            if name == "per_page" and isinstance(value, int) and not 1 <= value <= MAX_PER_PAGE:
                yield Violation(where=where, what=f"{value} is not from 1 to {MAX_PER_PAGE}")
        elif parameter.get("required"):
            yield Violation(where=where, what="is required")
    for name in given.keys() - declared.keys():
        yield Violation(where=f"{place}/{name}", what=f"{operation.id} has no such parameter")


def _typed(text: str, schema: Json) -> object:
    """Read a parameter as its schema's type; text that cannot be read so stays text."""
    if schema.get("type") == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if schema.get("type") == "boolean":
        return _BOOLEANS.get(text, text)
    return text


def _check_body(rules: _Version, operation: Operation, body: bytes | None) -> Iterator[Violation]:
    declared = rules.request_validator(operation)
    if declared is None:
        if body:
            yield Violation(where="body", what=f"{operation.id} takes no body")
        return
    validator, required = declared
    if not body:
        if required:
            yield Violation(where="body", what="is required")
        return
    try:
        value = json.loads(body)
    except ValueError as error:
        yield Violation(where="body", what=f"is not JSON: {error}")
        return
    found = list(_violations(validator, value))
    yield from found
    if all(violation.kind == "limit" for violation in found):
        yield from beyond_schema(operation.id, value)


def _violations(validator: Draft202012Validator, value: object) -> Iterator[Violation]:
    for error in validator.iter_errors(value):
        where = "/".join(["body", *map(str, error.instance_path)])
        kind = error.kind.name
        yield Violation(
            where=where, what=_words(error), kind="limit" if kind in _SIZE_KEYWORDS else "contract"
        )


def _words(error: ValidationError) -> str:
    """Say what is wrong without repeating a long value."""
    message = error.message
    return message if len(message) <= 300 else f"{message[:200]} … {message[-90:]}"
