"""`why`: every match of the review with all of its reasons; the comment shows the first ones."""

from collections.abc import Iterator
from typing import Final

from bot.commands.answers import fit
from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome, Refused
from bot.core.comment import MAX_REPLY
from bot.core.report import LinkHit, Match, Report, TextHit
from bot.render.markdown import code, line, url_path
from bot.render.phrases import count
from bot.render.reasons import said, strength

_MAX_TEXT: Final = MAX_REPLY - 10_000  # characters, to leave some for a comment's other commands
_MAX_LINKS: Final = 100  # of one match; a comment holds no more than some hundred


def plan(command: Command, context: Context) -> Outcome:  # noqa: ARG001 - as every verb's
    """Explain the matches of the review."""
    if context.report is None:
        return Refused(text="This pull request has not been reviewed yet. Ask again in a minute.")
    return Answer(text=text(context.report, context.url))


def text(report: Report, url: str = "") -> str:
    """What applies to the change and why, in full; url is the repository's page."""
    read = count(report.memories_read, "active memory", "active memories")
    where = f"{line(report.base_ref, 100)} at {report.base_sha[:7]}"
    if not report.matches and report.memories_read == 1:
        return (
            f"The one active memory on {where} does not apply to this change: it is no pinned "
            "constraint, links no changed path, and does not speak of the same as the title and "
            "description."
        )
    if not report.matches:
        return (
            f"None of {read} on {where} applies to this change: none is a pinned constraint, links "
            "a changed path, or speaks of the same as the title and description."
        )
    applies = "applies" if len(report.matches) == 1 else "apply"
    top = f"{len(report.matches)} of {read} on {where} {applies} to this change."
    return fit([top, *(_match(match, report, url) for match in report.matches)], _MAX_TEXT)


def _match(match: Match, report: Report, url: str) -> str:
    memory = match.memory
    address = f"{url}/blob/{report.base_sha}/{url_path(memory.path)}"
    place = f"[{code(memory.path)}]({address})" if url else code(memory.path)
    store = f", in the store at {code(match.store)}" if match.store else ""
    rows = [
        f"**{memory.ref}** · {memory.called} · {line(memory.title, 300)}",
        f"{place}{store}",
        *(f"- {reason}" for reason in _reasons(match)),
    ]
    return "\n".join([*rows[:1], "", *rows[1:2], "", *rows[2:]])


def _reasons(match: Match) -> Iterator[str]:
    if match.pinned:
        yield "It is a pinned constraint, so it applies to every change."
    yield from map(_link, match.links[:_MAX_LINKS])
    if len(match.links) > _MAX_LINKS:
        yield f"{len(match.links) - _MAX_LINKS} more changed paths are what it links."
    if match.text is not None:
        yield _words(match.text)


def _link(hit: LinkHit) -> str:
    path = code(hit.path)
    if hit.renamed_from:
        path = f"{path}, the old name of a renamed file,"
    if hit.exact:
        return f"{path} is the very path that it links."
    return f"{path} lies under {code(hit.link)}, which it links."


def _words(hit: TextHit) -> str:
    of_text, of_paths = said(hit)
    sources = [f"title and description ({of_text})"] if of_text else []
    sources += [f"changed paths ({of_paths})"] if of_paths else []
    return f"It shares words with {' and '.join(sources)}: a {strength(hit)} match."
