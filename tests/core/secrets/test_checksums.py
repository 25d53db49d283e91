"""The public checksums: a true token passes, and a changed character is noticed."""

import pytest

from bot.core.secrets.checksums import atlassian, github
from tests.core.secrets.vectors import case


@pytest.mark.parametrize("id", ["code-hosts-01", "code-hosts-02", "code-hosts-14"])
def test_github_and_npm_tokens_pass_unless_changed(id: str) -> None:  # noqa: A002
    token = case(id).secret.encode()
    changed = token[:10] + (b"A" if token[10:11] != b"A" else b"B") + token[11:]
    assert github(token)
    assert not github(changed)


def test_a_longer_github_token_has_no_checksum_to_fail() -> None:
    assert github(case("code-hosts-01").secret.encode() + b"x" * 20)


def test_atlassian_tokens_pass_unless_changed() -> None:
    token = case("code-hosts-13").secret.encode()
    assert atlassian(token)
    assert not atlassian(token[:-1] + (b"0" if token[-1:] != b"0" else b"1"))
