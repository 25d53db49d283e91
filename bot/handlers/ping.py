"""`ping`: GitHub says hello when a webhook is set up. Being recorded is all that it asks for.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#ping
"""

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload


def meaning(payload: Payload) -> Meaning:
    """Nothing but that it came."""
    return Meaning(repository_id=read.repository_id(payload))
