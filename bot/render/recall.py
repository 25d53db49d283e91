"""What precheck finds, for a terminal and for programs.

Memories are other people's words: shown without credentials and without what steers a terminal.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bot.core.model import Memory, MemoryStore, MemoryType, Problem
from bot.core.quoting import cut, opening
from bot.core.report import Match
from bot.core.secrets import redacted
from bot.render import arithmetic, phrases
from bot.render.markdown import visible
from bot.render.terminal import plain, why

FORMAT: Final = 1  # of the JSON document; keys may be added

_STRICT: Final = frozenset({MemoryType.CONSTRAINT, MemoryType.ATTEMPT})
_MAX_LINES: Final = 6  # of a body
_MAX_LINE: Final = 160  # characters
_MAX_READ: Final = 8_000  # characters of a body that are looked at for that


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What was looked at, and which memories apply."""

    matches: tuple[Match, ...]  # the most binding first
    stores: tuple[MemoryStore, ...]  # whose memories were asked
    unread: tuple[Problem, ...] = ()  # files of them that hold a memory, or may, and give none
    cited: frozenset[str] = frozenset()  # paths of memories that the change's words cite
    paths: tuple[str, ...] = ()  # both names of a renamed file
    plan: str = ""
    base: str | None = None  # commit that the memories come from; None for the working tree

    @property
    def failing(self) -> tuple[Match, ...]:
        """Constraints and failed attempts that apply for more than their words, and are uncited."""
        return tuple(
            match
            for match in self.matches
            if match.memory.type in _STRICT
            and (match.pinned or match.links)
            and match.memory.path not in self.cited
        )


def text(recall: Recall, *, fails: bool, explains: bool = False) -> str:
    """The memories with their reasons and first lines; "" when nothing applies.

    fails: whether what fails is said to. explains: the arithmetic in place of the first lines.
    """
    if not recall.matches:
        return ""
    records = _records(recall.matches, explains=explains)
    return "\n".join([*records, *_ending(recall, fails=fails), ""])


def document(recall: Recall, *, fails: bool, explains: bool = False) -> dict[str, object]:
    """The same as plain dicts, lists, texts and numbers."""
    matches = [_match(match, recall.cited) for match in recall.matches]
    if explains:
        for shown, match in zip(matches, recall.matches, strict=True):
            shown["arithmetic"] = arithmetic.document(match.text)
    return {
        "format": FORMAT,
        "looked_at": {
            "paths": [redacted(path) for path in recall.paths],
            "plan_characters": len(recall.plan),
            "base": recall.base,
            "stores": [store.root for store in recall.stores],
            "memories": sum(len(store.active) for store in recall.stores),
        },
        "matches": matches,
        "unread": [
            {
                "path": redacted(one.path),
                "line": one.line,
                "rule": visible(one.rule),
                "message": visible(one.message),
            }
            for one in recall.unread
        ],
        "fails": fails,
    }


def _records(matches: Sequence[Match], *, explains: bool) -> Iterator[str]:
    said = phrases.applies(matches)
    yield f"{said[:1].upper()}{said[1:]}:"
    for match in matches:
        memory = match.memory
        yield ""
        yield f"{memory.ref}  {memory.called:<11}{plain(memory.title)}  [per {memory.ref}]"
        yield f"    because: {why(match)}"
        # A bar in front: a build's log would take a line that begins with `::` for a command.
        if explains:
            yield from (f"    | {line}" for line in arithmetic.text(match.text))
        elif not match.weak:
            yield from (f"    | {line}" for line in _opening(memory))


def _opening(memory: Memory) -> Iterator[str]:
    """The first lines of a body that hold anything, without a heading that repeats the title."""
    lines = (line.rstrip() for line in opening(memory.body, _MAX_READ).split("\n"))
    title = f"# {plain(memory.title)}"
    told = (cut(line.replace("\t", "    "), _MAX_LINE) for line in lines if line not in {"", title})
    yield from islice(told, _MAX_LINES)
    if next(told, None) is not None:
        yield "…"


def _ending(recall: Recall, *, fails: bool) -> Iterator[str]:
    yield ""
    yield (
        "Cite what you rely on as [per REF]. Stop and ask where the plan conflicts with a "
        "constraint or a decision."
    )
    if fails and recall.failing:
        refs = phrases.listed([match.memory.ref for match in recall.failing])
        yield f"Not cited, so this fails: {refs}."


def _match(match: Match, cited: Collection[str]) -> dict[str, object]:
    memory = match.memory
    return {
        "ref": memory.ref,
        "id": visible(memory.id),
        "type": memory.type.value,
        "title": visible(memory.title),
        "path": redacted(memory.path),
        "store": match.store,
        "pinned": match.pinned,
        "cited": memory.path in cited,
        "links": [
            {"path": redacted(hit.path), "link": redacted(hit.link), "exact": hit.exact}
            for hit in match.links
        ],
        "words": [visible(word) for word in match.text.words] if match.text else [],
        "strength": round(match.text.strength, 3) if match.text else None,
        "weak": match.weak,
        "body": visible(memory.body),
    }
