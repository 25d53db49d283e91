"""Who is at the keyboard: a person or a coding agent.

Agents propose, people decide. Coding agents say what they are in the environment of the programs
that they run; that helps honest ones to keep to the review gate. Who wants to deceive is stopped on
the pull request.
"""

import os
import sys
from collections.abc import Mapping
from typing import Final

import click

from bot.core.errors import UserError

# Variables that a coding agent sets for the commands that it runs.
AGENT_VARIABLES: Final = (
    "AI_AGENT",
    "ANTIGRAVITY_AGENT",
    "AUGMENT_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE",
    "CLINE_ACTIVE",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "GOOSE_TERMINAL",
    "OPENCODE",
    "OPENCODE_CLIENT",
)


def agent_variable(environment: Mapping[str, str] = os.environ) -> str | None:
    """The variable by which a coding agent tells that it runs this program; None for a person."""
    return next((name for name in AGENT_VARIABLES if environment.get(name)), None)


def must_be_a_person(to_do: str) -> None:
    """Raise UserError where a coding agent runs this program."""
    if variable := agent_variable():
        raise UserError(
            f"Only a person may {to_do}, and {variable} says that a coding agent runs this. "
            "Ask a maintainer."
        )


def must_be_at_a_terminal(to_do: str) -> None:
    """Raise UserError for a coding agent, and where nobody can have typed the command."""
    must_be_a_person(to_do)
    if not is_at_a_terminal():
        raise UserError(f"Only a person at a terminal may {to_do}; standard input is none.")


def is_at_a_terminal() -> bool:
    """Whether somebody can type here."""
    return sys.stdin.isatty()


def _for_people(_: click.Context, __: click.Parameter, value: bool) -> bool:
    if value:
        must_be_at_a_terminal("write what looks like a credential")
    return value


allow_secrets_option = click.option(
    "--allow-secrets",
    is_flag=True,
    callback=_for_people,
    help="Do not look for credentials.  For a person at a terminal.",
)
