"""find-project, ref, resolve-ref, link-applies and precheck: what is found, and by which name."""

from collections.abc import Mapping
from typing import Any

from bot.cli import project as projects
from bot.core.errors import UserError
from bot.core.model import Memory, MemoryStore, MemoryType, Status, short_ref
from bot.core.precheck import covers, precheck
from bot.core.refs import resolve
from tests.vectors.memoryrail.directory import directory
from tests.vectors.memoryrail.project import Project, RefusedError, failed
from tests.vectors.verdict import Outcome, alike, same


def find_project(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """The project that a working directory lies in, on disk as the command line looks for it."""
    with directory(project) as root:
        cwd = root / args.get("cwd", ".")
        cwd.mkdir(parents=True, exist_ok=True)
        try:
            found = projects.find(cwd).root
        except UserError:
            return failed(RefusedError("no-project"))
        shown = found.relative_to(root.resolve()).as_posix()
    return Outcome(judges={"root": lambda expected: (expected.rstrip("/") or ".", shown)})


def ref(_: Project, args: Mapping[str, Any], __: Mapping[str, Any]) -> Outcome:
    """The short ref of an id and a type."""
    return Outcome(judges={"ref": same(short_ref(MemoryType(args["type"]), args["id"]))})


def resolve_ref(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """The memory that a ref or an id means."""
    return Outcome(judges={"id": same(resolve(project.store.memories, args["ref"]).id)})


def link_applies(_: Project, args: Mapping[str, Any], __: Mapping[str, Any]) -> Outcome:
    """Whether a link covers a changed path: asked by itself, and through precheck."""
    link, changed = args["link"], args["changed"]
    memory = Memory(
        id="20261001-linked",
        type=MemoryType.DECISION,
        title="Linked",
        status=Status.ACTIVE,
        created="",
        updated="",
        links=(link,),
        path=".memoryrail/memories/20261001-linked.md",
    )
    store = MemoryStore(format="memoryrail", root="", memories=(memory,))
    alone, through = covers(link, changed), bool(precheck([store], [changed], ""))
    got: object = alone if alone is through else f"{alone} by itself, {through} in precheck"
    return Outcome(judges={"applies": same(got)})


def prechecked(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """The memories that apply to a plan and to files."""
    stores = [project.store, *(store for store in project.stores if store.root)]
    matches = precheck(stores, args.get("files") or (), args.get("plan") or "")
    ids = [match.memory.id for match in matches]
    return Outcome(
        judges={
            "ids": same(ids),
            "ids_any_order": alike(ids),
            "first": same(ids[0] if ids else None),
        }
    )
