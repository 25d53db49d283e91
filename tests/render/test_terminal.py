"""A report as people see it in a terminal."""

import dataclasses

from bot.core.report import Match, TextHit, Unread
from bot.core.verdicts import conclusions
from bot.render.terminal import text
from tests.making import memory
from tests.render.test_comment import FAULT, LEAK, MATCHES, report


def test_checks_findings_and_matches() -> None:
    made = report(
        findings=(LEAK, FAULT),
        matches=MATCHES[:2],
        unread=(Unread(section=FAULT.section, what="x.md", why="too large"),),
    )
    made = dataclasses.replace(made, conclusions=conclusions(made.findings, made.unread))
    assert (
        text(made)
        == """\
ok   memoryrail/precheck   2 constraints bind this change
FAIL memoryrail/secrets    1 secret in this change: revoke it
       failure: .memoryrail/memories/x.md:3: Fingerprint 0123456789abcdef. [github-token]
FAIL memoryrail/memory     Not fully checked: x.md: too large
       not read: x.md: too large
       failure: .memoryrail/memories/x.md:3: DEC-0000 (X) is reworded. Keep it. [reworded]
ok   memoryrail/sync       Nothing to check: no file holds a generated block

What applies, the most binding first:
  CON-21ec  constraint Money is integer cents
            pinned
  CON-7475  constraint Only `src/db` opens database connections
            links src/api: src/api/a.py and 1 more
"""
    )


def test_hostile_text_does_not_steer_the_terminal() -> None:
    hostile = memory(title="red \x1b[31m\u202etxet\r\nFAIL")
    match = Match(memory=hostile, store="", text=TextHit(words=("\x1b]0;x\x07",), strength=5.0))
    made = report(matches=(match,))
    shown = text(dataclasses.replace(made, conclusions=conclusions((), ())))
    assert set(shown) & {"\x1b", "\x07", "\r", "\u202e"} == set()
    assert "red [31mtxet FAIL" in shown
