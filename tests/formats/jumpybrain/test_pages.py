from datetime import UTC, datetime

import pytest

from bot.formats.jumpybrain.document import Document, read_document
from bot.formats.jumpybrain.pages import Page, sources_of, synthesize
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.sections import sections
from bot.formats.jumpybrain.validate import problems_of
from tests.formats.jumpybrain.making import document, id_of, text

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
NOTES = [
    document("notes/a.md", text(body="\n# Queue\n\n- It drains <b>in order</b>.\n")),
    document("findings/b.md", text(2, type="finding", updated_at="2026-08-01", title="Queue")),
]


def _page(documents: list[Document], topic: str = "queue") -> Page:
    return synthesize(documents, topic=topic, now=NOW, new_id=id_of(9))


def _read(page: Page) -> Document:
    return read_document(page.place, page.data)


def test_a_page_says_what_it_comes_from() -> None:
    page = _page(NOTES)
    document_ = _read(page)
    assert (page.place, page.sources) == ("pages/queue.md", ("findings/b.md", "notes/a.md"))
    assert [one.place for one in sources_of(document_, NOTES)] == list(page.sources)
    assert "It drains &lt;b>in order&lt;/b>." in document_.body
    assert problems_of([document_]) == ()
    assert document_.waits


def test_a_page_keeps_its_id_its_creation_and_its_path() -> None:
    there = text(7, type="page", topic="Queue")
    page = _page([*NOTES, document("pages/renamed.md", there)])
    assert (page.place, page.id) == ("pages/renamed.md", id_of(7))
    assert _read(page).parts.text("created_at") == "2026-06-02T12:00:00.000Z"
    assert _page([*NOTES, _read(_page(NOTES))]).id == id_of(9)


def test_a_page_of_another_topic_is_not_overwritten() -> None:
    other = document("pages/queue.md", text(7, type="page", topic="queue!?? more"))
    assert _page([*NOTES, other]).place.startswith("pages/queue-")


def test_older_documents_and_more_than_asked_are_left_out() -> None:
    since = datetime(2026, 7, 1, tzinfo=UTC)
    page = synthesize(NOTES, topic="queue", now=NOW, new_id=id_of(9), since=since)
    assert page.sources == ("findings/b.md",)
    page = synthesize(NOTES, topic="queue", now=NOW, new_id=id_of(9), limit=1)
    assert page.sources == ("findings/b.md",)


@pytest.mark.parametrize(
    ("topic", "rule"),
    [
        (" ", "topic-required"),
        ("…", "topic-required"),
        ("zebra", "no-sources"),
        ("queue \udcff", "bad-encoding"),
    ],
)
def test_what_is_refused(topic: str, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        _page(NOTES, topic)
    assert refused.value.rule == rule


def test_a_credential_does_not_spread() -> None:
    leaky = document("notes/l.md", text(body="\nqueue AK" + "IAQ7XK2M5VN3JPRT4C\n"))
    with pytest.raises(Refused) as refused:
        _page([leaky])
    assert refused.value.rule == "secret"


def test_sources_by_path_from_anywhere_or_by_id() -> None:
    body = f"\nSee [it](../notes/a.md), memory/findings/b.md and {id_of(1)}. {'x' * 50_000}\n"
    page = document("pages/p.md", text(9, type="page", body=body))
    assert [one.place for one in sources_of(page, NOTES)] == ["notes/a.md", "findings/b.md"]
    assert [one.name for one in sections(page.body)] == []
