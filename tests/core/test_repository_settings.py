"""The settings of a repository, and that the schema and the parser agree on them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from bot.core.repository_settings import (
    LOGIN_PATTERN,
    MAX_AGENTS,
    MAX_BYTES,
    MAX_STORES,
    PATH_PATTERN,
    RepositorySettings,
    parse,
)
from bot.core.secret_settings import MAX_DISABLED, RULE_ID_PATTERN
from bot.core.secrets.ruleset import MAX_KEYWORDS, MAX_REGEX, MAX_RULES
from bot.core.thresholds import MAX_TEXT_HITS, Thresholds
from tests.core.secrets.vectors import case

SPEC = Path(__file__).parents[2] / "spec"
SCHEMA = json.loads((SPEC / "settings.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

WHOLE = b"""\
# who writes here
agents: [Our-Writer, helper[bot], "0123", 4567]
stores:
  - services/billing/
  - ./libs/./core
secrets:
  block: high
precheck: {require: pinned}
memory:
  require-decision: true
"""


def test_every_setting_is_read() -> None:
    data = WHOLE.replace(b"helper[bot]", b'"helper[bot]"')
    assert parse(data) == (
        RepositorySettings(
            agents=("our-writer", "helper[bot]", "0123", "4567"),
            stores=("services/billing", "libs/core"),
            secrets_block="high",
            require_citation="pinned",
            require_decision=True,
        ),
        (),
    )


@pytest.mark.parametrize(
    "data", [None, b"", b"# nothing yet\n", b"\xef\xbb\xbf", b"agents:\nsecrets:\n  block:\n", b"~"]
)
def test_what_is_not_said_has_its_default(data: bytes | None) -> None:
    assert parse(data) == (RepositorySettings(), ())


@pytest.mark.parametrize(
    ("text", "line", "rule", "said"),
    [
        ("\nagent: [kim]", 2, "unknown-setting", "Did you mean `agents`?"),
        ("secrets:\n  blok: high", 2, "unknown-setting", "`secrets.blok`. Did you mean `block`?"),
        ("zzz: 1", 1, "unknown-setting", "Known are agents, stores"),
        ("secrets: {block: severe}", 1, "bad-setting", "one of high, medium, low"),
        ("secrets: {block: severe}", 1, "bad-setting", "medium applies"),
        ("precheck: {require: [all]}", 1, "bad-setting", "`precheck.require` must be one of"),
        ("memory: {require-decision: yes}", 1, "bad-setting", "true or false, without quotes"),
        ('memory: {require-decision: "true"}', 1, "bad-setting", "true or false"),
        ("secrets: medium", 1, "bad-setting", "`secrets` must be a mapping with block"),
        ("agents: kim", 1, "bad-setting", "`agents` must be a list"),
        ("agents:\n  - kim\n  - no login", 3, "bad-setting", "every item is a login"),
        ("stores:\n  - a\n  - a/../../b", 3, "bad-setting", "a path inside the repository"),
        ("stores: [/etc]", 1, "bad-setting", "a path inside the repository"),
        ("agents: [a]\nagents: [b]", 2, "bad-setting", "given twice"),
        ("agents: [*a]", 1, "bad-setting", "aliases"),
        ("- a", 1, "bad-setting", "expected `key: value` lines. The defaults apply."),
        ("a: b: c", 1, "bad-setting", "not valid YAML"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, rule: str, said: str) -> None:
    settings, (problem, *more) = parse(text.encode())
    assert (problem.line, problem.rule, more) == (line, rule, [])
    assert said in problem.message
    assert settings.secrets_block == "medium"


@pytest.mark.parametrize(
    "data", [b"agents: [\xff]", b"#" * (MAX_BYTES + 1), b"[" * 1000, b"a: \x00"]
)
def test_a_file_that_cannot_be_read_leaves_the_defaults(data: bytes) -> None:
    settings, problems = parse(data)
    assert settings == RepositorySettings()
    assert len(problems) == 1


def test_the_examples_of_the_document_are_read() -> None:
    first, second = (SPEC / "settings.md").read_text("utf-8").split("```yaml\n")[1:]
    settings, problems = parse(first.partition("```")[0].encode())
    assert settings == RepositorySettings(
        agents=("our-code-writer",), stores=("services/billing",), commands=settings.commands
    )
    commands, more = parse(second.partition("```")[0].encode())
    assert (problems, more) == ((), ())
    rules = [commands.commands.rule(verb) for verb in ("approve", "sync", "recheck", "pin")]
    assert [rule.permission for rule in rules] == ["admin", "triage", "push", "maintain"]
    assert {rule.teams for rule in rules} == {("octo/keepers",)}


def test_one_wrong_setting_leaves_the_others() -> None:
    settings, problems = parse(b"agents: [kim, 'no login']\nsecrets: {block: x}\nstores: [a]\n")
    assert settings == RepositorySettings(agents=("kim",), stores=("a",))
    assert [problem.line for problem in problems] == [1, 2]


def test_defaults_stand_in_for_what_a_file_does_not_say_or_says_wrong() -> None:
    defaults, _ = parse(WHOLE.replace(b"helper[bot]", b"kim"))
    assert parse(None, defaults) == (defaults, ())
    assert parse(b"a: b: c", defaults)[0] == defaults
    settings, (problem,) = parse(b"agents: []\nsecrets: {block: x}\nmemory:\n", defaults)
    assert settings == replace(defaults, agents=())
    assert "Until then high applies" in problem.message


def test_a_credential_is_taken_out_before_a_description_is_cut() -> None:
    secret = case("github-token-1").secret
    said = f"{'x' * 80} {secret}"
    settings, problems = parse(
        f"secrets: {{rules: [{{id: acme, regex: a1, keywords: [abc], description: {said}}},"
        f" {{{'y' * 20}{secret}: 1}}]}}".encode()
    )
    (rule,) = settings.secret_rules.added
    assert rule.description.endswith(" [secret]…")
    assert secret in problems[0].message  # whole, so that whoever shows it sees what it is


def test_rules_for_secrets_are_disabled_and_added() -> None:
    settings, problems = parse(
        b"secrets:\n"
        b"  disable: [jwt, jwtt]\n"
        b"  rules:\n"
        b"    - {id: acme, regex: 'acme_[0-9a-f]{8}', keywords: [acme_], level: high}\n"
        b"    - {id: other, regex: 'x(?=y)', keywords: [other]}\n"
        b"    - just words\n"
    )
    assert settings.secret_rules.disabled == {"jwt"}
    assert [(rule.id, rule.level) for rule in settings.secret_rules.added] == [("acme", "high")]
    assert [problem.line for problem in problems] == [2, 5, 6]
    assert "names no rule of ours: jwtt. Did you mean jwt?" in problems[0].message
    assert "RE2" in problems[1].message


def test_the_limits_and_patterns_of_schema_and_parser_are_the_same() -> None:
    agents, stores = SCHEMA["properties"]["agents"], SCHEMA["properties"]["stores"]
    assert agents["items"]["pattern"] == LOGIN_PATTERN
    assert stores["items"]["pattern"] == PATH_PATTERN
    assert (agents["maxItems"], stores["maxItems"]) == (MAX_AGENTS, MAX_STORES)
    secrets = SCHEMA["properties"]["secrets"]["properties"]
    rule = secrets["rules"]["items"]["properties"]
    assert secrets["disable"]["items"]["pattern"] == rule["id"]["pattern"] == RULE_ID_PATTERN
    assert (secrets["disable"]["maxItems"], secrets["rules"]["maxItems"]) == (
        MAX_DISABLED,
        MAX_RULES,
    )
    assert (rule["regex"]["maxLength"], rule["keywords"]["maxItems"]) == (MAX_REGEX, MAX_KEYWORDS)


def test_thresholds_of_precheck_are_numbers_within_bounds() -> None:
    text = b"precheck: {min-strength: 4.25, fold-below: 6, text-hits: 3, broad-share: 0.75}"
    settings, problems = parse(text)
    assert problems == ()
    assert settings.thresholds == Thresholds(
        min_strength=4.25, fold_below=6, text_hits=3, broad_share=0.75
    )


@pytest.mark.parametrize(
    ("key", "value", "right"),
    [
        ("min-strength", "high", "a number from 0 to 100, without quotes. Until then 3.28 applies"),
        ("min-strength", '"4"', "a number from 0 to 100, without quotes"),
        ("fold-below", "-1", "a number from 0 to 100, without quotes. Until then 4.5 applies"),
        ("text-hits", "6", "a whole number from 0 to 5, without quotes. Until then 5 applies"),
        ("text-hits", "2.5", "a whole number from 0 to 5"),
        ("broad-share", "2", "a number from 0 to 1, without quotes. Until then 0.5 applies"),
    ],
)
def test_a_threshold_that_is_no_such_number_is_refused(key: str, value: str, right: str) -> None:
    settings, (problem,) = parse(f"precheck:\n  {key}: {value}".encode())
    assert settings.thresholds == Thresholds()
    assert problem.line == 2
    assert f"`precheck.{key}` must be {right}" in problem.message


def test_the_limits_of_thresholds_are_the_same_in_the_schema() -> None:
    known = SCHEMA["properties"]["precheck"]["properties"]
    assert known["min-strength"]["default"] == Thresholds().min_strength
    assert known["fold-below"]["default"] == Thresholds().fold_below
    assert known["text-hits"]["maximum"] == known["text-hits"]["default"] == MAX_TEXT_HITS
    assert known["broad-share"]["default"] == Thresholds().broad_share


def test_the_schema_describes_every_setting() -> None:
    def described(node: dict[str, Any]) -> bool:
        if "$ref" in node:
            node = SCHEMA["$defs"][node["$ref"].rpartition("/")[2]] | node
        below = [*node.get("properties", {}).values()]
        return "description" in node and all(map(described, below))

    assert described(SCHEMA)


tokens = st.sampled_from(
    ["high", "medium", "all", "pinned", "none", "true", "null", "~", "yes", ""]
)
logins = st.sampled_from(["kim", "Kim-2", "helper[bot]", "no login", "-kim", "x" * 101, "kim\n"])
paths = st.sampled_from(["a/b", "../a", "a/..", "/a", ".", "a//b", "a/", "..a", "a\\b", "1.10"])
words = tokens | logins | paths
scalars = words | st.text(max_size=8) | st.booleans() | st.none() | st.integers(0, 9999)
lists = st.lists(scalars, max_size=4) | st.lists(st.just("kim"), min_size=199, max_size=201)
values = scalars | lists | st.dictionaries(words, scalars, max_size=2)
sections = st.dictionaries(
    st.sampled_from(["block", "require", "require-decision", "min-strength", "text-hits", "x"]),
    values | st.integers(-1, 7),
    max_size=2,
)
permissions = st.sampled_from(["triage", "push", "maintain", "admin", "anyone", "write"])
rules = st.dictionaries(
    st.sampled_from(["permission", "users", "teams", "own-memory", "active", "x"]),
    permissions | lists | st.booleans(),
    max_size=2,
)
commands = st.dictionaries(
    st.sampled_from(["default", "approve", "remember", "sync", "why", "commit-after-merge", "x"]),
    rules | values,
    max_size=3,
)
documents = st.dictionaries(
    st.sampled_from(["agents", "stores", "secrets", "precheck", "memory", "commands", "agent"]),
    values | sections | commands,
    max_size=4,
)


@given(documents | values)
def test_schema_and_parser_agree(document: object) -> None:
    data = json.dumps(document).encode()
    _, problems = parse(data)
    assert (not problems) == VALIDATOR.is_valid(document)


@given(st.binary(max_size=200))
def test_hostile_bytes_give_problems_within_the_file(data: bytes) -> None:
    _, problems = parse(data)
    assert all(1 <= problem.line <= data.count(b"\n") + 1 for problem in problems)
