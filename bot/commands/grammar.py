"""Commands in a comment's Markdown (spec/commands.md).

A command is a whole line of plain text that stands in a paragraph at the top level, as CommonMark
and GitHub's tables see it. Text that is quoted, shown as code, listed, or put within HTML is about
commands, so it never runs.
"""

import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, paragraph, reference
from markdown_it.token import Token

from bot.commands.email import quote_begins
from bot.commands.html import HtmlElements

NAME: Final = "/memoryrail"
NAMES: Final = (NAME,)  # what a command may begin with; an operator may add one, in lower case
MAX_CHARACTERS: Final = 64 * 1024  # of a comment that are read; GitHub takes 65,536
MAX_COMMANDS: Final = 20  # of one comment
MAX_REFS: Final = 50  # of one command

_PLAIN: Final = frozenset({"text", "text_special", "code_inline"})
_WRAPPERS: Final = frozenset({"code_inline", "strong_open", "em_open", "s_open", "link_open"})
_BREAKS: Final = frozenset({"softbreak", "hardbreak"})
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]+\]:")
_MATH: Final = "$$"  # begins and ends what GitHub shows as a formula
_CITED: Final = re.compile(r"\[per\s|[\[\]]", re.IGNORECASE)
_OPENING: Final = "`\"'“”‘’()*_"
_CLOSING: Final = f"{_OPENING}."  # a path may begin with a dot
_JOINING: Final = frozenset({"", "and", "&", "per"})
_DRY_RUN: Final = frozenset({"--dry-run", "\u2014dry-run", "\u2013dry-run"})  # phones join dashes
_WORD: Final = re.compile(r'"([^"]*)"|“([^”]*)”|([^\s,;]+)')
_QUOTED: Final = re.compile(r'"[^"]*"|“[^”]*”')


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of a comment."""

    verb: str  # lower case, one of those that are known
    refs: tuple[str, ...] = ()  # ids and paths too; each once, without `[per …]` and quotes
    words: tuple[str, ...] = field(default=(), compare=False)  # as written; what is quoted is one
    reason: str = ""  # what follows the colon, one line
    is_dry_run: bool = False  # --dry-run: only say what would be done
    below: str = field(default="", compare=False)  # the Markdown up to the next command; hostile


class MissKind(StrEnum):
    """Why a line that looks like a command is none."""

    VERB = "verb"  # there is no such verb
    FORMATTED = "formatted"  # it stands as code, in bold, in a link or in a heading
    TOO_MANY_REFS = "too-many-refs"
    TOO_MANY_COMMANDS = "too-many-commands"


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A line that was most likely meant as a command, and was not run."""

    kind: MissKind
    written: str  # the line without its formatting; hostile text
    suggestion: str | None = None  # the verb that was meant, where one is near


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a comment asks for."""

    commands: tuple[Command, ...] = ()  # in order, at most MAX_COMMANDS
    misses: tuple[Miss, ...] = ()  # in order; all of them together are worth one answer


def parse(text: str, verbs: Collection[str], names: tuple[str, ...] = NAMES) -> Parsed:
    """The commands in a comment's Markdown, and what was nearly one. Never raises.

    verbs: those that are known, in lower case. What follows MAX_CHARACTERS is not read.
    """
    text = text[:MAX_CHARACTERS]
    commands: list[Command] = []
    misses: list[Miss] = []
    if not may_command(text, names):
        return Parsed()
    pattern = _pattern(names)
    source = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines, end = _lines(_READER.parse(text), end=len(source))
    read = [(line, found) for line in lines if (found := _read(line, verbs, pattern)) is not None]
    rows = [_row(source, line.row, names) for line, _ in read]
    for (line, found), (row, below) in zip(read, pairwise([*rows, end]), strict=True):
        if isinstance(found, Miss):
            misses.append(found)
        elif len(commands) == MAX_COMMANDS:
            misses.append(Miss(kind=MissKind.TOO_MANY_COMMANDS, written=line.text))
            break
        else:
            commands.append(replace(found, below="\n".join(source[row + 1 : below]).strip("\n")))
    return Parsed(commands=tuple(commands), misses=tuple(misses))


def may_command(text: str, names: tuple[str, ...] = NAMES) -> bool:
    """Whether a text is worth parsing: one without any of the names holds no command."""
    lower = text.lower()
    return any(name in lower for name in names)


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A command: its name, its verb and the rest."""
    any_name = "|".join(map(re.escape, names))
    return re.compile(rf"(?:{any_name})(?:\s+|$)([^\s:]*)\s*(.*)", re.IGNORECASE | re.DOTALL)


def marks(parsed: Parsed) -> tuple[str, ...]:
    """What each command and near miss of a comment is known by, in no order.

    Equal ones have equal marks: twelve hexadecimal digits, which tell nothing of the words.
    """
    return (*map(_mark, parsed.commands), *map(_mark, parsed.misses))


def without(parsed: Parsed, known: Iterable[str]) -> Parsed:
    """What a comment asks for beyond what is known by its marks; each counts once."""
    left = Counter(known)

    def is_new(one: Command | Miss) -> bool:
        left[_mark(one)] -= 1
        return left[_mark(one)] < 0

    return Parsed(
        commands=tuple(one for one in parsed.commands if is_new(one)),
        misses=tuple(one for one in parsed.misses if is_new(one)),
    )


def _mark(one: Command | Miss) -> str:
    said = (
        repr((one.kind.value, one.written))
        if isinstance(one, Miss)
        else repr((one.verb, one.words, one.reason, one.is_dry_run))
    )
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as GitHub shows it, in a paragraph or a heading at the top level."""

    row: int  # of the source, from 0; lower where a code span before it goes over lines
    tokens: tuple[Token, ...]
    is_plain: bool  # it stands in a paragraph, and nothing that formats is open where it begins

    @property
    def text(self) -> str:
        """What it says, without formatting and HTML."""
        return "".join(token.content for token in self.tokens if token.type in _PLAIN)


def _reference(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """CommonMark's link definitions, but for GitHub's footnotes, whose text is shown."""
    start = state.bMarks[line] + state.tShift[line]
    return not state.src.startswith("[^", start) and reference(state, line, end, silent)


def _footnote(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """A footnote's text, which may begin right below a line of a paragraph and goes on as one."""
    start = state.bMarks[line] + state.tShift[line]
    if not _FOOTNOTE.match(state.src, start) or state.is_code_block(line):
        return False
    if not silent:
        position = len(state.tokens)
        paragraph(state, line, end, silent)
        state.tokens[position].type = "footnote_open"
    return True


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    reader.core.ruler.disable("text_join")  # keeps an escaped character apart from plain text
    reader.block.ruler.at("reference", _reference)
    reader.block.ruler.before(
        "paragraph", "footnote", _footnote, {"alt": ["paragraph", "reference", "blockquote"]}
    )
    return reader


_READER: Final = _reader()


def _row(source: Sequence[str], row: int, names: tuple[str, ...]) -> int:
    """Where a command stands in the source: the first line from row on that begins as one."""
    begins = (n for n in range(row, len(source)) if source[n].lstrip().lower().startswith(names))
    return next(begins, row)


def _lines(tokens: Sequence[Token], end: int) -> tuple[list[_Line], int]:
    """The lines that may be commands, up to where an e-mail quotes what it answers.

    And the row where that is; end, where it does not.
    """
    elements = HtmlElements()
    found: list[_Line] = []
    for number, token in enumerate(tokens):
        if token.type == "html_block":
            elements.pass_over(token.content, is_nested=token.level > 0)
        if token.type != "inline" or token.level != 1:
            continue
        opening = tokens[number - 1].type
        if opening == "paragraph_open":
            lines = list(_split(token, elements, is_paragraph=True))
            after = tokens[number + 2].type if number + 2 < len(tokens) else ""
            quote = quote_begins([line.text for line in lines], after == "blockquote_open")
            found += lines[:quote]
            if quote is not None:
                return found, lines[quote].row
        elif opening == "heading_open":
            found += _split(token, elements, is_paragraph=False)
    return found, end


def _split(block: Token, elements: HtmlElements, *, is_paragraph: bool) -> Iterator[_Line]:
    """The lines of a paragraph. Those that begin within an HTML element or a formula are empty."""
    children = block.children or []
    row = block.map[0] if block.map else 0
    depth = 0  # of emphasis and links
    line: list[Token] = []
    marks = sum(token.content.count(_MATH) for token in children if token.type == "text")
    marks -= marks % 2  # the last one of an odd number opens nothing
    hidden, plain = elements.is_open, is_paragraph
    for token in children:
        depth += token.nesting
        if token.type == "text":
            marks -= token.content.count(_MATH)
        if token.type == "html_inline":
            elements.pass_over(token.content)
        if token.type in _BREAKS:
            yield _Line(row, () if hidden else tuple(line), plain)
            row += 1
            in_formula = marks > 0 and marks % 2 == 1
            line, hidden = [], elements.is_open or in_formula
            plain = is_paragraph and not depth
        elif token.type != "text" or token.content:
            line.append(token)
    yield _Line(row, () if hidden else tuple(line), plain)


def _read(line: _Line, verbs: Collection[str], pattern: re.Pattern[str]) -> Command | Miss | None:
    said = pattern.match(line.text)
    if not line.tokens or said is None:
        return None
    verb, first = said[1].lower() or "help", line.tokens[0]
    if not line.is_plain or first.type != "text":
        return _formatted(line, first, is_known=verb in verbs)
    if (own := pattern.match(first.content)) is None:
        return None
    if verb not in verbs:
        return _unknown(line, verb, verbs)
    if own[1] != said[1]:  # the verb itself is formatted
        return Miss(kind=MissKind.FORMATTED, written=line.text)
    return _command(line, verb, said[2])


def _command(line: _Line, verb: str, arguments: str) -> Command | Miss:
    bare = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), arguments)
    names, reason = arguments, ""
    if (colon := bare.find(":")) >= 0:
        names, reason = arguments[:colon], arguments[colon + 1 :]
    written = ["".join(groups) for groups in _WORD.findall(names)]
    words = tuple(word for word in written if word.lower() not in _DRY_RUN)
    refs = _refs(" ".join(words))
    if any(token.type not in _PLAIN for token in _before_colon(line.tokens)):
        return Miss(kind=MissKind.FORMATTED, written=line.text)
    if len(refs) > MAX_REFS:
        return Miss(kind=MissKind.TOO_MANY_REFS, written=line.text)
    return Command(
        verb=verb,
        refs=refs,
        words=words,
        reason=" ".join(reason.split()),
        is_dry_run=len(words) < len(written),
    )


def _unknown(line: _Line, verb: str, verbs: Collection[str]) -> Miss:
    near = difflib.get_close_matches(verb[:40], sorted(verbs), n=1)
    return Miss(kind=MissKind.VERB, written=line.text, suggestion=near[0] if near else None)


def _formatted(line: _Line, first: Token, *, is_known: bool) -> Miss | None:
    """A known command that stands alone on its line, but not as plain text."""
    is_alone = first.type != "code_inline" or len(line.tokens) == 1
    is_wrapped = first.type in _WRAPPERS or (first.type == "text" and not line.is_plain)
    if is_known and is_alone and is_wrapped:
        return Miss(kind=MissKind.FORMATTED, written=line.text)
    return None


def _before_colon(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens up to the reason, in which people may format as they like."""
    for token in tokens:
        yield token
        if token.type in _PLAIN and ":" in token.content:
            return


def _refs(names: str) -> tuple[str, ...]:
    words = re.split(r"[\s,;]+", _CITED.sub(" ", names))
    stripped = (word.lstrip(_OPENING).rstrip(_CLOSING) for word in words)
    return tuple(dict.fromkeys(word for word in stripped if word.lower() not in _JOINING))
