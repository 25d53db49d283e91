"""A report as commands to GitHub Actions."""

import dataclasses
import re

from bot.core.report import Finding, Report, Section, Unread, Weight
from bot.core.verdicts import conclusions
from bot.render.workflow import MAX_SHOWN, workflow
from tests.making import github_token
from tests.render.test_comment import FAULT, LEAK, report

TOKEN = github_token()
ASKED = Finding(section=Section.APPLIES, weight=Weight.ACTION, rule="uncited", message="Cite it.")
NOTICE = dataclasses.replace(LEAK, weight=Weight.NOTICE, line=9)
COMMAND = re.compile(r"::(error|warning|notice) (?:\w+=[^:,\n]*,?)+::.*")


def made(*findings: Finding, unread: tuple[Unread, ...] = ()) -> Report:
    return report(findings=findings, unread=unread, conclusions=conclusions(findings, unread))


def test_the_worst_first_and_a_summary() -> None:
    unread = Unread(section=Section.SYNC, what="AGENTS.md", why="it is too large: 2 MiB, 50%")
    assert (
        workflow(made(NOTICE, FAULT, ASKED, unread=(unread,)))
        == """\
::error title=memoryrail/sync%3A not read::AGENTS.md: it is too large: 2 MiB, 50%25
::error file=.memoryrail/memories/x.md,line=3,title=memoryrail/memory%3A reworded::\
DEC-0000 (X) is reworded. Keep it.
::error title=memoryrail/precheck%3A uncited::Cite it.
::notice file=.memoryrail/memories/x.md,line=9,title=memoryrail/secrets%3A github-token::\
Fingerprint 0123456789abcdef.
memoryrail/precheck action_required, memoryrail/secrets success, memoryrail/memory failure, \
memoryrail/sync failure. 3 errors, 0 warnings and 1 notice.
"""
    )


def test_nothing_found() -> None:
    (line,) = workflow(made()).splitlines()
    assert line.endswith("memoryrail/sync success. 0 errors, 0 warnings and 0 notices.")


def test_hostile_words_command_nothing() -> None:
    hostile = f"x\r\n::add-mask::a\n##[add-mask]b\x1b[31m {TOKEN}\u202e,y:z%0A"
    finding = dataclasses.replace(FAULT, message=hostile, path=hostile, rule=hostile)
    unread = Unread(section=Section.MEMORY, what=hostile, why=hostile)
    shown = workflow(made(finding, unread=(unread,)))
    *commands, summary, end = shown.split("\n")
    assert len(commands) == 2
    assert all(COMMAND.fullmatch(line) for line in commands)
    assert summary.startswith("memoryrail/precheck ")
    assert end == ""
    assert TOKEN not in shown
    assert set(shown) & {"\x1b", "\r", "\u202e"} == set()
    assert "file=x%0A%3A%3Aadd-mask%3A%3Aa%0A##[add-mask]b[31m [secret]%2Cy%3Az%250A,line" in shown


def test_more_than_github_shows_is_said() -> None:
    many = [dataclasses.replace(FAULT, line=line) for line in range(1, MAX_SHOWN + 2)]
    shown = workflow(made(*many)).splitlines()
    assert len(shown) == MAX_SHOWN + 3
    assert shown[-1] == "GitHub shows 10 annotations of each kind; all of them stand above."
