"""The comment as people see it, whole."""

import dataclasses

import pytest

from bot.core.comment import COMMENT_MARKER, MAX_COMMENT
from bot.core.model import Status
from bot.core.report import (
    BlockChange,
    BlockState,
    ChangeKind,
    Finding,
    LinkHit,
    Match,
    MemoryChange,
    Report,
    SecretHit,
    Section,
    StaleKind,
    StaleMemory,
    TextHit,
    Unread,
    Weight,
)
from bot.render.comment import Place, comment
from tests.making import BASE_SHA, HEAD_SHA, memory

PLACE = Place(url="https://github.example/octo/shop", number=12)
BLOB = f"https://github.example/octo/shop/blob/{BASE_SHA}/.memoryrail/memories"

DB = memory(
    "20260301-only-db-opens",
    "constraint",
    title="Only `src/db` opens database connections",
    body="Handlers go through the repository layer. A direct connection\nexhausted it.\n\nMore.",
)
MONEY = memory("20260302-money", "constraint", title="Money is integer cents", pinned=True)
RETRY = memory("20260303-retry", "attempt", title="Retry orders inside the request", body="")
GATEWAY = memory("20260304-gw", "gotcha", title="The gateway answers 200 on refusals")


def under(path: str, link: str) -> LinkHit:
    return LinkHit(path=path, link=link, exact=False, depth=link.count("/") + 1)


MATCHES = (
    Match(memory=MONEY, store="", pinned=True),
    Match(
        memory=DB,
        store="",
        links=(under("src/api/a.py", "src/api"), under("src/api/b.py", "src/api")),
    ),
    Match(memory=RETRY, store="", text=TextHit(words=("retry", "timeout"), strength=6.0)),
    Match(memory=GATEWAY, store="", text=TextHit(words=("gateway",), strength=4.4)),
)


def report(**fields: object) -> Report:
    values: dict[str, object] = {"has_stores": True, "memories_read": 214, "base_ref": "main"}
    return Report(base_sha=BASE_SHA, **{"head_sha": HEAD_SHA, **values, **fields})  # type: ignore[arg-type]


def body(made: Report, previous: str | None = None) -> str:
    """The comment without its hidden first line."""
    text = comment(made, PLACE, previous)
    assert text is not None
    assert text.startswith(f"{COMMENT_MARKER} ")
    return text.partition("\n")[2]


def test_what_binds_stands_first_then_what_failed_then_the_rest_folded() -> None:
    assert (
        body(report(matches=MATCHES))
        == f"""\
### MemoryRail: 2 constraints bind this change, and one way of doing it failed before

> **CON-21ec** · pinned · Money is integer cents
> why: applies to every change
>
> since 2026-10-01 · [read it]({BLOB}/20260302-money.md) · cite as `[per CON-21ec]`

> **CON-7475** · Only `src/db` opens database connections
> why: `src/api` is linked
>
> Handlers go through the repository layer. A direct connection exhausted it.
>
> since 2026-10-01 · [read it]({BLOB}/20260301-only-db-opens.md) · cite as `[per CON-7475]`

**Tried before, and failed**

> **ATT-335f** · Retry orders inside the request
> why: speaks of *retry*, *timeout*
>
> since 2026-10-01 · [read it]({BLOB}/20260303-retry.md) · cite as `[per ATT-335f]`

If there is a new reason to try again, say so in the description.

<details><summary>1 gotcha touches the same matter</summary>

- **GOT-8684** · The gateway answers 200 on refusals · why: speaks of *gateway* · \
[read it]({BLOB}/20260304-gw.md)

</details>

<sub>4 of 214 memories apply · rules from main at bbbbbbb, change at aaaaaaa · \
`/memoryrail why` explains, `/memoryrail help` lists the rest</sub>"""
    )


def test_weak_matches_and_acknowledged_ones_are_folded_apart() -> None:
    weak = dataclasses.replace(MATCHES[3], weak=True)
    known = dataclasses.replace(MATCHES[1], acknowledged=True)
    text = body(report(matches=(MATCHES[0], known, weak)))
    assert text.startswith("### MemoryRail: 1 constraint binds this change\n")
    assert "> **CON-7475**" not in text
    doubtful, aside = text.partition("<details>")[2].split("<details>")
    assert doubtful.startswith("<summary>1 gotcha may touch the same matter</summary>")
    assert "- **GOT-8684** · " in doubtful
    assert aside.startswith("<summary>1 acknowledged on this pull request</summary>")
    assert "- **CON-7475** · " in aside


def test_weak_matches_alone_are_said_to_be_doubtful() -> None:
    weak = dataclasses.replace(MATCHES[3], weak=True)
    assert body(report(matches=(weak,))).startswith(
        "### MemoryRail: 1 gotcha may touch this change\n"
    )


def test_what_is_acknowledged_alone_needs_no_comment_and_ends_one() -> None:
    made = report(matches=(dataclasses.replace(MATCHES[0], acknowledged=True),))
    assert comment(made, PLACE) is None
    before = comment(report(matches=MATCHES[:1]), PLACE)
    text = body(made, before)
    assert text.startswith("### MemoryRail: 1 memory acknowledged, nothing else applies\n")
    assert "<summary>1 acknowledged on this pull request</summary>" in text


def test_nothing_to_say_gives_no_comment() -> None:
    assert comment(report(), PLACE) is None


def test_what_is_gone_is_said_in_one_line() -> None:
    before = comment(report(matches=MATCHES), PLACE)
    assert body(report(), before) == (
        "### MemoryRail: nothing applies to this change any more\n\n"
        "<sub>0 of 214 memories apply · rules from main at bbbbbbb, change at aaaaaaa · "
        "`/memoryrail why` explains, `/memoryrail help` lists the rest</sub>"
    )


def test_only_what_the_last_head_did_not_show_is_new() -> None:
    first = comment(report(matches=MATCHES[:1]), PLACE)
    second = report(matches=MATCHES[:3], head_sha="c" * 40)
    text = comment(second, PLACE, first)
    assert text is not None
    assert "**CON-21ec** · pinned · Money" in text
    assert "**CON-7475** · new · Only" in text
    assert comment(second, PLACE, text) == text, "the same head again changes nothing"
    assert "· new" not in body(dataclasses.replace(second, head_sha="d" * 40), text)


PROPOSAL = memory(
    "20260306-new", title="Queue | orders", status="proposed", supersedes="20260305-d"
)
FAULT = Finding(
    section=Section.MEMORY,
    weight=Weight.FAILURE,
    rule="reworded",
    message="DEC-0000 (X) is reworded. Keep it.",
    path=".memoryrail/memories/x.md",
    line=3,
)
SECRET = SecretHit(
    rule="github-token",
    description="GitHub token",
    level="high",
    path="src/a.py",
    line=3,
    fingerprint="0123456789abcdef",
    commit="c" * 40,
    at_head=False,
)
LEAK = dataclasses.replace(
    FAULT, section=Section.SECRETS, rule="github-token", message="Fingerprint 0123456789abcdef."
)
OUT_OF_DATE = dataclasses.replace(
    FAULT, section=Section.SYNC, path="AGENTS.md", message="Run memoryrail-bot sync."
)
BLOCK = BlockChange(
    path="AGENTS.md", state=BlockState.OUT_OF_STEP, ours=True, caused=True, diff=("@@", "-a", "+b")
)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"secrets": (SECRET,), "findings": (LEAK,)},
            [
                "### MemoryRail: 1 secret to revoke\n",
                "- GitHub token in `src/a.py:3`, added by ccccccc, and it stays in the history",
                " (rule `github-token`, fingerprint `0123456789abcdef`)",
            ],
        ),
        (
            {"findings": (FAULT,)},
            [
                "### MemoryRail: 1 fault in memory files\n",
                "- `.memoryrail/memories/x.md:3`: DEC-0000 (X) is reworded. Keep it.",
            ],
        ),
        (
            {
                "changes": (
                    MemoryChange(
                        kind=ChangeKind.ADDED,
                        path=PROPOSAL.path,
                        before=None,
                        after=PROPOSAL,
                        by_agent=True,
                        supersedes=DB,
                    ),
                )
            },
            [
                "### MemoryRail: 1 proposal waits for a maintainer\n",
                "\n| DEC-0784 | Queue \\| orders (replaces CON-7475) | agent | [diff](",
                "Comment `/memoryrail approve DEC-0784` or `/memoryrail reject DEC-0784 : why`.",
            ],
        ),
        (
            {"blocks": (BLOCK,), "findings": (OUT_OF_DATE,)},
            [
                "### MemoryRail: `AGENTS.md` is out of date\n",
                "<summary>AGENTS.md is out of date after this change: 2 lines</summary>",
                "```diff\n@@\n-a\n+b\n```\n\nRun memoryrail-bot sync.",
            ],
        ),
        (
            {"blocks": (dataclasses.replace(BLOCK, diff=()),), "findings": (OUT_OF_DATE,)},
            ["<summary>AGENTS.md is out of date after this change</summary>\n\nRun memoryrail-bot"],
        ),
        (
            {
                "stale": (
                    StaleMemory(
                        memory=DB, kind=StaleKind.LINK_GONE, link="a.py", renamed_to="b.py"
                    ),
                )
            },
            [
                "### MemoryRail: 1 link of memories to mend\n",
                "`a.py` is renamed to `b.py` here. Mend its `links`.",
            ],
        ),
        (
            {"unread": (Unread(section=Section.SECRETS, what="big.bin", why="too large"),)},
            ["### MemoryRail: this change could not be fully checked\n", "- big.bin: too large"],
        ),
    ],
    ids=["secret", "fault", "proposal", "sync", "sync without a diff", "stale", "unread"],
)
def test_each_section_says_what_it_found(fields: dict[str, object], expected: list[str]) -> None:
    text = body(report(**fields))
    assert [part for part in expected if part not in text] == []


def test_a_memory_that_is_replaced_and_not_to_be_found_is_named_by_its_id() -> None:
    new = MemoryChange(kind=ChangeKind.ADDED, path=PROPOSAL.path, before=None, after=PROPOSAL)
    assert "(replaces `20260305-d`)" in body(report(changes=(new,)))


@pytest.mark.parametrize(
    ("read", "matches", "said"),
    [
        (0, 0, "no memory yet"),
        (1, 0, "the one memory does not apply"),
        (1, 1, "the one memory applies"),
        (2, 0, "0 of 2 memories apply"),
        (2, 1, "1 of 2 memories applies"),
    ],
)
def test_the_last_line_counts_what_applies(read: int, matches: int, said: str) -> None:
    text = body(
        report(memories_read=read, matches=MATCHES[:matches], secrets=(SECRET,), findings=(LEAK,))
    )
    assert f"<sub>{said} · rules from" in text


def test_the_headline_says_three_things_and_counts_the_rest() -> None:
    text = body(
        report(
            matches=MATCHES,
            secrets=(SECRET,),
            findings=(LEAK, FAULT),
            blocks=(BLOCK,),
        )
    )
    assert text.partition("\n")[0] == (
        "### MemoryRail: 1 secret to revoke; 2 constraints bind this change, and one way of doing "
        "it failed before; 1 fault in memory files; and 1 more point"
    )


def test_a_long_comment_is_cut_at_a_record_with_a_count() -> None:
    many = tuple(
        Match(
            memory=memory(
                f"20260101-rule-{number}", "constraint", title="Keep it " * 25, body="x" * 900
            ),
            store="",
            links=(under("src/a.py", "src"),),
        )
        for number in range(200)
    )
    text = comment(report(matches=many), PLACE)
    assert text is not None
    shown = text.count("cite as")
    assert 50 < shown < 200
    assert len(text) <= MAX_COMMENT
    assert f"{200 - shown} more records did not fit in here.\n\n<sub>200 of 214" in text


def test_the_memories_that_a_change_settles_are_shown() -> None:
    old = dataclasses.replace(DB, status=Status.SUPERSEDED, superseded_by=MONEY.id)
    added = MemoryChange(kind=ChangeKind.ADDED, path=MONEY.path, before=None, after=MONEY)
    changed = MemoryChange(
        kind=ChangeKind.CHANGED, path=DB.path, before=DB, after=old, superseded_by=MONEY
    )
    removed = MemoryChange(kind=ChangeKind.REMOVED, path=RETRY.path, before=RETRY, after=None)
    text = body(report(changes=(added, changed, removed)))
    assert text.startswith("### MemoryRail: 1 memory added, 1 memory changed and 1 memory removed")
    rows = [row.partition(" · [diff]")[0] for row in text.split("\n") if row.startswith("- ")]
    assert rows == [
        "- added constraint **CON-21ec** · Money is integer cents",
        f"- made superseded: constraint **CON-7475** · {DB.title}, superseded by CON-21ec",
        "- removed attempt **ATT-335f** · Retry orders inside the request",
    ]
