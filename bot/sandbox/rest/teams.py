"""Teams of an organization and who is in them."""

from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.rest.calls import Call, handles
from bot.sandbox.wire import Reply


@handles("teams/get-membership-for-user-in-org")
def get_membership(call: Call) -> Reply:
    """An installation sees the teams of its own account, with the permission to read members."""
    organization, slug = call.parameters["org"], call.parameters["team_slug"]
    if call.token.installation.account.login.lower() != organization.lower():
        raise not_found()
    if not call.may("members:read"):
        message = "Resource not accessible by integration"
        raise Refusal(403, message, kind="FORBIDDEN", breach="permission")
    team = f"{organization}/{slug}".lower()
    user = call.world.users.get(call.parameters["username"].lower())
    state = call.world.teams.get(team, {}).get(user) if user else None
    if state is None:
        raise not_found()
    url = f"{call.world.url}{call.request.path}"
    return Reply(body={"url": url, "role": "member", "state": state})
