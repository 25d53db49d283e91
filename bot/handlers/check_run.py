"""`check_run`: somebody asks for one of our checks again. Presses of buttons: see pressing.py.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run
"""

from bot.handlers import rerequest
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload


def meaning(payload: Payload) -> Meaning:
    """New check runs for the pull request of one of our check runs."""
    return rerequest.meaning(payload, "check_run")
