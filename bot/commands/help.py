"""`help`: which commands there are."""

from collections.abc import Mapping

from bot.commands.grammar import NAME
from bot.commands.usage import Usage


def text(usages: Mapping[str, Usage]) -> str:
    """Every command on a line, with what it does and who may use it."""
    rows = [
        f"- `{NAME} {usage.form}` {usage.does}."
        + (" For maintainers." if usage.for_maintainers else "")
        for usage in usages.values()
    ]
    return "\n".join(
        [
            "A command is a line of its own in a comment, without quotes or back-ticks around it.",
            "",
            *rows,
            "",
            "REF is a memory's ref, such as DEC-a3f9, its id, or the path of its file.",
            "Several commands run in order.",
        ]
    )
