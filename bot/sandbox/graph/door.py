"""From a GraphQL request to its answer: credentials, schema, resolvers."""

from functools import cache
from typing import Any

from bot.sandbox import auth
from bot.sandbox.auth import Caller
from bot.sandbox.contract.graphql import GraphQLContract, GraphQLSyntaxError, formatted
from bot.sandbox.graph import checks, git, people, pulls
from bot.sandbox.graph.mutations import Mutation
from bot.sandbox.graph.query import Query
from bot.sandbox.graph.view import View
from bot.sandbox.refusal import Refusal
from bot.sandbox.state.world import World
from bot.sandbox.traffic import Exchange, Traffic
from bot.sandbox.wire import Reply, Request, error, graphql_name

_TYPES = (checks, git, people, pulls)  # they enter what represents each kind of thing
_FIELDS = frozenset(["query", "variables", "operationName", "extensions"])


@cache
def graphql_contract() -> GraphQLContract:
    """The schema, loaded once a process."""
    return GraphQLContract.load()


def answer(world: World, traffic: Traffic, request: Request, exchange: Exchange) -> Reply:
    """Answer as GitHub would: 200 also for most errors. Breaches are noted in the traffic."""
    try:
        caller = _caller(world, request)
    except Refusal as refusal:
        if refusal.breach:
            traffic.breach(refusal.breach, request.subject, refusal.message)
        return error(refusal.status, refusal.message)
    body = request.json
    if request.method != "POST" or not isinstance(body, dict) or "query" not in body:
        traffic.breach("contract", request.subject, "not a POST of JSON with a query")
        return error(400, "A query attribute must be specified and must be a string.")
    if body.keys() - _FIELDS:
        traffic.breach("contract", request.subject, f"unknown {sorted(body.keys() - _FIELDS)}")
    exchange.operation = f"graphql {graphql_name(body)}".rstrip()
    view = View(world, traffic, caller, request.subject)
    return Reply(body=_run(view, body))


def _caller(world: World, request: Request) -> Caller:
    if not request.headers.get("user-agent"):
        raise Refusal(403, "Request forbidden: it has no User-Agent header.", breach="contract")
    caller = auth.authenticate(world, request.headers.get("authorization"))
    if caller is None or caller.token is None:
        raise Refusal(401, "This endpoint requires an installation token.", breach="credentials")
    return caller


def _run(view: View, body: dict[str, Any]) -> dict[str, Any]:
    contract = graphql_contract()
    variables, name = body.get("variables") or {}, body.get("operationName")
    try:
        document = contract.parse(body["query"])
    except GraphQLSyntaxError as mistake:
        view.breach("contract", str(mistake))
        return {"errors": [formatted(mistake)]}
    errors = contract.check(document, variables, name)
    if errors:
        for each in errors:
            view.breach("contract", each["message"])
        return {"errors": errors}
    return contract.execute(document, _Root(view), variables, name)


class _Root(Query, Mutation):
    """Where both queries and mutations begin; one request has only one kind of them."""

    def __init__(self, view: View) -> None:
        Query.__init__(self, view)
        Mutation.__init__(self, view)
