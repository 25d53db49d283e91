from hypothesis import given
from hypothesis import strategies as st

from bot.web.signature import is_signed


def test_the_example_of_githubs_documentation_holds() -> None:
    """https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries"""
    digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    secrets = (b"another", b"It's a Secret to Everybody")
    assert is_signed(b"Hello, World!", f"sha256={digest}", secrets)
    assert not is_signed(b"Hello, World!", f"sha256={digest}", secrets[:1])


@given(body=st.binary(), header=st.text())
def test_no_header_raises_or_passes_by_chance(body: bytes, header: str) -> None:
    assert not is_signed(body, header, (b"secret",))
