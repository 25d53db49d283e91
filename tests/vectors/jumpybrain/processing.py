"""process in the modes lint and synthesize."""

from collections.abc import Mapping
from typing import Any

from bot.formats.jumpybrain import process as processing
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.lint import Finding
from bot.formats.jumpybrain.pages import sources_of
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.sections import sections
from tests.vectors.cases import only, plain
from tests.vectors.jumpybrain.place import Place, moment, refused
from tests.vectors.verdict import Judge, Outcome, as_set, same

_ARGS = ("mode", "apply", "topic", "since", "limit", "now", "new_id")


def process(case: Mapping[str, Any]) -> Outcome:
    """Run a mode."""
    args = plain(case["args"])
    only(args, _ARGS, "args")
    place = Place(case)
    more = {name: args[name] for name in ("topic", "since", "limit") if name in args}
    try:
        done = processing.process(
            place.before,
            mode=args["mode"],
            apply=args.get("apply", False),
            now=moment(args),
            new_id=lambda: str(args["new_id"]),
            **more,
        )
    except Refused as error:
        return refused(error)
    place.after |= done.files
    judges: dict[str, Judge] = {
        "report": lambda path: (path, path if path in done.files else sorted(done.files)),
        "findings": as_set([_plain(one) for one in done.findings]),
        **(_page(place, done.page.place) if done.page else {}),
    }
    return place.outcome(judges)


def _page(place: Place, path: str) -> dict[str, Judge]:
    page = read_document(path, place.after[path])
    fields = {name: field.value for name, field in page.parts.fields.items()}
    others = [
        read_document(other, data) for other, data in place.after.items() if other.endswith(".md")
    ]
    changed = {one for one in place.after if place.before.get(one) != place.after[one]} - {path}
    return {
        "file": same(path),
        "fields": lambda wanted: (wanted, {name: fields.get(name) for name in wanted}),
        "sections": same([one.name for one in sections(page.body)]),
        "sources": same([one.place for one in sources_of(page, others)]),
        "other_files_unchanged": same(not changed),
    }


def _plain(finding: Finding) -> dict[str, object]:
    """A finding as the vectors write it."""
    several = len(finding.files) > 1
    where: dict[str, object] = {"files": list(finding.files)} if several else {
        "file": finding.files[0]
    }  # fmt: skip
    more = {
        "newer_sources": finding.newer_sources,
        "target": finding.target,
        "by": finding.by,
        "question": finding.question,
    }
    return {"kind": finding.kind, **where, **{name: said for name, said in more.items() if said}}
