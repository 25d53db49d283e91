"""Shapes of values that are no credentials, and of those that may be."""

import pytest

from bot.core.secrets import values
from tests.core.secrets.vectors import case

RANDOM = [case(name).secret for name in ("context-13", "context-14", "context-17", "context-26")]


@pytest.mark.parametrize(
    "value",
    ["your_api_key_here", "AKIA" + "IOSFODNN7EXAMPLE", "${TOKEN}", "<token>", "{{ x }}", "a***b",
     "sk_live_...", "xxxxxxxx", "abcdefghij", "123456789", "0000000a", "abc1abc1abc1", "changeme1"],
)  # fmt: skip
def test_a_placeholder(value: str) -> None:
    assert values.is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    ["$TOKEN", "%TOKEN%", "config.db.password", "os.getenv('X')", "DB_PASSWORD", "!vault", "a[0]",
     "{0}", "%s", "./secret.txt", "/run/secrets/x", "https://a.b/c", "vault:kv/x", "Foo::bar"],
)  # fmt: skip
def test_a_reference(value: str) -> None:
    assert values.is_reference(value)


@pytest.mark.parametrize("value", ["^7.1.2", "1.2.3-beta.4", "$2b$12$abcdefghijklm", "{SSHA}abc"])
def test_a_fact(value: str) -> None:
    assert values.is_fact(value)


@pytest.mark.parametrize(
    "value", ["key-value-store-0001", "UserToken2Test", "sha256_v2_hash", "my.module.name"]
)
def test_a_name(value: str) -> None:
    assert values.is_name(value)


@pytest.mark.parametrize("number", range(len(RANDOM)))
def test_random_characters_are_none_of_these(number: int) -> None:
    value = RANDOM[number]
    assert values.is_mixed(value)
    assert not values.is_placeholder(value)
    assert not values.is_reference(value)
    assert not values.is_fact(value)
    assert not values.is_name(value)
    assert not values.is_made_up(value)
    assert values.entropy(value) > 3.5


def test_entropy_is_in_bits_a_character() -> None:
    assert (values.entropy(""), values.entropy("aaaa"), values.entropy("abcd")) == (0, 0, 2)
