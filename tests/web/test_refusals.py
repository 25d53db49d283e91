import pytest

from bot.web.refusals import PAUSE, Refusals


def test_a_flood_is_one_line_of_a_kind_and_then_a_count(caplog: pytest.LogCaptureFixture) -> None:
    now = 5.0
    refusals = Refusals(clock=lambda: now)
    for guid in ("one", "two", "three"):
        refusals.note("No match.", guid=guid, address="192.0.2.7")
    refusals.note("Too large.", guid="four", address="192.0.2.7")
    now += PAUSE
    for guid in ("five", "six"):
        refusals.note("No match.", guid=guid, address="192.0.2.8")
    now += PAUSE
    refusals.note("Too large.", guid="seven", address="192.0.2.7")
    assert [record.getMessage() for record in caplog.records] == [
        "refused delivery one from 192.0.2.7: No match.",
        "refused delivery four from 192.0.2.7: Too large.",
        "refused delivery five from 192.0.2.8: No match. (2 more since the last such line)",
        "refused delivery seven from 192.0.2.7: Too large.",
    ]
    assert {record.levelname for record in caplog.records} == {"WARNING"}
