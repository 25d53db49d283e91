"""What is shown of other people's words holds no credential, however many there are."""

import pytest

from bot.core.secrets.redaction import redacted


@pytest.mark.parametrize("count", [97, 1_001])
def test_more_than_a_scan_takes_in_are_redacted_too(count: int) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    ids = [f"AKIA{letters[n % 32]}QYLPMN5HHHFP{letters[n // 32]}WX" for n in range(count)]
    shown = redacted(" ".join(ids))
    assert not any(one in shown for one in ids)
