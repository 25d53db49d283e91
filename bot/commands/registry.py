"""The one table of commands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.commands import (
    ack,
    approve,
    archive,
    confirm,
    edit,
    help,  # noqa: A004 - named as the command
    ignore,
    list,  # noqa: A004 - named as the command
    pin,
    reappend,
    recheck,
    reject,
    relink,
    remember,
    resolve,
    show,
    stamp_ids,
    supersede,
    sync,
    undo,
    unpin,
    why,
)
from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome
from bot.commands.usage import Group, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """A verb: what it does, and the pure function that plans it."""

    plan: Callable[[Command, Context], Outcome]  # raises UserError, MemoryFormatError
    usage: Usage


def _help(command: Command, context: Context) -> Outcome:  # noqa: ARG001 - as every verb's
    usages = {verb: handler.usage for verb, handler in HANDLERS.items()}
    return Answer(text=help.text(usages, context.settings.commands))


HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "approve": Handler(
            plan=approve.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form="approve REF…|all",
                does="makes proposals active, and what they supersede superseded",
            ),
        ),
        "reject": Handler(
            plan=reject.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form="reject REF… [: reason]",
                does="deletes the files of proposals",
            ),
        ),
        "ack": Handler(
            plan=ack.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form="ack REF… [: reason]",
                does="accepts that memories apply, and what this pull request does",
            ),
        ),
        "ignore": Handler(
            plan=ignore.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form="ignore FINGERPRINT… : reason",
                does="answers for it that what was found is no secret",
            ),
        ),
        "remember": Handler(
            plan=remember.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form='remember TYPE "title"',
                does="writes a new memory, with what follows in the comment as its text",
            ),
        ),
        "confirm": Handler(
            plan=confirm.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="confirm REF…",
                does="says that memories still hold",
            ),
        ),
        "relink": Handler(
            plan=relink.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="relink REF old/path new/path",
                does="puts a path in the place of another in a memory's links",
            ),
        ),
        "pin": Handler(
            plan=pin.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="pin REF…",
                does="lets constraints apply to every change",
            ),
        ),
        "unpin": Handler(
            plan=unpin.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="unpin REF…",
                does="lets them apply only where their links and words do",
            ),
        ),
        "supersede": Handler(
            plan=supersede.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="supersede OLD with NEW",
                does="lets one memory take the place of another",
            ),
        ),
        "archive": Handler(
            plan=archive.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="archive REF… [: reason]",
                does="says that memories are wrong or no longer relevant",
            ),
        ),
        "resolve": Handler(
            plan=resolve.plan,
            usage=Usage(
                group=Group.UPKEEP,
                form="resolve THR-REF… [: reason]",
                does="says that threads are done",
            ),
        ),
        "sync": Handler(
            plan=sync.plan,
            usage=Usage(
                group=Group.REPAIR,
                form="sync",
                does="brings the generated blocks into step",
            ),
        ),
        "reappend": Handler(
            plan=reappend.plan,
            usage=Usage(
                group=Group.REPAIR,
                form="reappend",
                does="merges the base branch where both have appended to a file of entries",
            ),
        ),
        "stamp-ids": Handler(
            plan=stamp_ids.plan,
            usage=Usage(
                group=Group.REPAIR,
                form="stamp-ids",
                does="gives jumpyBrain documents the ids that they lack",
            ),
        ),
        "undo": Handler(
            plan=undo.plan,
            usage=Usage(
                group=Group.REPAIR,
                form="undo [ack REF…|ignore FINGERPRINT…]",
                does="takes back what commands did here last, or what it names",
            ),
        ),
        "recheck": Handler(
            plan=recheck.plan,
            usage=Usage(
                group=Group.REPAIR,
                form="recheck",
                does="reviews the pull request again",
            ),
        ),
        "why": Handler(
            plan=why.plan,
            usage=Usage(
                group=Group.QUESTIONS,
                form="why",
                does="explains why each memory applies",
            ),
        ),
        "show": Handler(
            plan=show.plan,
            usage=Usage(
                group=Group.QUESTIONS,
                form="show REF…",
                does="shows memories in full",
            ),
        ),
        "list": Handler(
            plan=list.plan,
            usage=Usage(
                group=Group.QUESTIONS,
                form="list [STATUS] [TYPE] [PATH]",
                does="lists memories, the active ones unless asked otherwise",
            ),
        ),
        "edit": Handler(
            plan=edit.plan,
            usage=Usage(
                group=Group.QUESTIONS,
                form="edit REF…",
                does="links to the file in GitHub's editor",
            ),
        ),
        "help": Handler(
            plan=_help,
            usage=Usage(group=Group.QUESTIONS, form="help", does="shows this list"),
        ),
    }
)
