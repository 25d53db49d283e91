"""remember, wrapup and file-name."""

import re
from collections.abc import Mapping
from typing import Any

from bot.formats.jumpybrain import writing
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.refused import Refused
from tests.vectors.cases import only, plain
from tests.vectors.jumpybrain.place import Place, moment, refused
from tests.vectors.verdict import Outcome, same


def remember(case: Mapping[str, Any]) -> Outcome:
    """Keep a memory."""
    args = plain(case["args"])
    only(args, ("type", "title", "tags", "body", "now", "new_id"), "args")
    place = Place(case)
    try:
        done = writing.remember(
            place.before,
            type_=args["type"],
            title=args.get("title"),
            body=args.get("body", ""),
            tags=args.get("tags", ()),
            now=moment(args),
            new_id=args["new_id"],
        )
    except Refused as error:
        return refused(error)
    return _outcome(place, done)


def wrapup(case: Mapping[str, Any]) -> Outcome:
    """Keep a session."""
    args = plain(case["args"])
    only(args, ("title", "topic", "tags", "body", "now", "new_id"), "args")
    place = Place(case)
    try:
        done = writing.wrapup(
            place.before,
            title=args.get("title"),
            body=args.get("body", ""),
            topic=args.get("topic", ""),
            tags=args.get("tags", ()),
            now=moment(args),
            new_id=args["new_id"],
        )
    except Refused as error:
        return refused(error)
    return _outcome(place, done)


def file_name(case: Mapping[str, Any]) -> Outcome:
    """The path that a title gets."""
    args = plain(case["args"])
    only(args, ("type", "title", "now"), "args")
    fallback = "session-wrapup" if args["type"] == "session" else "untitled"
    found = writing.file_name(args["type"], args["title"], moment(args), fallback=fallback)
    return Outcome(judges={"file": same(found)})


def _outcome(place: Place, done: writing.Written) -> Outcome:
    stays = done.place not in place.before
    place.after[done.place] = done.data
    document = read_document(done.place, done.data)
    heading = document.body.strip().partition("\n")[0]
    return place.outcome({
        "file": same(done.place),
        "heading": same(heading),
        "existing_unchanged": same(stays),
        "new_file_matches": lambda pattern: (
            pattern,
            pattern if re.search(pattern, done.place) else done.place,
        ),
    })  # fmt: skip
