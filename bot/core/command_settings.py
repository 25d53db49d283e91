"""The part of a repository's settings that says who may run which command (spec/settings.md).

A list of users or teams adds to those who have the permission; it takes from nobody. What is not
given for a verb is what `default` says, and then what VERBS says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.core.settings_section import SettingsSection
from bot.core.verbs import PERMISSIONS, VERBS, Least

DEFAULT: Final = "default"  # the key for all verbs
MAX_USERS: Final = 100  # of one list
MAX_TEAMS: Final = 10  # of one list; each may cost a request

# The same two patterns stand in the schema. No bot is a user: bots never command.
USER_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$"
TEAM_PATTERN: Final = r"^(?:[A-Za-z0-9][A-Za-z0-9-]{0,99}/)?[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$"

_ANYONE: Final[tuple[Least, ...]] = ("anyone", *PERMISSIONS)
_FLAGS: Final = {"approve": ("own-pull-request", "own-memory"), "remember": ("active",)}


class Membership(StrEnum):
    """What GitHub says of an account and a team; all but MEMBER is a no."""

    MEMBER = "member"
    OUTSIDER = "outsider"  # or there is no such team
    ELSEWHERE = "elsewhere"  # the team is not the repository owner's, so it cannot be asked for
    NOT_PERMITTED = "not-permitted"  # the app may not read members
    UNKNOWN = "unknown"  # GitHub did not say


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Who may run a verb: who has the permission, and whoever is listed and can read."""

    permission: Least
    users: tuple[str, ...] = ()  # logins in lower case
    teams: tuple[str, ...] = ()  # slug or org/slug, in lower case


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What settings say for one verb, or for all. None: nothing."""

    permission: Least | None = None
    users: tuple[str, ...] | None = None
    teams: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSettings:
    """Who may run which command, and how far some of them go."""

    given: Mapping[str, Given] = field(default_factory=dict)  # by verb or DEFAULT
    own_pull_request: bool = False  # who opened the pull request may approve in it
    own_memory: bool = False  # who wrote a memory may approve it
    remember_active: bool = False  # what those who may approve remember is active at once
    commit_after_merge: bool = False  # on the base branch; else the bot opens a pull request

    def rule(self, verb: str) -> Rule:
        """The rule for a verb of VERBS. `default` asks for no permission where anyone may."""
        own, all_ = self.given.get(verb, Given()), self.given.get(DEFAULT, Given())
        least = VERBS[verb]
        if least != "anyone":
            least = all_.permission or least
        return Rule(
            permission=own.permission or least,
            users=(all_.users or ()) if own.users is None else own.users,
            teams=(all_.teams or ()) if own.teams is None else own.teams,
        )


def read(top: SettingsSection, defaults: CommandSettings) -> CommandSettings:
    """Read `commands`. defaults: what holds where the file says nothing, or something wrong."""
    section = top.section("commands", (DEFAULT, *VERBS, "commit-after-merge"))
    keys = (DEFAULT, *VERBS)
    below = {
        key: section.section(key, ("permission", "users", "teams", *_FLAGS.get(key, ())))
        for key in keys
    }
    given = {key: _given(below[key], key, defaults.given.get(key, Given())) for key in keys}
    approve, remember = below["approve"], below["remember"]
    return CommandSettings(
        given={key: one for key, one in given.items() if one != Given()},
        own_pull_request=approve.flag("own-pull-request", default=defaults.own_pull_request),
        own_memory=approve.flag("own-memory", default=defaults.own_memory),
        remember_active=remember.flag("active", default=defaults.remember_active),
        commit_after_merge=section.flag("commit-after-merge", default=defaults.commit_after_merge),
    )


def _given(section: SettingsSection, key: str, was: Given) -> Given:
    allowed = _ANYONE if VERBS.get(key) == "anyone" else PERMISSIONS
    permission = section.choice_or_none("permission", allowed)
    users = section.texts("users", USER_PATTERN, MAX_USERS, "a login, such as ada")
    teams = section.texts("teams", TEAM_PATTERN, MAX_TEAMS, "a team, such as octo/keepers")
    return Given(
        permission=permission or was.permission,
        users=was.users if users is None else tuple(login.lower() for login in users),
        teams=was.teams if teams is None else tuple(team.lower() for team in teams),
    )
