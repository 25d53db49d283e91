import json
from pathlib import Path

import pytest
from hypothesis import given

from bot.handlers import payload as read
from bot.handlers.parser import Parser
from bot.handlers.registry import EVENTS, meaning
from tests.handlers.examples import examples
from tests.handlers.payloads import payloads

FILES = sorted(file.stem for file in (Path(__file__).parents[1] / "data/webhooks").glob("*.json"))


def test_a_delivery_means_the_same_however_little_of_it_is_parsed() -> None:
    parser = Parser()
    for _ in range(2):  # first with each path new, then with all of them known
        for event in FILES:
            for payload in examples(event):
                body = json.dumps(payload, ensure_ascii=False).encode()
                assert meaning(event, parser.parse(body)) == meaning(event, payload)


@given(payload=payloads())
def test_a_payload_of_any_shape_means_the_same(payload: dict[str, object]) -> None:
    body = json.dumps(payload).encode()
    for event in (*EVENTS, "star"):
        assert meaning(event, PARSER.parse(body)) == meaning(event, json.loads(body))


PARSER = Parser()


def test_what_is_asked_for_first_is_found_then_and_later() -> None:
    parser, body = Parser(), b'{"changes":{"base":{"ref":{"from":"main"}}},"number":5}'
    for _ in range(2):
        payload = parser.parse(body)
        assert read.number(payload, "number") == 5
        assert read.has(payload, "changes", "base")
        assert read.words(payload, "changes", "base", "ref", "from") == "main"
        assert not read.has(payload, "changes", "title")


@pytest.mark.parametrize("value", [b"5", b"null", b"[]", b'"a"', b'{"id":null}', b'{"id":"7"}'])
def test_what_is_no_object_any_more_hides_nothing_else(value: bytes) -> None:
    parser = Parser()
    for body in (b'{"repository":{"id":7}}', b'{"repository":' + value + b',"number":5}'):
        payload = parser.parse(body)
        found = (read.repository_id(payload), read.number(payload, "number"))
    assert found == (None, 5)


@pytest.mark.parametrize("value", [b'"\xff"', b"1" * 50_000], ids=["not UTF-8", "too long"])
def test_a_value_that_nothing_can_hold_hides_nothing_else(value: bytes) -> None:
    payload = Parser().parse(b'{"action":' + value + b',"number":5}')
    found = (read.number(payload, "number"), read.action(payload), read.number(payload, "number"))
    assert found == (5, None, 5)


def test_half_a_surrogate_pair_loses_no_delivery() -> None:
    payload = Parser().parse(rb'{"action":"opened","title":"\ud83d"}')
    assert (read.action(payload), read.words(payload, "title")) == ("opened", "\ud83d")


@pytest.mark.parametrize("body", [b"", b"{", b"{}{}", b'{"a":[1,}', b'{"a":{"b":}}'])
def test_what_is_no_json_is_refused_at_once(body: bytes) -> None:
    with pytest.raises(json.JSONDecodeError):
        Parser().parse(body)
