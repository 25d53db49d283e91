"""`help`: every command of the registry is listed, and quoting the list runs nothing."""

from bot.commands.grammar import parse
from bot.commands.registry import HANDLERS
from bot.core.command_settings import CommandSettings, Given
from bot.core.repository_settings import RepositorySettings
from tests.commands.making import context, said, texts


def test_every_command_is_listed() -> None:
    (text,) = texts(said("/memoryrail help", context()))
    for verb, handler in HANDLERS.items():
        assert handler.usage.form.split()[0] == verb
        assert f"- `/memoryrail {handler.usage.form}` {handler.usage.does}." in text
    assert text.count(" Needs `maintain`.") == 12
    assert "into step. Needs `write`." in text
    headings = [line for line in text.splitlines() if line.startswith("**")]
    assert headings == [
        "**Decide on proposals**", "**Keep memories true**", "**Mend and undo**", "**Ask**"
    ]  # fmt: skip


def test_the_list_says_what_settings_make_of_it() -> None:
    rules = {
        "approve": Given(permission="triage", users=("kim",)),
        "why": Given(permission="admin"),
    }
    settings = RepositorySettings(commands=CommandSettings(given=rules))
    (text,) = texts(said("/memoryrail help", context(settings=settings)))
    assert "superseded. Needs `triage`, or to be named in the settings." in text
    assert "applies. Needs `admin`." in text


def test_the_list_holds_no_command() -> None:
    (text,) = texts(said("/memoryrail", context()))
    assert parse(text, HANDLERS) == parse("", HANDLERS)
