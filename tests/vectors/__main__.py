"""`python -m tests.vectors [FOLDER]`: exit code 0 all passed, 1 a failure, 2 an unusable folder."""

import sys

from tests.vectors.cases import VECTORS
from tests.vectors.runner import main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:] or [str(VECTORS)], print))
