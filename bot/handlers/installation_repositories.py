"""`installation_repositories`: an owner lets the app into repositories, or takes it out of some.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation_repositories
"""

from bot.handlers import payload as read
from bot.handlers.installation import welcome
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload


def meaning(payload: Payload) -> Meaning:
    """The repositories that were added."""
    installation_id = read.installation_id(payload)
    if read.action(payload) != "added":
        return Meaning(installation_id=installation_id, ignored="nothing begins")
    if installation_id is None:
        return Meaning(ignored="it names no installation")
    return welcome(installation_id, read.items(payload, "repositories_added") or ())
