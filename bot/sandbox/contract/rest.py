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
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, ValidationError

from bot.sandbox.contract import description as openapi
from bot.sandbox.contract.description import API_VERSIONS, BASE_VERSION, Json
from bot.sandbox.contract.limits import MAX_PER_PAGE, beyond_schema
from bot.sandbox.contract.operations import Operation, Version
from bot.sandbox.contract.routes import Router
from bot.sandbox.contract.violation import Kind, Violation

__all__ = ["API_VERSIONS", "BASE_VERSION", "Operation", "RestContract", "Violation"]

_INTEGER: Final = re.compile(r"-?\d+")
_BOOLEANS: Final = {"true": True, "false": False}
# JSON Schema's keywords, by what their failure means.
_SIZES: Final = frozenset(["maxLength", "minLength", "maxItems", "minItems"])
_CHOICES: Final = frozenset(["anyOf", "oneOf"])
_CLOSING: Final = frozenset(["additionalProperties", "unevaluatedProperties"])


class RestContract:
    """The judge of REST; make one a process with `load` and share it (it is never written to)."""

    def __init__(self, description: Json) -> None:
        self._versions = {version: Version(description, version) for version in API_VERSIONS}
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

        Raises KeyError when GitHub never answers the operation with this status.
        """
        return self._versions[version].skeleton(operation, status)

    def component_skeleton(self, name: str, version: str) -> Any:
        """Build the same for a named schema, such as "simple-user". Raises KeyError."""
        return self._versions[version].component_skeleton(name)


def _check_parameters(
    rules: Version, operation: Operation, given: Mapping[str, str], place: str
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


def _check_body(rules: Version, operation: Operation, body: bytes | None) -> Iterator[Violation]:
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
        if b"\\ud" in body.lower():  # half a surrogate pair is JSON, but no text
            json.dumps(value, ensure_ascii=False).encode()
    except ValueError as error:
        yield Violation(where="body", what=f"is not JSON in UTF-8: {error}")
        return
    found = list(_violations(validator, value))
    yield from found
    if all(violation.kind == "limit" for violation in found):
        yield from beyond_schema(operation.id, value)


def _violations(validator: Draft202012Validator, value: object) -> Iterator[Violation]:
    yield from _explained(list(validator.iter_errors(value)))


def _explained(errors: Sequence[ValidationError]) -> Iterator[Violation]:
    """Say each error in its own words: unknown names one by one, a failed choice by its reasons."""
    failed_choices = [error for error in errors if error.kind.name in _CHOICES]
    places = [error.instance_path for error in failed_choices]
    for error in errors:
        keyword, where = error.kind.name, "/".join(["body", *map(str, error.instance_path)])
        if keyword in _CHOICES:
            yield from _explained(_nearest(error))
        elif keyword not in _CLOSING:
            kind: Kind = "limit" if keyword in _SIZES else "contract"
            yield Violation(where=where, what=_shortened(error.message), kind=kind)
        elif error.instance_path not in places:  # else no name counts as known
            for name in error.kind.as_dict()["unexpected"]:
                yield Violation(where=f"{where}/{name}", what="is unknown to GitHub here")


def _nearest(error: ValidationError) -> Sequence[ValidationError]:
    """Give the errors of the alternative that was probably meant: right type, fewest errors."""
    alternatives: Sequence[Sequence[ValidationError]] = error.kind.as_dict()["context"]

    def distance(errors: Sequence[ValidationError]) -> tuple[bool, int]:
        here = (item for item in errors if item.instance_path == error.instance_path)
        return any(item.kind.name == "type" for item in here), len(errors)

    return min(alternatives, key=distance)


def _shortened(message: str) -> str:
    return message if len(message) <= 300 else f"{message[:200]} … {message[-90:]}"
