"""`python -m tests.fuzz`: exit code 0 nothing found, 1 an input failed, 2 wrong usage."""

import argparse
import base64
import sys
from functools import partial
from random import SystemRandom

from tests.fuzz.runner import Failure, fuzz, run_input
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run many inputs, or one again."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("inputs", type=int, nargs="?", default=1_000_000, help="how many, in all")
    parser.add_argument("seed", type=int, nargs="?", help="of an earlier run, to repeat it")
    parser.add_argument("--target", choices=TARGETS, help="run one input again")
    parser.add_argument("--input", metavar="BASE64", help="that input")
    chosen = parser.parse_args()
    if chosen.inputs < 1 or (chosen.target is None) != (chosen.input is None):
        parser.error("inputs is 1 or more; --target and --input go together")
    if chosen.target is None:
        seed = SystemRandom().randrange(1 << 32) if chosen.seed is None else chosen.seed
        return fuzz(chosen.inputs, seed, partial(print, flush=True))
    outcome = run_input(chosen.target, base64.b64decode(chosen.input))
    if isinstance(outcome, Failure):
        print(outcome)
        return 1
    print("refused with an error of ours" if outcome else "taken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
