"""Finding memories by words that a person types."""

from collections.abc import Sequence

from bot.core.model import Memory
from bot.core.precheck import TextIndex


def search(memories: Sequence[Memory], words: str, *, limit: int) -> tuple[Memory, ...]:
    """The memories that speak of the words, the best first.

    Behind those that share terms stand those that hold every word somewhere in a longer one, by id:
    `sqlite` is no term of a text that says SQLite.
    """
    ranked = [memories[number] for number in TextIndex(memories).look_up(words, limit=limit)]
    asked = words.casefold().split()
    spelt = [one for one in memories if all(word in _text(one) for word in asked)] if asked else []
    found = {memory.place: memory for memory in (*ranked, *spelt)}
    return tuple(found.values())[:limit]


def _text(memory: Memory) -> str:
    return "\n".join((memory.id, memory.title, *memory.tags, memory.body)).casefold()
