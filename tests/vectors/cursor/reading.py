"""parse, scan, and the verbs that only read: list, latest, show and search."""

from collections.abc import Mapping
from typing import Any, Final

from bot.formats.cursor.grammar import Field
from bot.formats.cursor.layout import kind_of
from bot.formats.cursor.secrets import found_in
from bot.formats.cursor.validate import read_file
from tests.vectors.cases import content, only, text
from tests.vectors.cursor.directory import directory
from tests.vectors.verdict import Outcome, same

# The README's classes for our rules, where they differ.
_CLASSES: Final[Mapping[str, str]] = {}


def parse(case: Mapping[str, Any]) -> Outcome:
    """Every entry of every file."""
    only(case.get("args", {}), (), "args")
    files = [
        read_file(name, content(data))
        for name, data in sorted(case["files"].items())
        if kind_of(name)
    ]
    entries = [
        {
            "file": file.path,
            "lines": [entry.line, entry.last_line],
            "fields": {name: _value(field) for name, field in entry.fields.items()},
            "body": entry.body,
        }
        for file in files
        for entry in file.blocks.entries
    ]
    return Outcome(judges={"entries": same(entries)})


def read(case: Mapping[str, Any]) -> Outcome:
    """A verb that prints entries."""
    args = case.get("args", {})
    only(args, ("argv",), "args")
    with directory(case) as place:
        before = place.contents()
        ran = place.run(case["op"], *args.get("argv", ()))
        changed = frozenset(name for name in before if before[name] != place.contents().get(name))
    return Outcome(judges=ran.judges(), changed=changed, output=ran.stdout + ran.stderr)


def scan(case: Mapping[str, Any]) -> Outcome:
    """The classes of the credentials in a text."""
    only(case["args"], ("text",), "args")
    found = {found.rule for found in found_in(text(case["args"]["text"]), "decisions.md")}
    classes = sorted({_CLASSES.get(rule, rule) for rule in found})
    return Outcome(judges={"classes": lambda wanted: (sorted(set(wanted)), classes)})


def _value(field: Field) -> str | list[str]:
    return list(field.items) if field.is_list else field.text
