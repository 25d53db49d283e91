"""A new entry at the end of a file (spec/cursor.md, "Appending").

What is there stays byte for byte. What is written must read back as it was given, or nothing is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bot.core.errors import BotError, UserError
from bot.core.line_editor import decode, encode, newline
from bot.core.model import Problem, Severity
from bot.core.quoting import cut
from bot.formats.cursor import grammar, secrets
from bot.formats.cursor.grammar import END, START, Entry
from bot.formats.cursor.layout import kind_of
from bot.formats.cursor.validate import LINE_BREAKS, File, problems_of, read_file
from bot.formats.cursor.versions import SCHEMA_VERSION

_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*", re.ASCII)
_SURROGATES: Final = re.compile("[\ud800-\udfff]")  # what no file can hold
_REST_OF_LINE: Final = re.compile(r"[^\r\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is to be appended. Texts are as they were given."""

    file: str  # name of the file, with or without .md
    kind: str
    status: str
    summary: str
    body: str = field(repr=False)
    author: str = "orchestrator"
    tags: tuple[str, ...] = ()
    scope: str = ""
    author_detail: str = ""
    links: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is free text in it."""
        return (self.summary, self.body, self.scope, self.author_detail, *self.links, *self.tags)

    @property
    def lists(self) -> dict[str, tuple[str, ...]]:
        """Its lists by the names of their fields, as they are written; empty ones are left out."""
        tags = tuple(sorted({tag.strip() for tag in self.tags} - {""}))
        links = tuple(link.strip() for link in self.links if link.strip())
        return {name: some for name, some in (("tags", tags), ("links", links)) if some}


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """A file with a new entry."""

    id: str
    name: str  # of the file
    data: bytes = field(repr=False)
    block: str = field(repr=False)  # the new entry; lines end with \n


class Refused(UserError):  # noqa: N818 - reads as what it is
    """It is not done as it was asked for; rule says why."""

    def __init__(self, rule: str, problem: str) -> None:
        super().__init__(problem)
        self.rule = rule


class InvalidEntries(BotError):  # noqa: N818 - reads as what it is
    """Nothing was written, for the file would break, or breaks, rules of the format."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(f"{one.path}:{one.line}: {one.message}" for one in problems))
        self.problems = tuple(problems)


def append(
    files: Mapping[str, bytes],
    draft: Draft,
    *,
    correlation_id: str,
    now: datetime,
    allow_secrets: bool = False,
    allow_duplicate: bool = False,
) -> Appended:
    """Plan a file with the draft as its last entry.

    files: all of the directory that hold entries, by name. Raises Refused, InvalidEntries.
    """
    name = file_name(draft.file)
    if (kind := kind_of(name)) != draft.kind:
        holds = f"holds entries of kind {kind}" if kind else "is no file of entries"
        raise Refused("kind-file-mismatch", f"{name} {holds}, so no {draft.kind} goes there.")
    if not draft.body.strip():
        raise Refused("body-empty", "The entry has no text.")
    if any(_SURROGATES.search(text) for text in draft.texts):
        raise Refused("bad-encoding", "The entry is not UTF-8.")
    if not allow_secrets:
        _refuse_secrets(draft)
    known = {path: read_file(path, data) for path, data in files.items()}
    target = known.get(name)
    if target is not None and not allow_duplicate:
        _refuse_duplicates(target, draft)
    id_ = free_id(f"{correlation_id}-{draft.kind}", ids_of(known.values()))
    fields = _fields(draft, id_, correlation_id, now)
    _refuse_line_breaks(name, fields)
    data = appended(files.get(name, b""), fields, draft.body)
    _must_be_sound(name, data, target)
    _must_read_back(read_file(name, data).blocks.entries[-1], fields, draft)
    return Appended(id=id_, name=name, data=data, block=rendered(fields, draft.body))


def file_name(given: str) -> str:
    """The name of a file in the directory, as people may shorten it. Raises Refused for another."""
    if _NAME.fullmatch(given) is None:
        raise Refused("bad-file", f"{cut(given, 80)!r} is no name of a file: write decisions, say.")
    return given if given.endswith(".md") else f"{given}.md"


def free_id(wanted: str, taken: AbstractSet[str], tried: dict[str, int] | None = None) -> str:
    """An id that no entry has: the wanted one, or with -2, -3 and so on behind it.

    tried: for one id after the other, how many numbers of each wanted one were tried before.
    """
    known = {} if tried is None else tried
    number = known.get(wanted, 1)
    while (id_ := wanted if number == 1 else f"{wanted}-{number}") in taken:
        number += 1
    known[wanted] = number
    return id_


def rendered(fields: Mapping[str, str], body: str) -> str:
    """An entry as it is written. fields: each with its value as it stands behind the colon."""
    lines = [START, "---", *(f"{name}: {value}" for name, value in fields.items()), "---"]
    return "\n".join([*lines, "", grammar.unix(body).strip(), "", END, ""])


def appended(data: bytes, fields: Mapping[str, str], body: str) -> bytes:
    """A file with one more entry, after one blank line, with the line ends that it has."""
    return with_block(data, rendered(fields, body))


def with_block(data: bytes, block: str) -> bytes:
    """A file with a rendered block behind all that it holds."""
    text = decode(data)
    end = newline(text)
    last = _REST_OF_LINE.match(text, len(text.rstrip()))  # of the last line that says something
    before = text[: last.end() if last else 0]
    gap = end * 2 if before.strip("\ufeff \t\r\n") else ""
    return encode(before if gap else "") + encode(gap) + block.replace("\n", end).encode()


def timestamp(now: datetime) -> str:
    """A moment as entries write it: 2026-04-22T19:30:56Z."""
    return f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _fields(draft: Draft, id_: str, correlation_id: str, now: datetime) -> dict[str, str]:
    """The fields in the order in which they are written; those without a value are left out."""
    fields = {
        "schema_version": SCHEMA_VERSION,
        "id": id_,
        "correlation_id": correlation_id,
        "at": timestamp(now),
        "kind": draft.kind,
        "status": draft.status,
        "author": draft.author,
        "summary": draft.summary.strip(),
        "tags": _listed(draft.lists.get("tags")),
        "scope": draft.scope.strip(),
        "author_detail": draft.author_detail.strip(),
        "links": _listed(draft.lists.get("links")),
    }
    required = ("summary",)  # an empty one is told as missing
    return {name: value for name, value in fields.items() if value or name in required}


def _listed(values: Sequence[str] | None) -> str:
    return f"[{', '.join(values)}]" if values else ""


def ids_of(files: Iterable[File]) -> frozenset[str]:
    """The ids of all entries of some files."""
    return frozenset(entry.id for file in files for entry in file.blocks.entries)


def _refuse_secrets(draft: Draft) -> None:
    """Name the first credential by its kind; whether a placeholder was meant, its brackets say."""
    found = secrets.first_in(draft.texts)
    if found is not None:
        raise Refused(
            "secret",
            f"The entry holds what looks like a credential: {found.description} ({found.rule}). "
            "Put a placeholder such as <STRIPE_KEY> in its place.",
        )


def _refuse_duplicates(target: File, draft: Draft) -> None:
    summary, body = draft.summary.strip(), grammar.unix(draft.body).strip()
    for entry in target.blocks.entries:
        for what, is_same in (
            ("summary", entry.text("summary") == summary),
            ("body", entry.body == body),
        ):
            if is_same:
                raise Refused(
                    f"duplicate-{what}",
                    f"{target.name} has this {what} already, in {cut(entry.id, 80) or 'an entry'}. "
                    "Say what is new, or say it again with --allow-duplicate.",
                )


def _refuse_line_breaks(name: str, fields: Mapping[str, str]) -> None:
    for field_, value in fields.items():
        if LINE_BREAKS.search(value):
            rule = "summary-multiline" if field_ == "summary" else "bad-frontmatter-line"
            problem = Problem(path=name, rule=rule, message=f"`{field_}` is one line.")
            raise InvalidEntries([problem])


def _must_be_sound(name: str, data: bytes, before: File | None) -> None:
    """Raise for a file that breaks a rule, or where something stands behind the new entry."""
    file = read_file(name, data)
    errors = [one for one in problems_of([file]) if one.severity is Severity.ERROR]
    if errors:
        raise InvalidEntries(errors)
    entries = file.blocks.entries
    count = len(before.blocks.entries) if before else 0
    if len(entries) != count + 1 or entries[-1].end != len(file.text):
        raise Refused("end-marker", "A line of the text is an end marker, which would cut it off.")


def _must_read_back(entry: Entry, fields: Mapping[str, str], draft: Draft) -> None:
    """Raise for an entry that does not read as it was given."""
    for name, value in fields.items():
        wanted = draft.lists.get(name)
        if (entry.items(name) != wanted) if wanted else (entry.text(name) != value):
            raise Refused(
                "not-read-back",
                f"`{name}` would not read as it is given: quotes do not stand at its ends, and "
                "neither commas, brackets nor quotes in a list.",
            )
    if entry.body != grammar.unix(draft.body).strip():
        raise Refused("not-read-back", "The text would not read as it is given.")
