"""create: the new file, the one that it supersedes, or why nothing was written."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.core.model import Memory, MemoryType
from bot.core.refs import resolve
from bot.formats.memoryrail import frontmatter
from bot.formats.memoryrail.create import Draft, SecretRefused, create
from tests.vectors.cases import MalformedError, only
from tests.vectors.memoryrail.moving import planned
from tests.vectors.memoryrail.project import Project, failed, moment
from tests.vectors.memoryrail.reading import without_outer_blank_lines
from tests.vectors.verdict import Judge, Outcome, same

_NEW_KEYS: Final = (
    *("path", "path_not", "id_equals_file_name", "frontmatter_lines_any_spacing", "body"),
)


def created(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Write a new memory."""
    if args["author"] not in {"agent", "human"}:
        raise MalformedError(f"args.author: neither agent nor human: {args['author']}")
    if args["type"] not in set(MemoryType):
        return Outcome(error=("bad-type",))
    tree = project.store_tree
    replaced = args.get("supersedes")
    draft = Draft(
        type=MemoryType(args["type"]),
        title=args["title"],
        body=args.get("body") or "",
        tags=tuple(args.get("tags") or ()),
        links=tuple(args.get("links") or ()),
        pinned=bool(args.get("pinned")),
        supersedes=None if replaced is None else resolve(tree.store.memories, replaced),
    )
    try:
        plan = create(
            tree,
            draft,
            now=moment(args["now"]),
            by_agent=args["author"] == "agent",
            allow_secret=bool(args.get("allow_secret")),
        )
    except SecretRefused as error:
        return failed(error, rule=same(error.secret_rule))
    memory = plan.actions[0].memory
    data = next(edit.data for edit in plan.edits if edit.path == memory.path)
    outcome = planned(project, plan)
    judges: dict[str, Judge] = {
        "written": same(got=True),
        "status": same(memory.status.value),
        "new": _new(memory, (data or b"").decode()),
    }
    return replace(outcome, judges={**outcome.judges, **judges}, new=frozenset({memory.path}))


def _new(memory: Memory, text: str) -> Judge:
    """The new file, by the keys of `new`."""
    name = memory.path.rpartition("/")[2].removesuffix(".md")

    def judge(expected: Mapping[str, Any]) -> tuple[object, object]:
        only(expected, _NEW_KEYS, "expect.new")
        wanted = dict(expected)
        got: dict[str, object] = {
            "path": memory.path,
            "path_not": memory.path,
            "id_equals_file_name": memory.id == name,
            "body": without_outer_blank_lines(memory.body),
        }
        if "path_not" in wanted:
            got["path_not"] = memory.path if memory.path == wanted["path_not"] else "another"
            wanted["path_not"] = "another"
        if "body" in wanted:
            wanted["body"] = without_outer_blank_lines(wanted["body"])
        if lines := wanted.pop("frontmatter_lines_any_spacing", None):
            parts = frontmatter.split(text)
            assert parts is not None
            wanted["fields"] = _decoded(lines)
            got["fields"] = _decoded(parts.frontmatter.splitlines())
        return wanted, {key: got[key] for key in wanted}

    return judge


def _decoded(lines: list[str]) -> dict[str, object]:
    """Field lines by name, each value as JSON has it. A list without items is as good as none."""
    fields = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields[name.strip()] = json.loads(value)
    return {name: value for name, value in fields.items() if value != []}
