"""A repository's own rules: what they may be, and what they cost."""

import time
from dataclasses import replace

import pytest

from bot.core.secrets import Level, RuleSet, Text, scan
from bot.core.secrets.ruleset import OwnRule, own_rule, unknown_ids

TABLE = {"id": "acme", "regex": r"\bacme_([0-9a-f]{8})\b", "keywords": ["ACME_"], "level": "high"}
VALUE = "acme_" + "3f9c01b7"


def kinds(text: str, rules: RuleSet, path: str = "src/a.py") -> list[tuple[str, str]]:
    found = scan([Text(path=path, text=text)], rules=rules).findings
    return [(one.rule, one.level.value) for one in found]


def test_an_own_rule_finds_its_kind_and_marks_the_value() -> None:
    rules = RuleSet(added=(own_rule(TABLE),))
    text = f"x\nset {VALUE} and {VALUE.replace('3', '4')}\n"
    assert kinds(text, rules) == [("acme", "high")] * 2
    [first, _] = scan([Text(path="a", text=text)], rules=rules).findings
    assert text[first.start : first.end] == VALUE.removeprefix("acme_")
    assert kinds(text, RuleSet()) == []
    assert kinds("acme_00000000 acme_xyz", rules) == []


def test_a_rule_is_disabled_by_its_id() -> None:
    text = "password = '" + "k8Fqz" + "R2m9W'"
    assert kinds(text, RuleSet()) == [("password-assignment", "medium")]
    assert kinds(text, RuleSet(disabled=frozenset({"password-assignment"}))) == []
    assert unknown_ids(frozenset({"jwt", "nope"})) == ("nope",)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "A b"}, "needs an id"),
        ({"id": "jwt"}, "comes with the bot"),
        ({"regex": ""}, "needs a regex"),
        ({"regex": "a" * 501}, "needs a regex"),
        ({"regex": "(?=a)"}, "RE2"),
        ({"regex": "(" * 100}, "RE2"),
        ({"regex": "x*"}, "empty text"),
        ({"regex": "[a-z]{1000}" * 6}, "fewer or shorter"),
        ({"regex": "((a{1,1000}){1,1000}){1,1000}"}, "RE2"),
        ({"keywords": []}, "keywords"),
        ({"keywords": ["ab"]}, "keywords"),
        ({"keywords": "acme"}, "keywords"),
        ({"level": "worst"}, "level of high, medium, low"),
        ({"colour": "red"}, "has no key colour"),
        ({"description": ["x"]}, "a text as its description"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said(change: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        own_rule({**TABLE, **change})


def test_equal_rules_are_compiled_once() -> None:
    assert own_rule(TABLE).rule is own_rule(dict(TABLE)).rule


def test_a_regex_that_is_dear_to_begin_or_to_read_costs_no_more() -> None:
    """Neither a search of a few bytes by many instructions, nor what fills RE2's memory."""
    noise = "".join(format(n * n, "b").translate({48: "a", 49: "b"}) for n in range(1, 3_000))
    for regex, text in (("(a?){500}a", "aaa\n" * 25_000), ("a[ab]{200}c", f"{noise}key" * 10)):
        rule = OwnRule(id="own", description="x", regex=regex, keywords=("aaa", "key"))
        rules = RuleSet(added=(rule, *(replace(rule, id=f"own-{n}") for n in range(49))))
        scan([Text(path="a", text="key")], rules=rules)  # what is compiled when first used
        before = time.process_time()
        result = scan([Text(path="a.txt", text=text)], rules=rules)
        assert time.process_time() - before < 1.5  # a third on a quiet machine; unpaid, 2 or more
        assert result.incomplete


def test_own_rules_on_hostile_text_cost_no_more_than_the_others() -> None:
    """5 MB of keywords, with regexes that keep RE2 as busy as it gets."""
    regexes = [rf"key[0-9a-k =]{{0,{n}}}[xyz]{{5}}" for n in range(450, 500)]
    rules = RuleSet(
        added=tuple(
            OwnRule(id=f"r{n}", description="x", regex=regex, keywords=("key",), level=Level.LOW)
            for n, regex in enumerate(regexes)
        )
    )
    scan([Text(path="a", text="key")], rules=rules)  # what is compiled when first used
    text = "key 01abk=" * 500_000
    before = time.process_time()
    result = scan([Text(path="a.txt", text=text)], rules=rules)
    assert time.process_time() - before < 2  # 0.5 s on a quiet machine
    assert result.incomplete
