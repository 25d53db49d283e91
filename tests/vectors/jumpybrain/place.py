"""A case's files, what is written to them, and what a refusal looks like."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from bot.formats.jumpybrain.refused import Refused
from tests.vectors.cases import MalformedError, content
from tests.vectors.verdict import Judge, Outcome, same

NOW: Final = "2026-10-10T17:30:00.000Z"


class Place:
    """The files of a case by their paths, before and after."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.before = {path: content(text) for path, text in (case.get("files") or {}).items()}
        self.after = dict(self.before)

    def outcome(self, judges: Mapping[str, Judge], output: str = "") -> Outcome:
        """What came of it."""
        paths = self.before.keys() | self.after.keys()
        changed = frozenset(path for path in paths if self.before.get(path) != self.after.get(path))
        known: dict[str, Judge] = {
            "exit": same(0),
            "exit_not": lambda code: (f"not {code}", f"not {code}" if code else 0),
            "files": self._files,
        }
        return Outcome(judges={**known, **judges}, changed=changed, output=output)

    def _files(self, expected: Mapping[str, str]) -> tuple[object, object]:
        """Those that are named are compared by their bytes, all others stay as they were."""
        wanted = {path: content(text) for path, text in expected.items()}
        others = {path: data for path, data in self.after.items() if self.before.get(path) != data}
        return wanted, {
            **{path: self.after.get(path) for path in wanted},
            **{path: data for path, data in others.items() if path not in wanted},
        }


def refused(error: Refused) -> Outcome:
    """A refusal: nothing was written."""
    return Outcome(
        judges={
            "exit": same(1),
            "exit_not": lambda code: (f"not {code}", f"not {code}" if code != 1 else 1),
            "missing": same(list(error.missing)),
            "empty": same(list(error.empty)),
            "files": lambda files: (sorted(files), sorted(error.paths)),
        },
        error=(error.rule,),
        output=str(error),
    )


def moment(args: Mapping[str, Any]) -> datetime:
    """The `now` of a case."""
    value = args.get("now", NOW)
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise MalformedError(f"now: {error}") from error
