"""Hostile texts: what they cost, measured, and that a bound which they hit is told.

The law is a second for 5 MB. Here each gets a part of that: most of the bounds are the same for
little text and for much. `make bench-secrets` measures all of it.
"""

import time
from collections.abc import Sequence

import pytest

from bot.core.secrets import RuleSet, Scan, Text, scan
from bot.core.secrets.ruleset import ALL_RULES, OwnRule
from tests.core.secrets.vectors import cases

SIZE = 100_000
ALLOWED = 1.5  # seconds of CPU, on a busy machine; a quiet one takes a tenth of that at most

HEADER = "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5
UNITS = [
    *("password=", "password=Abcd1234x;", "--password ", "(password,'", "password: pass = "),
    *("secret_key=", "token: token=tokentoken12 ", "key,", "key=abcdefgh-abc ", "pwd:'"),
    *("eyJ", "eyJhbGciOiJIUzI1NiJ9.", "eyJhbGciOiJIUzI1NiJ9.eyJhbGciOiJIUzI1NiJ9."),
    *('"kty":"d":"', '"d":"' + "a" * 24, HEADER),
    *(HEADER + "abcdefghijk1" * 3 + " ", HEADER + ("Ab1cd2ef3gh4" * 3 + "     x") * 12 + "\n"),
    *(r"\nAK" + "IA" + "A" * 15, "x_%3D%252521//0", "\x1b[0m_" * 3),
    *(
        "://a:bcd",
        "a://b:cdefg1@h ",
        'authorization: bearer "',
        "curl -u a:b",
        "machine a login b ",
    ),
    *("glpat-", "sk-proj-", "T3BlbkFJ" + "a" * 16, "xoxb-12345678-", "sig=&sv=", "API-" + "A" * 26),
    *("AK" + "IA" + "A" * 16 + " ", "AZDO", "ACDb", "1Q~~~~~", "1//0", "M" * 23 + ".aaaaaa."),
    *("mnemonic: " + "abc " * 11, "S" * 56, "a" * 32 + "-us1", "\x00", "é", " ", "\n"),
]
# As many rules of a repository, with as many keywords, as there may be; and texts of 10 bytes with
# almost a keyword, one, and one in almost each byte.
OWN_RULES = RuleSet(
    added=tuple(
        OwnRule(
            id=f"own-{rule}",
            description="x",
            regex="zq[0-9]{5}",
            keywords=(*(f"k{rule}{n}aaaaaaaa" for n in range(8)), "k" * 3, "keyword"),
        )
        for rule in range(50)
    )
)
OWN_UNITS = ["a" * 10, " keyword! ", "k" * 10]


def spent(texts: Sequence[Text], rules: RuleSet = ALL_RULES) -> tuple[Scan, float]:
    """What a scan gives, and its seconds of CPU."""
    before = time.process_time()
    found = scan(texts, rules=rules)
    return found, time.process_time() - before


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What is compiled when first used."""
    scan([Text(path="a", text=case.text) for case in cases()])


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_texts_cost_no_more_than_their_length(unit: str) -> None:
    short = unit * (80 // len(unit) + 1) + "\n"
    text = unit * (SIZE // 2 // len(unit)) + "\n" + short * (SIZE // 2 // len(short))
    _, seconds = spent([Text(path="a.env", text=text)])
    assert seconds < ALLOWED


def test_five_megabytes_cost_no_more_than_a_second() -> None:
    """Of what is dearest; on a busy machine thrice that is allowed. Unbounded it is nine."""
    _, seconds = spent([Text(path="a.env", text="--password " * (5_000_000 // 11))])
    assert seconds < 3


@pytest.mark.parametrize("unit", OWN_UNITS)
def test_keywords_of_a_repository_cost_no_more(unit: str) -> None:
    spent([Text(path="a", text="")], OWN_RULES)
    found, seconds = spent([Text(path="a.env", text=unit * (SIZE * 20 // len(unit)))], OWN_RULES)
    assert seconds < ALLOWED  # looked for one by one they take three
    assert bool(found.incomplete) == ("k" in unit)


@pytest.mark.parametrize("tail", ["A1x", "_", "=", " ", "\n"])
def test_all_kinds_at_once_cost_no_more(tail: str) -> None:
    """Every prefilter fires, many without a match behind it."""
    one = tail.join(case.secret for case in cases() if case.expect and len(case.secret) < 300)
    _, seconds = spent([Text(path="a.env", text=one * (SIZE // len(one)))])
    assert seconds < ALLOWED


def test_many_texts_cost_no_more_than_one() -> None:
    text = "token: token=tokentoken12 " * 4
    found, seconds = spent([Text(path=f"{n}.env", text=text) for n in range(10_000)])
    assert seconds < ALLOWED
    assert found.incomplete


def test_what_is_left_out_of_many_texts_is_told() -> None:
    texts = [Text(path=f"{index}.env", text="password=Abcdefg1x\n" * 5) for index in range(2_000)]
    found = scan(texts)
    *named, rest = found.incomplete
    assert len(named) == 100
    assert rest.path.endswith(" further texts")
    assert rest.reason.startswith("too much looks like credentials")
    assert len(found.findings) > 1_000
