from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.validate import problems_of
from bot.formats.jumpybrain.writing import Written, file_name, free_name, remember, slug, wrapup
from tests.formats.jumpybrain.making import SECTIONS, id_of

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)

# What people and agents may pass: quotes, brackets, dashes, line ends of every kind.
TEXTS = st.text(
    alphabet=st.sampled_from("aB :,[]'\"#-\\\n\r\t\u2028\u0085\ufeffé<"), max_size=20
) | st.sampled_from(["---", "id: x", "\n---\n", "## Findings"])


def _sound(done: Written) -> None:
    document = read_document(done.place, done.data)
    assert problems_of([document]) == ()
    assert document.id == done.id == id_of(1)


@given(st.sampled_from(["note", "finding", "page"]), TEXTS, TEXTS, st.lists(TEXTS, max_size=2))
def test_what_is_remembered_is_sound_and_reads_back(
    type_: str, title: str, body: str, tags: list[str]
) -> None:
    said = f"x {body}"
    done = remember({}, type_=type_, title=title, body=said, tags=tags, now=NOW, new_id=id_of(1))
    _sound(done)
    document = read_document(done.place, done.data)
    assert document.title == (" ".join(title.split()) or "Untitled memory")
    assert document.type == type_
    kept = [tag.strip() for tag in tags if tag.strip()]
    assert document.parts.fields["tags"].items == tuple(dict.fromkeys(kept))
    assert document.body.startswith(f"\n# {document.title}\n\nx")
    assert not document.waits


@given(TEXTS, TEXTS, TEXTS)
def test_a_wrapup_is_sound(title: str, topic: str, said: str) -> None:
    body = f"{SECTIONS}\n{said}"
    done = wrapup({}, title=title, topic=topic, body=body, now=NOW, new_id=id_of(1))
    _sound(done)
    document = read_document(done.place, done.data)
    assert document.waits
    assert document.parts.text("recall_topic") == topic.strip()


def test_a_session_is_named_where_one_is_known() -> None:
    said = {"type_": "note", "title": "T", "body": "B", "session_id": "s-1"}
    done = remember({}, **said, now=NOW, new_id=id_of(1))  # type: ignore[arg-type]
    names = list(read_document(done.place, done.data).parts.fields)
    assert names[3:6] == ["source", "session_id", "created_at"]


def test_what_an_agent_remembers_waits_for_a_person() -> None:
    done = remember({}, type_="note", title="T", body="B", by_agent=True, now=NOW, new_id=id_of(1))
    _sound(done)
    parts = read_document(done.place, done.data).parts
    assert parts.text("confidence") == "agent-drafted"
    assert parts.text("review") == "user-review-recommended"
    assert list(parts.fields)[-3:] == ["confidence", "review", "tags"]


def test_names_of_files() -> None:
    assert slug("A" * 100) == "a" * 80
    assert slug("…") == ""
    assert file_name("session", "…", NOW, fallback="session-wrapup") == (
        "sessions/2026-10-10-session-wrapup.md"
    )
    first = free_name(["notes/A.md"], "notes/a.md", NOW)
    assert first == "notes/a-1791653400000-1.md"
    assert free_name(["notes/a.md", first], "notes/a.md", NOW).endswith("-2.md")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"title": None}, "title-required"),
        ({"body": " \n"}, "empty-body"),
        ({"type_": "lesson"}, "bad-type"),
        ({"body": "a\udc80"}, "bad-encoding"),
        ({"title": "AK" + "IAQ7XK2M5VN3JPRT4C"}, "secret"),
        ({"tags": ["AK" + "IAQ7XK2M5VN3JPRT4C"]}, "secret"),
        ({"files": {"jumpybrain.json": b"{}"}}, "bad-schema-version"),
    ],
)
def test_what_is_refused(changes: dict[str, object], rule: str) -> None:
    given_ = {"files": {}, "type_": "note", "title": "T", "body": "B", **changes}
    with pytest.raises(Refused) as refused:
        remember(now=NOW, new_id=id_of(1), **given_)  # type: ignore[arg-type]
    assert refused.value.rule == rule
    assert "Q7XK" not in str(refused.value)


def test_a_credential_may_be_allowed() -> None:
    done = remember(
        {},
        type_="note",
        title="T",
        body="AK" + "IAQ7XK2M5VN3JPRT4C",
        now=NOW,
        new_id=id_of(1),
        allow_secrets=True,
    )
    assert done.place == "notes/2026-10-10-t.md"
