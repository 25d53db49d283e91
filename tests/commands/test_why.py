"""`why`: every reason of every match, whole."""

import dataclasses

from bot.commands.outcome import Refused
from bot.commands.why import text
from bot.core.comment import MAX_COMMENT
from bot.core.report import LinkHit, Match, TextHit
from tests.commands.making import context, report, said, texts
from tests.making import BASE_SHA, memory

UTC_ONLY = Match(
    memory=memory("20261002-utc", "constraint", title="UTC only", pinned=True),
    store="",
    pinned=True,
    links=(
        LinkHit(path="src/clock/now.py", link="src/clock/now.py", exact=True, depth=3),
        LinkHit(path="src/clock/old.py", link="src/clock", exact=False, depth=2, renamed_from=True),
    ),
    text=TextHit(words=("clock", "now", "@zone"), of_paths=("now",), strength=0.6251),
)


def test_all_reasons_whole() -> None:
    assert text(report(UTC_ONLY), "https://github.example/octo/shop") == (
        "1 of 41 active memories on main at bbbbbbb applies to this change.\n"
        "\n"
        "**CON-b0bb** · constraint · UTC only\n"
        "\n"
        "[`.memoryrail/memories/20261002-utc.md`](https://github.example/octo/shop/blob/"
        f"{BASE_SHA}/.memoryrail/memories/20261002-utc.md)\n"
        "\n"
        "- It is a pinned constraint, so it applies to every change.\n"
        "- `src/clock/now.py` is the very path that it links.\n"
        "- `src/clock/old.py`, the old name of a renamed file, lies under `src/clock`, "
        "which it links.\n"
        "- It shares words with title and description (*clock*, *@&#8203;zone*) and changed paths "
        "(*now*): a weak match."
    )


def test_nothing_applies() -> None:
    assert text(report()).startswith("None of 41 active memories on main at bbbbbbb applies")
    one = dataclasses.replace(report(), memories_read=1)
    assert text(one).startswith("The one active memory on main at bbbbbbb does not apply")


def test_a_long_explanation_fits_into_a_comment() -> None:
    hits = tuple(
        LinkHit(path=f"src/{'x' * 90}/{n}.py", link="src", exact=False, depth=1)
        for n in range(3000)
    )
    many = [Match(memory=memory(f"20261002-{n}"), store="apps/shop", links=hits) for n in range(40)]
    said = text(report(*many))
    assert len(said) < MAX_COMMENT
    assert "2900 more changed paths" in said
    assert "in the store at `apps/shop`" in said
    assert said.endswith("more records did not fit in here.")


def test_the_command() -> None:
    assert texts(said("/memoryrail why", context(report=report(UTC_ONLY))))[0].startswith("1 of 41")
    batch = said("/memoryrail why", context(report=None))
    assert isinstance(batch.outcomes[0][1], Refused)
