"""The one table of commands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.commands import approve, help, recheck, reject, why  # noqa: A004 - named as the command
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
    return Answer(text=help.text({verb: handler.usage for verb, handler in HANDLERS.items()}))


HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "approve": Handler(
            plan=approve.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form="approve REF…",
                does="makes proposals active, and what they supersede superseded",
                for_maintainers=True,
            ),
        ),
        "reject": Handler(
            plan=reject.plan,
            usage=Usage(
                group=Group.PROPOSALS,
                form="reject REF… [: reason]",
                does="deletes the files of proposals",
                for_maintainers=True,
            ),
        ),
        "recheck": Handler(
            plan=recheck.plan,
            usage=Usage(
                group=Group.QUESTIONS,
                form="recheck",
                does="reviews the pull request again",
                for_maintainers=False,
            ),
        ),
        "why": Handler(
            plan=why.plan,
            usage=Usage(
                group=Group.QUESTIONS,
                form="why",
                does="explains why each memory applies",
                for_maintainers=False,
            ),
        ),
        "help": Handler(
            plan=_help,
            usage=Usage(
                group=Group.QUESTIONS, form="help", does="shows this list", for_maintainers=False
            ),
        ),
    }
)
