from bot.handlers import installation
from bot.handlers.meaning import Meaning


def test_an_installation_is_recorded_by_its_id() -> None:
    payload = {"action": "created", "installation": {"id": 5}, "repositories": None}
    assert installation.meaning(payload) == Meaning(installation_id=5)
