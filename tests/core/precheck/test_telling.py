"""Memories that a later change can hardly be found by."""

import pytest

from bot.core.precheck.telling import names_nothing
from tests.making import memory


@pytest.mark.parametrize(
    "text",
    [
        "Use `psql`",
        "Only src/db opens connections",
        "Keep pool.py small",
        "The max_pool_size is eight",
        "Call flushAll first",
        "Never call reset()",
        "Run it with --no-cache",
        "Use the WordPress plugin",
    ],
)
def test_what_names_a_path_file_or_identifier(text: str) -> None:
    assert names_nothing(memory(title=text)) is None
    assert names_nothing(memory(title="Keep it", body=text)) is None
    assert names_nothing(memory(title="Keep it", tags=(text,))) is None


@pytest.mark.parametrize("text", ["Keep it simple. And short.", "Ask first, e. g. by mail", ""])
def test_ordinary_words_name_nothing(text: str) -> None:
    found = names_nothing(memory(title="Money is whole cents", body=text, lines={"title": 4}))
    assert found is not None
    assert (found.rule, found.line, found.severity) == ("names-nothing", 4, "notice")
    assert "Link what it is about" in found.message


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("thread", {}),
        ("session", {}),
        ("decision", {"status": "archived"}),
        ("decision", {"links": ["src"]}),
        ("constraint", {"pinned": True}),
    ],
)
def test_what_is_found_otherwise_or_never_needs_no_names(
    type_: str, fields: dict[str, object]
) -> None:
    assert names_nothing(memory("m", type_, title="Keep it", **fields)) is None  # type: ignore[arg-type]
