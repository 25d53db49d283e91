"""`help`: which commands there are."""

from collections.abc import Iterator, Mapping

from bot.commands.grammar import NAME
from bot.commands.usage import Group, Usage


def text(usages: Mapping[str, Usage]) -> str:
    """Every command on a line below its heading, with what it does and who may use it."""
    return "\n".join(
        [
            "A command is a line of its own in a comment, without quotes or back-ticks around it.",
            "",
            *(row for group in Group for row in _group(group, usages)),
            "REF is a memory's ref, such as DEC-a3f9, its id, or the path of its file.",
            "Several commands run in order. `--dry-run` shows what a command would change.",
        ]
    )


def _group(group: Group, usages: Mapping[str, Usage]) -> Iterator[str]:
    own = [usage for usage in usages.values() if usage.group is group]
    if not own:
        return
    yield f"**{group}**"
    yield ""
    for usage in own:
        who = " For maintainers." if usage.for_maintainers else ""
        yield f"- `{NAME} {usage.form}` {usage.does}.{who}"
    yield ""
