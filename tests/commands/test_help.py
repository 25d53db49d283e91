"""`help`: every command of the registry is listed, and quoting the list runs nothing."""

from bot.commands.grammar import parse
from bot.commands.registry import HANDLERS
from tests.commands.making import context, said, texts


def test_every_command_is_listed() -> None:
    (text,) = texts(said("/memoryrail help", context()))
    for verb, handler in HANDLERS.items():
        assert handler.usage.form.split()[0] == verb
        assert f"- `/memoryrail {handler.usage.form}` {handler.usage.does}." in text
    writing = [one for one in HANDLERS.values() if one.usage.for_maintainers]
    assert text.count("For maintainers.") == len(writing) > 2
    headings = [line for line in text.splitlines() if line.startswith("**")]
    assert headings == [
        "**Decide on proposals**", "**Keep memories true**", "**Mend and undo**", "**Ask**"
    ]  # fmt: skip


def test_the_list_holds_no_command() -> None:
    (text,) = texts(said("/memoryrail", context()))
    assert parse(text, HANDLERS) == parse("", HANDLERS)
