from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Severity
from bot.formats.cursor.append import (
    Draft,
    InvalidEntries,
    Refused,
    append,
    file_name,
    free_id,
    with_block,
)
from bot.formats.cursor.validate import problems_of, read_file
from tests.formats.cursor.making import BODY, entry

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
DRAFT = Draft(file="decisions", kind="decision", status="done", summary="Use one broker", body=BODY)

# What people and agents may pass: quotes, brackets, markers, line ends of every kind.
TEXTS = st.text(
    alphabet=st.sampled_from("ab :,[]'\"#-\n\r\u2028\ufeffé<!>"), max_size=20
) | st.sampled_from(["<!-- memory-entry:end -->", "---", "author: human"])


@given(
    TEXTS, TEXTS, TEXTS, st.lists(TEXTS, max_size=2), st.sampled_from(["", "# H", "# H\r\n\r\n"])
)
def test_what_is_written_reads_back_or_nothing_is(
    summary: str, scope: str, said: str, tags: list[str], before: str
) -> None:
    draft = replace(DRAFT, summary=summary, scope=scope, body=f"{BODY}\n{said}", tags=tuple(tags))
    files = {"decisions.md": before.encode()} if before else {}
    try:
        done = append(files, draft, correlation_id="1-0", now=NOW)
    except (Refused, InvalidEntries):
        return
    file = read_file(done.name, done.data)
    assert not [one for one in problems_of([file]) if one.severity is Severity.ERROR]
    (found,) = file.blocks.entries
    assert (found.text("summary"), found.text("scope")) == (summary.strip(), scope.strip())
    assert found.text("author") == "orchestrator"
    assert found.items("tags") == tuple(sorted({tag.strip() for tag in tags} - {""}))
    assert found.body.startswith(BODY)
    assert done.data.startswith(before.rstrip().encode())


def test_entries_keep_coming_and_stay_valid() -> None:
    files: dict[str, bytes] = {}
    ids = []
    for number in range(4):
        draft = replace(DRAFT, summary=f"Step {number}", body=f"{BODY} {number}")
        done = append(files, draft, correlation_id="7-0", now=NOW)
        assert done.data.startswith(files.get(done.name, b""))
        files[done.name] = done.data
        ids.append(done.id)
    assert ids == ["7-0-decision", "7-0-decision-2", "7-0-decision-3", "7-0-decision-4"]
    assert problems_of([read_file("decisions.md", files["decisions.md"])]) == ()


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    before = b"# caf\xe9\n\n" + entry("a-1", kind="decision", body=f"{BODY} So.").encode()
    done = append({"decisions.md": before}, DRAFT, correlation_id="7-0", now=NOW)
    assert done.data.startswith(before)


def test_the_same_body_is_not_said_twice() -> None:
    files = {"decisions.md": entry("a-1", kind="decision").encode()}
    with pytest.raises(Refused) as refused:
        append(files, DRAFT, correlation_id="7-0", now=NOW)
    assert refused.value.rule == "duplicate-body"
    assert append(files, DRAFT, correlation_id="7-0", now=NOW, allow_duplicate=True).id


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "x\n", "x\0"])
def test_a_file_is_named_and_not_a_path(name: str) -> None:
    with pytest.raises(Refused):
        file_name(name)
    assert file_name("decisions") == file_name("decisions.md") == "decisions.md"


def test_ids_are_numbered_where_they_are_taken() -> None:
    assert free_id("a", frozenset()) == "a"
    assert free_id("a", frozenset({"a", "a-2"})) == "a-3"


def test_one_blank_line_stands_before_a_block() -> None:
    assert with_block(b"# H\n\n\n \n", "B\n") == b"# H\n\nB\n"
    assert with_block(b"\n\n", "B\n") == b"B\n"
    assert with_block(b"# H  \n" + b"\r\n \r" * 2000, "B\n") == b"# H  \n\nB\n"
    assert with_block(b"# H\r\n", "B\n") == b"# H\r\n\r\nB\r\n"
