from datetime import UTC, datetime
from typing import Any

import pytest

from bot.formats.jumpybrain.process import Processed, process
from bot.formats.jumpybrain.refused import Refused
from tests.formats.jumpybrain.making import CONFIG, id_of, text

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
FILES = {"jumpybrain.json": CONFIG, "notes/a.md": text(updated_at="2026-10-01").encode()}


def _run(mode: str, *, apply: bool = True, topic: str = "", since: str = "") -> Processed:
    return process(
        FILES,
        mode=mode,
        apply=apply,
        topic=topic,
        since=since,
        now=NOW,
        new_id=lambda: id_of(9),
    )


def test_each_mode_says_what_it_writes() -> None:
    assert list(_run("lint").files) == [".jumpybrain/reports/lint-2026-10-10-all.md"]
    assert _run("ensure-ids").files == {}
    assert list(_run("synthesize", topic="drains").files) == ["pages/drains.md"]


@pytest.mark.parametrize("since", ["2026-09-30", "10d", "2w", "2026-10-01T00:00:00Z"])
def test_since_is_a_day_or_so_long_ago(since: str) -> None:
    page = _run("synthesize", topic="drains", since=since).page
    assert page
    assert page.sources == ("notes/a.md",)


@pytest.mark.parametrize(
    ("mode", "more", "rule"),
    [
        ("dream", {}, "bad-mode"),
        ("lint", {"apply": False}, "apply-required"),
        ("synthesize", {"topic": "drains", "since": "2d"}, "no-sources"),
        ("synthesize", {"topic": "drains", "since": "soon"}, "bad-since"),
        ("synthesize", {}, "topic-required"),
    ],
)
def test_what_is_refused(mode: str, more: dict[str, Any], rule: str) -> None:
    with pytest.raises(Refused) as refused:
        _run(mode, **more)
    assert refused.value.rule == rule


@pytest.mark.parametrize("mode", ["lint", "synthesize", "ensure-ids"])
def test_a_root_of_another_schema_is_left_alone(mode: str) -> None:
    newer = {**FILES, "jumpybrain.json": b'{"schemaVersion": 2}'}
    with pytest.raises(Refused) as refused:
        process(newer, mode=mode, apply=True, topic="x", now=NOW, new_id=lambda: id_of(9))
    assert refused.value.rule == "schema-too-new"
