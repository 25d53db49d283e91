"""parse, session-id, and what is asked of a root: init, status, find-root, index-files."""

import re
from collections.abc import Mapping
from typing import Any

from bot.core.model import TreeFile
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.frontmatter import block, written
from bot.formats.jumpybrain.frontmatter import session_id as session_of
from bot.formats.jumpybrain.layout import CONFIG, TYPE_OF, within
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.root import find_root as root_above
from bot.formats.jumpybrain.root import (
    index_folder,
    indexed,
    initialized,
    read_root,
    require_writable,
)
from tests.vectors.cases import MalformedError, content, only
from tests.vectors.jumpybrain.place import Place, moment, refused
from tests.vectors.verdict import Outcome, same

_COMMENT = re.compile(rb"^#.*\n", re.MULTILINE)


def parse(case: Mapping[str, Any]) -> Outcome:
    """The one file of a case, taken apart."""
    only(case.get("args", {}), (), "args")
    if len(case["files"]) != 1:
        raise MalformedError("parse takes one file")
    ((path, text),) = case["files"].items()
    document = read_document(path, content(text))
    fields = {name: field.value for name, field in document.parts.fields.items()}
    return Outcome(
        judges={
            "frontmatter": same(fields),
            "body": same(document.body.replace("\r\n", "\n")),
            "body_line": same(document.parts.body_line),
        }
    )


def session_id(case: Mapping[str, Any]) -> Outcome:
    """The session that some frontmatter names."""
    only(case["args"], ("frontmatter",), "args")
    given = case["args"]["frontmatter"]
    fields = {name: written(str(value)) for name, value in given.items()}
    document = read_document("notes/a.md", block(fields).encode())
    return Outcome(judges={"session_id": same(session_of(document.parts))})


def init(case: Mapping[str, Any]) -> Outcome:
    """Make a root."""
    args = case["args"]
    only(args, ("root", "now", "force"), "args")
    place, root = Place(case), args["root"]
    there = {
        name: place.before[within(root, name)]
        for name in (CONFIG, ".gitignore")
        if within(root, name) in place.before
    }
    try:
        made = initialized(there, now=moment(args), version="0.0.0", force=bool(args.get("force")))
    except Refused as error:
        return refused(error)
    place.after |= {within(root, name): data for name, data in made.items()}

    def files(expected: Mapping[str, str]) -> tuple[object, object]:
        """But for comments, and for the tool's own name."""
        wanted = {path: _plain(content(text)) for path, text in expected.items()}
        return wanted, {path: _plain(place.after.get(path, b"")) for path in wanted}

    return place.outcome({"dirs": same(sorted(TYPE_OF)), "files": files})


def status(case: Mapping[str, Any]) -> Outcome:
    """What a root says of itself."""
    args = case["args"]
    only(args, ("root",), "args")
    place = Place(case)
    path = within(args["root"], CONFIG)
    data = place.before.get(path)
    root = read_root(None if data is None else TreeFile(path=path, oid="", data=data))
    if any(one.rule == "bad-config" for one in root.problems):
        try:
            require_writable(root)
        except Refused as error:
            return refused(error)
    return place.outcome({
        "initialized": same(root.is_initialized),
        "compatible": same(root.is_compatible),
        "schemaVersion": same(root.schema_version),
    })  # fmt: skip


def find_root(case: Mapping[str, Any]) -> Outcome:
    """The root of a directory."""
    args = case["args"]
    only(args, ("cwd",), "args")
    place = Place(case)
    try:
        found = root_above(args["cwd"], place.before.keys())
    except Refused as error:
        return refused(error)
    return place.outcome({"root": same(found or ".")})


def index_files(case: Mapping[str, Any]) -> Outcome:
    """What the index covers."""
    args = case["args"]
    only(args, ("root",), "args")
    place = Place(case)
    path = within(args["root"], CONFIG)
    root = read_root(TreeFile(path=path, oid="", data=place.before[path]))
    folder = index_folder(args["root"], root.index_root)
    if folder is None:
        return refused(Refused("bad-index-root", root.problems[0].message))
    try:
        found = indexed(folder, place.before)
    except Refused as error:
        return refused(error)
    return place.outcome({"indexed": same(list(found))})


def _plain(data: bytes) -> bytes:
    data = _COMMENT.sub(b"", data)
    return re.sub(rb'("package"|"version"): "[^"]*"', rb'\1: ""', data)
