"""The project of a case, as a commit's tree or a directory would have it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from bot.core.errors import BotError, MemoryFormatError
from bot.core.model import Memory, MemoryStore, Severity, Status, TreeFile
from bot.core.refs import AmbiguousRef, UnknownRef
from bot.core.sync import END, START, MarkersError, find, rendering
from bot.formats import memoryrail
from bot.formats.memoryrail.conditions import (
    AlreadySuperseded,
    MissingTarget,
    NotActive,
    NotAThread,
    NotProposed,
)
from bot.formats.memoryrail.create import DraftError
from bot.formats.memoryrail.layout import config_path
from bot.formats.memoryrail.store_tree import StoreTree
from tests.vectors.cases import MalformedError, content, only
from tests.vectors.verdict import Judge, Outcome

CASE_KEYS: Final = ("name", "why", "source", "files", "op", "args", "git", "env", "expect")
ENV_KEYS: Final = ("untracked", "symlinks")


class RefusedError(BotError):
    """The project cannot be worked on: no-project, or what is wrong with its configuration."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Project:
    """The files of a case. In each the place-holders stand for the tool's own lines."""

    def __init__(self, files: Mapping[str, Any], env: Mapping[str, Any] | None = None) -> None:
        only(env or {}, ENV_KEYS, "env")
        self.symlinks: Mapping[str, str] = (env or {}).get("symlinks", {})
        marked = {path: _marked(content(value)) for path, value in files.items()}
        for path in (env or {}).get("untracked", ()):
            marked.setdefault(path, b"untracked\n")
        stores = _stores(_tree(marked, self.symlinks))
        self.block = rendering(
            memory for store in stores if not store.root for memory in store.memories
        )
        self.files = {path: self._with_block(data) for path, data in marked.items()}
        self.tree = _tree(self.files, self.symlinks)
        self.stores = _stores(self.tree)

    @property
    def store(self) -> MemoryStore:
        """The store at the root. Raises RefusedError where there is none to work on."""
        found = next((store for store in self.stores if not store.root), None)
        if found is None:
            raise RefusedError("no-project")
        if any(problem.rule == "unsupported-version" for problem in found.problems):
            raise RefusedError("unsupported-version")
        return found

    @property
    def store_tree(self) -> StoreTree:
        """The store at the root with the bytes behind it, as a change of it needs them.

        Raises RefusedError where the configuration is not sound, as the command line does.
        """
        faults = [one for one in self.store.problems if one.path == self.store.config]
        if faults:
            raise RefusedError(faults[0].rule)
        return StoreTree(store=self.store, files={file.path: file for file in self.tree})

    def fill(self, value: Any) -> bytes:
        """A text of the case, its place-holders filled."""
        return self._with_block(_marked(content(value)))

    def _with_block(self, data: bytes) -> bytes:
        """{{BLOCK}} is lines: they end as the line above them does, or else the file's first."""
        before, *rest = data.split(b"{{BLOCK}}")
        for part in rest:
            line = before if b"\n" in before else part
            crlf = line.endswith(b"\r\n") if b"\n" in before else b"\r\n" in part
            block = self.block.replace("\n", "\r\n") if crlf else self.block
            before += block.encode() + part
        return before


# The README's words for our errors, the best first.
_KINDS: Final[Mapping[type[BotError], tuple[str, ...]]] = {
    AmbiguousRef: ("ambiguous",),
    UnknownRef: ("not-found",),
    MissingTarget: ("unknown-supersedes", "not-found"),
    AlreadySuperseded: ("already-superseded",),
    NotProposed: ("not-proposed",),
    NotAThread: ("not-a-thread",),
}


def kinds(error: BotError) -> tuple[str, ...]:
    """The kinds of the README that name an error; its class where none does."""
    if isinstance(error, RefusedError | MemoryFormatError | MarkersError | DraftError):
        return (error.rule,)
    if isinstance(error, NotActive) and error.memory.status is Status.SUPERSEDED:
        return ("already-superseded",)
    known = (_KINDS[type_] for type_ in type(error).__mro__ if type_ in _KINDS)
    return next(known, (type(error).__name__,))


def failed(error: BotError, **judges: Judge) -> Outcome:
    """What an operation that ends with an error gives: nothing is changed."""
    candidates = error.candidates if isinstance(error, AmbiguousRef) else ()
    ids = sorted(memory.id for memory in candidates)
    named: dict[str, Judge] = {"candidates": lambda expected: (sorted(expected), ids)}
    return Outcome(error=kinds(error), judges={**named, **judges}, output=str(error))


def moment(value: Any) -> datetime:
    """The `now` of a case."""
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise MalformedError(f"args.now: {error}") from error


def parted(data: bytes) -> tuple[bytes, bytes, bytes] | None:
    """A file up to the lines of its block, those lines, and the rest; None without one block."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        block = find(text)
    except MarkersError:
        return None
    if block is None:
        return None
    cuts = text[: block.start], text[block.start : block.end], text[block.end :]
    before, lines, after = (part.encode("utf-8", "surrogateescape") for part in cuts)
    return before, lines, after


def errors_of(store: MemoryStore, path: str | None = None) -> list[str]:
    """The kinds of all errors in a store, or in one file of it; sorted."""
    return sorted(
        problem.rule
        for problem in store.problems
        if problem.severity is Severity.ERROR and path in {None, problem.path}
    )


def memory_of(memories: Sequence[Memory], path: str) -> Memory | None:
    """The memory that a file holds."""
    return next((memory for memory in memories if memory.path == path), None)


def _marked(data: bytes) -> bytes:
    return data.replace(b"{{START}}", START.encode()).replace(b"{{END}}", END.encode())


def _tree(files: Mapping[str, bytes], symlinks: Mapping[str, str]) -> list[TreeFile]:
    tree = [TreeFile(path=path, oid="", data=data) for path, data in files.items()]
    return tree + [
        TreeFile(path=path, oid="", data=target.encode(), is_symlink=True)
        for path, target in symlinks.items()
    ]


def _stores(tree: Sequence[TreeFile]) -> list[MemoryStore]:
    """Every store of a tree, by root."""
    end = config_path("")
    roots = [
        file.path[: -len(end)].rstrip("/") for file in tree if f"/{file.path}".endswith(f"/{end}")
    ]
    return [store for root in sorted(roots) if (store := memoryrail.read(root, tree))]
