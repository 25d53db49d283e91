"""The four check runs of a report, within GitHub's limits."""

import dataclasses

from bot.core.check_run import MAX_SUMMARY, CheckRun
from bot.core.report import Check, Conclusion, Decision, Finding, Report, Section, Unread, Weight
from bot.core.verdicts import conclusions
from bot.render.check_runs import DECISIONS, MAX_ANNOTATIONS, check_runs
from tests.render.test_comment import BLOCK, FAULT, MATCHES, SECRET, report


def judged(made: Report) -> dict[Check, CheckRun]:
    """The check runs by name, with the conclusions that follow from the findings."""
    full = dataclasses.replace(made, conclusions=conclusions(made.findings, made.unread))
    runs = check_runs(full)
    assert [run.name for run in runs] == [check.value for check in Check]
    return {Check(run.name): run for run in runs}


def test_each_check_always_has_a_verdict() -> None:
    runs = judged(report(has_stores=False, memories_read=0))
    assert {run.conclusion for run in runs.values()} == {Conclusion.SUCCESS}
    assert [run.title for run in runs.values()] == [
        "Nothing to check: there is no project memory here",
        "No secrets in this change",
        "Nothing to check: there is no project memory here",
        "Nothing to check: there is no project memory here",
    ]
    assert all(run.annotations == () for run in runs.values())


def test_precheck_says_what_applies_and_why() -> None:
    run = judged(report(matches=MATCHES))[Check.PRECHECK]
    assert run.title == "2 constraints bind this change, and one way of doing it failed before"
    assert run.text.splitlines()[0] == (
        "- **CON-21ec** (constraint) Money is integer cents · why: applies to every change"
    )
    assert "- **ATT-335f** (failed attempt) Retry orders" in run.text


def test_a_finding_is_annotated_where_it_stands() -> None:
    run = judged(report(findings=(FAULT,)))[Check.MEMORY]
    assert (run.conclusion, run.title) == (
        Conclusion.FAILURE,
        "1 fault in this change to the project memory",
    )
    (note,) = run.annotations
    assert (note.path, note.start_line, note.level, note.title) == (
        ".memoryrail/memories/x.md",
        3,
        "failure",
        "reworded",
    )
    assert "- `.memoryrail/memories/x.md:3`: DEC-0000 (X) is reworded. Keep it." in run.summary
    assert "Rules from main at bbbbbbb, change at aaaaaaa." in run.summary


def test_what_is_ignored_is_not_said_to_have_stood_before() -> None:
    notice = Finding(
        section=Section.SECRETS, weight=Weight.NOTICE, rule="generic-password", message="It is."
    )
    ignored = dataclasses.replace(SECRET, is_dismissed=True)
    both = report(findings=(notice, notice), secrets=(ignored, SECRET))
    run = judged(both)[Check.SECRETS]
    assert run.title == "No new secret; 1 is ignored and 1 stood in memory files before"
    run = judged(report(findings=(notice,), secrets=(ignored,)))[Check.SECRETS]
    assert run.title == "No new secret; 1 is ignored"


def test_what_was_not_read_fails_and_says_why() -> None:
    unread = Unread(section=Section.SECRETS, what="a\nbig.bin", why="GitHub left it out")
    run = judged(report(unread=(unread,)))[Check.SECRETS]
    assert run.conclusion is Conclusion.FAILURE
    assert run.title == "Not fully checked: a big.bin: GitHub left it out"
    assert run.summary.startswith("- **Not fully checked:** a big.bin: GitHub left it out")


def test_sync_shows_what_would_mend_it() -> None:
    finding = dataclasses.replace(FAULT, section=Section.SYNC, path="AGENTS.md")
    run = judged(report(blocks=(BLOCK,), findings=(finding,)))[Check.SYNC]
    assert run.title == "AGENTS.md out of date after this change"
    assert run.text == "`AGENTS.md`\n\n```diff\n@@\n-a\n+b\n```\n"


def test_a_finding_without_a_file_is_in_the_summary_alone() -> None:
    finding = dataclasses.replace(FAULT, section=Section.APPLIES, weight=Weight.ACTION, path=None)
    run = judged(report(findings=(finding,)))[Check.PRECHECK]
    assert run.conclusion is Conclusion.ACTION_REQUIRED
    assert run.title == "1 constraint must be cited before this can be merged"
    assert (run.annotations, "- DEC-0000 (X)" in run.summary) == ((), True)


def test_many_long_findings_fit_by_bytes() -> None:
    many = tuple(
        dataclasses.replace(FAULT, message="€" * 600, line=number) for number in range(1, 301)
    )
    run = judged(report(findings=many))[Check.MEMORY]
    assert len(run.summary.encode()) <= MAX_SUMMARY
    assert " more did not fit." in run.summary
    assert len(run.annotations) == MAX_ANNOTATIONS


def test_standing_faults_are_told_but_pass() -> None:
    stood: Finding = dataclasses.replace(FAULT, weight=Weight.NOTICE, is_older=True)
    run = judged(report(findings=(stood,)))[Check.MEMORY]
    assert (run.conclusion, run.title) == (Conclusion.SUCCESS, "1 older fault not caused here")


def test_what_marks_hide_is_told_but_passes() -> None:
    hits = tuple(dataclasses.replace(SECRET, line=line, is_marked=True) for line in (1, 2))
    finding = dataclasses.replace(
        FAULT, section=Section.SECRETS, weight=Weight.NOTICE, path=None, message="Look"
    )
    run = judged(report(secrets=hits, findings=(finding,)))[Check.SECRETS]
    assert (run.conclusion, run.title) == (Conclusion.SUCCESS, "No secret but 2 that marks hide")
    assert "Look" in run.summary


def test_the_commands_that_were_given_stand_in_the_details() -> None:
    done = Decision(
        at="2026-10-10 12:00 UTC",
        actor="ada",
        permission="maintain",
        verb="approve",
        refs="DEC-a3f9",
        done=True,
        commit_sha="0123456789abcdef",
    )
    refused = dataclasses.replace(
        done, actor="eve<!--", permission="", verb="undo", refs="", done=False, commit_sha=None
    )
    run = judged(report(decisions=(refused, done)))[Check.MEMORY]
    assert run.text == (
        f"{DECISIONS}\n\n"
        "- 2026-10-10 12:00 UTC, `@eve<!--`: `undo`, refused\n"
        "- 2026-10-10 12:00 UTC, `@ada` (maintain): `approve DEC-a3f9`, done in 0123456"
    )
