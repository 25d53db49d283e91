"""Links in doubt, in words and for programs."""

from datetime import UTC, datetime

from bot.core.stale_links import LastCommit, LinkFault, StaleLink
from bot.render.stale_links import document, text
from tests.making import github_token, memory

COMMIT = LastCommit(sha="1a2b3c4" + "0" * 33, at=datetime(2026, 10, 6, 7, 8, 9, tzinfo=UTC))


def gone(link: str, *, id_: str = "20261001-keep-sqlite", title: str = "Keep SQLite") -> StaleLink:
    one = memory(id_, title=title, lines={"links": 9})
    return StaleLink(memory=one, link=link, fault=LinkFault.GONE, last_commit=COMMIT)


def test_advice_stands_once_below_each_memory() -> None:
    one, two = gone("a"), gone("b")
    other = gone("c", id_="20261002-other", title="Other")
    assert text([one, two, other], compared=7) == (
        f"{one.memory.ref}  Keep SQLite\n"
        "  .memoryrail/memories/20261001-keep-sqlite.md:9\n"
        "  warning: a is not there: it was removed by 1a2b3c4 on 2026-10-06. [stale-link]\n"
        "  warning: b is not there: it was removed by 1a2b3c4 on 2026-10-06. [stale-link]\n"
        "  Relink it: name what took its place, or drop the link.\n"
        "\n"
        f"{other.memory.ref}  Other\n"
        "  .memoryrail/memories/20261002-other.md:9\n"
        "  warning: c is not there: it was removed by 1a2b3c4 on 2026-10-06. [stale-link]\n"
        "  Relink it: name what took its place, or drop the link.\n"
        "\n"
        "3 of 7 links to look at, in 2 memories.\n"
    )


def test_nothing_is_said_plainly() -> None:
    assert text([], compared=0) == "Nothing is stale among 0 links.\n"
    assert document([]) == []


def test_no_secret_is_shown() -> None:
    token = github_token()
    one = gone(f"a/{token}", title=token)
    assert token not in text([one], compared=1)
    assert token not in str(document([one]))


def test_moments_are_told_with_their_zone() -> None:
    (shown,) = document([gone("a")])
    assert shown["last_commit"] == {"sha": COMMIT.sha, "date": "2026-10-06T07:08:09+00:00"}
