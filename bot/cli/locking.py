"""One writer at a time in a directory. Readers need no lock: every file is replaced as a whole."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.core.errors import UserError

_LOCK_SECONDS: Final = 30.0  # that other writers may take; each takes some hundredths
_LOCK_POLL: Final = 0.01


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Be the only one who writes here, until the block ends; the directory itself is locked.

    It is made where it is missing. Raises UserError when others do not come to an end.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise UserError(f"{directory} cannot be opened: {error.strerror}") from error
    try:
        _wait_for(handle, directory)
        yield
    finally:
        os.close(handle)  # which gives the lock back


def _wait_for(handle: int, directory: Path) -> None:
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise UserError(
                    f"Another program writes in {directory} and does not come to an end. Nothing "
                    "was written."
                ) from None
            time.sleep(_LOCK_POLL)
        except OSError as error:
            raise UserError(f"{directory} cannot be locked: {error.strerror}") from error
        else:
            return
