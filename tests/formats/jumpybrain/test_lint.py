from datetime import UTC, datetime

from bot.formats.jumpybrain.lint import findings, report
from tests.formats.jumpybrain.making import document, text

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)


def test_titles_are_compared_by_their_words() -> None:
    documents = [
        document("notes/a.md", text(title="Alpha cache")),
        document("findings/b.md", text(2, title="ALPHA-cache!")),
        document("pages/c.md", text(3, type="page", title="Alpha cache", body="\n`notes/a.md`\n")),
        document("notes/d.md", text(4, title="")),
        document("notes/e.md", text(5, title="")),
    ]
    assert [(one.kind, one.files) for one in findings(documents)] == [
        ("duplicate-title", ("findings/b.md", "notes/a.md"))
    ]


def test_only_what_a_decision_says_answers_a_question() -> None:
    asked = "\n## Open Questions\n- Should the alpha cache expire sooner?\n- Why?\n- Later: a?b\n"
    answer = "\nDecided: the alpha cache should expire sooner.\n"
    decision = document("decisions/d.md", text(2, type="decision", body=answer))
    documents = [document("notes/a.md", text(body=asked)), decision]
    (found,) = findings(documents)
    assert (found.kind, found.by) == ("question-answered", "decisions/d.md")
    assert found.question == "Should the alpha cache expire sooner?"
    other = document("findings/d.md", text(2, type="finding", body=answer))
    assert findings([documents[0], other]) == ()


def test_conflicts_name_a_path_or_an_id() -> None:
    one = document("notes/a.md", text().replace("---\n\n", "conflicts_with: [notes/b.md]\n---\n\n"))
    assert [found.kind for found in findings([one])] == ["conflict-target-missing"]
    two = document("notes/b.md", text(2))
    assert [found.kind for found in findings([one, two])] == ["conflict"]


def test_a_topic_narrows_what_is_looked_at() -> None:
    documents = [
        document("pages/a.md", text(type="page", title="Queue")),
        document("pages/b.md", text(2, type="page", title="Cache", body="\nx\n")),
    ]
    assert [one.files for one in findings(documents, "cache")] == [("pages/b.md",)]


def test_a_report_is_derived_state() -> None:
    found = findings([document("pages/a.md", text(type="page", title="Q"))])
    path, data = report(found, now=NOW, topic="The Queue")
    assert path == ".jumpybrain/reports/lint-2026-10-10-the-queue.md"
    assert b"page-without-sources: pages/a.md" in data
    assert b"Nothing" in report([], now=NOW)[1]


def test_time_does_not_grow_with_the_square() -> None:
    blanks = f"\n## Open Questions\n- {' ' * 200_000}x\n- {'? ' * 100_000}x\n"
    assert findings([document("notes/a.md", text(body=blanks))]) == ()
