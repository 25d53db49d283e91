"""Whether an account is in a team of the owner of a repository, as GitHub says now."""

import logging
from typing import Final
from urllib.parse import quote

from bot.core.command_settings import Membership
from bot.core.errors import GitHubError
from bot.core.snapshot import Actor
from bot.github.answers import child, text
from bot.github.client import Request
from bot.github.errors import RateLimited
from bot.github.installation import Installation

PERMISSION: Final = "members"  # read; an owner may have installed the app without it

log = logging.getLogger(__name__)


async def membership(
    installation: Installation, team: str, account: Actor, *, owner: str
) -> Membership:
    """Ask for a membership; who was invited and has not accepted is no member.

    team: slug or org/slug. account: its login must be known to be its own at this moment. owner: of
    the repository; an installation sees no other organization's teams. Members of a team's child
    teams are its members. Raises RateLimited.
    https://docs.github.com/en/rest/teams/members#get-team-membership-for-a-user
    """
    organization, _, slug = team.rpartition("/")
    if organization and organization.lower() != owner.lower():
        return Membership.ELSEWHERE
    try:
        if not await _may_read(installation):
            return Membership.NOT_PERMITTED
        names = [quote(name, safe="") for name in (owner, slug, account.login)]
        path = "/orgs/{}/teams/{}/memberships/{}".format(*names)
        reply = await installation.send(Request(method="GET", path=path, read=True))
        if reply.status == 404:  # also where there is no such team, and where the owner is a person
            return Membership.OUTSIDER
        state = text(child(reply.expect(200).data), "state")
    except RateLimited:
        raise
    except GitHubError as error:
        log.warning("GitHub does not say whether a commenter is in a team: %s", error)
        return Membership.UNKNOWN
    return Membership.MEMBER if state == "active" else Membership.OUTSIDER


async def _may_read(installation: Installation) -> bool:
    """Whether members may be read; what an owner grants meanwhile takes a new token."""
    if PERMISSION in await installation.permissions():
        return True
    return PERMISSION in await installation.permissions_now()
