"""From what people write to the memory they mean (spec/memoryrail.md, "Short refs").

A ref is derived from type and id, so two memories may share one: that is said, never guessed.
"""

import difflib
import re
from collections.abc import Collection, Iterable
from typing import Final

from bot.core.errors import UserError
from bot.core.model import Memory
from bot.core.quoting import cut

MAX_CITATIONS: Final = 100  # of one text; more cannot be meant

_MAX_SHOWN: Final = 80  # characters of what was asked for, in the text of an error
_MAX_CANDIDATES: Final = 10  # in the text of an error; its field has all
_MAX_CITATION_LENGTH: Final = 500  # characters between the brackets
_REF: Final = re.compile(r"(?:DEC|CON|GOT|ATT|THR|SES)-[0-9a-f]{4}", re.IGNORECASE | re.ASCII)
_LIKE_A_REF: Final = re.compile(r"(?:DEC|CON|GOT|ATT|THR|SES)-\w{1,8}", re.IGNORECASE | re.ASCII)
_LIKE_AN_ID: Final = re.compile(
    r"\d{8}-\S+|mem_[0-9a-f-]{36}", re.ASCII
)  # as the formats make them
_CITATION: Final = re.compile(rf"\[per\s([^\[\]]{{1,{_MAX_CITATION_LENGTH}}})\]", re.IGNORECASE)
_QUOTES: Final = "`*_'\"“”.:"


class UnknownRef(UserError):  # noqa: N818 - reads as what it is
    """No memory is meant; suggestion is the nearest one, where one is near."""

    def __init__(self, text: str, suggestion: Memory | None) -> None:
        hint = f" Did you mean {suggestion.ref} ({suggestion.title})?" if suggestion else ""
        super().__init__(f"There is no memory {cut(text, _MAX_SHOWN)}.{hint}")
        self.text, self.suggestion = text, suggestion


def is_like_a_ref(text: str) -> bool:
    """Whether a text was most likely meant as a ref or an id, whatever it names."""
    return bool(_LIKE_A_REF.fullmatch(text) or _LIKE_AN_ID.fullmatch(text))


class AmbiguousRef(UserError):  # noqa: N818 - reads as what it is
    """Several memories are meant; candidates are all of them, by id and path."""

    def __init__(self, text: str, candidates: tuple[Memory, ...]) -> None:
        shares_id = len({memory.id for memory in candidates}) < len(candidates)
        what = "path" if shares_id else "id"
        shown = candidates[:_MAX_CANDIDATES]
        names = ", ".join(
            f"{memory.path if shares_id else memory.id} ({memory.title})" for memory in shown
        )
        super().__init__(
            f"{cut(text, _MAX_SHOWN)} means {len(candidates)} memories. "
            f"Write the {what} of one: {names}."
        )
        self.text, self.candidates = text, candidates


class Refs:
    """Finds memories, of any status, by ref or id. Build it once for many look-ups."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._by_id: dict[str, list[Memory]] = {}
        self._by_ref: dict[str, list[Memory]] = {}
        self._by_path: dict[str, list[Memory]] = {}
        for memory in memories:
            self._by_id.setdefault(memory.id, []).append(memory)
            self._by_ref.setdefault(memory.ref, []).append(memory)
            self._by_path.setdefault(memory.path, []).append(memory)

    def resolve(self, text: str, *, suggests: bool = True) -> Memory:
        """The one memory that a ref (in any case) or an id names, `[per …]` around it or not.

        The path of its file, or the end of that path, names a memory too: ids may be shared.
        suggests: look for the nearest one where there is none, which takes a while among thousands.
        Raises UnknownRef or AmbiguousRef.
        """
        name = bare(text)
        found = self._at(name) if name.endswith(".md") else []
        found = found or self._by_id.get(name, []) + self._by_ref.get(_canonical(name), [])
        meant = {(memory.id, memory.path): memory for memory in found}
        if not meant:
            raise UnknownRef(name, self._nearest(name) if suggests else None)
        if len(meant) > 1:
            raise AmbiguousRef(name, tuple(memory for _, memory in sorted(meant.items())))
        return next(iter(meant.values()))

    def _at(self, path: str) -> list[Memory]:
        """The memories at a path, or else all whose paths end so."""
        if path in self._by_path:
            return self._by_path[path]
        ends = (some for at, some in self._by_path.items() if f"/{at}".endswith(f"/{path}"))
        return [memory for some in ends for memory in some]

    def _nearest(self, name: str) -> Memory | None:
        """The memory whose ref or id is spelt most alike; the digits of a ref weigh most."""
        known = self._by_ref if _LIKE_A_REF.fullmatch(name) else self._by_id
        prefix, _, rest = _canonical(name).partition("-")
        near = [other for other in known if other.endswith(f"-{rest}")] if rest else []
        if not near:
            pool = [other for other in known if other.startswith(prefix)]
            near = difflib.get_close_matches(_canonical(name)[:_MAX_SHOWN], pool, n=1)
        return known[near[0]][0] if near else None


def resolve(memories: Iterable[Memory], text: str) -> Memory:
    """The one memory that text names. Raises UnknownRef or AmbiguousRef."""
    return Refs(memories).resolve(text)


def bare(text: str) -> str:
    """A ref or id without the `[per …]` and the quotes that people put around it."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    if text[:4].casefold() == "per ":
        text = text[4:]
    return text.strip().strip("`")


def citations(text: str, known: Collection[str] = ()) -> tuple[str, ...]:
    """Every ref and id that stands as `[per …]` in a text, as written, each once, in order.

    Several may share the brackets: `[per DEC-a3f9, CON-1f3a]`. Words that look neither like a ref
    nor like an id are prose (`[per request]`), unless known, a set of ids, holds them.
    """
    found: dict[str, str] = {}
    for citation in _CITATION.finditer(text):
        for word in re.split(r"[\s,;&]+", citation[1]):
            name = word if word in known else word.strip(_QUOTES)
            if name in known or _LIKE_A_REF.fullmatch(name) or _LIKE_AN_ID.fullmatch(name):
                found.setdefault(_canonical(name), name)
        if len(found) >= MAX_CITATIONS:
            break
    return tuple(found.values())[:MAX_CITATIONS]


def _canonical(name: str) -> str:
    """A ref as it is derived, DEC-a3f9; anything else as it is."""
    if not _REF.fullmatch(name):
        return name
    return f"{name[:3].upper()}-{name[4:].lower()}"
