"""Who may run which command, as the settings file says it: every key, every fault at its line."""

import json
from pathlib import Path

import pytest

from bot.core.command_settings import (
    MAX_TEAMS,
    MAX_USERS,
    TEAM_PATTERN,
    USER_PATTERN,
    CommandSettings,
    Given,
    Rule,
)
from bot.core.model import Problem
from bot.core.repository_settings import RepositorySettings, parse
from bot.core.verbs import PERMISSIONS, VERBS

SCHEMA = json.loads((Path(__file__).parents[2] / "spec/settings.schema.json").read_text("utf-8"))


def read(
    text: str, defaults: CommandSettings | None = None
) -> tuple[CommandSettings, tuple[Problem, ...]]:
    before = RepositorySettings(commands=defaults or CommandSettings())
    settings, problems = parse(text.encode(), before)
    return settings.commands, problems


WHOLE = """\
commands:
  default:
    permission: admin
    users: [Ada, 4567]
    teams: [Keepers, octo/Release-Crew]
  approve:
    own-pull-request: true
    own-memory: true
  sync: {permission: triage, users: []}
  remember: {active: true}
  why: {permission: push}
  help: {permission: anyone}
  commit-after-merge: true
"""


def test_every_setting_is_read() -> None:
    commands, problems = read(WHOLE)
    assert problems == ()
    assert commands == CommandSettings(
        given={
            "default": Given(
                permission="admin",
                users=("ada", "4567"),
                teams=("keepers", "octo/release-crew"),
            ),
            "sync": Given(permission="triage", users=()),
            "why": Given(permission="push"),
            "help": Given(permission="anyone"),
        },
        own_pull_request=True,
        own_memory=True,
        remember_active=True,
        commit_after_merge=True,
    )


def test_what_a_verb_does_not_say_is_the_default_and_then_the_verbs_own() -> None:
    commands, _ = read(WHOLE)
    users, teams = ("ada", "4567"), ("keepers", "octo/release-crew")
    assert commands.rule("approve") == Rule(permission="admin", users=users, teams=teams)
    assert commands.rule("sync") == Rule(permission="triage", teams=teams)
    assert commands.rule("why") == Rule(permission="push", users=users, teams=teams)
    assert commands.rule("recheck").permission == "anyone"  # `default` closes nothing
    for verb, least in VERBS.items():
        assert CommandSettings().rule(verb) == Rule(permission=least)


def test_a_file_overrides_its_defaults_key_by_key() -> None:
    owner, _ = read("commands: {approve: {permission: admin, users: [ada]}, default: {teams: [a]}}")
    commands, problems = read(
        "commands: {default: {permission: push}, approve: {users: [kim], own-memory: true}}", owner
    )
    assert problems == ()
    assert commands.rule("approve") == Rule(permission="admin", users=("kim",), teams=("a",))
    assert commands.rule("reject") == Rule(permission="push", teams=("a",))
    assert (commands.own_memory, commands.own_pull_request) == (True, False)
    assert read("", commands)[0] == commands


@pytest.mark.parametrize(
    ("text", "line", "rule", "said"),
    [
        ("\n  aprove: {}", 2, "unknown-setting", "`commands.aprove`. Did you mean `approve`?"),
        ("\n  all: {}", 2, "unknown-setting", "`commands.all`."),
        ("\n  approve:\n    user: [a]", 3, "unknown-setting", "`commands.approve.user`"),
        ("\n  reject: {own-memory: true}", 2, "unknown-setting", "`commands.reject.own-memory`"),
        (" [approve]", 1, "bad-setting", "`commands` must be a mapping with default, approve"),
        ("\n  approve: maintain", 2, "bad-setting", "must be a mapping with permission, users"),
        (
            "\n  approve: {permission: write}",
            2,
            "bad-setting",
            "`commands.approve.permission` must be one of triage, push, maintain, admin.",
        ),
        ("\n  default: {permission: 1}", 2, "bad-setting", "`commands.default.permission` must be"),
        ("\n  sync: {permission: anyone}", 2, "bad-setting", "must be one of triage, push"),
        ("\n  help: {permission: read}", 2, "bad-setting", "one of anyone, triage, push"),
        ("\n  approve: {users: ada}", 2, "bad-setting", "`commands.approve.users` must be a list"),
        ("\n  approve:\n    users:\n    - ada\n    - x[bot]", 5, "bad-setting", "is a login"),
        ("\n  approve: {teams: ['@octo/a']}", 2, "bad-setting", "a team, such as octo/keepers"),
        ("\n  approve: {teams: [a/b/c]}", 2, "bad-setting", "a team, such as octo/keepers"),
        ("\n  approve: {own-memory: yes}", 2, "bad-setting", "true or false, without quotes"),
        ("\n  remember: {active: 1}", 2, "bad-setting", "`commands.remember.active` must be true"),
        ("\n  commit-after-merge: base", 2, "bad-setting", "must be true or false"),
        ("\n  pin: {}\n  pin: {}", 3, "bad-setting", "`commands.pin` is given twice"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, rule: str, said: str) -> None:
    commands, (problem, *more) = read(f"commands:{text}\n")
    assert (problem.line, problem.rule, more) == (line, rule, [])
    assert said in problem.message
    own_flags = (commands.own_memory, commands.remember_active, commands.commit_after_merge)
    assert own_flags == (False, False, False)


def test_lists_have_a_limit() -> None:
    names = [f"a{number}" for number in range(MAX_USERS + 1)]
    commands, problems = read(json.dumps({"commands": {"pin": {"users": names, "teams": names}}}))
    rule = commands.rule("pin")
    assert (len(rule.users), len(rule.teams)) == (MAX_USERS, MAX_TEAMS)
    assert len(problems) == 2


def test_the_schema_knows_the_same_verbs_limits_and_patterns() -> None:
    described, kinds = SCHEMA["properties"]["commands"]["properties"], SCHEMA["$defs"]
    assert list(described) == ["default", *VERBS, "commit-after-merge"]
    for key, shape in described.items():
        is_open = VERBS.get(key) == "anyone"
        assert (shape.get("$ref") == "#/$defs/open-rule") == is_open, key
    assert kinds["permission"]["enum"] == [*PERMISSIONS, None]
    assert kinds["open-permission"]["enum"] == ["anyone", *PERMISSIONS, None]
    users, teams = kinds["users"], kinds["teams"]
    assert (users["maxItems"], teams["maxItems"]) == (MAX_USERS, MAX_TEAMS)
    assert (users["items"]["pattern"], teams["items"]["pattern"]) == (USER_PATTERN, TEAM_PATTERN)
