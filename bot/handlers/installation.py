"""`installation`: the app was installed, removed, suspended, or given other permissions.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation
"""

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload


def meaning(payload: Payload) -> Meaning:
    """Which installation it is about."""
    return Meaning(installation_id=read.installation_id(payload))
