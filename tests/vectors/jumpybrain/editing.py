"""show, update and ensure-ids."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from bot.formats.jumpybrain import edit
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.process import process
from bot.formats.jumpybrain.refused import Refused
from tests.vectors.cases import content, only, plain
from tests.vectors.jumpybrain.place import Place, moment, refused
from tests.vectors.verdict import Judge, Outcome, same


def show(case: Mapping[str, Any]) -> Outcome:
    """One document by its id."""
    args = case["args"]
    only(args, ("id",), "args")
    place = Place(case)
    try:
        shown = edit.show(place.before, args["id"])
    except Refused as error:
        return refused(error)
    return place.outcome({
        "file": same(shown.document.place),
        "type": same(shown.document.type),
        "title": same(shown.document.title),
        "contentHash": same(shown.content_hash),
    })  # fmt: skip


def update(case: Mapping[str, Any]) -> Outcome:
    """Another content for one document."""
    args = case["args"]
    only(args, ("id", "if_match", "content", "now"), "args")
    place = Place(case)
    token = args.get("if_match")
    try:
        if token == "current":
            token = edit.show(place.before, args["id"]).content_hash
        done = edit.update(
            place.before,
            args["id"],
            if_match=token,
            content=content(args["content"]),
            now=moment(args),
        )
    except Refused as error:
        return refused(error)
    place.after[done.place] = done.data
    return place.outcome({
        "file": same(done.place),
        "new_hash": same(edit.content_hash(done.data)),
    })  # fmt: skip


def ensure_ids(case: Mapping[str, Any]) -> Outcome:
    """An id for each document that has none."""
    args = plain(case["args"])
    only(args, ("apply", "now"), "args")
    place = Place(case)
    numbers = count(1)

    def new_id() -> str:
        return f"mem_00000000-0000-4000-8000-{next(numbers):012}"

    try:
        done = process(
            place.before,
            mode="ensure-ids",
            apply=args.get("apply", False),
            now=moment(args),
            new_id=new_id,
        ).stamped
    except Refused as error:
        return refused(error)
    assert done is not None
    place.after |= done.files
    modified = list(done.files)
    reported = {*done.files, *done.foreign}

    def files(expected: Mapping[str, str]) -> tuple[object, object]:
        """With the new ids in place of their marks."""
        wanted = {path: plain(text) for path, text in expected.items()}
        for number, path in enumerate(modified, 1):
            wanted = {
                name: text.replace(f"{{{{ID{number}}}}}", done.ids[path])
                for name, text in wanted.items()
            }
        got = {path: place.after.get(path) for path in {*wanted, *modified}}
        return {path: content(text) for path, text in wanted.items()}, got

    judges: dict[str, Judge] = {
        "modified": same(modified),
        "files": files,
        "stamped_or_reported": lambda paths: (
            [],
            [path for path in paths if path not in reported or not _has_id(place, path)],
        ),
        "reads_back": lambda fields: (fields, _read_back(place, fields)),
    }
    return place.outcome(judges)


def _has_id(place: Place, path: str) -> bool:
    return is_id(read_document(path, place.after[path]).id)


def _read_back(place: Place, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are asked for: of each file, or of the only one."""
    if not all(isinstance(one, dict) for one in expected.values()):
        return _fields(place, next(iter(place.after)), expected)
    return {path: _fields(place, path, fields) for path, fields in expected.items()}


def _fields(place: Place, path: str, names: Iterable[str]) -> dict[str, object]:
    known = read_document(path, place.after[path]).parts.fields
    return {name: known[name].value for name in names if name in known}
