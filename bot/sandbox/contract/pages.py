"""GitHub's limits on what one GraphQL request may ask for, judged before it runs.

https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
Only items of connections count as nodes, each time they could be reached: 50 pull requests with 100
commits each are 50 + 50 * 100 nodes, whatever the repository holds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
    value_from_ast_untyped,
)

from bot.sandbox.contract.faults import fault

MAX_PAGE: Final = 100  # `first`, `last`, and ids of `nodes`
MAX_NODES: Final = 500_000  # per request

# A connection may be asked for its size alone without saying how many items are wanted.
_SIZE_ONLY: Final = frozenset(["totalCount", "__typename"])


def check_pages(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
) -> list[GraphQLError]:
    """Find connections without bounds, pages that are too large, and too many nodes in all.

    The document must have passed validation; variables include the defaults of the operation.
    """
    fragments = {
        node.name.value: node
        for node in document.definitions
        if isinstance(node, FragmentDefinitionNode)
    }
    walk = _Walk(schema=schema, fragments=fragments, variables=dict(variables), errors=[])
    root = schema.get_root_type(operation.operation)
    nodes = walk.count(operation.selection_set, root, 1, (operation.operation.value,))
    if nodes > MAX_NODES:
        message = (
            f"This query requests up to {nodes:,} possible nodes"
            f" which exceeds the maximum limit of {MAX_NODES:,}."
        )
        walk.errors.append(fault(message, "MAX_NODE_LIMIT_EXCEEDED", nodes=[operation]))
    return walk.errors


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    schema: GraphQLSchema
    fragments: Mapping[str, FragmentDefinitionNode]
    variables: dict[str, Any]
    errors: list[GraphQLError]

    def count(
        self,
        selected: SelectionSetNode | None,
        parent: GraphQLNamedType | None,
        times: int,
        path: tuple[str, ...],
    ) -> int:
        """Count the nodes below a selection that can be reached `times` times."""
        total = 0
        for field, owner in self._fields(selected, parent):
            if not isinstance(owner, GraphQLObjectType | GraphQLInterfaceType):
                continue
            definition = owner.fields.get(field.name.value)
            if definition is None:  # __typename and the like
                continue
            alias = field.alias.value if field.alias else field.name.value
            target = get_named_type(definition.type)
            here = (*path, alias)
            below = times
            if target.name.endswith("Connection") and "first" in definition.args:
                below = times * self._page(field, target, here)
                total += below
            elif field.name.value == "nodes" and "ids" in definition.args:
                self._check_ids(field, here)
            total += self.count(field.selection_set, target, below, here)
        return total

    def _fields(
        self, selected: SelectionSetNode | None, parent: GraphQLNamedType | None
    ) -> Iterator[tuple[FieldNode, GraphQLNamedType | None]]:
        """Give all fields of a selection with the type that has them, fragments spread out."""
        for node in selected.selections if selected else ():
            if isinstance(node, FieldNode):
                yield node, parent
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                owner = self.schema.get_type(condition.name.value) if condition else parent
                yield from self._fields(node.selection_set, owner)
            elif isinstance(node, FragmentSpreadNode):
                fragment = self.fragments[node.name.value]
                owner = self.schema.get_type(fragment.type_condition.name.value)
                yield from self._fields(fragment.selection_set, owner)

    def _page(self, field: FieldNode, target: GraphQLNamedType, path: tuple[str, ...]) -> int:
        """Give the size of a connection's page; 0 when it is asked for its size alone."""
        name = field.name.value
        arguments = self._arguments(field)
        bounds = {key: arguments.get(key) for key in ("first", "last")}
        given: dict[str, int] = {key: value for key, value in bounds.items() if value is not None}
        if not given:
            asked = {item.name.value for item, _ in self._fields(field.selection_set, target)}
            if not asked <= _SIZE_ONLY:
                self._refuse(
                    f"You must provide a `first` or `last` value to properly paginate"
                    f" the `{name}` connection.",
                    "MISSING_PAGINATION_BOUNDARIES",
                    field,
                    path,
                )
            return 0
        for key, value in given.items():
            if value > MAX_PAGE:
                self._refuse(
                    f"Requesting {value} records on the `{name}` connection exceeds"
                    f" the `{key}` limit of {MAX_PAGE} records.",
                    "EXCESSIVE_PAGINATION",
                    field,
                    path,
                )
            elif value < 1:
                self._refuse(
                    f"`{key}` on the `{name}` connection must be from 1 to {MAX_PAGE}.",
                    "INVALID_PAGINATION",
                    field,
                    path,
                )
        return max(0, min(given.values()))

    def _check_ids(self, field: FieldNode, path: tuple[str, ...]) -> None:
        ids = self._arguments(field)["ids"]
        if isinstance(ids, list) and len(ids) > MAX_PAGE:
            self._refuse(
                f"You may not provide more than {MAX_PAGE} node ids; you provided {len(ids)}.",
                "ARGUMENT_LIMIT",
                field,
                path,
            )

    def _arguments(self, field: FieldNode) -> dict[str, Any]:
        return {
            node.name.value: value_from_ast_untyped(node.value, self.variables)
            for node in field.arguments or ()
        }

    def _refuse(self, message: str, kind: str, field: FieldNode, path: tuple[str, ...]) -> None:
        self.errors.append(fault(message, kind, nodes=[field], path=path))
