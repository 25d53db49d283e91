"""Changed files as REST lists them, in pull requests, commits and comparisons alike."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeGuard, get_args
from urllib.parse import parse_qs, urlsplit

from bot.core.snapshot import AddedBlock, ChangedFile
from bot.github.answers import Json, children, number, text, text_or_none

_SUBMODULE: Final = re.compile(
    r"@@ [^\n]* @@(?:\n[-+]Subproject commit [0-9a-f]{40,64}(?:-dirty)?)+\n?"
)

Status = Literal["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A changed file. patch is None for what is binary, large or unchanged, or not shown whole.

    size: bytes of its content now; 0 where that is not known.
    """

    path: str
    status: Status
    previous_path: str | None
    oid: str
    size: int = 0
    patch: str | None = field(repr=False)
    removed: int | None = None  # lines taken out, as GitHub counts them beside a patch

    @property
    def old_path(self) -> str:
        """Where the version before lies."""
        return self.previous_path or self.path

    @property
    def is_submodule(self) -> bool:
        """Whether it is another repository's commit, which has no content here."""
        return self.patch is not None and _SUBMODULE.fullmatch(self.patch) is not None

    @property
    def needs_contents(self) -> bool:
        """Whether lines may hide behind a missing patch: of large files, and of binaries.

        Of a binary file GitHub counts no changed lines, so a renamed one may have changed as well.
        """
        return self.patch is None and bool(self.oid) and self.status not in {"removed", "unchanged"}


def listed_files(data: object) -> tuple[ListedFile, ...]:
    """The files of an answer, as GitHub orders them."""
    return tuple(_listed(item) for item in children(data) if text(item, "filename"))


def head_of_page(data: object) -> str | None:
    """The head that a page of files speaks of; None where it does not tell.

    The address of a removed file names the commit that still had it.
    """
    for item in children(data):
        values = parse_qs(urlsplit(text(item, "contents_url")).query).get("ref")
        if values and text(item, "status") != "removed":
            return values[0]
    return None


def with_added(
    listed: Iterable[ListedFile], added: Mapping[str, tuple[AddedBlock, ...]]
) -> tuple[ChangedFile, ...]:
    """The files with their added lines (path -> blocks), by path."""
    return tuple(
        ChangedFile(
            path=file.path,
            status=file.status,
            previous_path=file.previous_path,
            added=added.get(file.path, ()),
            removed=file.removed,
        )
        for file in sorted(listed, key=lambda file: file.path)
    )


def _listed(item: Json) -> ListedFile:
    status, patch = text(item, "status"), _patch(item)
    return ListedFile(
        path=text(item, "filename"),
        status=status if _is_status(status) else "changed",
        previous_path=text_or_none(item, "previous_filename"),
        oid=text(item, "sha"),
        patch=patch,
        removed=None if patch is None else number(item, "deletions"),
    )


def _patch(item: Json) -> str | None:
    """The patch, where all lines are in it that GitHub counts as added."""
    patch = text_or_none(item, "patch")
    return patch if patch and patch.count("\n+") >= number(item, "additions") else None


def _is_status(status: str) -> TypeGuard[Status]:
    return status in get_args(Status)
