"""Every rule of the format, each fault at its line (spec/cursor.md, "Rules")."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.core.model import Problem, Severity, TreeFile
from bot.core.quoting import cut
from bot.formats.cursor import grammar, secrets
from bot.formats.cursor.grammar import Entry
from bot.formats.cursor.layout import KIND_OF, kind_of
from bot.formats.cursor.versions import KNOWN_SCHEMA_VERSIONS
from bot.formats.memoryrail.unread import unread_problem

REQUIRED: Final = ("id", "correlation_id", "at", "kind", "status", "author", "summary")
KINDS: Final = tuple(KIND_OF.values())
STATUSES: Final = ("in_progress", "done", "blocked", "rejected")
HUMAN: Final = "human"  # as `author`
AUTHORS: Final = ("orchestrator", "subagent", HUMAN)
MAX_SUMMARY: Final = 160  # characters
MIN_BODY: Final = 20  # characters that can be seen

_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
_CORRELATION: Final = re.compile(r"[0-9]+-[0-9]+")
_AT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_TAG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# What ends a line for some reader: CR and LF end ours, so they cannot stand in a value.
LINE_BREAKS: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# White space, and what takes no room at all.
_UNSEEN: Final = re.compile("[\\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
_MAX_QUOTED: Final = 60  # characters of a value in a message
_MESSAGES: Final = {
    "nested-start": "An entry begins before the one above it ends. Put an end marker before it.",
    "unterminated-entry": "This entry has no end marker.",
    "bad-frontmatter-line": "This line is no `key: value`.",
    "missing-frontmatter-open": "An entry begins with a line of three dashes below its marker.",
    "missing-frontmatter-close": "The frontmatter has no second line of three dashes.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of entries, as it reads."""

    path: str
    text: str = field(repr=False)
    kind: str | None  # that its entries must have; None where the name says nothing
    blocks: grammar.Blocks = field(repr=False)
    is_damaged: bool = False  # bytes of it are no UTF-8

    @property
    def name(self) -> str:
        """The name alone, as people give it."""
        return self.path.rpartition("/")[2]


def read_file(path: str, data: bytes) -> File:
    """A file's blocks. Bytes that are no UTF-8 read as U+FFFD."""
    try:
        text, is_damaged = data.decode("utf-8"), False
    except UnicodeDecodeError:
        text, is_damaged = data.decode("utf-8", "replace"), True
    kind = kind_of(path.rpartition("/")[2])
    return File(path=path, text=text, kind=kind, blocks=grammar.blocks(text), is_damaged=is_damaged)


def readable(files: Iterable[TreeFile]) -> tuple[tuple[File, ...], tuple[Problem, ...]]:
    """The files that can be read, by name; and why the others cannot."""
    read: list[File] = []
    problems: list[Problem] = []
    for file in sorted(files, key=lambda one: one.path):
        if (unread := unread_problem(file)) is not None:
            problems.append(unread)
        else:
            read.append(read_file(file.path, file.data or b""))
    return tuple(read), tuple(problems)


def problems_of(files: Sequence[File]) -> tuple[Problem, ...]:
    """All that is wrong in the files of one directory, credentials apart; by path and line."""
    ids = {entry.id for file in files for entry in file.blocks.entries}
    seen: dict[str, str] = {}
    return tuple(
        sorted(problem for file in files for problem in _of_file(file, ids, seen))
    )  # by name: of two entries with an id, the later one's file is at fault


def secrets_of(files: Iterable[File]) -> tuple[Problem, ...]:
    """Every credential in some files. The value is not shown."""
    return tuple(
        Problem(
            path=file.path,
            line=found.line,
            rule="secret",
            message=f"This looks like a credential: {found.description} ({found.rule}). Revoke it "
            "where it was issued, then put a placeholder such as <STRIPE_KEY> in its place.",
        )
        for file in files
        for found in secrets.found_in(file.text, file.path)
    )


def mismatches(
    files: Iterable[File], known: Collection[str], active: str, *, allow_manual: bool
) -> tuple[Problem, ...]:
    """New entries that are not of the active task. known: ids of entries that are not new.

    allow_manual: what people write by hand may be of any.
    """
    return tuple(
        _problem(
            file,
            entry,
            "correlation-mismatch",
            f"its `correlation_id` is not {active}, that of the task at work. Append with "
            "memoryrail-bot cursor append, or validate what people wrote with --allow-manual.",
        )
        for file in files
        for entry in file.blocks.entries
        if entry.id not in known and entry.text("correlation_id") != active
        if not (allow_manual and entry.text("author") == HUMAN)
    )


def instant(at: str) -> datetime | None:
    """The moment that `at` names; None for what is none in UTC, with seconds and Z."""
    if _AT.fullmatch(at) is None:
        return None
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return None


def _one_of(known: Collection[str]) -> Callable[[str], bool]:
    return lambda value: value in known


# Field, rule, what it must be, and that in words.
_RULES: Final[tuple[tuple[str, str, Callable[[str], object], str], ...]] = (
    (
        *("id", "bad-id", _ID.fullmatch),
        "`id` is made of a-z, 0-9 and hyphens, with no hyphen first.",
    ),
    (
        *("correlation_id", "bad-correlation-id", _CORRELATION.fullmatch),
        "`correlation_id` is two whole numbers, as in 1745333456-0.",
    ),
    (
        *("at", "bad-timestamp", instant),
        "`at` is a moment in UTC, as in 2026-04-22T19:30:56Z.",
    ),
    ("kind", "bad-kind", _one_of(KINDS), f"`kind` is one of {', '.join(KINDS)}."),
    ("status", "bad-status", _one_of(STATUSES), f"`status` is one of {', '.join(STATUSES)}."),
    ("author", "bad-author", _one_of(AUTHORS), f"`author` is one of {', '.join(AUTHORS)}."),
    (
        *("summary", "summary-too-long", lambda value: len(value) <= MAX_SUMMARY),
        f"`summary` has {MAX_SUMMARY} characters at most.",
    ),
    (
        *("summary", "summary-multiline", lambda value: not LINE_BREAKS.search(value)),
        "`summary` is one line.",
    ),
    (
        *("schema_version", "unknown-schema-version", _one_of(KNOWN_SCHEMA_VERSIONS)),
        f"Of the format only version {', '.join(sorted(KNOWN_SCHEMA_VERSIONS))} is known here.",
    ),
)


def _of_file(file: File, ids: Collection[str], seen: dict[str, str]) -> Iterator[Problem]:
    if file.is_damaged:
        message = "Some bytes are not UTF-8. Save the file as UTF-8."
        yield Problem(
            path=file.path, rule="invalid-utf8", message=message, severity=Severity.NOTICE
        )
    for fault in file.blocks.faults:
        yield _fault(file, fault, "")
    nested = {fault.line for fault in file.blocks.faults}
    latest: datetime | None = None
    for entry in file.blocks.entries:
        if entry.line in nested and not entry.has_frontmatter:
            continue  # the marker alone is what is wrong
        name = _named(entry)
        for fault in entry.faults:
            yield _fault(file, fault, name)
        if not entry.has_frontmatter:
            continue
        yield from _of_entry(file, entry)
        yield from _links(file, entry, ids)
        if (id_ := entry.id) and id_ in seen:
            yield _problem(
                file, entry, "duplicate-id", f"{seen[id_]} has an entry of this id already."
            )
        elif id_:
            seen[id_] = file.name
        at = instant(entry.text("at"))
        if at is not None and latest is not None and at < latest:
            yield _problem(
                file,
                entry,
                "out-of-order-at",
                "its `at` is before that of an entry above it. Leave it: entries are not edited.",
                Severity.NOTICE,
            )
        latest = at or latest


def _of_entry(file: File, entry: Entry) -> Iterator[Problem]:
    values = {name: found.text for name, found in entry.fields.items()}
    for name in REQUIRED:
        if not values.get(name):
            yield _problem(file, entry, f"missing-field:{name}", f"`{name}` is missing.")
    for name, rule, is_right, message in _RULES:
        if (value := values.get(name)) and not is_right(value):
            yield _problem(file, entry, rule, message)
    kind = values.get("kind")
    if kind and file.kind and kind != file.kind:
        message = f"{file.name} holds entries of kind {file.kind}, and no others."
        yield _problem(file, entry, "kind-file-mismatch", message)
    if is_too_short(entry.body):
        message = f"The text below the frontmatter needs {MIN_BODY} characters that can be seen."
        yield _problem(file, entry, "body-too-short", message)


def is_too_short(body: str) -> bool:
    """Whether a body says nothing: less than MIN_BODY characters that can be seen."""
    opening = body[:200]  # of most bodies this is enough
    if len(_UNSEEN.sub("", opening)) >= MIN_BODY:
        return False
    return len(_UNSEEN.sub("", body)) < MIN_BODY


def _links(file: File, entry: Entry, ids: Collection[str]) -> Iterator[Problem]:
    """Advice: what routes and points should do so."""
    if "tags" in entry.fields and any(not _TAG.fullmatch(tag) for tag in entry.items("tags")):
        message = "Tags are lower-case words with hyphens between them."
        yield _problem(file, entry, "bad-tag", message, Severity.NOTICE)
    if "links" in entry.fields and any(link not in ids for link in entry.items("links")):
        message = "`links` names an id that no entry here has."
        yield _problem(file, entry, "dangling-link", message, Severity.NOTICE)


def _problem(
    file: File, entry: Entry, rule: str, message: str, severity: Severity = Severity.ERROR
) -> Problem:
    """A fault of an entry, at its start marker; the message says which entry."""
    return Problem(
        path=file.path,
        line=entry.line,
        rule=rule,
        message=f"{_named(entry)}: {message}",
        severity=severity,
    )


def _fault(file: File, fault: grammar.Fault, name: str) -> Problem:
    message = _MESSAGES[fault.rule]
    return Problem(
        path=file.path,
        line=fault.line,
        rule=fault.rule,
        message=f"{name}: {message}" if name else message,
    )


def _named(entry: Entry) -> str:
    """An entry in a message."""
    id_ = entry.id
    if not id_:
        return "An entry without an id"
    return f"Entry {cut(id_, _MAX_QUOTED)}"
