"""Hold GraphQL requests to GitHub's schema, and run them on the sandbox's own objects.

    contract = GraphQLContract.load()
    document = contract.parse(query)  # raises GraphQLSyntaxError
    errors = contract.check(document, variables)
    answer = contract.execute(document, root, variables) if not errors else {"errors": errors}

GitHub answers both with status 200. Objects are mappings with GitHub's names as keys, or Python
objects with the same names in snake case (`pullRequest` is `pull_request`); a callable is called
with the resolve info and the field's arguments, those in snake case too. Input objects stay dicts
with GitHub's names. A value of an interface or union names its type under `__typename`.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final, cast

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    build_ast_schema,
    default_type_resolver,
    execute_sync,
    get_operation_ast,
    parse,
    validate,
    value_from_ast_untyped,
)
from graphql.execution import get_variable_values

from bot.sandbox.contract.faults import fault, formatted
from bot.sandbox.contract.limits import MAX_COMMENT_CHARACTERS
from bot.sandbox.contract.pages import MAX_NODES, MAX_PAGE, check_pages

__all__ = [
    "MAX_NODES",
    "MAX_PAGE",
    "DocumentNode",
    "GraphQLContract",
    "GraphQLSyntaxError",
    "check_body",
    "fault",
    "formatted",
]

_KEPT_DOCUMENTS: Final = 256
_OBJECT_ID: Final = re.compile(r"[0-9a-f]{40}")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class GraphQLContract:
    """The judge of GraphQL; make one a process with `load` and share it.

    Parsed documents and the outcome of their validation are kept, the last 256 texts of them.
    """

    def __init__(self, schema: GraphQLSchema) -> None:
        self.schema = schema
        self.parse = lru_cache(_KEPT_DOCUMENTS)(_parse)
        self._validate = lru_cache(_KEPT_DOCUMENTS)(self._validated)

    @classmethod
    def load(cls) -> "GraphQLContract":
        """Read the schema that comes with the package."""
        text = resources.files(__package__).joinpath("data", "schema.graphql").read_text("utf-8")
        schema = build_ast_schema(parse(text, no_location=True), assume_valid=True)
        for name, check in {"GitObjectID": _object_id, "Base64String": _base64}.items():
            scalar = cast("GraphQLScalarType", schema.type_map[name])
            scalar.coerce_input_value = check
        return cls(schema)

    def check(
        self,
        document: DocumentNode,
        variables: Mapping[str, Any] | None = None,
        operation_name: str | None = None,
    ) -> list[dict[str, Any]]:
        """Find what GitHub would refuse before it runs anything, as errors ready to be sent."""
        return [formatted(error) for error in self._errors(document, variables, operation_name)]

    def execute(
        self,
        document: DocumentNode,
        root: object,
        variables: Mapping[str, Any] | None = None,
        operation_name: str | None = None,
        *,
        context: object = None,
    ) -> dict[str, Any]:
        """Run a request that `check` found no fault with; gives `data` and, if any, `errors`.

        Errors made by `fault` and raised by a resolver stand beside the partial data. Any other is
        a bug of the sandbox and raised: an exception, a field that its object lacks, a wrong value.
        """
        result = execute_sync(
            self.schema,
            document,
            root,
            context,
            dict(variables or {}),
            operation_name,
            _resolve,
            default_type_resolver,
        )
        for error in result.errors or ():
            if "type" not in (error.extensions or {}):
                raise error.original_error or error
        answer: dict[str, Any] = {"data": result.data}
        if result.errors:
            answer["errors"] = [formatted(error) for error in result.errors]
        return answer

    def _errors(
        self,
        document: DocumentNode,
        variables: Mapping[str, Any] | None,
        operation_name: str | None,
    ) -> list[GraphQLError]:
        if errors := self._validate(document):
            return list(errors)
        operation = get_operation_ast(document, operation_name)
        if operation is None:
            what = (
                f"No operation named {operation_name!r}" if operation_name else "No one operation"
            )
            return [GraphQLError(f"{what} in the document")]
        given = dict(variables or {})
        definitions = operation.variable_definitions or ()
        if unknown := given.keys() - {node.variable.name.value for node in definitions}:
            return [GraphQLError(f"Variable ${name} is not declared") for name in sorted(unknown)]
        coerced = get_variable_values(self.schema, definitions, given)
        if isinstance(coerced, list):
            return coerced
        return check_pages(self.schema, document, operation, _defaults(operation) | given)

    def _validated(self, document: DocumentNode) -> tuple[GraphQLError, ...]:
        return tuple(validate(self.schema, document))


def check_body(body: str) -> None:
    """Raise the error with which GitHub refuses the body of a comment that is blank or too long."""
    if not body.strip():
        raise fault("Body can't be blank", "UNPROCESSABLE")
    if len(body) > MAX_COMMENT_CHARACTERS:
        message = f"Body is too long (maximum is {MAX_COMMENT_CHARACTERS} characters)"
        raise fault(message, "UNPROCESSABLE")


def _parse(query: str) -> DocumentNode:
    return parse(query)


def _defaults(operation: OperationDefinitionNode) -> dict[str, Any]:
    return {
        node.variable.name.value: value_from_ast_untyped(node.default_value)
        for node in operation.variable_definitions or ()
        if node.default_value is not None
    }


def _resolve(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
    name = info.field_name
    try:
        value = source[name] if isinstance(source, Mapping) else getattr(source, _snake(name))
    except (KeyError, AttributeError) as error:
        raise NotImplementedError(f"the sandbox has no {info.parent_type}.{name}") from error
    if callable(value):
        return value(info, **{_snake(key): given for key, given in arguments.items()})
    return value


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()


def _object_id(value: Any) -> str:
    if isinstance(value, str) and _OBJECT_ID.fullmatch(value):
        return value
    raise GraphQLError("a GitObjectID is 40 lower-case hexadecimal digits")


def _base64(value: Any) -> str:
    try:
        base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error) as error:
        raise GraphQLError("a Base64String is padded standard base64") from error
    return str(value)
