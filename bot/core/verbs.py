"""The verbs of commands, and the least that GitHub must grant their sender where no setting says.

One list, for the settings, for who may, and for the help. spec/commands.md has the table.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

Permission = Literal["triage", "push", "maintain", "admin"]  # GitHub's booleans, above reading
Least = Literal["anyone", "triage", "push", "maintain", "admin"]

PERMISSIONS: Final[tuple[Permission, ...]] = ("triage", "push", "maintain", "admin")  # upwards

VERBS: Final[Mapping[str, Least]] = MappingProxyType(
    {
        # What binds, what is still true, and what may pass in spite of it: a maintainer's word.
        "approve": "maintain",
        "reject": "maintain",
        "archive": "maintain",
        "resolve": "maintain",
        "supersede": "maintain",
        "confirm": "maintain",
        "relink": "maintain",
        "pin": "maintain",
        "unpin": "maintain",
        "ack": "maintain",
        "ignore": "maintain",
        "undo": "maintain",
        # What everybody who pushes could commit as well: a proposal, blocks made from memories,
        # a merge in which nobody's entries change, and ids that documents lack.
        "remember": "push",
        "sync": "push",
        "reappend": "push",
        "stamp-ids": "push",
        # Answers. Who may save what `edit` links to is for GitHub to say.
        "edit": "anyone",
        "recheck": "anyone",
        "show": "anyone",
        "list": "anyone",
        "why": "anyone",
        "help": "anyone",
    }
)
