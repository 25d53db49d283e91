"""Who is at the keyboard."""

import pytest

from bot.cli.author import AGENT_VARIABLES, agent_variable, must_be_a_person, must_be_at_a_terminal
from bot.core.errors import UserError


@pytest.mark.parametrize("name", AGENT_VARIABLES)
def test_a_coding_agent_tells_in_the_environment(name: str) -> None:
    assert agent_variable({"PATH": "/bin", name: "1"}) == name


def test_a_person_has_none_of_them() -> None:
    assert agent_variable({"PATH": "/bin", "CLAUDECODE": ""}) is None


def test_what_only_people_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in AGENT_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    must_be_a_person("approve")
    monkeypatch.setattr("bot.cli.author.is_at_a_terminal", lambda: True)
    must_be_at_a_terminal("insist")
    monkeypatch.setattr("bot.cli.author.is_at_a_terminal", lambda: False)
    with pytest.raises(UserError, match="standard input is none"):
        must_be_at_a_terminal("insist")
    monkeypatch.setenv("GEMINI_CLI", "1")
    with pytest.raises(UserError, match="GEMINI_CLI says that a coding agent runs this"):
        must_be_a_person("approve")
