"""What GitHub says of who asks for commands: asked when they run, and only as far as it matters."""

from collections.abc import Collection
from dataclasses import replace

from bot.commands.authorise import Asking, needs_permission, read_permission, team_to_ask
from bot.core.snapshot import Actor, Snapshot
from bot.github.conversation import permission_answer
from bot.github.installation import RepositoryAccess
from bot.github.teams import membership


async def ask(
    access: RepositoryAccess,
    verbs: Collection[str],
    snapshot: Snapshot,
    *,
    sender: Actor | None,
    via_app: bool = False,
) -> Asking:
    """Ask for the sender's permission, then for one team after the other while one may decide.

    What GitHub does not say is a no in may_command. Raises RateLimited.
    """
    settings = snapshot.settings
    asking = Asking(sender=sender, via_app=via_app)
    if sender is None or not needs_permission(verbs, asking, settings):
        return asking
    permission = read_permission(await permission_answer(access, sender))
    asking = replace(asking, permission=permission)
    owner = snapshot.repository.full_name.partition("/")[0]
    while (team := team_to_ask(verbs, asking, settings)) is not None:
        found = await membership(access.installation, team, sender, owner=owner)
        asking = replace(asking, teams={**asking.teams, team: found})
    return asking
