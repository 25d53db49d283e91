"""The settings of a repository: .github/memoryrail.yml on its default branch.

spec/settings.schema.json describes the file, spec/settings.md explains it. Unknown keys are refused
with their line; whatever is wrong is a Problem, and the default stands in for it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from bot.core import command_settings, secret_settings, yaml_nodes
from bot.core.command_settings import CommandSettings
from bot.core.model import Problem
from bot.core.secrets.ruleset import ALL_RULES, RuleSet
from bot.core.settings_section import SettingsSection
from bot.core.thresholds import MAX_TEXT_HITS, Thresholds
from bot.core.yaml_nodes import YamlError

SETTINGS_PATH: Final = ".github/memoryrail.yml"
OWNERS_REPOSITORY: Final = ".github"  # whose settings are the defaults of its owner's others
MAX_BYTES: Final = 64 * 1024
MAX_AGENTS: Final = 200
MAX_STORES: Final = 100  # each is looked for on both sides of every pull request
MAX_STRENGTH: Final = 100  # a threshold of precheck that nothing reaches

# The same two patterns stand in the schema. A path has no `..` and no leading slash.
LOGIN_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?$"
PATH_PATTERN: Final = (
    r"^(?!\.\.(?:/|$))[^/\u0000-\u001f\u007f\\]{1,255}"
    r"(?:/(?!\.\.(?:/|$))[^/\u0000-\u001f\u007f\\]{1,255}){0,50}/?$"
)

_LEVELS: Final[tuple[Literal["high", "medium", "low"], ...]] = ("high", "medium", "low")
_REQUIRED: Final[tuple[Literal["none", "pinned", "all"], ...]] = ("none", "pinned", "all")
_THRESHOLDS: Final = ("min-strength", "fold-below", "text-hits", "broad-share")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings:
    """What a repository's owner decided. The defaults hold where the file says nothing."""

    agents: tuple[str, ...] = ()  # logins that count as agents, besides bots and apps; lower case
    stores: tuple[str, ...] = ()  # directories that hold a store, besides those found by themselves
    secrets_block: Literal["high", "medium", "low"] = "medium"  # this level and above fail
    secret_rules: RuleSet = ALL_RULES  # which rules of ours do not apply, and those of its own
    require_citation: Literal["none", "pinned", "all"] = "none"  # of the constraints that match
    require_decision: bool = False  # no proposal may be left waiting
    thresholds: Thresholds = field(default_factory=Thresholds)  # of precheck
    commands: CommandSettings = field(default_factory=CommandSettings)


def parse(
    data: bytes | None, defaults: RepositorySettings = RepositorySettings()
) -> tuple[RepositorySettings, tuple[Problem, ...]]:
    """Read the file, None where there is none. The problems are in the order of lines.

    defaults: what holds where the file says nothing, or something wrong, such as its owner's.
    """
    try:
        document = yaml_nodes.parse(_text(data or b""))
    except YamlError as error:
        message = f"The settings cannot be read: {error.problem}. The defaults apply."
        problem = Problem(path=SETTINGS_PATH, line=error.line, rule="bad-setting", message=message)
        return defaults, (problem,)
    problems: list[Problem] = []
    known = ("agents", "stores", "secrets", "precheck", "memory", "commands")
    top = SettingsSection(document, known, problems, path=SETTINGS_PATH)
    secrets = top.section("secrets", ("block", *secret_settings.KEYS))
    precheck = top.section("precheck", ("require", *_THRESHOLDS))
    memory = top.section("memory", ("require-decision",))
    logins = top.texts("agents", LOGIN_PATTERN, MAX_AGENTS, "a login, such as dependabot[bot]")
    paths = top.texts("stores", PATH_PATTERN, MAX_STORES, "a path inside the repository")
    settings = RepositorySettings(
        agents=defaults.agents if logins is None else _distinct(map(str.lower, logins)),
        stores=defaults.stores if paths is None else _distinct(map(_plain_path, paths)),
        secrets_block=secrets.choice("block", _LEVELS, defaults.secrets_block),
        secret_rules=secret_settings.read(secrets, defaults.secret_rules),
        require_citation=precheck.choice("require", _REQUIRED, defaults.require_citation),
        require_decision=memory.flag("require-decision", default=defaults.require_decision),
        thresholds=_thresholds(precheck, defaults.thresholds),
        commands=command_settings.read(top, defaults.commands),
    )
    return settings, tuple(sorted(problems, key=lambda problem: problem.line))


def _thresholds(precheck: SettingsSection, known: Thresholds) -> Thresholds:
    hits = precheck.number("text-hits", most=MAX_TEXT_HITS, default=known.text_hits, whole=True)
    return Thresholds(
        min_strength=precheck.number("min-strength", most=MAX_STRENGTH, default=known.min_strength),
        fold_below=precheck.number("fold-below", most=MAX_STRENGTH, default=known.fold_below),
        text_hits=int(hits),
        broad_share=precheck.number("broad-share", most=1, default=known.broad_share),
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise YamlError(f"the file is larger than {MAX_BYTES // 1024} KiB", line=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise YamlError("the file is not UTF-8", line=line) from None


def _plain_path(path: str) -> str:
    """A path without `.` parts and a slash at its end; the repository itself is ""."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))
