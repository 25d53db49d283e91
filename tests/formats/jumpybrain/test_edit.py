"""The edit contract."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.edit import content_hash, show, update
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.validate import PROTECTED
from tests.formats.jumpybrain.making import SECTIONS, id_of, text
from tests.formats.jumpybrain.test_frontmatter import PIECES

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
PLACE = "notes/a.md"
FILES = {PLACE: text().encode(), "notes/b.md": text(2).encode()}
TOKEN = content_hash(FILES[PLACE])


def _rule(content: str | bytes, *, id_: str = id_of(1), token: str | None = TOKEN) -> str:
    data = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(Refused) as refused:
        update(FILES, id_, if_match=token, content=data, now=NOW)
    return refused.value.rule


@given(PIECES)
def test_protected_fields_stay_whatever_is_submitted(submitted: str) -> None:
    before = read_document(PLACE, FILES[PLACE])
    try:
        done = update(FILES, id_of(1), if_match=TOKEN, content=submitted.encode(), now=NOW)
    except Refused:
        assert _rule(submitted) == "bad-document"
        return
    after = read_document(PLACE, done.data)
    assert done.place == PLACE
    for name in PROTECTED:
        if name in before.parts.fields:
            assert after.parts.text(name) == before.parts.text(name)
    assert after.parts.text("updated_at") == "2026-10-10T17:30:00.000Z"
    given_ = read_document(PLACE, submitted.encode())
    assert after.body == given_.body
    assert show({PLACE: done.data}, id_of(1)).content_hash == done.content_hash


@given(st.text(), PIECES)
def test_a_stale_token_changes_nothing(token: str, submitted: str) -> None:
    expected = "precondition_failed" if token else "precondition_required"
    assert _rule(submitted, token=token) == expected


def test_a_token_is_good_once() -> None:
    edited = text(body="\nMore.\n").encode()
    done = update(FILES, id_of(1), if_match=TOKEN, content=edited, now=NOW)
    with pytest.raises(Refused) as refused:
        update({PLACE: done.data}, id_of(1), if_match=TOKEN, content=edited, now=NOW)
    assert refused.value.rule == "precondition_failed"


def test_lines_that_are_not_protected_stay_as_submitted() -> None:
    submitted = text(title="New").replace('"note"', "note").replace("---\n\n", "# c\n x:\n---\n\n")
    done = update(FILES, id_of(1), if_match=TOKEN, content=submitted.encode(), now=NOW)
    expected = submitted.replace(
        'updated_at: "2026-06-02T12:00:00.000Z"', 'updated_at: "2026-10-10T17:30:00.000Z"'
    )
    assert done.data.decode() == expected


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"\xff", "bad-document"),
        ("", "bad-document"),
        (" \n", "bad-document"),
        ("---\nid: x\n", "bad-document"),
        ("---\ntitle: x\n---\n\n", "bad-document"),
        ("---\nid: x\nid: y\n---\nB\n", "bad-document"),
        ("x" * (1 << 20), "bad-document"),
        ("key AK" + "IAQ7XK2M5VN3JPRT4C", "secret"),
    ],
)
def test_content_that_is_no_document_is_refused(content: str | bytes, rule: str) -> None:
    assert _rule(content) == rule


def test_what_is_asked_comes_first_what_is_said_last() -> None:
    assert _rule("", token=None, id_="mem_1") == "precondition_required"
    assert _rule("", token="x", id_="mem_1") == "invalid_id"
    assert _rule("", token="x", id_=id_of(9)) == "missing_id"
    assert _rule("", token="x") == "precondition_failed"


def test_two_documents_with_an_id_are_both_named() -> None:
    with pytest.raises(Refused) as refused:
        show({**FILES, "pages/c.md": FILES[PLACE]}, id_of(1))
    assert (refused.value.rule, refused.value.paths) == ("duplicate_id", (PLACE, "pages/c.md"))


def test_a_wrapup_keeps_its_sections() -> None:
    session = text(type="session", source="jumpybrain-wrapup", body=f"\n{SECTIONS}")
    files = {"sessions/a.md": session.encode()}
    token = content_hash(files["sessions/a.md"])
    shorter = session.replace("## Decisions\n- d\n", "").encode()
    with pytest.raises(Refused) as refused:
        update(files, id_of(1), if_match=token, content=shorter, now=NOW)
    assert (refused.value.rule, refused.value.missing) == ("bad-wrapup", ("Decisions",))


def test_an_id_is_found_however_it_is_written() -> None:
    escaped = text().replace("mem_", r"mem\u005f").encode()
    assert show({PLACE: escaped}, id_of(1)).document.place == PLACE


def test_a_root_of_another_schema_is_not_written() -> None:
    files = {**FILES, "jumpybrain.json": b'{"schemaVersion": 2}'}
    with pytest.raises(Refused) as refused:
        update(files, id_of(1), if_match=TOKEN, content=b"x", now=NOW)
    assert refused.value.rule == "schema-too-new"
