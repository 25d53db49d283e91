"""`make chaos`: a verdict always arrives, whatever is killed and whatever GitHub answers.

The real server over HTTP against a GitHub that fails, killed again and again; then everything is
counted. Prints a table and, as the last line, the figures as one JSON object. Exit code 1 when
something was lost or doubled, with what and where; the logs are then in the folder that it names.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
from pathlib import Path

from tests import databases
from tests.chaos.run import Plan, Result, run, table
from tests.chaos.sabotage import HOW
from tests.databases import KINDS, Databases


def main() -> int:
    """Run on each database; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--deliveries", type=int, default=1000)
    parser.add_argument("--pulls", type=int, default=100)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--faults", type=float, default=5, help="percent of GitHub's answers")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--database", choices=(*KINDS, "all"), default="all")
    parser.add_argument("--sabotage", choices=HOW, default="", help="negative control")
    chosen = parser.parse_args()
    plan = Plan(
        deliveries=chosen.deliveries,
        pulls=chosen.pulls,
        kills=chosen.kills,
        seed=chosen.seed,
        share=chosen.faults / 100,
        sabotage=chosen.sabotage,
    )
    _tell(f"seed {plan.seed}")
    folder = Path(tempfile.mkdtemp(prefix="memoryrail-chaos-"))
    results: list[tuple[str, Result]] = []
    databases.prepare()
    try:
        for kind in KINDS if chosen.database == "all" else (chosen.database,):
            here = folder / kind
            here.mkdir()
            _tell(f"{kind}: see {here}")
            with Databases(here).fresh(kind, migrated=False) as url:
                results.append((kind, run(plan, url, here, _tell)))
    finally:
        databases.clean_up()
    print(f"\n{table(results)}")
    wrong = [(kind, one) for kind, result in results for one in result.wrong]
    for kind, one in wrong:
        print(f"{kind}: {one}")
    if wrong:
        print(f"The logs are in {folder}")
    else:
        shutil.rmtree(folder)
    print(json.dumps(_figures(plan, results)))
    return 1 if wrong else 0


def _figures(plan: Plan, results: list[tuple[str, Result]]) -> dict[str, object]:
    runs = {
        kind: {
            **result.figures,
            "lost": sum(one.kind == "lost" for one in result.wrong),
            "doubled": sum(one.kind == "doubled" for one in result.wrong),
        }
        for kind, result in results
    }
    return {"seed": plan.seed, "sabotage": plan.sabotage, "runs": runs}


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
