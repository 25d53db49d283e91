"""Words of documents, to find those of a topic (spec/jumpybrain.md, "Processing")."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from bot.core.unicode import composed
from bot.formats.jumpybrain.document import Document
from bot.formats.jumpybrain.times import instant

_WORD: Final = re.compile(r"\w+")
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def words(text: str) -> tuple[str, ...]:
    """The words of a text in their order, whatever its letter case."""
    return tuple(_WORD.findall(composed(text).casefold()))


def written_at(document: Document) -> datetime:
    """When a document was written last; long ago where it does not say so."""
    return instant(document.at) or _LONG_AGO


class Topics:
    """The documents that topics are about, pages aside: those that have all the words of one."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = [one for one in documents if one.type != "page"]
        self._having: dict[str, set[int]] = {}  # word -> numbers of the documents that have it
        for number, document in enumerate(self._documents):
            tags = document.parts.fields.get("tags")
            said = " ".join((document.title, *(tags.items if tags else ()), document.body))
            for word in set(words(said)):
                self._having.setdefault(word, set()).add(number)

    def about(self, topic: str) -> Sequence[Document]:
        """The documents of a topic, the newest first; none for a topic without words."""
        found = [self._having.get(word, set()) for word in set(words(topic))]
        numbers = set.intersection(*sorted(found, key=len)) if found else set()
        documents = [self._documents[number] for number in numbers]
        documents.sort(key=lambda one: one.place)
        return sorted(documents, key=written_at, reverse=True)
