"""Many processes that append at once: `python -m tests.cli.cursor.writers COUNT DIR`.

Each is a fork of one interpreter, for imports take longer than what is to be seen.
"""

import os
import sys

from bot.cli import main
from bot.cli.cursor import append as _append  # noqa: F401 - loaded before the forks


def write(number: int, directory: str) -> int:
    """Append an entry; the exit code."""
    options = ["--file", "session-handoff", "--kind", "state", "--status", "done"]
    words = ["--summary", f"Step {number}", "--body", f"Writer {number} came by at this moment."]
    try:
        main.main(["cursor", "append", *options, *words, "--path", directory])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def at_once(count: int, directory: str) -> int:
    """Start all, wait for all; how many failed."""
    children = []
    for number in range(count):
        if (child := os.fork()) == 0:
            code = write(number, directory)
            sys.stdout.flush()
            os._exit(code)
        children.append(child)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


if __name__ == "__main__":
    sys.exit(at_once(int(sys.argv[1]), sys.argv[2]))
