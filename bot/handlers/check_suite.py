"""`check_suite`: somebody asks for all of our checks on a commit again.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_suite
"""

from bot.handlers import rerequest
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload


def meaning(payload: Payload) -> Meaning:
    """New check runs for every pull request at the head of our check suite."""
    return rerequest.meaning(payload, "check_suite")
