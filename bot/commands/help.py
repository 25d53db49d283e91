"""`help`: which commands there are."""

from collections.abc import Iterator, Mapping

from bot.commands.authorise import highest
from bot.commands.grammar import NAME
from bot.commands.usage import Group, Usage
from bot.core.command_settings import CommandSettings, Rule


def text(usages: Mapping[str, Usage], settings: CommandSettings) -> str:
    """Every command on a line below its heading, with what it does and what it needs."""
    return "\n".join(
        [
            "A command is a line of its own in a comment, without quotes or back-ticks around it.",
            "",
            *(row for group in Group for row in _group(group, usages, settings)),
            "What a command needs is the least permission in this repository.",
            "REF is a memory's ref, such as DEC-a3f9, its id, or the path of its file.",
            "Several commands run in order, and make one commit.",
            "Where a push dismisses reviews, so does that: decide on memories first, review then.",
            "`--dry-run` shows what a command would change.",
        ]
    )


def _group(group: Group, usages: Mapping[str, Usage], settings: CommandSettings) -> Iterator[str]:
    own = {verb: usage for verb, usage in usages.items() if usage.group is group}
    if not own:
        return
    yield f"**{group}**"
    yield ""
    for verb, usage in own.items():
        yield f"- `{NAME} {usage.form}` {usage.does}.{_needs(settings.rule(verb))}"
    yield ""


def _needs(rule: Rule) -> str:
    if rule.permission == "anyone":
        return ""
    lists = ", or to be named in the settings" if rule.users or rule.teams else ""
    return f" Needs `{highest([rule.permission])}`{lists}."
