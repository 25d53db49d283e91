"""Somebody wrote on a pull request, perhaps a command: what the events of that have in common."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.commands.grammar import marks, may_command, parse
from bot.commands.registry import HANDLERS
from bot.core.anchor import Anchor, Kind
from bot.handlers import payload as read
from bot.handlers.audit import row
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import WaitingCommand, digest
from bot.store.pulls import PullKey, Wake
from bot.store.work import AuditNews

_MAX_TEXT: Final = 1 << 18  # characters; GitHub takes 65,536
_MAX_BEFORE: Final = 8_192  # characters of a text that is parsed at once, on the way in


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Where a payload has what was said, and on what."""

    kind: Kind
    words: str  # the key of what was said
    on: str  # the key of the issue or pull request
    new: str  # the action by which it comes into being


def meaning(payload: Payload, event: Event, names: tuple[str, ...]) -> Meaning:
    """The words, if they may hold a command, to run on their pull request.

    names: what a command may begin with.
    """
    if why := _why_not(payload, event, names):
        return ignored(payload, why)
    wake, command = _wake(payload, event), _command(payload, event, names)
    if wake is None or command is None:
        return ignored(payload, "it does not say which comment")
    if read.words(payload, event.words, "user", "type") == "Bot":
        return refused(_text(payload, event) or "", names, wake, command)
    return Meaning(
        installation_id=wake.installation_id,
        repository_id=wake.key.repository_id,
        news=(wake,),
        command=command,
    )


def ignored(payload: Payload, why: str) -> Meaning:
    """Nothing follows. why: in our words."""
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        ignored=why,
    )


def refused(text: str, names: tuple[str, ...], wake: Wake, command: WaitingCommand) -> Meaning:
    """A bot's commands go into the audit and nowhere else: bots that answer bots never end.

    What we write ourselves has no command on a line of its own, and need not be parsed.
    """
    rows: tuple[AuditRow, ...] = ()
    if any(line.strip().lower().startswith(names) for line in text.splitlines()):
        rows = tuple(
            row(command, position, one, AuditOutcome.REFUSED)
            for position, one in enumerate(parse(text, HANDLERS, names).commands)
        )
    return Meaning(
        installation_id=wake.installation_id,
        repository_id=wake.key.repository_id,
        news=(AuditNews(key=wake.key, rows=rows),) if rows else (),
        ignored="bots do not command",
    )


def _why_not(payload: Payload, event: Event, names: tuple[str, ...]) -> str | None:
    """Why words cannot hold a command that is to run; None when they may."""
    action = read.action(payload)
    if action not in {event.new, "edited"}:
        return "only what is written commands"
    if not may_command(_text(payload, event) or "", names):
        return "it holds no command"
    if action == "edited":
        author = read.number(payload, event.words, "user", "id")
        if read.number(payload, "sender", "id") != author:
            return "somebody else edited it"
        before = _before(payload)
        if before is None:
            return "its text was not edited"
        if may_command(before, names) and len(before) > _MAX_BEFORE:
            return "it was too long before it was edited"
    return None


def _wake(payload: Payload, event: Event) -> Wake | None:
    installation_id = read.installation_id(payload)
    repository_id, repository = read.repository_id(payload), read.repository(payload)
    number = read.number(payload, event.on, "number")
    if installation_id is None or repository_id is None or repository is None or number is None:
        return None
    return Wake(
        key=PullKey(repository_id=repository_id, number=number),
        installation_id=installation_id,
        repository=repository,
    )


def _command(payload: Payload, event: Event, names: tuple[str, ...]) -> WaitingCommand | None:
    id_, text = read.number(payload, event.words, "id"), _text(payload, event)
    author_id = read.number(payload, event.words, "user", "id")
    is_edit = read.action(payload) == "edited"
    written = _written(payload, event, is_edit=is_edit)
    if id_ is None or text is None or author_id is None or written is None:
        return None
    before = (_before(payload) or "") if is_edit else ""
    is_short = len(text) <= _MAX_BEFORE
    return WaitingCommand(
        comment=str(Anchor(kind=event.kind, id=id_)),
        author_id=author_id,
        digest=digest(text),
        written_ms=int(written.timestamp() * 1000),
        is_edit=is_edit,
        marks=" ".join(marks(parse(text, HANDLERS, names))) if is_short else None,
        known=" ".join(marks(parse(before, HANDLERS, names))),
    )


def _written(payload: Payload, event: Event, *, is_edit: bool) -> datetime | None:
    """When the words were written: an edit as far as GitHub says, else as they were at first."""
    names = ("updated_at", "created_at", "submitted_at")
    for name in names if is_edit else names[1:]:
        try:
            return datetime.fromisoformat(read.words(payload, event.words, name) or "")
        except ValueError:
            continue
    return None


def _text(payload: Payload, event: Event) -> str | None:
    return read.words(payload, event.words, "body", max_length=_MAX_TEXT)


def _before(payload: Payload) -> str | None:
    """The text before it was edited; None when something else was."""
    return read.words(payload, "changes", "body", "from", max_length=_MAX_TEXT)
