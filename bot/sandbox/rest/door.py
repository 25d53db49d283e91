"""From a REST request to its answer: contract, credentials, permission, handler, contract again."""

import re
from typing import Any, Final

from bot.sandbox import auth
from bot.sandbox.auth import Caller
from bot.sandbox.contract.rest import API_VERSIONS, BASE_VERSION, Operation
from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.rest import apps, checks, commits, git, issues, pulls, repositories, reviews, teams
from bot.sandbox.rest.calls import HANDLERS, Call, Handler
from bot.sandbox.shapes import rest_contract
from bot.sandbox.state.repositories import Repository
from bot.sandbox.state.world import World
from bot.sandbox.traffic import Exchange, Traffic
from bot.sandbox.wire import Reply, Request, error

# They fill HANDLERS.
_TOPICS: Final = (apps, checks, commits, git, issues, pulls, repositories, reviews, teams)
# Its description wants each account to be a user and an enterprise at once; the answer is held to
# that of one installation instead.
_CONTRADICTORY: Final = "apps/list-installations"
_BY_ID: Final = re.compile(r"/repositories/(\d+)(/.*)?")


def answer(world: World, traffic: Traffic, request: Request, exchange: Exchange) -> Reply:
    """Answer as GitHub would, and note every breach of its contract in the traffic."""
    version = request.headers.get("x-github-api-version", BASE_VERSION)
    try:
        operation, parameters = _operation(world, request, version)
        exchange.operation = operation.id
        handler = HANDLERS.get(operation.id)
        if handler is None:
            traffic.breach("sandbox", request.subject, f"{operation.id} is not in the sandbox yet")
            return error(501, "Not implemented")
        caller = _caller(world, request, handler)
        _check(traffic, request, operation, parameters, version)
        call = Call(
            world=world,
            request=request,
            caller=caller,
            parameters=parameters,
            version=version,
            target=_target(world, parameters, caller, handler, request),
        )
        reply = handler.answer(call)
    except Refusal as refusal:
        return _refused(traffic, request, refusal)
    except _Moved as moved:
        return _redirect(world, request, moved.repository)
    for wrong in _wrong_in_answer(operation, reply, version):
        traffic.breach("sandbox", f"answer to {request.subject}", wrong)
    return reply


class _Moved(Exception):  # noqa: N818 (an answer, not a mistake)
    """The repository goes by another name now."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository.full_name)
        self.repository = repository


def _redirect(world: World, request: Request, repository: Repository) -> Reply:
    """To the address by id: 301 for reading, 307 for all else, as GitHub answers."""
    rest = "/".join(request.path.split("/")[4:])
    url = f"{world.url}/repositories/{repository.id}" + (f"/{rest}" if rest else "")
    moved = {"message": "Moved Permanently", "url": url, "documentation_url": world.url}
    status = 301 if request.method == "GET" else 307
    return Reply(status=status, body=moved, headers={"location": url})


def _operation(world: World, request: Request, version: str) -> tuple[Operation, dict[str, str]]:
    if not request.headers.get("user-agent"):
        what = "Request forbidden by administrative rules: it has no User-Agent header."
        raise Refusal(403, what, breach="contract")
    if version not in API_VERSIONS:
        raise Refusal(400, f"Version {version} is not supported.", breach="contract")
    path = request.path
    if (by_id := _BY_ID.fullmatch(path)) is not None:
        repository = world.repositories.get(int(by_id[1]))
        if repository is None:
            raise not_found()
        path = f"/repos/{repository.full_name}{by_id[2] or ''}"
    found = rest_contract().match(request.method, path)
    if found is None:
        raise Refusal(404, "Not Found: GitHub has no such route", breach="contract")
    return found


def _caller(world: World, request: Request, handler: Handler) -> Caller | None:
    caller = auth.authenticate(world, request.headers.get("authorization"))
    if handler.who == "anyone":
        return caller
    if caller is None:
        raise Refusal(401, "Requires authentication", breach="credentials")
    if handler.who == "app" and caller.token is not None:
        raise Refusal(401, "A JSON web token could not be decoded", breach="credentials")
    if handler.who == "installation" and caller.token is None:
        raise Refusal(
            401, "Bad credentials: this needs an installation token", breach="credentials"
        )
    return caller


def _check(
    traffic: Traffic,
    request: Request,
    operation: Operation,
    parameters: dict[str, str],
    version: str,
) -> None:
    found = rest_contract().check_request(
        operation,
        path_parameters=parameters,
        query=request.query,
        body=request.body or None,
        version=version,
    )
    for each in found:
        traffic.breach(each.kind, request.subject, str(each))
    if found:
        raise Refusal(422, f"Validation Failed: {found[0]}", field=found[0].where)


def _target(
    world: World,
    parameters: dict[str, str],
    caller: Caller | None,
    handler: Handler,
    request: Request,
) -> Repository | None:
    if "owner" not in parameters:
        return None
    full_name = f"{parameters['owner']}/{parameters['repo']}"
    repository = world.repository(full_name)
    if repository is None:
        if full_name.lower() in world.former_names:
            raise _Moved(world.former_names[full_name.lower()])
        raise not_found()
    if handler.who == "installation" and caller is not None:
        auth.check_access(caller, repository, handler.needs, reads=request.method == "GET")
    return repository


def _wrong_in_answer(operation: Operation, reply: Reply, version: str) -> list[str]:
    contract, bodies = rest_contract(), [_with_head(reply.body)]
    if operation.id == _CONTRADICTORY:
        operation, bodies = contract.operations["apps/get-installation"], reply.body
    return [
        str(wrong)
        for body in bodies
        for wrong in contract.check_response(
            operation, status=reply.status, body=body, version=version
        )
    ]


def _with_head(body: Any) -> Any:
    """Put something where `head.repo` is null, as it is when the fork was deleted.

    GitHub sends that null though its description does not allow it.
    """
    if isinstance(body, list):
        return [_with_head(each) for each in body]
    if isinstance(body, dict) and isinstance(head := body.get("head"), dict):
        return {**body, "head": {**head, "repo": head.get("repo") or body["base"]["repo"]}}
    return body


def _refused(traffic: Traffic, request: Request, refusal: Refusal) -> Reply:
    if refusal.breach:
        traffic.breach(refusal.breach, request.subject, refusal.message)
    problems = None
    if refusal.status == 422:
        field = refusal.field or "base"
        entry = {"resource": "Sandbox", "code": "invalid", "field": field}
        problems = [{**entry, "message": refusal.message}]
    return error(refusal.status, refusal.message, problems=problems)
