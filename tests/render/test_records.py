"""Hostile words stay words, and credentials stay hidden, in every record of the comment."""

import dataclasses
import re
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.core.report import (
    ChangeKind,
    Match,
    MemoryChange,
    Section,
    StaleKind,
    StaleMemory,
    TextHit,
    Unread,
)
from bot.render.comment import comment
from tests.making import github_token, memory
from tests.render.test_comment import BLOCK, FAULT, GATEWAY, PLACE, SECRET, report, under


def test_no_credential_is_shown_wherever_it_stands() -> None:
    token = github_token()
    leaking = memory("20260301-x", "constraint", title=f"Use {token}", body=f"See\n{token}\n")
    stale = StaleMemory(memory=leaking, kind=StaleKind.LINK_GONE, link=f"a/{token}")
    block = dataclasses.replace(
        BLOCK, diff=(f"+- CON-0000: Use {token}",), path=f"{token}/AGENTS.md"
    )
    text = comment(
        report(
            matches=(
                Match(memory=leaking, store="", links=(under(f"src/{token}", f"src/{token}"),)),
            ),
            stale=(stale,),
            blocks=(block,),
            findings=(dataclasses.replace(FAULT, message=f"[per {token}] names no memory."),),
            changes=(MemoryChange(kind=ChangeKind.ADDED, path="x.md", before=None, after=leaking),),
        ),
        PLACE,
    )
    assert text is not None
    assert token not in text.replace("\\", "")
    assert "[secret]" in text.replace("\\", "")


PARSER = MarkdownIt("gfm-like", {"linkify": False, "html": True})
OURS = re.compile(r"</?(?:details|summary|sub)>|<!-- memoryrail-bot ")
HOSTILE = st.one_of(
    st.text(alphabet=st.sampled_from("<>!-`\n|@#*/detailsub \u202e[]():&;\\"), max_size=40),
    st.sampled_from(
        [
            "x | @octo/admins **please** [diff](https://evil.example) | person |",
            "[click](https:evil.example) **Approved** @octo",
            "`` ` @octo",
            "</summary></details> @octo <!-- x",
            "\n\n### Heading\n\n- @octo",
            "a\\| b",
        ]
    ),
)


@given(st.lists(HOSTILE, min_size=8, max_size=8))
def test_hostile_words_in_any_place_stay_words(words: list[str]) -> None:
    """The whole comment, parsed: no link, mention, image or element but our own."""
    title, text, path, word, supersedes, what, message, file = words
    hostile = memory("20260301-x", "constraint", title=title, body=text)
    waiting = memory("20260302-y", title=title, status="proposed", supersedes=supersedes)
    made = report(
        base_ref=what,
        matches=(
            Match(
                memory=hostile,
                store="",
                links=(under(path, path),),
                text=TextHit(words=(word,), strength=5.0),
            ),
            Match(
                memory=dataclasses.replace(GATEWAY, title=title),
                store="",
                links=(under(path, path),),
            ),
        ),
        changes=(
            MemoryChange(kind=ChangeKind.ADDED, path=file, before=None, after=waiting),
            MemoryChange(kind=ChangeKind.REMOVED, path=file, before=hostile, after=None),
        ),
        unread=(Unread(section=Section.SECRETS, what=what, why=message),),
        findings=(dataclasses.replace(FAULT, message=message, path=file),),
        secrets=(dataclasses.replace(SECRET, path=file),),
        blocks=(dataclasses.replace(BLOCK, path=file, diff=("@@", f"-{text}")),),
        stale=(StaleMemory(memory=hostile, kind=StaleKind.LINK_GONE, link=path, renamed_to=file),),
    )
    shown = comment(made, PLACE)
    assert shown is not None
    for token in _tokens(shown):
        if token.type in {"html_block", "html_inline"}:
            assert OURS.search(token.content), token.content
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith(PLACE.url)
        assert token.type not in {"image", "linkify"}
        if token.type == "heading_open":
            assert token.map == [1, 2]
        if token.type == "text":
            assert not re.search(r"@[A-Za-z0-9]", token.content), token.content


def _tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or []
