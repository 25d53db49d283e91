"""Somebody pressed a button on one of our check runs: it waits as a comment with a command would.

What is written down is who pressed which button, where; all else is asked of GitHub when its turn
comes, as the words of a comment are.
"""

import re
from typing import Final

from bot.commands.grammar import NAME
from bot.core.anchor import Anchor, Kind
from bot.core.buttons import BUTTONS, RECHECK, Button
from bot.github.conversation import CommandComment, read_press
from bot.handlers import commenting
from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.handlers.rerequest import pull_of
from bot.handlers.turn import Turn, now_ms
from bot.store.commands import WaitingCommand, digest
from bot.store.pulls import Wake

ACTION: Final = "requested_action"
_GUID: Final = re.compile(r"[0-9A-Za-z-]{1,64}", re.ASCII)


def meaning(payload: Payload, guid: str) -> Meaning:
    """What the button does, to run on the pull request of its check run.

    guid: of the delivery, by which a press is known again: a payload has no id for it.
    """
    pressed = read.words(payload, "requested_action", "identifier")
    button = next((one for one in BUTTONS if one.identifier == pressed), None)
    if button is None:
        return commenting.ignored(payload, "it is no button of ours")
    wake, command = _wake(payload, button), _command(payload, button, guid)
    if wake is None or command is None:
        return commenting.ignored(payload, "it does not say who pressed the button, or where")
    if read.words(payload, "sender", "type") == "Bot":
        return commenting.refused(_words(button), (NAME,), wake, command)
    return Meaning(
        installation_id=wake.installation_id,
        repository_id=wake.key.repository_id,
        news=(wake,),
        command=command,
    )


async def words_of(turn: Turn, anchor: Anchor) -> CommandComment | None:
    """A press as a comment that says the same, on the pull request whose verdict it stood on.

    None when the check run is gone or was never ours, or is another pull request's. Raises
    RateLimited, GitHubError.
    """
    button = next((one for one in BUTTONS if digest(_words(one)) == turn.waiting.digest), None)
    if button is None:  # of an earlier version of the bot
        return None
    press = await read_press(turn.access, anchor, account_id=turn.waiting.author_id)
    if press is None or pull_of(press.external_id) != turn.state.key:
        return None
    return CommandComment(
        anchor=anchor,
        node_id="",
        number=turn.state.key.number,
        body=_words(button),
        author=press.sender,
        via_app=False,
        head_sha=press.head_sha,
        button=button.label,
    )


def _words(button: Button) -> str:
    return f"{NAME} {button.command}"


def _wake(payload: Payload, button: Button) -> Wake | None:
    installation_id, repository = read.installation_id(payload), read.repository(payload)
    key = pull_of(read.words(payload, "check_run", "external_id") or "")
    if key is None or key.repository_id != read.repository_id(payload):
        return None
    if installation_id is None or repository is None:
        return None
    return Wake(
        key=key,
        installation_id=installation_id,
        repository=repository,
        reruns=button is RECHECK,  # so that it shows, also where the verdict stays the same
    )


def _command(payload: Payload, button: Button, guid: str) -> WaitingCommand | None:
    run_id, sender_id = (
        read.number(payload, "check_run", "id"),
        read.number(payload, "sender", "id"),
    )
    if run_id is None or sender_id is None or not _GUID.fullmatch(guid):
        return None
    return WaitingCommand(
        comment=str(Anchor(kind=Kind.PRESS, id=run_id, press=guid)),
        author_id=sender_id,
        digest=digest(_words(button)),
        written_ms=now_ms(),
    )
