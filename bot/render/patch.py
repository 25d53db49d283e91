"""An edit plan as a patch for `git apply`, for where the bot itself may not push.

https://git-scm.com/docs/git-diff#_generating_patch_text_with_p describes the format.
"""

import base64
import difflib
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.contents import text_of
from bot.core.edit_plan import EditPlan, FileEdit
from bot.core.git_oid import blob_oid
from bot.core.line_editor import decode
from bot.core.secrets import Text, scan
from bot.core.unicode import unhidden
from bot.render.markdown import visible

_NULL: Final = "/dev/null"
_MODE: Final = "100644"
_NO_OID: Final = "0" * 40
_QUOTED: Final = re.compile(r"[^ !#-\[\]-~]")  # bytes of a name that git writes in quotes
_PER_LINE: Final = 52  # bytes of one line of a binary patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """What of a plan can be shown, and what must not be."""

    text: str  # "" where nothing is left to apply
    withheld: tuple[FileEdit, ...] = ()  # they would show what looks like a credential


def patch(plan: EditPlan, before: Mapping[str, bytes]) -> Patch:
    """The plan as plain text that survives being copied out of a comment.

    before: the contents that the plan was made on, by path. A change to text reads as a diff; where
    copying could harm it (CR LF, bytes that are not UTF-8, characters that nobody sees), the file's
    change is given as git's binary patch. No file is shown in any form that holds a credential
    before the change or after it: a binary patch carries both contents, whole.
    """
    shown: list[str] = []
    withheld: list[FileEdit] = []
    for edit in plan.edits:
        old = before.get(edit.path)
        if edit.data == old:
            continue
        text = "".join(_file(edit, old))
        if _holds_credential(edit.path, old, edit.data) or visible(text) != text:
            withheld.append(edit)
        else:
            shown.append(text)
    return Patch(text="".join(shown), withheld=tuple(withheld))


def _holds_credential(path: str, *contents: bytes | None) -> bool:
    """Whether any reading of a path and its contents has one, or could not be searched whole."""
    readings = {path}
    for data in filter(None, contents):
        readings |= {text := decode(data), unhidden(text), text_of(data)}
    found = scan([Text(path="", text=text) for text in sorted(readings)], inline_marks=False)
    return bool(found.findings or found.incomplete)


def _file(edit: FileEdit, old: bytes | None) -> Iterator[str]:
    old_name, new_name = _name(f"a/{edit.path}"), _name(f"b/{edit.path}")
    yield f"diff --git {old_name} {new_name}\n"
    if old is None:
        yield f"new file mode {_MODE}\n"
    elif edit.data is None:
        yield f"deleted file mode {_MODE}\n"
    mode = f" {_MODE}" if None not in {old, edit.data} else ""
    yield f"index {_oid(old)}..{_oid(edit.data)}{mode}\n"
    if not (survives(old) and survives(edit.data)):
        yield from _binary(old, edit.data)
        return
    before, after = lines_of(old), lines_of(edit.data)
    from_ = _NULL if old is None else old_name + _tab(old_name)
    to = _NULL if edit.data is None else new_name + _tab(new_name)
    for line in difflib.unified_diff(before, after, from_, to):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def lines_of(data: bytes | None) -> list[str]:
    """A content's lines with their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", decode(data or b""))


def survives(data: bytes | None) -> bool:
    """Whether a content reads the same once it was shown in a comment and copied from there."""
    text = decode(data or b"")
    return unhidden(text) == text


def _oid(data: bytes | None) -> str:
    return _NO_OID if data is None else blob_oid(data)


def _binary(old: bytes | None, new: bytes | None) -> Iterator[str]:
    """Both contents, so that the patch can be undone too."""
    yield "GIT binary patch\n"
    for data in (new or b"", old or b""):
        yield f"literal {len(data)}\n"
        packed = zlib.compress(data)
        for start in range(0, len(packed), _PER_LINE):
            chunk = packed[start : start + _PER_LINE]
            size = len(chunk)
            length = chr(ord("A") + size - 1) if size <= 26 else chr(ord("a") + size - 27)
            yield f"{length}{base64.b85encode(chunk, pad=True).decode()}\n"
        yield "\n"


def _tab(name: str) -> str:
    """What git puts behind a name with blanks, so that the name's end is clear."""
    return "\t" if " " in name and not name.startswith('"') else ""


def _name(path: str) -> str:
    """A path as git writes it: in quotes, with octal escapes, where it is not plain."""
    data = path.encode("utf-8", "surrogateescape").decode("latin-1")
    if not _QUOTED.search(data):
        return path
    escaped = _QUOTED.sub(lambda found: rf"\{ord(found[0]):03o}", data)
    return f'"{escaped}"'
