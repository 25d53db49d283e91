"""Many processes that do the same at once: `python -m tests.cli.writers COUNT FAMILY VERB ARG…`.

Each is a fork of one interpreter that has loaded everything, which takes longer than what is to be
seen. `{n}` in an argument is the number of the process. The exit code is how many failed.
"""

import importlib
import os
import sys
from collections.abc import Sequence

from bot.cli import main
from bot.formats.cursor.secrets import first_in


def run(number: int, arguments: Sequence[str]) -> int:
    """Run one command; the exit code."""
    try:
        main.main([argument.replace("{n}", str(number)) for argument in arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def at_once(count: int, arguments: Sequence[str]) -> int:
    """Start all, wait for all; how many failed."""
    family, verb, *_ = arguments
    importlib.import_module(f"bot.cli.{family}.{verb}")
    first_in(("password=a1b2c3d4e5f6",))  # loads the scanner
    children = []
    for number in range(count):
        if (child := os.fork()) == 0:
            code = run(number, arguments)
            sys.stdout.flush()
            os._exit(code)
        children.append(child)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


if __name__ == "__main__":
    sys.exit(at_once(int(sys.argv[1]), sys.argv[2:]))
