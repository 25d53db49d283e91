"""Every labelled text of spec/vectors/secrets: found where expected, clean where not."""

import pytest

from bot.core.secrets import Text, scan
from tests.core.secrets.vectors import Case, cases

# A SAS token in docs/: the vector names the level of the shape, the place then counts one lower.
LOWERED_BY_PLACE = {"cloud-11": "low"}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_a_vector_is_found_on_its_line_or_clean(case: Case) -> None:
    found = scan([Text(path=case.path, text=case.text)])
    assert not found.incomplete
    if not case.rule:
        assert found.findings == ()
        return
    [finding] = found.findings
    assert finding.rule in {case.rule, *case.also_ok}
    assert finding.line == case.line
    assert finding.level == LOWERED_BY_PLACE.get(case.id, case.level)
    assert case.text[finding.start : finding.end] == case.secret
    assert case.secret not in repr(found)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_vector_amid_other_lines_reads_the_same(end: str) -> None:
    for case in cases():
        text = case.text.replace("\n", end)
        alone = scan([Text(path=case.path, text=text)]).findings
        amid = scan([Text(path=case.path, text=f"{end}first{end}{text}{end}last{end}")]).findings
        assert [(f.rule, f.level, f.line + 2, f.column, f.length) for f in alone] == [
            (f.rule, f.level, f.line, f.column, f.length) for f in amid
        ], case.id
        assert bool(alone) == bool(case.rule), case.id


def test_the_vectors_are_all_there() -> None:
    assert len(cases()) == 163
    assert sum(not case.rule for case in cases()) == 54
