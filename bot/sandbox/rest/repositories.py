"""Repositories, their people, and what GitHub says about itself."""

from bot.sandbox.refusal import not_found
from bot.sandbox.rest.calls import Call, Json, handles
from bot.sandbox.state.people import User
from bot.sandbox.wire import Reply


@handles("repos/get")
def get_repository(call: Call) -> Reply:
    body = call.shapes.repository(call.repository, "full-repository")
    parent = call.repository.parent
    if parent is not None:
        body |= {"parent": call.shapes.repository(parent), "source": call.shapes.repository(parent)}
    return Reply(body=body)


@handles("repos/get-collaborator-permission-level")
def get_permission(call: Call) -> Reply:
    user = _user(call)
    return Reply(body=call.shapes.collaborator_permission(call.repository, user))


@handles("repos/get-branch", needs="contents:read")
def get_branch(call: Call) -> Reply:
    name = call.parameters["branch"]
    sha = call.repository.git.branch(name)
    commit = call.repository.git.commit_at(sha) if sha else None
    if commit is None:
        raise not_found("Branch not found")
    url = f"{call.world.url}/repos/{call.repository.full_name}/branches/{name}"
    html = f"{call.world.url}/{call.repository.full_name}/tree/{name}"
    protected = name in call.repository.protected
    body: Json = {
        "name": name,
        "commit": call.shapes.commit(call.repository, commit),
        "_links": {"self": url, "html": html},
        "protected": protected,
        "protection": {"enabled": protected},
        "protection_url": f"{url}/protection",
    }
    return Reply(body=body)


@handles("repos/get-branch-rules")
def get_rules(call: Call) -> Reply:
    rule = {
        "type": "update",
        "ruleset_source_type": "Repository",
        "ruleset_source": call.repository.full_name,
        "ruleset_id": 1,
    }
    return Reply(body=[rule] if call.parameters["branch"] in call.repository.protected else [])


@handles("users/get-by-username", who="anyone")
def get_user(call: Call) -> Reply:
    return Reply(body=call.shapes.public_user(_user(call)))


@handles("users/get-by-id")
def get_account(call: Call) -> Reply:
    wanted = call.number("account_id")
    accounts = call.world.users.values()
    user = next((one for one in accounts if one.id == wanted and not one.gone), None)
    if user is None:
        raise not_found()
    return Reply(body=call.shapes.public_user(user))


@handles("rate-limit/get", who="anyone")
def get_rate_limit(call: Call) -> Reply:
    caller = call.world.caller(call.request.headers.get("authorization"))
    resources = {}
    for name in ("core", "search", "graphql"):
        rate = call.world.rates.look(caller, name)
        resources[name] = {
            "limit": rate.limit,
            "remaining": rate.remaining,
            "reset": int(rate.reset.timestamp()),
            "used": rate.used,
        }
    older = {} if call.version > "2022-11-28" else {"rate": resources["core"]}
    return Reply(body={"resources": resources, **older})


@handles("meta/get", who="anyone")
def get_meta(_call: Call) -> Reply:
    hooks = {"verifiable_password_authentication": False, "hooks": ["127.0.0.0/8"]}
    return Reply(body={**hooks, "api": ["127.0.0.0/8"]})


def _user(call: Call) -> User:
    user = call.world.users.get(call.parameters["username"].lower())
    if user is None:
        raise not_found()
    return user
