from bot.handlers import ping
from bot.handlers.meaning import Meaning


def test_a_ping_is_recorded() -> None:
    assert ping.meaning({"zen": "Design for failure.", "hook_id": 1}) == Meaning()
    assert ping.meaning({"repository": {"id": 7}}) == Meaning(repository_id=7)
