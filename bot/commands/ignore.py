"""`ignore FINGERPRINT… : reason`: a maintainer answers for it that what was found is no secret."""

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Ignored, Outcome, Refused, Shown
from bot.render.markdown import code
from bot.render.phrases import listed


def plan(command: Command, context: Context) -> Outcome:
    """Ignore what the review found, by the fingerprints that it gave. Raises WrongArguments.

    The reason stands in the comment, which the dismissal names; without one nobody could tell later
    why it was right.
    """
    if not command.words:
        raise WrongArguments("This names no fingerprint.")
    if not command.reason:
        raise WrongArguments("This gives no reason.")
    if context.report is None:
        return Refused(text="This pull request has not been reviewed yet. Try again in a minute.")
    wanted = tuple(dict.fromkeys(word.strip("`").lower() for word in command.words))
    known = {hit.fingerprint for hit in context.report.secrets}
    if strangers := [code(one, 40) for one in wanted if one not in known]:
        return Refused(
            text=f"Nothing was done. No finding of this pull request has the fingerprint "
            f"{listed(strangers)}. The check memoryrail/secrets gives them."
        )
    if undone := [code(one) for one in wanted if ("ignore", one) in context.undone_since]:
        return Refused(
            text=f"Nothing was done. Since you wrote, somebody undid the ignoring of "
            f"{listed(undone)}. Write the command again if it is to hold all the same."
        )
    if command.is_dry_run:
        shown = listed([code(one) for one in wanted])
        return Shown(text=f"Would ignore {shown} in this repository. No file would change.")
    return Ignored(fingerprints=wanted)
