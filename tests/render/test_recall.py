"""What precheck finds, as people and programs get it."""

import dataclasses
import json

import pytest

from bot.core.model import Problem
from bot.core.report import Match, TextHit
from bot.render.recall import Recall, document, text
from tests.making import github_token, memory, store
from tests.render.test_comment import DB, MATCHES, MONEY, RETRY

TOKEN = github_token()
FOUND = Recall(matches=MATCHES, stores=(store(DB, MONEY),))


def test_the_most_binding_first_with_reason_and_first_lines() -> None:
    assert (
        text(FOUND, fails=True)
        == """\
2 constraints bind this change, and one way of doing it failed before:

CON-21ec  constraint Money is integer cents  [per CON-21ec]
    because: pinned

CON-7475  constraint Only `src/db` opens database connections  [per CON-7475]
    because: links src/api: src/api/a.py and 1 more
    | Handlers go through the repository layer. A direct connection
    | exhausted it.
    | More.

ATT-335f  attempt    Retry orders inside the request  [per ATT-335f]
    because: speaks of retry, timeout

GOT-8684  gotcha     The gateway answers 200 on refusals  [per GOT-8684]
    because: speaks of gateway

Cite what you rely on as [per REF]. Stop and ask where the plan conflicts with a constraint or a \
decision.
Not cited, so this fails: CON-21ec and CON-7475.
"""
    )


def test_nothing_is_said_where_nothing_applies() -> None:
    assert text(Recall(matches=(), stores=(store(DB),)), fails=True) == ""


def test_what_fails_is_strict_and_uncited_and_more_than_words() -> None:
    linked = dataclasses.replace(MATCHES[1], memory=RETRY)
    assert [match.memory.ref for match in FOUND.failing] == ["CON-21ec", "CON-7475"]
    found = dataclasses.replace(FOUND, matches=(*MATCHES, linked), cited=frozenset({MONEY.path}))
    assert [match.memory.ref for match in found.failing] == ["CON-7475", "ATT-335f"]


def test_a_heading_that_repeats_the_title_is_left_out() -> None:
    again = memory(
        title="Write times in UTC", body="\n# Write times in UTC\n\n# Why\nThey drift.\n"
    )
    found = Recall(matches=(Match(memory=again, store="", pinned=True),), stores=())
    assert "pinned\n    | # Why\n    | They drift.\n" in text(found, fails=False)


def test_a_long_body_is_cut() -> None:
    long = memory(body="\n".join(f"{number} {'x' * 300}\t" for number in range(90)))
    found = Recall(matches=(Match(memory=long, store="", pinned=True),), stores=())
    shown = [line for line in text(found, fails=False).splitlines() if line.startswith("    ")]
    assert len(shown) == 8  # the reason, six lines, and an ellipsis
    assert shown[-1] == "    | …"
    assert max(map(len, shown)) == 6 + 160


@pytest.mark.parametrize("as_json", [False, True])
def test_hostile_words_and_secrets(*, as_json: bool) -> None:
    bad = memory(
        title=f"\x1b[31m {TOKEN}\n::error::x",
        body=f"\u202e{TOKEN}\r\n\x1b]0;x\x07 \x9b",
        links=[TOKEN],
    )
    hit = TextHit(words=(f"\x1b{TOKEN}",), strength=4.0)
    link = dataclasses.replace(MATCHES[1].links[0], path=TOKEN, link=f"\x1b{TOKEN}")
    problem = Problem(path=f"\x1b{TOKEN}", rule="x", message=TOKEN)
    found = Recall(
        matches=(Match(memory=bad, store="", text=hit, links=(link,)),),
        stores=(store(bad),),
        unread=(problem,),
        paths=(TOKEN,),
        plan=TOKEN,
    )
    shown = json.dumps(document(found, fails=True)) if as_json else text(found, fails=True)
    assert TOKEN not in shown
    assert set(shown) & {"\x1b", "\x07", "\r", "\u202e", "\x9b"} == set()
    assert "\n::error" not in shown


def test_the_document_for_programs() -> None:
    found = dataclasses.replace(
        FOUND,
        cited=frozenset({DB.path}),
        unread=(Problem(path="x.md", line=3, rule="bad-type", message="Not a type."),),
        paths=("src/api/a.py",),
        plan="Retry",
        base="b" * 40,
    )
    told = document(found, fails=True)
    matches = told.pop("matches")
    assert told == {
        "format": 1,
        "looked_at": {
            "paths": ["src/api/a.py"],
            "plan_characters": 5,
            "base": "b" * 40,
            "stores": [""],
            "memories": 2,
        },
        "unread": [{"path": "x.md", "line": 3, "rule": "bad-type", "message": "Not a type."}],
        "fails": True,
    }
    assert isinstance(matches, list)
    assert len(matches) == 4
    assert matches[1] == {
        "ref": "CON-7475",
        "id": DB.id,
        "type": "constraint",
        "title": DB.title,
        "path": DB.path,
        "store": "",
        "pinned": False,
        "cited": True,
        "links": [
            {"path": "src/api/a.py", "link": "src/api", "exact": False},
            {"path": "src/api/b.py", "link": "src/api", "exact": False},
        ],
        "words": [],
        "strength": None,
        "weak": False,
        "body": DB.body,
    }
    assert (matches[2]["words"], matches[2]["strength"]) == (["retry", "timeout"], 6.0)
