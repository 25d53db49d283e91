"""`relink REF old/path new/path`: a link that leads to nothing, or elsewhere, is mended."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.moving import moved
from bot.commands.outcome import Outcome
from bot.core.staleness import path_of
from bot.formats.memoryrail import upkeep


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, and Refusals with the reason why it cannot be done."""
    old, new = _paths(command)
    named = replace(command, refs=command.refs[:1])
    return moved(named, context, partial(upkeep.relink, old=old, new=new, missing=context.missing))


def new_paths(commands: Iterable[Command], roots: Iterable[str]) -> tuple[str, ...]:
    """What commands would link, in any of the stores at some roots: paths of the repository."""
    wanted = [one.words[-1] for one in commands if one.verb == "relink" and one.words]
    stores = list(roots)
    paths = (path_of(root, link) for link in wanted for root in stores)
    return tuple(sorted({path for path in paths if path}))


def _paths(command: Command) -> tuple[str, str]:
    """The old and the new path, as written behind the ref."""
    is_cited = bool(command.words) and command.words[0].lower() == "[per"
    _, *paths = command.words[is_cited:] or ("",)
    if len(paths) != 2:
        raise WrongArguments(
            "This needs a ref, the path that is linked and the one to link. A path with blanks "
            "goes in double quotes."
        )
    return paths[0], paths[1]
