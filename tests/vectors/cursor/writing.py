"""append, rotate and migrate: the exact files after the run, or why nothing was written."""

from collections.abc import Mapping
from typing import Any, Final

from bot.formats.cursor.validate import read_file
from tests.vectors.cases import MalformedError, content, only, plain
from tests.vectors.cursor.directory import Directory, Ran, directory
from tests.vectors.verdict import Judge, Outcome, same

_TEXTS: Final = ("file", "kind", "status", "summary", "body", "author", "scope", "author_detail")
_LISTS: Final = ("tags", "links")
_FLAGS: Final = ("dry_run", "allow_secrets", "allow_duplicate")


def append(case: Mapping[str, Any]) -> Outcome:
    """Append an entry."""
    args = plain(case["args"])
    only(args, (*_TEXTS, *_LISTS, *_FLAGS, "now"), "args")
    options = [f"--{_option(name)}={args[name]}" for name in _TEXTS if name in args]
    options += [f"--{_option(name)}={','.join(args[name])}" for name in _LISTS if name in args]
    options += [f"--{_option(name)}" for name in _FLAGS if args.get(name)]
    with directory(case) as place:
        before = place.contents()
        ran = place.run("append", *options, now=args.get("now"))
        judges = _judges(place, ran, before)
        id_ = ran.stdout.strip()
        judges["id"] = same(id_)
        judges["round_trip_or_refuse"] = _round_trip(args, place, ran)
        return _outcome(case, place, ran, before, judges)


def changed_files(case: Mapping[str, Any]) -> Outcome:
    """rotate or migrate."""
    args = case.get("args", {})
    only(args, ("argv", "today"), "args")
    with directory(case) as place:
        before = place.contents()
        today = args.get("today")
        now = f"{today}T12:00:00Z" if today else None
        ran = place.run(case["op"], *args.get("argv", ()), now=now)
        return _outcome(case, place, ran, before, _judges(place, ran, before))


def _outcome(
    case: Mapping[str, Any],
    place: Directory,
    ran: Ran,
    before: Mapping[str, bytes],
    judges: Mapping[str, Judge],
) -> Outcome:
    """The outcome, judged while the directory is there."""
    after = place.contents()
    names = before.keys() | after.keys()
    settled: dict[str, Judge] = {}
    for key, value in plain(case["expect"]).items():
        if (judge := judges.get(key)) is not None:
            pair = judge(value)
            settled[key] = lambda _, pair=pair: pair  # type: ignore[misc]
    return Outcome(
        judges=settled,
        changed=frozenset(name for name in names if before.get(name) != after.get(name)),
        output=ran.stdout + ran.stderr,
    )


def _judges(place: Directory, ran: Ran, before: Mapping[str, bytes]) -> dict[str, Judge]:
    after = place.contents()
    return {
        **ran.judges(),
        "files": place.files(before),
        "text_survives": lambda texts: (
            [],
            [text for text in texts if not any(content(text) in data for data in after.values())],
        ),
    }


def _round_trip(args: Mapping[str, Any], place: Directory, ran: Ran) -> Judge:
    def judge(wanted: bool) -> tuple[object, object]:
        if ran.exit:
            return wanted, True
        name = f"{str(args['file']).removesuffix('.md')}.md"
        entry = read_file(name, (place.memory / name).read_bytes()).blocks.entries[-1]
        read = {
            key: entry.text(key) == args[key] for key in _TEXTS[1:] if key in args and key != "body"
        }
        read |= {key: set(entry.items(key)) == set(args[key]) for key in _LISTS if key in args}
        read["body"] = entry.body == args["body"].strip()
        return wanted, all(read.values()) or [key for key, is_same in read.items() if not is_same]

    return judge


def _option(name: str) -> str:
    if not name.isidentifier():
        raise MalformedError(f"args: {name}")
    return name.replace("_", "-")
