"""What only shows when documents are seen together (spec/jumpybrain.md, "Processing").

Advice for whoever keeps the memory; the rules that a file must follow are in validate.py.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bot.formats.jumpybrain.document import Document
from bot.formats.jumpybrain.layout import DERIVED
from bot.formats.jumpybrain.pages import sources_of
from bot.formats.jumpybrain.sections import section
from bot.formats.jumpybrain.words import Topics, words, written_at
from bot.formats.jumpybrain.writing import slug

_BULLETS: Final = ("- ", "* ", "+ ")
_MIN_WORDS: Final = 3  # of a question that say something; fewer are answered by anything
_SMALL: Final = frozenset(
    words(
        "a an and are as at be by can could do does for from has have how i if in is it its of on "
        "or our should so than that the there they this to was we what when where which who why "
        "will with would you"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something to look at. Paths are from the memory root; what a kind has not is empty."""

    kind: str
    files: tuple[str, ...]  # one, or all of those that share a title
    newer_sources: int = 0  # of page-stale
    target: str = ""  # of conflict and conflict-target-missing, as it is written
    by: str = ""  # of question-answered: the decision
    question: str = field(default="", repr=False)

    @property
    def message(self) -> str:
        """It as a sentence; may quote hostile text."""
        return _MESSAGES[self.kind].format(
            files=", ".join(self.files),
            newer=self.newer_sources,
            target=self.target,
            by=self.by,
            question=self.question,
        )


_MESSAGES: Final[Mapping[str, str]] = {
    "page-without-sources": "{files} names no document that it comes from.",
    "page-stale": "{files} is older than {newer} of the documents that it is about.",
    "duplicate-title": "{files} have the same title.",
    "conflict": "{files} says that it conflicts with {target}. Decide which one holds.",
    "conflict-target-missing": "{files} says that it conflicts with {target}, which is not here.",
    "question-answered": "{files} asks “{question}”, and {by} seems to answer it.",
}


def findings(documents: Sequence[Document], topic: str = "") -> tuple[Finding, ...]:
    """All there is to look at, by path. topic: only in documents that have all its words."""
    asked = set(words(topic))
    shown = [
        one for one in documents if not asked or asked <= set(words(f"{one.title} {one.body}"))
    ]
    places = {document.place for document in documents}
    ids = {document.id: document.place for document in documents if document.id}
    topics = Topics(documents)
    answers = _Answers(documents)
    found = list(_same_titles(shown))
    for document in shown:
        if document.type == "page":
            found += _of_page(document, documents, topics)
        found += _conflicts(document, places, ids)
        found += _answered(document, answers)
    return tuple(sorted(found, key=lambda one: (one.files, one.kind, one.target, one.question)))


def report(found: Iterable[Finding], *, now: datetime, topic: str = "") -> tuple[str, bytes]:
    """The report of a day as a file of derived state: its path and its bytes."""
    day = f"{now.astimezone(UTC):%Y-%m-%d}"
    lines = [f"- {one.kind}: {_escaped(one.message)}" for one in found]
    text = "\n".join([f"# Lint, {day}", "", *(lines or ["Nothing to look at."]), ""])
    return f"{DERIVED}/reports/lint-{day}-{slug(topic) or 'all'}.md", text.encode(
        "utf-8", "replace"
    )


def _of_page(page: Document, documents: Sequence[Document], topics: Topics) -> Iterator[Finding]:
    named = sources_of(page, documents)
    if not named:
        yield Finding(kind="page-without-sources", files=(page.place,))
    about = topics.about(page.parts.text("topic") or page.title)
    at = written_at(page)
    newer = {one.place for one in (*named, *about) if written_at(one) > at}
    if newer:
        yield Finding(kind="page-stale", files=(page.place,), newer_sources=len(newer))


def _same_titles(documents: Iterable[Document]) -> Iterator[Finding]:
    """Documents that share a title; a page has that of what it is about."""
    by_title: dict[tuple[str, ...], list[str]] = {}
    for document in documents:
        if document.type != "page" and (key := words(document.title)):
            by_title.setdefault(key, []).append(document.place)
    for places in by_title.values():
        if len(places) > 1:
            yield Finding(kind="duplicate-title", files=tuple(sorted(places)))


def _conflicts(document: Document, places: set[str], ids: Mapping[str, str]) -> Iterator[Finding]:
    said = document.parts.fields.get("conflicts_with")
    for target in dict.fromkeys(said.items if said else ()):
        there = target in ids or target.removeprefix("./") in places
        yield Finding(
            kind="conflict" if there else "conflict-target-missing",
            files=(document.place,),
            target=target,
        )


class _Answers:
    """The lines of decisions by their words."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._lines: list[tuple[Document, frozenset[str]]] = []
        self._having: dict[str, set[int]] = {}
        for document in documents:
            for line in document.body.splitlines() if document.type == "decision" else ():
                said = frozenset(words(line))
                for word in said:
                    self._having.setdefault(word, set()).add(len(self._lines))
                if said:
                    self._lines.append((document, said))

    def of(self, question: str, by: Document) -> Document | None:
        """The first other decision with a line that has all words that say something."""
        wanted = set(words(question)) - _SMALL
        if len(wanted) < _MIN_WORDS:
            return None
        having = [self._having.get(word, set()) for word in wanted]
        for number in sorted(set.intersection(*sorted(having, key=len))):
            document = self._lines[number][0]
            if document.place != by.place:
                return document
        return None


def _answered(document: Document, answers: _Answers) -> Iterator[Finding]:
    for question in _questions(document):
        if (decision := answers.of(question, document)) is not None:
            yield Finding(
                kind="question-answered",
                files=(document.place,),
                by=decision.place,
                question=question,
            )


def _questions(document: Document) -> Iterator[str]:
    """The items of its open questions that end as questions do."""
    asked = section(document.body, "Open Questions")
    for line in map(str.strip, asked.text.splitlines() if asked else ()):
        if line.startswith(_BULLETS) and line.endswith("?"):
            yield line[2:].strip()


def _escaped(text: str) -> str:
    """Other people's text on one line of Markdown, in which nothing is a tag."""
    return " ".join(text.split()).replace("<", "&lt;")
