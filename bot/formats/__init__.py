"""The memory formats behind one small interface. Each package below reads one of them."""

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from bot.core.model import MemoryStore, TreeFile
from bot.formats import cursor, jumpybrain, memoryrail


class Format(Protocol):
    """What a format's package offers. root is a directory from the repository's root, "" itself."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """Of the format, as MemoryStore.format has it."""

    @property
    def AGENT_FILES(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """Generated files, relative to a store's root."""

    def marks(self, root: str) -> tuple[str, ...]:
        """Files or directories by which a store at root is found: without one there is none."""
        ...

    def directories(self, root: str, there: Collection[str]) -> tuple[str, ...]:
        """Directories below which its other files lie, given which of its marks are there."""
        ...

    def wanted(self, root: str, path: str) -> bool:
        """Whether the file at path must be read for a store at root."""
        ...

    def read(self, root: str, files: Sequence[TreeFile]) -> MemoryStore | None:
        """Read a store from its wanted files; None where there is none. Never raises."""
        ...


FORMATS: Final[tuple[Format, ...]] = (memoryrail, cursor, jumpybrain)
