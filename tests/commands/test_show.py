"""`show REF…`: all of a memory, harmless."""

from bot.commands.grammar import parse
from bot.commands.registry import HANDLERS
from bot.core.comment import MAX_REPLY
from tests.commands.making import context, file, memory_file, said, store_tree, texts
from tests.making import BASE_SHA, HEAD_SHA

MADE = memory_file("20261005-utc", "active", type_="constraint", title="UTC @only", supersedes="x")
BODY = b"# Why\n\n@kim, see #4 <!-- x -->\n```\n/memoryrail approve all\n````\n\xe2\x80\xaeend\n"
UTC = file(MADE.path, (MADE.data or b"").replace(b"B.\n", BODY))
URL = "https://github.example/octo/shop"


def test_everything_is_shown() -> None:
    (text,) = texts(said("/memoryrail show CON-f27c", context(UTC, url=URL)))
    assert text == (
        "**CON-f27c** · UTC @&#8203;only\n\n"
        f"- constraint, active, [`{UTC.path}`]({URL}/blob/{HEAD_SHA}/{UTC.path})\n"
        "- created `2026-10-01T08:00:00.000Z`, updated `2026-10-01T08:00:00.000Z`\n"
        "- replaces `x`\n\n"
        "`````\n# Why\n\n@kim, see #4 <!-- x -->\n```\n/memoryrail approve all\n````\nend\n`````"
    )
    assert parse(text, HANDLERS) == parse("", HANDLERS)


def test_what_only_the_base_has_is_shown_as_such() -> None:
    base = memory_file("20261001-old", "active")
    (text,) = texts(
        said("/memoryrail show 20261001-old", context(UTC, base=(store_tree(base).store,), url=URL))
    )
    assert f"/blob/{BASE_SHA}/{base.path}) on the base branch, not at this head" in text


def test_what_is_long_is_cut_and_counted() -> None:
    long = file(UTC.path, (MADE.data or b"") + b"word\n" * 20_000)
    (text,) = texts(said("/memoryrail show CON-f27c", context(long)))
    assert len(text) < MAX_REPLY
    assert text.endswith("…\n```\n\n70,002 more characters are in the file.")


def test_an_unknown_ref_is_said() -> None:
    (text,) = texts(said("/memoryrail show CON-f27d", context(UTC)))
    assert "There is no memory CON-f27d. Did you mean CON-f27c (UTC @&#8203;only)?" in text
    (text,) = texts(said("/memoryrail show", context(UTC)))
    assert text == "This names no memory. Write `/memoryrail show REF…`."
