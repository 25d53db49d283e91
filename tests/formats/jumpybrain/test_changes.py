import pytest

from bot.formats.jumpybrain.changes import derived_state, protected_changes
from tests.formats.jumpybrain.making import document, id_of, text

BEFORE = [document("notes/a.md", text())]


@pytest.mark.parametrize(
    ("fields", "rule", "line"),
    [
        ({"id": id_of(2)}, "protected-field:id", 2),
        ({"id": ""}, "protected-field:id", 1),
        ({"type": "page"}, "protected-field:type", 3),
        ({"created_at": "2030-01-01T00:00:00.000Z"}, "protected-field:created_at", 6),
        ({"source": "forged"}, "protected-field:source", 5),
        ({"source": ""}, "protected-field:source", 1),
    ],
)
def test_identity_stays(fields: dict[str, str], rule: str, line: int) -> None:
    (problem,) = protected_changes(BEFORE, [document("notes/a.md", text(**fields))])
    assert (problem.rule, problem.line) == (rule, line)


@pytest.mark.parametrize(
    "fields", [{}, {"title": "New"}, {"confidence": "agent-drafted"}, {"type": ""}]
)
def test_all_else_may_change(fields: dict[str, str]) -> None:
    after = [document("notes/a.md", text(**fields, body="\nOther.\n"))]
    assert protected_changes(BEFORE, after) == ()


def test_what_was_not_there_may_come() -> None:
    bare = [document("notes/a.md", text(id="note-7", source="", created_at=""))]
    assert protected_changes(bare, BEFORE) == ()
    assert protected_changes([], BEFORE) == ()
    assert protected_changes(BEFORE, []) == ()


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("notes/b.md", ["renamed"]),
        ("notes/deep/a.md", ["renamed"]),
        ("pages/a.md", ["moved"]),
    ],
)
def test_a_document_stays_where_it_is(path: str, rules: list[str]) -> None:
    found = protected_changes(BEFORE, [document(path, text())])
    assert [one.rule for one in found] == rules
    assert "notes/a.md" in found[0].message


def test_a_copy_is_no_move() -> None:
    assert protected_changes(BEFORE, [*BEFORE, document("pages/a.md", text())]) == ()


def test_a_rename_is_known_by_its_paths_too() -> None:
    after = [document("notes/b.md", text(id=""))]
    found = protected_changes(BEFORE, after, renames={"notes/b.md": "notes/a.md"})
    assert [one.rule for one in found] == ["protected-field:id", "renamed"]
    out = protected_changes(BEFORE, [], renames={"docs/a.md": "notes/a.md"})
    assert [(one.path, one.rule) for one in out] == [("docs/a.md", "moved")]


def test_derived_state_is_not_committed() -> None:
    paths = ["memory/.jumpybrain/b", "memory/notes/a.md", "memory/.jumpybrain/a"]
    assert [one.path for one in derived_state("memory", paths)] == [paths[2], paths[0]]
