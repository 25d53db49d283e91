"""read, lint, config, list and list-proposals."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.cli import project as projects
from bot.cli.chosen import chosen
from bot.cli.lint import lint as lint_project
from bot.core.errors import UserError
from bot.core.model import Memory, MemoryStore, Problem, Status
from bot.core.precheck import parts_of
from bot.core.yaml_nodes import Scalar
from bot.formats.memoryrail import frontmatter
from bot.formats.memoryrail.config import VERSION, read_config
from bot.formats.memoryrail.layout import config_path, id_of, is_memory_path
from tests.vectors.memoryrail.directory import directory
from tests.vectors.memoryrail.project import (
    Project,
    RefusedError,
    errors_of,
    failed,
    memory_of,
)
from tests.vectors.memoryrail.staleness import stale_findings
from tests.vectors.verdict import Outcome, as_set, same

_FIELDS: Final = (
    *("id", "type", "title", "status", "created", "updated"),
    *("tags", "links", "pinned", "supersedes", "superseded_by"),
)
_SECRET_RULE: Final = re.compile(r", by rule ([\w-]+)\.")
# Of the README. What we advise beyond them cannot be compared, but an error always is.
_LINT_KINDS: Final = (
    *("missing-frontmatter", "bad-frontmatter", "bad-encoding", "id-filename-mismatch"),
    *("bad-type", "bad-status", "bad-timestamp", "bad-title", "bad-pinned", "unknown-supersedes"),
    *("missing-superseded-by", "resolved-not-thread", "stale-link", "maybe-stale"),
    *("link-outside-repo", "secret", "bad-config", "unsupported-version", "no-project"),
)


def read(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """One memory as it is read among all of them."""
    try:
        store = project.store
    except RefusedError as error:
        return failed(error, errors=same([error.rule]))
    path = f".memoryrail/memories/{args['id']}.md"
    memory = memory_of(store.memories, path) or next(
        (memory for memory in store.memories if memory.id == args["id"]), None
    )
    data = project.files.get(memory.path if memory else path, b"")
    body = memory.body if memory else None
    own, all_ = errors_of(store, memory.path if memory else path), errors_of(store)
    return Outcome(
        judges={
            "fields": same(_fields(memory, data) if memory else None),
            "body": lambda expected: (
                expected and without_outer_blank_lines(expected),
                body and without_outer_blank_lines(body),
            ),
            # Whether those of the other files count is left open, so both will do.
            "errors": lambda expected: (
                sorted(expected),
                all_ if sorted(expected) == all_ else own,
            ),
        },
        output="\n".join(problem.message for problem in store.problems),
    )


def lint(project: Project, _: Mapping[str, Any], case: Mapping[str, Any]) -> Outcome:
    """All that is wrong in a project, and in its links where it has a history."""
    with directory(project) as root:
        try:
            on_disk = projects.find(root)
        except UserError as error:
            found = [_Finding(kind="no-project", severity="error", message=str(error))]
        else:
            found = [
                finding
                for problem in lint_project(on_disk)
                for finding in _findings(problem, on_disk.store)
            ]
    if "git" in case:
        found += [_Finding(**one) for one in stale_findings(project, case["git"])]
    compared = [one for one in found if one.severity == "error" or _is_known(one.kind)]
    beyond = [f"{one.kind} ({one.id}) is found as well" for one in found if one not in compared]
    output = "\n".join(f"{one.kind} {one.id} {one.message}" for one in found)
    errors = [one.kind for one in found if one.severity == "error"]
    return Outcome(
        judges={
            "findings": as_set([one.plain() for one in compared]),
            "exit": same(int(bool(errors))),
            "error": lambda kind: (kind, kind if kind in errors else errors[:1] or "no error"),
        },
        output=output,
        notes=tuple(beyond),
    )


def config(project: Project, _: Mapping[str, Any], __: Mapping[str, Any]) -> Outcome:
    """What config.json decides."""
    file = next((file for file in project.tree if file.path == config_path("")), None)
    if file is None:
        return failed(RefusedError("no-project"))
    read_ = read_config(file)
    if read_.problems:
        return Outcome(error=(read_.problems[0].rule,))
    return Outcome(
        judges={"version": same(VERSION), "review": same("agents" if read_.gated else "off")}
    )


def list_(project: Project, _: Mapping[str, Any], __: Mapping[str, Any]) -> Outcome:
    """What is shown without further options."""
    return _listed(project)


def list_proposals(project: Project, _: Mapping[str, Any], __: Mapping[str, Any]) -> Outcome:
    """What waits for a person."""
    return _listed(project, Status.PROPOSED)


def without_outer_blank_lines(text: str) -> str:
    """A body as it is compared."""
    lines = text.splitlines(keepends=True)
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "".join(lines).rstrip("\r\n")


def _listed(project: Project, *statuses: Status) -> Outcome:
    """The memories that the command line lists, in its order."""
    with directory(project) as root:
        try:
            on_disk = projects.find(root)
        except UserError:
            return failed(RefusedError("no-project"))
        memories = chosen(on_disk, types=(), statuses=statuses, tags=(), path=None)
    return Outcome(
        judges={
            "ids": same([memory.id for memory in memories]),
            "refs": same([memory.ref for memory in memories]),
        }
    )


def _fields(memory: Memory, data: bytes) -> dict[str, object]:
    """The known fields that the file has, as the vectors write them."""
    parts = frontmatter.split(data.decode("utf-8", "replace"))
    assert parts is not None
    found = frontmatter.fields(parts)
    twice = {name for name, _ in found.duplicates}
    values: dict[str, object] = {}
    for name in _FIELDS:
        entry = found.entries.get(name)
        if entry is None or name in twice:
            continue
        if isinstance(entry.value, Scalar) and entry.value.is_null:
            continue
        value = getattr(memory, name)
        values[name] = list(value) if isinstance(value, tuple) else value
    return values


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """Something wrong."""

    kind: str
    severity: str
    message: str = ""
    id: str | None = None  # of the memory by its file's name; None in any other file
    link: str | None = None
    rule: str | None = None  # the kind of a credential

    def plain(self) -> dict[str, object]:
        """As the vectors write it."""
        given = {"id": self.id, "link": self.link, "rule": self.rule}
        more = {name: value for name, value in given.items() if value is not None}
        return {"kind": self.kind, "severity": self.severity, **more}


def _findings(problem: Problem, store: MemoryStore) -> Iterator[_Finding]:
    """A problem as findings: one for each link that it is about."""
    is_memory = is_memory_path("", problem.path)
    secret = _SECRET_RULE.search(problem.message) if problem.rule == "secret" else None
    for link in _links(problem, store):
        yield _Finding(
            kind=problem.rule,
            severity=problem.severity.value,
            message=problem.message,
            id=id_of(problem.path) if is_memory else None,
            link=link,
            rule=secret and secret[1],
        )


def _links(problem: Problem, store: MemoryStore) -> list[str] | list[None]:
    memory = memory_of(store.memories, problem.path)
    if problem.rule != "link-outside-repo" or memory is None:
        return [None]
    return [link for link in memory.links if parts_of(link) is None]


def _is_known(kind: str) -> bool:
    return kind in _LINT_KINDS or kind.startswith(("duplicate-field:", "missing-field:"))
