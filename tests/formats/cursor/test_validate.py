"""The messages, and what the vectors leave out; they hold the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Severity, TreeFile
from bot.formats.cursor.validate import (
    instant,
    is_too_short,
    mismatches,
    problems_of,
    read_file,
    readable,
    secrets_of,
)
from tests.formats.cursor.making import entry


def rules(name: str, text: str) -> list[str]:
    return [one.rule for one in problems_of([read_file(name, text.encode())])]


def test_a_fault_names_the_entry_its_line_and_what_is_right() -> None:
    text = f"# Log\n\n{entry('a-1', status='finished')}"
    (problem,) = problems_of([read_file("session-handoff.md", text.encode())])
    assert (problem.path, problem.line, problem.rule) == ("session-handoff.md", 3, "bad-status")
    assert problem.message == "Entry a-1: `status` is one of in_progress, done, blocked, rejected."


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_summary_is_one_line_to_every_reader(end: str) -> None:
    assert rules("session-handoff.md", entry(summary=f"one{end}two")) == ["summary-multiline"]


def test_advice_is_a_notice() -> None:
    text = entry(tags="[Not Kebab]", links="[nobody]")
    found = problems_of([read_file("session-handoff.md", text.encode())])
    assert {one.rule for one in found} == {"bad-tag", "dangling-link"}
    assert {one.severity for one in found} == {Severity.NOTICE}


def test_the_older_of_two_moments_is_the_one_that_is_out_of_order() -> None:
    ats = ("2026-04-22T10:00:00Z", "2026-04-22T09:00:00Z", "2026-04-22T09:30:00Z")
    text = "".join(entry(f"a-{n}", at=at) for n, at in enumerate(ats))
    (problem,) = problems_of([read_file("session-handoff.md", text.encode())])
    assert (problem.rule, problem.message[:9]) == ("out-of-order-at", "Entry a-1")


def test_a_credential_is_told_at_its_line_and_not_shown() -> None:
    value = "ghp_" + "A1b2C3d4E5f6G7h8I9" + "j0K1l2M3n4O5p6Q7r8"
    file = read_file("decisions.md", entry(body=f"The token was\n{value} until noon.").encode())
    (problem,) = secrets_of([file])
    assert (problem.line, problem.rule) == (13, "secret")
    assert value not in problem.message


@pytest.mark.parametrize(("author", "manual", "count"), [("human", True, 0), ("subagent", True, 1)])
def test_only_people_write_for_another_task(author: str, manual: bool, count: int) -> None:
    file = read_file("session-handoff.md", entry("new-1", author=author).encode())
    assert len(mismatches([file], {"old"}, "2-2", allow_manual=manual)) == count
    assert not mismatches([file], {"new-1"}, "2-2", allow_manual=False)


def test_a_symlink_is_not_read() -> None:
    link = TreeFile(path="x/decisions.md", oid="", data=b"/etc/passwd", is_symlink=True)
    files, problems = readable([link])
    assert files == ()
    assert [one.rule for one in problems] == ["symlink"]


@pytest.mark.parametrize(
    ("body", "short"),
    [("x" * 20, False), ("x " * 19, True), ("\u200b" * 99, True), (" " * 300 + "x" * 20, False)],
)
def test_a_body_says_something(body: str, short: bool) -> None:
    assert is_too_short(body) is short


def test_moments_are_in_utc() -> None:
    assert instant("2026-04-22T19:30:56Z") is not None
    assert instant("2026-02-30T19:30:56Z") is None


@given(st.binary(max_size=300))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    problems_of([read_file("decisions.md", b"<!-- memory-entry:start -->\n---\n" + data)])
