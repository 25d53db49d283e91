"""Deliveries over HTTP to a small receiver, and in the record."""

import asyncio
import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.sandbox import Sandbox
from tests.sandbox.conftest import Client, Shop, app_token, client

SECRET = "only for tests"


@dataclass
class Receiver:
    """Takes deliveries at `url` and answers with `status`."""

    url: str = ""
    status: int = 202
    seen: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    async def take(self, request: Request) -> Response:
        self.seen.append((dict(request.headers), await request.body()))
        return Response("thanks", self.status)

    @property
    def payloads(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.seen]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    app = Starlette(routes=[Route("/hook", found.take, methods=["POST"])])
    listening = socket.create_server(("127.0.0.1", 0))
    found.url = f"http://127.0.0.1:{listening.getsockname()[1]}/hook"
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    yield found
    server.should_exit = True
    thread.join()


@pytest.fixture
def hooked(github: Sandbox, receiver: Receiver) -> Shop:
    repository = github.create_repository("octo/shop", files={"a.md": "a\n"})
    app = github.create_app(webhook_url=receiver.url, webhook_secret=SECRET)
    installation = app.install(repository)
    repository.branch("feature")
    repository.commit("feature", files={"b.md": "b\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    github.settle_deliveries()
    return Shop(github=github, app=app, installation=installation, repository=repository, pull=pull)


def test_deliveries_are_signed_and_come_in_order(hooked: Shop, receiver: Receiver) -> None:
    hooked.pull.push(files={"c.md": "c\n"})
    hooked.github.settle_deliveries()
    for headers, body in receiver.seen:
        digest = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        assert headers["x-hub-signature-256"] == f"sha256={digest}"
        assert headers["content-type"] == "application/json"
        assert headers["user-agent"].startswith("GitHub-Hookshot/")
        assert headers["x-github-hook-installation-target-type"] == "integration"
        assert headers["x-github-hook-installation-target-id"] == str(hooked.app.id)
        assert headers["x-github-hook-id"] == str(hooked.app.hook_id)
    names = [
        (headers["x-github-event"], payload.get("action"))
        for (headers, _), payload in zip(receiver.seen, receiver.payloads, strict=True)
    ]
    assert names == [
        ("installation", "created"),
        ("push", None),
        ("check_suite", "requested"),
        ("push", None),
        ("check_suite", "requested"),
        ("pull_request", "opened"),
        ("push", None),
        ("check_suite", "requested"),
        ("pull_request", "synchronize"),
    ]
    assert [each.guid for each in hooked.github.deliveries] == [
        headers["x-github-delivery"] for headers, _ in receiver.seen
    ]
    assert {each.status for each in hooked.github.deliveries} == {202}


def test_a_redelivery_has_the_same_guid_and_body(hooked: Shop, receiver: Receiver) -> None:
    first = hooked.github.deliveries[-1]
    again = hooked.github.redeliver(first)
    hooked.github.settle_deliveries()
    assert (again.guid, again.redelivery, again.status) == (first.guid, True, 202)
    assert receiver.seen[-1][1] == first.body


def test_deliveries_can_be_held_back(hooked: Shop, receiver: Receiver) -> None:
    before = len(receiver.seen)
    hooked.github.pause_deliveries()
    hooked.pull.edit(title="Better")
    hooked.github.settle_deliveries()
    assert len(receiver.seen) == before
    assert hooked.github.deliveries[-1].action == "edited"
    hooked.github.resume_deliveries()
    hooked.github.settle_deliveries()
    assert receiver.payloads[-1]["changes"] == {"title": {"from": "A change"}}


def test_a_receiver_that_fails_or_is_gone_is_recorded(hooked: Shop, receiver: Receiver) -> None:
    receiver.status = 500
    hooked.pull.close()
    hooked.github.settle_deliveries()
    hooked.app.webhook_url = "http://127.0.0.1:9/"
    hooked.pull.reopen()
    hooked.github.settle_deliveries()
    assert [each.status for each in hooked.github.deliveries[-2:]] == [500, 0]


def test_any_payload_can_be_sent(hooked: Shop, receiver: Receiver) -> None:
    hooked.github.ping(hooked.app)
    hooked.github.deliver("unknown", {"action": "odd"})
    hooked.github.settle_deliveries()
    assert receiver.payloads[-2]["hook"]["config"]["url"] == receiver.url
    assert receiver.payloads[-1] == {"action": "odd"}


def test_the_app_reads_its_deliveries_and_asks_for_one_again(
    hooked: Shop, receiver: Receiver
) -> None:
    receiver.status = 500
    hooked.pull.close()
    hooked.github.settle_deliveries()
    with client(hooked.github, app_token(hooked.app)) as http:
        [failed] = http.get("/app/hook/deliveries?status=failure").json()
        assert (failed["event"], failed["action"], failed["status_code"]) == (
            "pull_request",
            "closed",
            500,
        )
        first = http.get("/app/hook/deliveries?per_page=2")
        assert len(first.json()) == 2
        second = http.get(first.links["next"]["url"]).json()
        assert second[0]["id"] < first.json()[-1]["id"]
        details = http.get(f"/app/hook/deliveries/{failed['id']}").json()
        assert details["request"]["payload"]["number"] == 1
        assert details["response"]["payload"] == "thanks"
        receiver.status = 202
        assert http.post(f"/app/hook/deliveries/{failed['id']}/attempts").status_code == 202
    hooked.github.settle_deliveries()
    assert hooked.github.deliveries[-1].guid == failed["guid"]
    assert hooked.github.deliveries[-1].status == 202


def test_what_the_app_does_is_delivered_too(shop: Shop, http: Client) -> None:
    run = {"name": "x", "head_sha": shop.pull.head_sha, "conclusion": "success"}
    http.post("/repos/octo/shop/check-runs", json=run)
    http.post("/repos/octo/shop/issues/1/comments", json={"body": "Hi"})
    seen = [(each.event, each.action) for each in shop.github.deliveries[-3:]]
    assert seen == [
        ("check_run", "created"),
        ("check_run", "completed"),
        ("issue_comment", "created"),
    ]
    assert shop.github.deliveries[-1].payload["sender"]["login"] == "memoryrail[bot]"


def test_an_app_hears_only_what_it_subscribed_to(github: Sandbox) -> None:
    repository = github.create_repository("octo/shop", files={"a": "1"})
    quiet = github.create_app(slug="quiet", events=["push"])
    quiet.install(repository)
    github.create_app(slug="elsewhere")
    repository.branch("feature")
    repository.open_pull(head="feature").comment("bob", "hello")
    seen = [(each.app.slug, each.event) for each in github.deliveries]
    assert seen == [("quiet", "installation"), ("quiet", "push")]
