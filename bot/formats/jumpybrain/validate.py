"""Every rule of the format, each fault at its line (spec/jumpybrain.md, "Rules")."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.core.model import Problem, Severity
from bot.core.quoting import cut
from bot.formats.jumpybrain.document import AGENT_DRAFTED, USER_REVIEWED, Document
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.layout import BUCKET_OF, TYPE_OF
from bot.formats.jumpybrain.sections import lacking
from bot.formats.jumpybrain.times import instant

TIMES: Final = ("created_at", "updated_at")
PROTECTED: Final = (
    *("id", "type", "created_at", "source", "confidence", "review"),
    *("session_id", "sessionId", "recall_topic", "topic"),
)  # in the order in which an update puts them back

_SINGLE: Final = frozenset({*PROTECTED, "updated_at"})  # given twice, nobody knows which one counts
_MAX_QUOTED: Final = 60  # characters of a value in a message


def problems_of(documents: Sequence[Document]) -> tuple[Problem, ...]:
    """All that is wrong in the documents of one memory root, credentials apart; by path and line.

    Of documents with the same id all but the first by path are at fault.
    """
    seen: dict[str, str] = {}
    found: list[Problem] = []
    for document in sorted(documents, key=lambda one: one.path):
        found += _of_document(document)
        if is_id(id_ := document.id):
            if id_ in seen:
                message = f"{seen[id_]} has this id already. Give one of them another id."
                found.append(_problem(document, "duplicate-id", message, "id"))
            seen.setdefault(id_, document.path)
    return tuple(sorted(found))


def secrets_of(documents: Iterable[Document]) -> tuple[Problem, ...]:
    """Every credential in some documents. The value is not shown."""
    from bot.formats.cursor import secrets  # noqa: PLC0415 - most readers need no scanner

    return tuple(
        Problem(
            path=document.path,
            line=found.line,
            rule="secret",
            message=f"This looks like a credential: {found.description} ({found.rule}). Revoke it "
            "where it was issued, then put a placeholder such as <STRIPE_KEY> in its place.",
        )
        for document in documents
        for found in secrets.found_in(document.text, document.path)
    )


def _of_document(document: Document) -> Iterator[Problem]:
    parts = document.parts
    if document.is_damaged:
        yield _problem(
            *(document, "invalid-utf8", "Some bytes are not UTF-8. Save the file as UTF-8."),
            severity=Severity.NOTICE,
        )
    if parts.is_open:
        message = "The frontmatter has no second line of three dashes, so no field is read."
        yield _problem(document, "open-frontmatter", message)
    yield from _id(document)
    yield from _type(document)
    for name in TIMES:
        if (said := parts.text(name)) and instant(said) is None:
            message = f"`{name}` is a moment, as in 2026-06-02T12:00:00.000Z."
            yield _problem(document, "bad-timestamp", message, name, Severity.WARNING)
    if "tags" in parts.fields and not parts.fields["tags"].is_list:
        message = '`tags` is a list on one line, as in ["queue","order"].'
        yield _problem(document, "bad-tags", message, "tags", Severity.NOTICE)
    for name, line in parts.repeated:
        severity = Severity.ERROR if name in _SINGLE else Severity.WARNING
        message = f"`{_short(name)}` is given twice, and the last one counts. Keep one."
        yield _problem(document, f"duplicate-field:{_short(name)}", message, line, severity)
    if parts.unread:
        message = "This line is no `key: value`, so it is not read. Lists stand in brackets."
        yield _problem(document, "unread-line", message, parts.unread[0], Severity.NOTICE)
    if document.is_wrapup:
        yield from _wrapup(document)


def _id(document: Document) -> Iterator[Problem]:
    if not document.id:
        message = (
            "The document has no `id`. `/memoryrail stamp-ids` on a pull request gives it one, or "
            "`memoryrail-bot jumpybrain process --mode ensure-ids --apply`."
        )
        yield _problem(document, "missing-id", message, "id")
    elif not is_id(document.id):
        message = "`id` is mem_ and a UUID in lower case. By another one it cannot be addressed."
        yield _problem(document, "bad-id", message, "id")


def _type(document: Document) -> Iterator[Problem]:
    said = document.parts.text("type")
    usual = TYPE_OF[document.place.partition("/")[0]]
    if said and said not in BUCKET_OF:
        message = f"`type` is one of {', '.join(BUCKET_OF)}. It counts as {usual}, by its folder."
        yield _problem(document, "bad-type", message, "type", Severity.WARNING)
    elif said and said != usual:
        message = f"`type` is {said}, and documents of that type lie in {BUCKET_OF[said]}/."
        yield _problem(document, "type-not-of-bucket", message, "type", Severity.WARNING)
    confidence = document.parts.fields.get("confidence")
    if (
        confidence is not None
        and isinstance(confidence.value, str)
        and confidence.text not in {"", AGENT_DRAFTED, USER_REVIEWED}
    ):
        message = f"`confidence` is {USER_REVIEWED} or {AGENT_DRAFTED}."
        yield _problem(document, "bad-confidence", message, "confidence", Severity.NOTICE)


def _wrapup(document: Document) -> Iterator[Problem]:
    lacks = lacking(document.body)
    for name in lacks.missing:
        message = f"A wrap-up has a section `## {name}`, and this one has none."
        yield _problem(document, f"missing-section:{name}", message, document.parts.body_line)
    for name, line in lacks.empty:
        message = f"Section `## {name}` is empty. Write `- None captured.` where there is nothing."
        yield _problem(
            document, f"empty-section:{name}", message, document.parts.body_line + line - 1
        )


def _problem(
    document: Document,
    rule: str,
    message: str,
    at: str | int = 1,
    severity: Severity = Severity.ERROR,
) -> Problem:
    """A fault at a line, or at a field's."""
    if isinstance(at, str):
        found = document.parts.fields.get(at)
        at = found.line if found else 1
    return Problem(path=document.path, line=at, rule=rule, message=message, severity=severity)


def _short(value: str) -> str:
    return cut(value, _MAX_QUOTED)
