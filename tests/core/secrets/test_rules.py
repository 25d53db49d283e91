"""The rule file: every rule compiles in its engines, is bounded, and its prefilter misses none."""

import re
from collections import Counter
from functools import cache
from typing import Any

import hyperscan
import pytest
import re2
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.core.secrets.checksums import CHECKSUMS
from bot.core.secrets.judges import JUDGES
from bot.core.secrets.model import Level
from bot.core.secrets.rules import Rule, default_rules, parse_rules, trimmed, widened
from tests.core.secrets.vectors import cases

RULES = default_rules()
LEAST = """
[[rules]]
id = "x"
description = "x"
regex = 'x{3}'
level = "low"
"""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_compiles_in_the_engine_that_runs_it(rule: Rule) -> None:
    assert _re2(rule.regex).groups >= rule.secret_group
    assert _database(rule).size() > 0


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_whole(rule: Rule) -> None:
    assert rule.judge in JUDGES
    assert not rule.checksum or rule.checksum in CHECKSUMS
    assert rule.facts.startswith("https://")
    for pattern in (rule.regex, rule.prefilter):
        outside_classes = re.sub(r"\[\^?\]?[^\]]*\]", "c", re.sub(r"\\.", "e", pattern))
        assert not re.search(r"[*]|(?<!\\)\+|\{\d+,\}", outside_classes), "a quantifier has no end"


def test_every_rule_has_two_texts_and_two_near_misses_among_the_vectors() -> None:
    texts = Counter(one.rule for case in cases() for one in case.expect)
    misses = Counter(case.near_miss_of for case in cases())
    assert [rule.id for rule in RULES if texts[rule.id] < 2 or misses[rule.id] < 2] == []


def test_ids_are_unique_and_the_known_kinds_are_there() -> None:
    assert max(Counter(rule.id for rule in RULES).values()) == 1
    assert len(RULES) >= 150


@settings(
    max_examples=3,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@given(data=st.data())
def test_the_prefilter_finds_what_the_regex_finds(rule: Rule, data: st.DataObject) -> None:
    alphabet = st.characters(max_codepoint=126)
    text = data.draw(st.from_regex(rule.regex, fullmatch=True, alphabet=alphabet)).encode()
    if _re2(rule.regex).search(text):  # Python, who made the text, reads `$` and `\s` otherwise
        hits: list[int] = []
        database = _database(rule)
        scratch = hyperscan.Scratch(database)
        database.scan(text, match_event_handler=lambda *at: hits.append(at[2]), scratch=scratch)
        assert hits


def test_the_tail_of_a_regex_is_cut_to_its_least() -> None:
    assert trimmed(r"\bab_([0-9]{3,9})\b") == r"ab_([0-9]{3})"
    assert trimmed(r"\bab_([\w-]{3,9})(?:[^\w-]|$)") == r"ab_([\w-]{3})"
    assert trimmed(r"(?:^|[^\w/])(ab_[0-9]{3})\b") == r"(ab_[0-9]{3})"
    assert trimmed(r"\bab_[0-9]{3}x\b") == r"ab_[0-9]{3}x"


@pytest.mark.parametrize(
    "before", ["", "a ", "x_", r"\n", r"\u0022", r"\x0a", r"\033", "%3D", "%253d"]
)
@pytest.mark.parametrize("after", ["", " ", "_", "_a", r"\n"])
@pytest.mark.parametrize("regex", [r"\bab[0-9]{3}\b", r"\b(?:(ab[0-9]{3}))\b"])
def test_a_boundary_is_seen_beside_an_escape(regex: str, before: str, after: str) -> None:
    match = _re2(widened(regex)).search(f"{before}ab123{after}".encode())
    assert match[match.lastindex] == b"ab123"


@pytest.mark.parametrize("before", ["", " ", r"\n", "=3D", "\x1b[1;32m"])
def test_so_is_one_of_other_characters(before: str) -> None:
    search = _re2(widened(r"(?:^|[^\w/])(ab[0-9]{3})")).search
    assert search(f"{before}ab123".encode())[1] == b"ab123"
    assert search(b"/ab123") is None


def test_letters_and_digits_are_no_boundary() -> None:
    search = _re2(widened(r"\bab[0-9]{3}\b")).search
    assert [search(text) for text in (b"xab123", b"0ab123", b"ab123x")] == [None] * 3


def test_a_rule_reads_with_its_defaults() -> None:
    [rule] = parse_rules(LEAST)
    assert (rule.id, rule.rank, rule.level, rule.anywhere) == ("x", 0, Level.LOW, False)
    assert (rule.judge, rule.prefilter) == ("token", "x{3}")


@pytest.mark.parametrize(
    ("source", "error", "says"),
    [
        (LEAST + "colour = 1", ValueError, "rule x: unknown key colour"),
        (LEAST.replace('level = "low"', ""), ValueError, "rule x: lacks level"),
        (LEAST + 'near = "aws"', TypeError, "rule x: near must be of type list"),
    ],
)
def test_a_broken_rule_is_named(source: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        parse_rules(source)


def _re2(pattern: str) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern.encode(), options)


@cache
def _database(rule: Rule) -> Any:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(expressions=[rule.prefilter.encode()], ids=[0], elements=1, flags=0)
    return database
