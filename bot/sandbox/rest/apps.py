"""What an app asks about itself: its installations, their tokens, its webhook's deliveries."""

from typing import Any

from bot.sandbox import auth
from bot.sandbox.deliveries import Delivery
from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.rest.calls import Call, Json, handles
from bot.sandbox.shapes import moment
from bot.sandbox.state.apps import Installation
from bot.sandbox.wire import Reply


@handles("apps/get-authenticated", who="app")
def get_app(call: Call) -> Reply:
    app = call.app
    return Reply(body={**call.shapes.app(app), "installations_count": len(app.installations)})


@handles("apps/list-installations", who="app")
def list_installations(call: Call) -> Reply:
    shown, link = call.page(call.app.installations)
    return Reply(body=[call.shapes.installation(each) for each in shown], headers=link)


@handles("apps/get-installation", who="app")
def get_installation(call: Call) -> Reply:
    return Reply(body=call.shapes.installation(_installation(call)))


@handles("apps/get-repo-installation", who="app")
def get_repository_installation(call: Call) -> Reply:
    installation = call.app.on(call.repository)
    if installation is None:
        raise not_found()
    return Reply(body=call.shapes.installation(installation))


@handles("apps/create-installation-access-token", who="app")
def create_token(call: Call) -> Reply:
    installation = _installation(call)
    if installation.suspended_at is not None:
        raise Refusal(403, "This installation has been suspended", kind="FORBIDDEN")
    ids, names = call.body.get("repository_ids"), call.body.get("repositories")
    chosen = None
    if ids is not None or names is not None:
        reached = installation.repositories
        chosen = tuple(r for r in reached if r.id in (ids or ()) or r.name in (names or ()))
        if len(chosen) != len({*(ids or ())}) + len({*(names or ())}):
            what = "There is at least one repository that does not exist or is not accessible"
            raise Refusal(422, what, field="repositories")
    text, token = auth.mint(
        call.world, installation, permissions=call.body.get("permissions"), repositories=chosen
    )
    body: Json = {
        "token": text,
        "expires_at": moment(token.expires_at),
        "permissions": dict(token.permissions),
        "repository_selection": "selected",
    }
    if chosen is not None:
        body["repositories"] = [call.shapes.repository(each) for each in chosen]
    return Reply(status=201, body=body)


@handles("apps/list-repos-accessible-to-installation")
def list_repositories(call: Call) -> Reply:
    token = call.token
    reached = [each for each in token.installation.repositories if token.reaches(each)]
    shown, link = call.page(reached)
    body = {
        "total_count": len(reached),
        "repositories": [call.shapes.repository(each) for each in shown],
        "repository_selection": "selected",
    }
    return Reply(body=body, headers=link)


@handles("apps/get-webhook-config-for-app", who="app")
def get_webhook_config(call: Call) -> Reply:
    config = {"content_type": "json", "insecure_ssl": "0", "secret": "********"}
    return Reply(body={**config, "url": call.app.webhook_url or "https://example.invalid/"})


@handles("apps/list-webhook-deliveries", who="app")
def list_deliveries(call: Call) -> Reply:
    sent = [d for d in reversed(call.world.courier.log) if d.app is call.app and d.delivered_at]
    size, cursor = int(call.request.query.get("per_page", "30")), call.request.query.get("cursor")
    older = [each for each in sent if cursor is None or each.id < int(cursor)]
    wanted = call.request.query.get("status")
    older = [each for each in older if wanted is None or wanted == _outcome(each)]
    link = {}
    if len(older) > size:
        url = f"{call.world.url}{call.request.path}?per_page={size}&cursor={older[size - 1].id}"
        link = {"link": f'<{url}>; rel="next"'}
    return Reply(body=[_summary(each) for each in older[:size]], headers=link)


@handles("apps/get-webhook-delivery", who="app")
def get_delivery(call: Call) -> Reply:
    delivery = _delivery(call)
    details = {
        "request": {"headers": delivery.headers, "payload": dict(delivery.payload)},
        "response": {"headers": None, "payload": delivery.answer},
    }
    return Reply(body={**_summary(delivery), **details})


@handles("apps/redeliver-webhook-delivery", who="app")
def redeliver(call: Call) -> Reply:
    call.world.redeliver(_delivery(call))
    return Reply(status=202, body={})


def _installation(call: Call) -> Installation:
    found = call.world.installations.get(call.number("installation_id"))
    if found is None or found.app is not call.app:
        raise not_found()
    return found


def _delivery(call: Call) -> Delivery:
    wanted = call.number("delivery_id")
    for delivery in call.world.courier.log:
        if delivery.id == wanted and delivery.app is call.app:
            return delivery
    raise not_found()


def _outcome(delivery: Delivery) -> str:
    return "success" if 200 <= (delivery.status or 0) < 300 else "failure"


def _summary(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "guid": delivery.guid,
        "delivered_at": moment(delivery.delivered_at) if delivery.delivered_at else None,
        "redelivery": delivery.redelivery,
        "duration": delivery.duration,
        "status": "OK" if _outcome(delivery) == "success" else "failed",
        "status_code": delivery.status or 0,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": delivery.installation_id,
        "repository_id": delivery.repository_id,
        "throttled_at": None,
    }
