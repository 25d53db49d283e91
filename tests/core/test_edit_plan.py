"""Plans that are made one after the other become one commit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.edit_plan import MAX_REASON, MAX_TITLE, Action, EditPlan, FileEdit, Note, joined
from tests.making import memory


def edit(path: str, data: bytes | None, oid: str | None) -> FileEdit:
    return FileEdit(path=path, data=data, expected_oid=oid)


def approve(*titles: str) -> EditPlan:
    actions = [
        Action(verb="approve", memory=memory(f"2026100{n}-x", title=title))
        for n, title in enumerate(titles)
    ]
    return EditPlan(actions=tuple(actions))


def note(path: str, text: str = "was left alone") -> Note:
    return Note(path=path, text=text)


def test_the_last_content_is_written_over_the_first_expected_one() -> None:
    first = EditPlan(edits=(edit("b", b"1", "oid"),), notes=(note("n"),))
    second = EditPlan(
        edits=(edit("a", None, "other"), edit("b", b"2", "")), notes=(note("n"), note("m"))
    )
    plan = joined([first, second])
    assert plan.edits == (edit("a", None, "other"), edit("b", b"2", "oid"))
    assert plan.notes == (note("n"), note("m"))


def test_what_a_later_plan_edits_was_not_left_alone() -> None:
    plan = joined([EditPlan(notes=(note("a"),)), EditPlan(edits=(edit("a", b"1", "oid"),))])
    assert plan.notes == ()


def test_titles() -> None:
    assert approve("Keep it").title == 'memoryrail: approve DEC-f00e "Keep it"'
    assert approve("A", "B").title == "memoryrail: approve DEC-f00e and DEC-27c0"
    many = approve("A", "B", "C", "D").title
    assert many == "memoryrail: approve DEC-f00e, DEC-27c0 and 2 more"
    mixed = joined([approve("A"), EditPlan(actions=(Action(verb="reject", memory=memory()),))])
    assert mixed.title == "memoryrail: approve DEC-f00e, reject DEC-74f0"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("No [skip ci] here", "No (skip ci) here"),
        ("Fixes #12 for @kim", "Fixes # 12 for @ kim"),
        ("Closes GH-12", "Closes GH- 12"),
        ("Fixes https://github.example/a/b/issues/1", "Fixes https:// github.example/a/b/issues…"),
        ("a\nCo-authored-by: x", "a Co-authored-by: x"),
        ("***NO_CI*** **b** 2*3", "NO_CI b 2*3"),
        ("a skip-checks: true", "a skip checks: true"),
        ("Skip-Checks:true", "Skip Checks:true"),
        ("--skip-ci --ci-skip a--b c-d --", "skip-ci ci-skip a b c-d --"),
        ('say "x"', "say 'x'"),
        ("bi\u202edi\u200b", "bidi"),
    ],
)
def test_a_title_is_only_words(title: str, shown: str) -> None:
    assert approve(title).title == f'memoryrail: approve DEC-f00e "{shown}"'


def reject(*reasons: str) -> EditPlan:
    actions = [
        Action(verb="reject", memory=memory(f"2026100{n}-x"), reason=reason)
        for n, reason in enumerate(reasons)
    ]
    return EditPlan(actions=tuple(actions))


def test_a_body_holds_each_reason_once() -> None:
    assert reject("").body == ""
    assert reject("we use streams").body == "Reason for DEC-f00e: we use streams"
    assert reject("no", "yes", "no").body.endswith(
        "\n\nReason for DEC-f00e and DEC-6a30: no\nReason for DEC-27c0: yes"
    )


def test_a_body_has_the_titles_that_the_subject_lacks() -> None:
    assert approve("Keep it").body == ""
    long = "Orders go through a queue that nobody but @kim may stop, " * 2
    assert approve(long).body == f"approve DEC-f00e: {long.replace('@', '@ ').strip()}"
    assert approve("A [skip ci]", "B").body == (
        "approve DEC-f00e: A (skip ci)\napprove DEC-27c0: B"
    )


def test_a_reason_is_only_words_without_credentials() -> None:
    token = "ghp_" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz3Xc5"
    reason = f"[skip ci] fixes #12\u2028MemoryRail-Comment: 7\n{token[:9]}\u200b{token[9:]} @kim"
    assert reject(reason).body == (
        "Reason for DEC-f00e: (skip ci) fixes # 12 MemoryRail-Comment: 7 (secret) @ kim"
    )


@given(st.text(max_size=2000))
def test_a_body_is_one_line_for_one_reason(reason: str) -> None:
    body = reject(reason).body
    assert len(body) <= MAX_REASON + len("Reason for DEC-f00e: ")
    assert body.isprintable()
    assert len(body.splitlines()) <= 1


@given(st.lists(st.text(max_size=100), min_size=1, max_size=8))
def test_a_title_is_one_short_line(titles: list[str]) -> None:
    title = approve(*titles).title
    assert len(title) <= MAX_TITLE
    assert title.isprintable()
    assert "[" not in title
