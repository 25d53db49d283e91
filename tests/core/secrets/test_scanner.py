"""What a scan gives: places, order, levels, overlaps, marks, bounds; and never a value."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.secrets import Level, Scan, SecretFinding, Text, fingerprint, scan
from bot.core.secrets.matcher import BACK_BYTES, FORWARD_BYTES, STEP_BYTES
from tests.core.secrets.vectors import case, cases

GITHUB = case("code-hosts-01").secret
AWS = case("cloud-01").secret
STRIPE = case("inline-marks-04").secret
PYPI = case("code-hosts-16").secret
WORD = "k8Fq" + "zR2m9W"  # what a person would take for a password


def found(text: str, path: str = "src/app.py") -> tuple[SecretFinding, ...]:
    return scan([Text(path=path, text=text)]).findings


def kinds(text: str, path: str = "src/app.py") -> list[tuple[str, str]]:
    return [(finding.rule, finding.level.value) for finding in found(text, path)]


def test_nothing_gives_nothing() -> None:
    assert scan([]) == Scan()
    assert scan([Text(path="a", text="")]) == Scan()


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_vector_amid_other_lines_reads_the_same(end: str) -> None:
    for one in cases():
        text = one.text.replace("\n", end)
        alone = scan([Text(path=one.path, text=text)]).findings
        amid = scan([Text(path=one.path, text=f"{end}first{end}{text}{end}last{end}")]).findings
        assert [(f.rule, f.level, f.line + 2, f.column, f.length) for f in alone] == [
            (f.rule, f.level, f.line, f.column, f.length) for f in amid
        ], one.id
        assert bool(alone) == bool(one.expect), one.id


def test_lines_columns_and_offsets_are_in_characters() -> None:
    text = f"é\n🙂 key={AWS}\n"
    [finding] = scan([Text(path="a", text=text, first_line=41)]).findings
    assert (finding.line, finding.column, finding.start) == (42, 7, 8)
    assert text[finding.start : finding.end] == AWS
    assert finding.length == len(AWS)


def test_crlf_ends_a_line_and_is_no_part_of_a_value() -> None:
    text = f"a=1\r\nkey: {AWS}\r\npassword={WORD}\r\n"
    assert [(f.line, text[f.start : f.end]) for f in found(text, "a.yml")] == [(2, AWS), (3, WORD)]


def test_several_findings_in_one_line_stand_in_order() -> None:
    assert [f.rule for f in found(f"{STRIPE} {GITHUB} {AWS} {GITHUB}")] == [
        "stripe-key",
        "github-token",
        "aws-access-key-id",
        "github-token",
    ]


def test_of_overlapping_rules_the_most_specific_one_speaks() -> None:
    assert kinds(f"password = {PYPI}", ".pypirc") == [("pypi-token", "high")]
    assert kinds(f"https://ci:{GITHUB}@git.internal/a") == [("github-token", "high")]
    assert kinds(f'Authorization: "Bearer {STRIPE}"') == [("stripe-key", "high")]


def test_a_wrong_checksum_is_advice_unless_the_name_says_token() -> None:
    wrong = case("code-hosts-07").secret
    assert kinds(f"see {wrong}", "notes.md") == [("github-token", "low")]
    assert kinds(f'token = "{wrong}"') == [("github-token", "medium")]


def test_findings_follow_the_order_of_the_texts_and_repeat_exactly() -> None:
    texts = [Text(path=one.path, text=one.text) for one in cases()]
    forward, backward = scan(texts), scan(reversed(texts))
    assert scan(texts) == forward
    assert [f.text_index for f in forward.findings] == sorted(
        f.text_index for f in forward.findings
    )
    assert {(f.rule, f.path, f.line, f.start) for f in forward.findings} == {
        (f.rule, f.path, f.line, f.start) for f in backward.findings
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.yml", [("aws-access-key-id", "high"), ("password-assignment", "medium")]),
        ("tests/a.yml", [("aws-access-key-id", "high"), ("password-assignment", "low")]),
        ("docs/a.yml", [("aws-access-key-id", "high"), ("password-assignment", "low")]),
        ("pkg/test_a.py", [("aws-access-key-id", "high"), ("password-assignment", "low")]),
        ("vendor/x/a.yml", [("aws-access-key-id", "high")]),
        ("web/app.js.map", [("aws-access-key-id", "high")]),
        ("yarn.lock", [("aws-access-key-id", "high")]),
    ],
)
def test_the_place_sets_the_level(path: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(f'key: {AWS}\npassword: "{WORD}"', path) == expected


@pytest.mark.parametrize(
    "line",
    [
        f"{AWS} # gitleaks:allow",
        f"{AWS} # betterleaks:allow",
        f"{AWS} # pragma: allowlist secret",
        f"# pragma: allowlist nextline secret\n{AWS}",
    ],
)
def test_a_mark_hides_its_line_only(line: str) -> None:
    assert found(line) == ()
    assert len(found(f"{line}\n{STRIPE}")) == 1
    [finding] = scan([Text(path="a", text=line)], inline_marks=False).findings
    assert finding.marked


def test_a_finding_without_a_mark_is_not_marked() -> None:
    text = f"# gitleaks:allow\n{AWS}\n# pragma: allowlist nextline secret"
    [finding] = scan([Text(path="a", text=text)], inline_marks=False).findings
    assert not finding.marked


def test_a_long_line_of_harmless_names_is_read_whole() -> None:
    entries = ",".join(f'{{"key":"somename{number:05}","v":1}}' for number in range(8_000))
    result = scan([Text(path="a.json", text=f'[{entries},"{AWS}"]')])
    assert [finding.rule for finding in result.findings] == ["aws-access-key-id"]
    assert result.incomplete == ()


def test_a_value_that_is_the_next_name_hides_nothing() -> None:
    assert kinds(f'password: pass = "{WORD}"') == [("password-assignment", "medium")]


@pytest.mark.parametrize("offset", range(-60, 61, 7))
@pytest.mark.parametrize("near", [STEP_BYTES, BACK_BYTES, BACK_BYTES + FORWARD_BYTES])
def test_a_long_line_hides_nothing_at_the_seams_of_its_windows(near: int, offset: int) -> None:
    text = "x " * ((near + offset) // 2) + GITHUB + " y" * 5_000
    [finding] = found(text)
    assert text[finding.start : finding.end] == GITHUB


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{AWS} " * 2_500, "over 96 matches of aws-access-key-id in one stretch of text"),
        (f"{AWS}\n" * 1_001, "over 1,000 credentials"),
        (f"{AWS}\n" * 3_000, "over 1,000 credentials"),
        ("key=abcdefgh-abc\n" * 35_000, "too much looks like credentials"),
        ("password=\n" * 60_000, "too much looks like credentials"),
    ],
    ids=["window", "findings", "claims", "candidates", "hits"],
)
def test_a_bound_that_is_hit_is_reported(text: str, says: str) -> None:
    result = scan([Text(path="a.env", text=text)])
    assert len(result.findings) <= 1_000
    assert any(one.reason.startswith(says) for one in result.incomplete)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*(one.text for one in cases()), "\n", '"', "\x00", "é", " ", "="])
        | st.text(max_size=20),
        max_size=6,
    ).map("".join)
)
def test_no_text_raises_and_offsets_stay_inside(text: str) -> None:
    for finding in scan([Text(path="a.md", text=text)]).findings:
        assert 0 <= finding.start < finding.end <= len(text)
        assert finding.line == text.count("\n", 0, finding.start) + 1
        assert finding.column == finding.start - text.rfind("\n", 0, finding.start)


def test_half_a_surrogate_pair_is_a_character_like_another() -> None:
    text = f"\ud800 {AWS}"
    assert [(f.start, f.end) for f in found(text)] == [(2, len(text))]


def test_threads_scan_at_once() -> None:
    texts = [Text(path=one.path, text=one.text) for one in cases()]
    alone = scan(texts)
    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(scan, [texts] * 6)) == [alone] * 6


def test_no_value_is_in_any_field_or_repr() -> None:
    for one in (one for one in cases() if one.expect):
        text = Text(path=one.path, text=one.text)
        result = scan([text])
        assert one.secret not in repr(result) + repr(text)
        for finding in result.findings:
            values = [str(getattr(finding, field.name)) for field in fields(finding)]
            assert one.secret not in "\n".join(values)


def test_a_fingerprint_tells_values_apart_and_needs_the_key() -> None:
    assert fingerprint(AWS, b"key") == fingerprint(AWS, b"key")
    assert len({fingerprint(AWS, b"key"), fingerprint(STRIPE, b"key"), fingerprint(AWS, b"k")}) == 3
    assert len(fingerprint("\ud800", b"")) == 16


def test_levels_rank_and_fall() -> None:
    assert sorted(Level, key=lambda level: level.weight) == [Level.LOW, Level.MEDIUM, Level.HIGH]
    assert [level.below for level in Level] == [Level.MEDIUM, Level.LOW, Level.LOW]


def test_importing_the_package_loads_no_engine() -> None:
    code = "import sys, bot.core.secrets; print({'hyperscan', 're2'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"
