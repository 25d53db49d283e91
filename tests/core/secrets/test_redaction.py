"""What is shown of other people's words holds no credential, however many there are."""

import pytest

from bot.core.secrets import Level, Text, scan
from bot.core.secrets.redaction import redacted
from tests.core.secrets.vectors import cases

BEFORE = [
    r"\n",
    r"\t",
    r"\r",
    "%3D",
    "%20",
    "x_",
    "\x1b[32m",
    r"\u001b[32m",
    r"\"",
    "&quot;",
    "=3D",
    "/",
]
AFTER = ["", r"\n", r"\t", "_", "_x", "%20", "=3D", "-", r"\u001b[0m", "&quot;"]
BESIDE = [*((before, "") for before in BEFORE), *(("x_", after) for after in AFTER)]


@pytest.mark.parametrize("rule", ["facebook-token", "gcp-refresh-token", "square-token"])
def test_a_folder_before_or_after_hides_nothing(rule: str) -> None:
    values = [each.secret for one in cases() for each in one.expect if each.rule == rule]
    shown = redacted("\n".join(f"bare/{value}/x {value}/" for value in values))
    assert values
    assert not any(value in shown for value in values)


@pytest.mark.parametrize("count", [97, 1_001])
def test_more_than_a_scan_takes_in_are_redacted_too(count: int) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    ids = [f"AKIA{letters[n % 32]}QYLPMN5HHHFP{letters[n // 32]}WX" for n in range(count)]
    shown = redacted(" ".join(ids))
    assert not any(one in shown for one in ids)


def test_what_is_certain_is_found_and_redacted_beside_every_escape() -> None:
    """Escapes stand beside the value where its shape alone is proof, else beside its context."""
    certain = [one for one in cases() if any(each.level == "high" for each in one.expect)]
    assert len(certain) > 300
    for one in certain:
        alone = scan([Text(path=one.path, text=one.secret)]).findings
        is_proof = any(each.level is Level.HIGH for each in alone)
        whole = one.secret if is_proof else one.text.strip("\n")
        text = "\n".join(f"see {before}{whole}{after}" for before, after in BESIDE)
        found = [
            text[each.start : each.end]
            for each in scan([Text(path=one.path, text=text)]).findings
            if each.level is Level.HIGH
        ]
        assert [one.secret in value for value in found] == [True] * len(BESIDE), one.id
        assert one.secret not in redacted(text), one.id
