"""The settings of a repository: .github/memoryrail.yml on its default branch.

spec/settings.schema.json describes the file. Unknown keys are refused with their line; whatever is
wrong is a Problem, and the default stands in for it.
"""

from dataclasses import dataclass
from typing import Final, Literal

SETTINGS_PATH: Final = ".github/memoryrail.yml"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings:
    """What a repository's owner decided. The defaults hold where the file says nothing."""

    agents: tuple[str, ...] = ()  # logins that count as agents, besides bots and apps; lower case
    stores: tuple[str, ...] = ()  # directories that hold a store, besides those found by themselves
    secrets_block: Literal["high", "medium", "low"] = "medium"  # this level and above fail
    require_citation: Literal["none", "pinned", "all"] = "none"  # of the constraints that match
    require_decision: bool = False  # no proposal may be left waiting
