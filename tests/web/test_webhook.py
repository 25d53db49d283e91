import asyncio
import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Never

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message

from bot.commands.grammar import NAMES
from bot.handlers.registry import EVENTS
from bot.logs import Lines, LogFormat
from bot.store.deliveries import Delivery, NotDurableError
from bot.store.pulls import PullKey, Wake
from bot.web.server import create_web
from bot.web.webhook import Webhook
from tests.handlers.payloads import payloads
from tests.web.conftest import MAX_BODY, OTHER_SECRET, SECRET, GitHub, connected, sign

EXAMPLES = Path(__file__).parents[1] / "data" / "webhooks"
BODY = b"{}"
EXAMPLE_FILES = sorted(EXAMPLES.glob("*.json"))


def _examples(file: Path) -> list[dict[str, object]]:
    examples: list[dict[str, object]] = json.loads(file.read_text("utf-8"))
    return examples


@pytest.mark.parametrize("file", EXAMPLE_FILES, ids=lambda file: str(file.stem))
async def test_every_example_delivery_is_recorded(github: GitHub, file: Path) -> None:
    examples = _examples(file)
    for count, payload in enumerate(examples):
        body = json.dumps(payload, ensure_ascii=False).encode()
        answer = await github.send(body=body, event=file.stem, guid=f"{count}")
        assert (answer.status_code, answer.text) == (202, "Accepted.\n")
    assert len(github.ingest.received) == len(examples) > 0
    assert {delivery.event for delivery, _ in github.ingest.received} == {file.stem}


def test_there_are_examples_of_twelve_events() -> None:
    assert len(EXAMPLE_FILES) == 12


async def test_a_pull_request_that_changed_is_woken(github: GitHub) -> None:
    await github.send(
        {
            "action": "synchronize",
            "installation": {"id": 5},
            "repository": {"id": 7, "full_name": "octo/cat"},
            "pull_request": {"number": 3, "head": {"sha": "a" * 40}},
        },
        event="pull_request",
    )
    key = PullKey(repository_id=7, number=3)
    assert github.ingest.received == [
        (
            Delivery(
                guid="one",
                event="pull_request",
                action="synchronize",
                installation_id=5,
                repository_id=7,
            ),
            (Wake(key=key, installation_id=5, repository="octo/cat", head_sha="a" * 40),),
        )
    ]


async def test_an_event_of_no_known_kind_is_recorded_as_ignored(github: GitHub) -> None:
    assert (await github.send({"action": "created"}, event="star")).status_code == 202
    ((delivery, news),) = github.ingest.received
    assert (delivery.event, delivery.action, news) == ("star", "created", ())
    assert delivery.ignored == "events of this kind are not handled"


async def test_a_delivery_that_came_before_is_answered_all_the_same(github: GitHub) -> None:
    assert (await github.send()).text == "Accepted.\n"
    again = await github.send()
    assert (again.status_code, again.text) == (202, "Known already.\n")


@pytest.mark.parametrize("secret", [SECRET, OTHER_SECRET])
async def test_any_of_the_secrets_may_sign(github: GitHub, secret: bytes) -> None:
    assert (await github.send(secret=secret)).status_code == 202


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        pytest.param({"x-hub-signature-256": sign(BODY, b"guess")}, 401, "match", id="wrong"),
        pytest.param({"x-hub-signature-256": sign(b"[]")}, 401, "match", id="other body"),
        pytest.param({"x-hub-signature-256": ""}, 401, "match", id="empty"),
        pytest.param({"x-hub-signature-256": "sha256="}, 401, "match", id="no digest"),
        pytest.param({"x-hub-signature-256": "sha256=ü" + "0" * 63}, 401, "match", id="not ASCII"),
        pytest.param({"x-hub-signature-256": sign(BODY)[7:]}, 401, "match", id="no prefix"),
        pytest.param({"x-hub-signature-256": sign(BODY).upper()}, 401, "match", id="upper case"),
        pytest.param({"x-hub-signature-256": None}, 401, "X-Hub-Signature-256", id="unsigned"),
        pytest.param({"x-github-event": None}, 400, "X-GitHub-Event", id="no event"),
        pytest.param({"x-github-event": "a b"}, 400, "X-GitHub-Event", id="odd event"),
        pytest.param({"x-github-delivery": None}, 400, "X-GitHub-Delivery", id="no GUID"),
        pytest.param({"x-github-delivery": "é" * 9}, 400, "X-GitHub-Delivery", id="odd GUID"),
        pytest.param({"x-github-delivery": "a" * 65}, 400, "X-GitHub-Delivery", id="long GUID"),
        pytest.param({"content-type": None}, 415, "application/json", id="no content type"),
        pytest.param(
            {"content-type": "application/x-www-form-urlencoded"},
            415,
            "application/json",
            id="form",
        ),
        pytest.param({"content-length": "-1"}, 400, "Content-Length", id="odd length"),
        pytest.param({"content-length": "²"}, 400, "Content-Length", id="odd digit"),
        pytest.param({"content-length": "9" * 5_000}, 413, "at most", id="endless length"),
    ],
)
async def test_what_is_not_a_signed_delivery_is_refused_in_one_line(
    github: GitHub, headers: dict[str, str | None], status: int, reason: str
) -> None:
    answer = await github.send(body=BODY, headers=headers)
    assert answer.status_code == status
    assert reason in answer.text
    assert answer.text.count("\n") == 1
    assert github.ingest.received == []


async def test_a_sha1_signature_is_no_signature(github: GitHub) -> None:
    sha1 = "sha1=" + hmac.new(SECRET, BODY, hashlib.sha1).hexdigest()
    for name in ("x-hub-signature", "x-hub-signature-256"):
        headers = {"x-hub-signature-256": None} | {name: sha1}
        assert (await github.send(body=BODY, headers=headers)).status_code == 401
    assert github.ingest.received == []


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON"])
async def test_the_content_type_may_have_parameters(github: GitHub, content_type: str) -> None:
    assert (await github.send(headers={"content-type": content_type})).status_code == 202


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{", id="cut short"),
        pytest.param(b"\xff{}", id="not UTF-8"),
        pytest.param(b"[" * 50_000, id="deep"),
        pytest.param(b'{"a":' * 15_000 + b"1" + b"}" * 15_000, id="deep and whole"),
        pytest.param(b"[]", id="no object"),
        pytest.param(b"null", id="null"),
    ],
)
async def test_a_signed_body_that_is_no_json_object_is_refused(github: GitHub, body: bytes) -> None:
    answer = await github.send(body=body)
    assert answer.status_code == 400
    assert github.ingest.received == []


async def test_a_body_may_be_as_large_as_the_limit(github: GitHub) -> None:
    body = b'{"a":"' + b"x" * (MAX_BODY - 8) + b'"}'
    assert len(body) == MAX_BODY
    assert (await github.send(body=body)).status_code == 202
    assert (await github.send(body=body + b" ")).status_code == 413


async def test_a_body_is_refused_before_all_of_it_has_come(github: GitHub) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b"x" * 10_000

    headers = {
        "content-type": "application/json",
        "x-github-event": "ping",
        "x-github-delivery": "one",
        "x-hub-signature-256": sign(BODY),
    }
    request = github.client.build_request("POST", "/webhook", headers=headers, content=endless())
    assert "content-length" not in request.headers
    assert (await github.client.send(request)).status_code == 413
    assert sent <= MAX_BODY // 10_000 + 2


async def test_only_a_post_is_a_delivery(github: GitHub) -> None:
    assert (await github.client.get("/webhook")).status_code == 405
    assert (await github.client.put("/webhook", content=BODY)).status_code == 405


async def test_a_delivery_that_cannot_be_kept_is_not_acknowledged(
    github: GitHub, caplog: pytest.LogCaptureFixture
) -> None:
    github.ingest.failure = NotDurableError("the disk is full")
    answer = await github.send()
    assert answer.status_code == 503
    assert "the disk is full" not in answer.text
    assert "the disk is full" in caplog.text
    assert "delivery one ping could not be kept" in caplog.text


async def test_an_observer_hears_what_came_of_each_request(github: GitHub) -> None:
    await github.send(event="ping")
    await github.send(event="ping")
    await github.send(event="star", guid="two")
    await github.send(event="push", guid="three", secret=b"wrong")
    await github.send(guid="four", headers={"x-github-event": None})
    github.ingest.failure = NotDurableError("the disk is full")
    await github.send(event="push", guid="five")
    (first, _), *_ = github.ingest.received
    assert github.state.outcomes == [
        ("ping", "ignored" if first.ignored else "accepted"),
        ("ping", "known"),
        ("star", "ignored"),
        ("push", "refused"),
        ("", "refused"),
        ("push", "lost"),
    ]


async def test_lines_of_the_log_carry_the_delivery_they_are_about(github: GitHub) -> None:
    written: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(Lines(LogFormat.JSON).format(record))

    logger, keep = logging.getLogger("bot.web"), Keep()
    logger.addHandler(keep)
    logger.setLevel(logging.INFO)
    payload = {
        "action": "opened",
        "installation": {"id": 5},
        "repository": {"id": 7, "full_name": "octo/cat"},
        "pull_request": {"number": 3, "head": {"sha": "a" * 40}, "body": "said in confidence"},
    }
    await github.send(payload, event="pull_request")
    logger.removeHandler(keep)
    logger.setLevel(logging.NOTSET)
    (line,) = [json.loads(line) for line in written]
    assert (line["delivery"], line["pull_request"]) == ("one", "octo/cat#3")
    assert (line["repository"], line["installation"]) == ("octo/cat", 5)
    assert "confidence" not in written[0]


async def test_the_log_tells_what_came_of_each_delivery(
    github: GitHub, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="bot.web")
    payload = {
        "action": "opened",
        "installation": {"id": 5},
        "repository": {"id": 7, "full_name": "octo/cat"},
        "pull_request": {"number": 3, "title": "Only GitHub shows this"},
    }
    for _ in range(2):
        await github.send(payload, event="pull_request")
    comment = payload | {"issue": {"number": 4}, "action": "wave"}
    del comment["pull_request"]
    await github.send(comment, event="star", guid="two")
    await github.send({"repository": {"full_name": "octo/\x1b[31m"}}, guid="three")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("INFO", "delivery one pull_request.opened octo/cat#3: accepted"),
        ("INFO", "delivery one pull_request.opened octo/cat#3: known already"),
        (
            "INFO",
            "delivery two star.wave octo/cat#4: ignored, events of this kind are not handled",
        ),
        ("INFO", "delivery three ping: accepted"),
    ]


async def test_the_log_tells_who_was_refused_and_nothing_that_was_sent(
    github: GitHub, caplog: pytest.LogCaptureFixture
) -> None:
    guess = sign(BODY, b"guess")
    await github.send(body=BODY, headers={"x-hub-signature-256": guess})
    await github.send(body=BODY, headers={"x-hub-signature-256": guess})
    await github.send(body=BODY, headers={"x-github-delivery": "a\x9bb"})
    await github.send(body=b"{", guid="two")
    assert [record.getMessage() for record in caplog.records] == [
        "refused delivery one from 127.0.0.1: The signature does not match.",
        (
            "refused delivery without a GUID from 127.0.0.1: "
            "The header X-GitHub-Delivery is missing or malformed."
        ),
        "refused delivery two from 127.0.0.1: The body is not JSON.",
    ]
    assert {record.levelname for record in caplog.records} == {"WARNING"}


@pytest.mark.parametrize("client", [None, ("\x1b[31m", 1)])
async def test_a_sender_whose_address_is_none_is_unknown(
    client: tuple[str, int] | None, caplog: pytest.LogCaptureFixture
) -> None:
    async def ingest(*_: object) -> bool:
        raise AssertionError

    async def receive() -> Never:
        raise AssertionError

    async def send(message: Message) -> None:
        assert message.get("status") in (None, 415)

    webhook = Webhook(ingest=ingest, secrets=(SECRET,), names=NAMES, max_body=MAX_BODY)
    await webhook({"type": "http", "headers": [], "client": client}, receive, send)
    assert "refused delivery without a GUID from an unknown address: " in caplog.text


@pytest.mark.parametrize("secrets", [(), (b"",), (SECRET, b"")])
def test_there_is_no_webhook_without_a_secret(secrets: tuple[bytes, ...]) -> None:
    async def never(*_: object) -> Never:
        raise AssertionError

    with pytest.raises(ValueError, match="secret"):
        create_web(ingest=never, secrets=secrets, names=NAMES, hindrance=never)


async def test_a_supervisor_learns_whether_the_process_lives_and_works(github: GitHub) -> None:
    async def told(path: str) -> tuple[int, str]:
        answer: httpx.Response = await github.client.get(path)
        return answer.status_code, answer.text

    assert [await told("/healthz"), await told("/readyz")] == [(200, "ok\n"), (200, "ready\n")]
    github.state.hindrance = "the disk is full"
    assert await told("/healthz") == (200, "ok\n")
    assert await told("/readyz") == (503, "not ready: the disk is full\n")


@given(payload=payloads(), event=st.sampled_from([*EVENTS, "star"]))
def test_a_signed_payload_of_any_shape_is_recorded(payload: dict[str, object], event: str) -> None:
    async def send() -> httpx.Response:
        async with connected() as github:
            return await github.send(payload, event=event)

    assert asyncio.run(send()).status_code == 202
