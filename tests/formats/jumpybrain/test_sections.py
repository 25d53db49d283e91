import pytest

from bot.formats.jumpybrain.sections import lacking, section, sections
from tests.formats.jumpybrain.making import SECTIONS


def test_sections_by_their_lines() -> None:
    found = sections("# T\n\n##  Open\t Questions \n- q\n\n### deeper\n## Last\n")
    assert [(one.name, one.text, one.line) for one in found] == [
        ("Open Questions", "- q\n\n### deeper", 3),
        ("Last", "", 7),
    ]


def test_a_wrapup_has_four_sections() -> None:
    assert lacking(SECTIONS) == ((), ())
    assert lacking(SECTIONS.replace("\n", "\r\n").upper()) == ((), ())
    lacks = lacking(SECTIONS.replace("- d\n", "").replace("Findings", "Found"))
    assert lacks.missing == ("Findings",)
    assert lacks.empty == (("Decisions", 4),)


@pytest.mark.parametrize(
    "heading", ["## Findings ##", "## Findings:", "### Findings", " ## Findings"]
)
def test_another_heading_is_not_the_section(heading: str) -> None:
    assert lacking(SECTIONS.replace("## Findings", heading)).missing == ("Findings",)


def test_the_first_of_two_decides() -> None:
    assert lacking(f"## Findings\n\n{SECTIONS}").empty == (("Findings", 1),)
    assert section("## A\nx\n## a\ny\n", "a") == ("A", "x", 1)
    assert section("text", "a") is None
