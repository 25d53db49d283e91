"""Running the command line in this process, as a person would type it."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from click.testing import CliRunner, Result

from bot.cli import main

_TOP: Final = Path(__file__).parents[2]


def run(
    *arguments: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None
) -> Result:
    """One command with its output, standard error apart. A traceback fails the test."""
    result = CliRunner().invoke(main, arguments, input=stdin, env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def at_once(count: int, *arguments: str) -> tuple[list[str], int]:
    """One command by many processes at once: the lines that they print, and how many fail.

    `{n}` in an argument is the number of the process.
    """
    command = [sys.executable, "-m", "tests.cli.writers", str(count), *arguments]
    done = subprocess.run(command, cwd=_TOP, capture_output=True, text=True, check=False)
    return done.stdout.splitlines(), done.returncode


def files_of(root: Path) -> dict[str, str]:
    """Every file below a directory but git's own, by its path."""
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def memory(id_: str, type_: str = "decision", status: str = "active", **fields: str) -> str:
    """The file of a memory, written as the format asks."""
    more = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return (
        f'---\nid: "{id_}"\ntype: "{type_}"\ntitle: "On {id_}"\nstatus: "{status}"\n'
        f'created: "2026-10-01T08:00:00.000Z"\nupdated: "2026-10-01T08:00:00.000Z"\n{more}---\n\n'
        "Why.\n"
    )


def path_of(id_: str) -> str:
    """Where the memory's file stands."""
    return f".memoryrail/memories/{id_}.md"
