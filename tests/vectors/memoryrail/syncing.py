"""sync, sync-check and sync-same-block: the generated lines, and every byte around them."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final

from bot.cli import project as projects
from bot.cli import writing
from bot.core.errors import UserError
from bot.core.model import Memory
from bot.core.precheck import parts_of
from bot.core.report import BlockState
from bot.core.sync import place, rendering, standing
from bot.formats.memoryrail.layout import AGENT_FILES
from tests.vectors.memoryrail.directory import contents, directory
from tests.vectors.memoryrail.project import Project, RefusedError, parted
from tests.vectors.verdict import Judge, Outcome, same

_TARGET: Final = "AGENTS.md"


def sync(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Bring one file into step."""
    target = args.get("target", _TARGET)
    if project.symlinks or parts_of(target) is None:
        return _on_disk(project, target, check=False)
    after = place(project.files.get(target), project.store.memories, path=target)
    return _synced(project, target, {**project.files, target: after})


def sync_check(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Tell whether one file is in step; nothing is written."""
    target = args.get("target", _TARGET)
    try:
        memories = project.store.memories
    except RefusedError as error:
        return Outcome(judges={"exit": same(1), "error": same(error.rule)})
    if project.symlinks or parts_of(target) is None:
        return _on_disk(project, target, check=True)
    return _checked(project.files.get(target), memories)


def sync_same_block(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Tell whether two sets of files give the same lines."""
    other = Project(args["files_b"])
    blocks = [rendering(one.store.memories) for one in (project, other)]
    return Outcome(judges={"same_block": same(blocks[0] == blocks[1])})


def _on_disk(project: Project, target: str, *, check: bool) -> Outcome:
    """The same in a directory, where a symlink to another generated file stands for that one.

    What else a symlink leads to is not written, which has no kind of its own in the README: that
    nothing is changed shows it.
    """
    name = _behind(project, target)
    memories = project.store.memories
    with directory(project) as root:
        before = contents(root)
        try:
            projects.located(root, str(root / name))
        except UserError:
            return Outcome(error=("link-outside-repo", "refused"))
        try:
            data = writing.read(root, name)
        except UserError:
            return Outcome(judges={"error": same("refused"), "exit": same(2)})
        if check:
            return _checked(data, memories)
        writing.write(root, {name: place(data, memories, path=name)})
        after = contents(root)
    changed = frozenset(path for path in after if before.get(path) != after[path])
    outcome = _synced(project, target, {**after, target: after[name]})
    return replace(outcome, changed=changed, new=frozenset({name}))


def _behind(project: Project, target: str) -> str:
    """The generated file that a target leads to; the target itself where it leads elsewhere."""
    folder = PurePosixPath(target).parent
    led = posixpath.normpath(folder / project.symlinks.get(target, posixpath.basename(target)))
    return led if led in AGENT_FILES and led not in project.symlinks else target


def _checked(data: bytes | None, memories: Sequence[Memory]) -> Outcome:
    stands = standing(data, memories)
    return Outcome(
        judges={
            "exit": same(int(stands.state is not BlockState.IN_STEP)),
            "error": same(stands.rule or "no error"),
        }
    )


def _synced(project: Project, target: str, after: Mapping[str, bytes]) -> Outcome:
    text = after[target]
    before = project.files.get(target)
    found = parted(text)
    lines = found[1] if found else b""
    changed = frozenset(path for path in after if after[path] != project.files.get(path))

    def filled(count: Callable[[bytes], int]) -> Judge:
        return lambda wanted: (wanted, {one: count(project.fill(one)) for one in wanted})

    def files(expected: Mapping[str, Any]) -> tuple[object, object]:
        wanted = {
            path: None if value is None else project.fill(value) for path, value in expected.items()
        }
        return wanted, {path: after.get(path) for path in wanted}

    return Outcome(
        judges={
            "files": files,
            "starts_with": lambda wanted: _start(project.fill(wanted), text),
            "ends_with": lambda wanted: _end(project.fill(wanted), text),
            "count": filled(text.count),
            "own_line_count": filled(
                lambda one: [line.strip() for line in text.split(b"\n")].count(one.strip())
            ),
            "block_has": lambda wanted: (
                wanted,
                [one for one in wanted if project.fill(one) in lines],
            ),
            "block_has_not": lambda wanted: (
                [],
                [one for one in wanted if project.fill(one) in lines],
            ),
            "line_end": same(_line_end(lines)),
            "bytes_outside_unchanged": same(_is_same_outside(before or b"", text)),
            "exit": same(0),
        },
        changed=changed,
        new=frozenset({target}),
    )


def _start(wanted: bytes, text: bytes) -> tuple[object, object]:
    return wanted, text[: len(wanted)]


def _end(wanted: bytes, text: bytes) -> tuple[object, object]:
    return wanted, text[max(0, len(text) - len(wanted)) :]


def _is_same_outside(before: bytes, after: bytes) -> bool:
    """Whether a block was all that changed, or what was added at the end."""
    was, is_ = parted(before), parted(after)
    if was is None:
        return after.startswith(before)
    return is_ is not None and (was[0], was[2]) == (is_[0], is_[2])


def _line_end(lines: bytes) -> str:
    """How lines end: CRLF, LF or mixed."""
    ends, crlf = lines.count(b"\n"), lines.count(b"\r\n")
    return "CRLF" if crlf == ends else "mixed" if crlf else "LF"
