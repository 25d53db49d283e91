"""Each rule, at its line."""

import pytest

from bot.core.model import Severity
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.validate import problems_of, secrets_of
from tests.formats.jumpybrain.making import SECTIONS, document, id_of, text

WRAPUP = {"type": "session", "source": "jumpybrain-wrapup"}


def test_a_sound_document_has_no_faults() -> None:
    assert problems_of([document("notes/a.md", text())]) == ()
    session = text(body=f"\n{SECTIONS}", **WRAPUP)
    assert problems_of([document("sessions/a.md", session)]) == ()
    assert problems_of([document("sessions/b.md", text(2, type="session"))]) == ()


@pytest.mark.parametrize(
    ("place", "content", "rule", "line", "severity"),
    [
        ("notes/a.md", "plain\n", "missing-id", 1, "error"),
        ("notes/a.md", "---\ntype: note\nid:\n---\n", "missing-id", 3, "error"),
        ("notes/a.md", text(id="note-7"), "bad-id", 2, "error"),
        ("notes/a.md", text(type="lesson"), "bad-type", 3, "warning"),
        ("decisions/a.md", text(), "type-not-of-bucket", 3, "warning"),
        ("notes/a.md", text(created_at="yesterday"), "bad-timestamp", 6, "warning"),
        ("notes/a.md", text(tags="a"), "bad-tags", 9, "notice"),
        ("notes/a.md", text(confidence="sure"), "bad-confidence", 8, "notice"),
        ("notes/a.md", text().replace("source:", "id:"), "duplicate-field:id", 5, "error"),
        ("notes/a.md", text().replace("source:", "title:"), "duplicate-field:title", 5, "warning"),
        ("notes/a.md", text().replace("source:", "- source"), "unread-line", 5, "notice"),
        (
            *("sessions/a.md", text(body=SECTIONS.replace("- d\n", ""), **WRAPUP)),
            *("empty-section:Decisions", 13, "error"),
        ),
        (
            *("sessions/a.md", text(body=f"\n{SECTIONS[12:]}", **WRAPUP)),
            *("missing-section:Findings", 10, "error"),
        ),
    ],
)
def test_a_fault_stands_at_its_line(
    place: str, content: str, rule: str, line: int, severity: str
) -> None:
    found = {one.rule: one for one in problems_of([document(place, content)])}
    assert (found[rule].line, found[rule].severity.value) == (line, severity)
    assert set(found) - {rule} <= {"bad-id"}


def test_an_open_block_is_told() -> None:
    rules = [one.rule for one in problems_of([document("notes/a.md", "---\nid: x\n")])]
    assert rules == ["missing-id", "open-frontmatter"]


def test_a_legacy_number_is_no_fault() -> None:
    content = text().replace('"user-reviewed"', "0.8")
    assert problems_of([document("notes/a.md", content)]) == ()


def test_the_later_of_two_with_an_id_is_at_fault() -> None:
    twins = [document("pages/b.md", text(type="page")), document("notes/a.md", text())]
    (problem,) = problems_of(twins)
    assert (problem.path, problem.line, problem.rule) == ("pages/b.md", 2, "duplicate-id")
    assert "notes/a.md" in problem.message


def test_bytes_that_are_no_text_are_a_notice() -> None:
    damaged = read_document("notes/a.md", text().encode() + b"\xff")
    assert [one.severity for one in problems_of([damaged])] == [Severity.NOTICE]


def test_a_credential_is_named_by_its_kind() -> None:
    token = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"
    (problem,) = secrets_of([document("notes/a.md", text(body=f"\nkey {token}\n"))])
    assert (problem.rule, problem.line) == ("secret", 11)
    assert token not in problem.message
    assert secrets_of([document("notes/a.md", text())]) == ()
    assert id_of(1) in text()
