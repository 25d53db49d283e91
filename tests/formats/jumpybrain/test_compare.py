"""What a change does to a memory root: only what it touches counts."""

from collections.abc import Mapping

import pytest

from bot.core.model import MemoryStore, Severity
from bot.core.snapshot import AddedBlock, ChangedFile
from bot.formats.jumpybrain.compare import compare
from bot.formats.jumpybrain.store import read
from tests.formats.jumpybrain.making import config, id_of, text
from tests.formats.jumpybrain.making import file as tree_file
from tests.making import file

A, B, CONFIG = "memory/notes/a.md", "memory/notes/b.md", "memory/jumpybrain.json"
OTHER_TITLE = text(title="Another")
OTHER_SOURCE = text(source="forged")


def store(documents: Mapping[str, str], *configs: str, version: int = 1) -> MemoryStore | None:
    data = f'{{"schemaVersion": {version}}}'.encode()
    marks = [config(path, data) for path in configs or (CONFIG,)]
    return read("", [*marks, *(tree_file(*one) for one in documents.items())])


def rules(
    before: MemoryStore | None, after: MemoryStore | None, *files: ChangedFile
) -> list[tuple[str, str, str]]:
    return [(one.rule, one.path, one.severity) for one in compare(before, after, files)]


@pytest.mark.parametrize(
    ("after", "changed", "expected"),
    [
        ({A: OTHER_TITLE}, file(A, removed=1), []),
        ({A: OTHER_SOURCE}, file(A, removed=1), [("protected-field:source", A, "error")]),
        ({A: OTHER_SOURCE}, file("src/a.py"), []),  # the base has changed it meanwhile
        ({A: text(source="")}, file(A, removed=0), []),  # the base has gained it meanwhile
        ({B: text()}, file(B, "renamed", previous_path=A), [("renamed", B, "error")]),
        (
            {"memory/pages/a.md": text()},
            file("memory/pages/a.md", "renamed", previous_path=A),
            [("moved", "memory/pages/a.md", "error")],
        ),
        ({}, file("docs/a.md", "renamed", previous_path=A), [("moved", "docs/a.md", "error")]),
        ({}, file(A, "removed", removed=9), [("document-removed", A, "warning")]),
        ({}, file("src/a.py"), []),  # the base has gained it meanwhile
        (
            {A: text(confidence="agent-drafted")},
            file(A, removed=1),
            [("draft-again", A, "warning")],
        ),
    ],
)
def test_what_a_change_does_to_a_document(
    after: Mapping[str, str], changed: ChangedFile, expected: list[tuple[str, str, str]]
) -> None:
    assert rules(store({A: text()}), store(after), changed) == expected


def test_what_git_saw_as_no_rename_is_known_by_its_id() -> None:
    files = file(A, "removed", removed=9), file(B, "added")
    assert rules(store({A: text()}), store({B: OTHER_TITLE}), *files) == [("renamed", B, "error")]


def test_documents_of_a_root_that_cannot_be_read_are_not_guessed_at() -> None:
    known, newer = store({A: text()}), store({A: OTHER_SOURCE}, version=2)
    for before, after in ((known, newer), (newer, known)):
        assert rules(before, after, file(A), file(CONFIG)) == []
    assert rules(known, newer, file("docs/a.md", "renamed", previous_path=A)) == []


def test_without_its_mark_a_root_is_none() -> None:
    before = store({A: text(), B: text(2)})
    removed = file(CONFIG, "removed")
    assert rules(before, None, removed) == [("root-removed", CONFIG, "error")]
    whole = removed, file(A, "removed"), file(B, "removed")
    assert rules(before, None, *whole) == [("root-removed", CONFIG, "warning")]
    assert rules(before, None, file("src/a.py")) == []  # the base has gained it meanwhile


def test_another_mark_takes_the_documents_out_of_sight() -> None:
    before, after = store({A: text()}), store({A: text()}, CONFIG, "jumpybrain.json")
    (problem,) = compare(before, after, [file("jumpybrain.json", "added")])
    assert (problem.rule, problem.path) == ("root-moved", "jumpybrain.json")
    assert problem.severity is Severity.ERROR
    assert f"not beside {CONFIG}" in problem.message
    assert A in problem.message
    assert rules(before, after, file("src/a.py")) == []


def test_derived_state_is_no_memory() -> None:
    path = "memory/.jumpybrain/dream/state.json"
    found = rules(None, store({A: text()}), file(path, "added"), file(f"x/{path}", "added"))
    assert found == [("derived-state", path, "error")]
    assert rules(store({}), store({}), file(path, "removed")) == []


def test_an_id_is_stamped_and_never_changed() -> None:
    bare, stamped = store({A: text(id="")}), store({A: text()})
    assert rules(bare, stamped, file(A, removed=0)) == []
    other = store({A: text(id=id_of(2))})
    assert rules(stamped, other, file(A, removed=1)) == [("protected-field:id", A, "error")]


@pytest.mark.parametrize(
    ("line", "added", "expected"),
    [
        (0, f'---\nid: "{id_of(9)}"\nsource: "manual"\n---', ["created_at", "id"]),
        (4, "---", ["created_at", "source"]),
        (4, "tags: []", []),
    ],
)
def test_lines_that_are_only_added_cannot_hide_fields(
    line: int, added: str, expected: list[str]
) -> None:
    lines = text().split("\n")
    lines.insert(line, added)
    change = file(A, removed=0, added=(AddedBlock(path=A, start=line + 1, text=added),))
    found = rules(store({A: text()}), store({A: "\n".join(lines)}), change)
    assert sorted(found) == [(f"protected-field:{name}", A, "error") for name in expected]


def test_a_mark_that_is_only_added_makes_a_draft_again() -> None:
    added = 'review: "user-review-recommended"'
    after = text().replace("---\n", f"---\n{added}\n", 1)
    change = file(A, removed=0, added=(AddedBlock(path=A, start=2, text=added),))
    found = rules(store({A: text()}), store({A: after}), change)
    assert found == [("draft-again", A, "warning")]
    assert rules(store({A: text()}), store({A: after}), file(A, removed=0)) == []  # approved since
