from bot.formats.cursor.grammar import Entry
from bot.formats.cursor.migrations import MIGRATIONS, Step, migrate
from bot.formats.cursor.versions import KNOWN_SCHEMA_VERSIONS, SCHEMA_VERSION
from tests.formats.cursor.making import entry


def _to(version: str) -> Step:
    def bump(block: str, found: Entry) -> str:
        return block.replace(f"schema_version: {found.text('schema_version')}",
                             f"schema_version: {version}")  # fmt: skip

    return Step(source=str(int(version) - 1), target=version, migrate=bump)


OLD = entry("a-1", schema_version="1").encode()
NEW = entry("b-1").encode()
FILES = {"session-handoff.md": b"# caf\xe9\n" + OLD + b"\nprose\n" + NEW}


def test_entries_go_from_step_to_step_and_all_else_stays() -> None:
    done = migrate(FILES, steps=[_to("3"), _to("2")], current="3")
    assert done.ids == ("a-1",)
    expected = FILES["session-handoff.md"].replace(b"schema_version: 1", b"schema_version: 3")
    assert done.contents == {"session-handoff.md": expected}
    assert migrate(done.contents, steps=[_to("2")], current="3").contents == {}


def test_what_has_no_way_on_is_left_and_told() -> None:
    done = migrate(FILES, steps=[_to("3")], current="3")
    assert done.contents == {}
    assert [(one.line, one.id, one.version) for one in done.left] == [(2, "a-1", "1")]


def test_steps_in_a_circle_end() -> None:
    circle = [_to("2"), Step(source="2", target="1", migrate=lambda block, _: block)]
    assert [one.id for one in migrate(FILES, steps=circle, current="9").left] == ["a-1"]


def test_every_registered_step_leads_between_versions_that_are_known() -> None:
    assert SCHEMA_VERSION in KNOWN_SCHEMA_VERSIONS
    assert {step.source for step in MIGRATIONS} <= KNOWN_SCHEMA_VERSIONS
