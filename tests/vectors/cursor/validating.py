"""validate: kinds, severities and places of all that is wrong."""

import subprocess
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tests.vectors.cases import content, only
from tests.vectors.cursor.directory import Directory, Ran, directory
from tests.vectors.verdict import Judge, Outcome, same

_ARGS: Final = ("strict", "only", "base", "allow_manual")
_IDENTITY: Final = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")


def validate(case: Mapping[str, Any]) -> Outcome:
    """Check a directory, or some files of it, or what is new since a commit."""
    args = case.get("args", {})
    only(args, _ARGS, "args")
    with directory(case) as place:
        options = [f"--file={name}" for name in args.get("only", ())]
        options += ["--strict"] if args.get("strict") else []
        options += ["--allow-manual"] if args.get("allow_manual") else []
        if "base" in args:
            options += ["--base", _commit(place, args["base"])]
        ran = place.run("validate", *options)
    return Outcome(
        judges={
            **ran.judges(),
            "valid": same(ran.exit == 0),
            "warnings": lambda kinds: (sorted(kinds), sorted(ran.kinds("warning"))),
            **_errors(case["expect"], ran),
            **_notices(case["expect"], ran),
            "locations": _locations(ran),
        },
        output=ran.stdout + ran.stderr,
    )


def _errors(expect: Mapping[str, Any], ran: Ran) -> dict[str, Judge]:
    got = Counter(ran.kinds())
    may: Counter[str] = Counter(expect.get("errors_may_include", ()))
    return {
        "errors_include": lambda kinds: ([], sorted((Counter[str](kinds) - got).elements())),
        "errors_may_include": lambda _: ([], []),
        "errors": lambda kinds: (
            sorted(kinds),
            sorted((got - (may - Counter[str](kinds))).elements()),
        ),
    }


def _notices(expect: Mapping[str, Any], ran: Ran) -> dict[str, Judge]:
    got = Counter(ran.kinds("notice"))
    may: Counter[str] = Counter(expect.get("notices_may_include", ()))
    return {
        "notices": lambda kinds: (
            sorted(kinds),
            sorted((got - (may - Counter[str](kinds))).elements()),
        ),
        "notices_may_include": lambda _: ([], []),
    }


def _locations(ran: Ran) -> Judge:
    """Each must be told at its line; a file as a whole has none."""

    def judge(expected: list[Mapping[str, Any]]) -> tuple[object, object]:
        told = ran.locations()
        lacking = [
            one
            for one in expected
            if not any(
                (kind, name) == (one["kind"], one["file"]) and line == (one["line"] or 1)
                for kind, name, line in told
            )
        ]
        return [], [{"lacking": lacking, "told": told}] if lacking else []

    return judge


def _commit(place: Directory, base: Mapping[str, Any]) -> str:
    """A commit that has the files of before; those of the case stay in the working tree."""
    now = {path: path.read_bytes() for path in place.memory.rglob("*") if path.is_file()}
    (place.root / ".git").rmdir()
    for path in now:
        path.unlink()
    for name, text in base.items():
        (place.memory / name).write_bytes(content(text))
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "base")):
        subprocess.run(["git", *_IDENTITY, *arguments], cwd=place.root, check=True)
    for name in base:
        (place.memory / name).unlink()
    for path, data in now.items():
        path.write_bytes(data)
    return "HEAD"
