"""session: current-id and bump-task, one after the other, and the file that they leave."""

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.vectors.cases import only
from tests.vectors.cursor.directory import directory
from tests.vectors.verdict import Outcome, same


def session(case: Mapping[str, Any]) -> Outcome:
    """Run the commands of a case in turn."""
    args = case["args"]
    only(args, ("commands", "now"), "args")
    with directory(case) as place:
        ran = [place.run(command, now=args.get("now")) for command in args["commands"]]
        is_there = place.session.exists()
        after = json.loads(place.session.read_text()) if is_there else None
    results = [{"exit": one.exit, "stdout": one.stdout.strip()} for one in ran]
    outputs = [one.stdout.strip() for one in ran]
    return Outcome(
        judges={
            "results": same(results),
            "session_after": same(after),
            "session_after_keys": lambda keys: (sorted(keys), sorted(after or {})),
            "stdout_matches": lambda pattern: (
                [],
                [output for output in outputs if not re.search(pattern, output)],
            ),
            "same_twice": lambda wanted: (wanted, len(set(outputs)) == 1),
        },
        output="\n".join(outputs),
    )
