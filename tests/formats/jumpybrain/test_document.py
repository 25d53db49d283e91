import pytest

from bot.formats.jumpybrain.document import read_document, readable
from tests.formats.jumpybrain.making import document, file, text


@pytest.mark.parametrize(
    ("place", "said", "type_"),
    [
        ("decisions/a.md", "note", "note"),
        ("decisions/2026/a.md", "Decision", "decision"),
        ("pages/a.md", "", "page"),
    ],
)
def test_a_type_that_is_not_known_is_that_of_the_bucket(place: str, said: str, type_: str) -> None:
    assert document(place, text(type=said)).type == type_


def test_a_title_is_as_written_and_shown_on_one_line() -> None:
    assert document("notes/a.md", "---\ntitle: 2026\n---\n").title == "2026"
    assert document("notes/a.md", "no title\n\n# A  heading \r\n").shown_title == "A heading"
    assert document("notes/a-b.md", "nothing").shown_title == "a-b"
    assert document("notes/a.md", text(title="a\nb")).shown_title == "a b"


@pytest.mark.parametrize(
    ("fields", "waits"),
    [
        ({}, False),
        ({"confidence": "agent-drafted"}, True),
        ({"confidence": "0.8"}, False),
        ({"review": "user-review-recommended"}, True),
    ],
)
def test_what_an_agent_drafted_waits(fields: dict[str, str], waits: bool) -> None:
    assert document("notes/a.md", text(**fields)).waits is waits


def test_a_document_without_an_id_is_known_by_its_path() -> None:
    assert document("notes/a.md", text(id="note-7")).address == "notes/a.md"
    assert read_document("notes/a.md", b"x", folder="memory").path == "memory/notes/a.md"


def test_what_cannot_be_read_says_why() -> None:
    link = file("memory/notes/l.md", "x")
    documents, problems = readable(
        [
            file("memory/notes/b.md", b"\xff"),
            file("memory/README.md", "r"),
            type(link)(path=link.path, oid="1", data=b"x", is_symlink=True),
        ],
        "memory",
    )
    assert [(one.place, one.is_damaged) for one in documents] == [("notes/b.md", True)]
    assert [one.rule for one in problems] == ["symlink"]
