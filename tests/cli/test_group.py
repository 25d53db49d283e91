"""The command line as a whole: its help, its start, its errors."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bot.cli import COMMANDS, main
from bot.core.errors import GitError


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: main {name} ")


def test_help_names_each_command_with_its_purpose() -> None:
    shown = CliRunner().invoke(main, ["--help"]).stdout
    assert all(f"{name} " in shown and purpose in shown for name, purpose in COMMANDS.items())


@pytest.mark.parametrize(
    "name", ["jobs", "deliveries", "ignored", "secrets", "cursor", "jumpybrain"]
)
def test_no_purpose_of_a_verb_is_cut(name: str) -> None:
    assert "..." not in CliRunner().invoke(main, [name, "--help"]).stdout.partition("Commands:")[2]


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"], prog_name="memoryrail-bot")
    assert result.stdout == f"memoryrail-bot {importlib.metadata.version('memoryrail-bot')}\n"


def test_help_imports_no_command_and_nothing_heavy() -> None:
    """It stays quick this way, on any machine."""
    code = (
        "import bot.cli, sys; bot.cli.main(['--help'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd()
    )
    ours = {name for name in done.stdout.splitlines()[-1].split() if name.startswith("bot")}
    assert ours == {"bot", "bot.cli", "bot.core", "bot.core.errors"}
    assert "yaml" not in done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    ("name", "hint"), [("chekc", " Did you mean 'check'?\n"), ("frobnicate", "\n")]
)
def test_an_unknown_command_is_a_usage_error(name: str, hint: str) -> None:
    result = CliRunner().invoke(main, [name])
    assert result.exit_code == 2
    assert result.stderr.endswith(f"No such command '{name}'.{hint}")


@pytest.mark.parametrize("name", ["check", "sync"])
def test_a_directory_that_is_not_there_is_told_alike(name: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [name, str(tmp_path / "none")])
    assert result.exit_code == 2
    assert f"Directory '{tmp_path / 'none'}' does not exist.\n" in result.stderr


def test_an_error_raised_on_purpose_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def command() -> None:
        raise GitError("this repository has no commits yet")

    monkeypatch.setattr("bot.cli.register.command", command)
    result = CliRunner().invoke(main, ["register"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: this repository has no commits yet\n"


@pytest.mark.parametrize(("value", "expected"), [("1", "x"), ("", "\x1b[31mx\x1b[0m")])
def test_no_color(monkeypatch: pytest.MonkeyPatch, value: str, expected: str) -> None:
    @click.command()
    def command() -> None:
        click.secho("x", fg="red", nl=False)

    monkeypatch.setattr("bot.cli.register.command", command)
    result = CliRunner(env={"NO_COLOR": value}).invoke(main, ["register"], color=True)
    assert result.stdout == expected


def test_a_log_that_lacks_a_character() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import bot.cli; bot.cli.main()", "sync", "\N{SNOWMAN}"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "latin-1:strict"},
    )
    assert done.returncode == 2
    assert b"Directory '\\u2603' does not exist." in done.stderr
