"""The part of a repository's settings that says by which rules secrets are found (spec/secrets.md).

What is not given is what the defaults say. A rule that is wrong leaves the others.
"""

import difflib
from dataclasses import replace
from typing import Final

from bot.core import yaml_nodes
from bot.core.quoting import cut
from bot.core.secrets.ruleset import (
    MAX_RULES,
    OwnRule,
    RuleSet,
    known_ids,
    own_rule,
    unknown_ids,
)
from bot.core.settings_section import SettingsSection
from bot.core.yaml_nodes import Map, Node, Scalar

KEYS: Final = ("disable", "rules")
MAX_DISABLED: Final = 200  # rules
MAX_DESCRIPTION: Final = 100  # characters that are shown
RULE_ID_PATTERN: Final = r"^[a-z0-9][a-z0-9-]{1,60}$"  # it stands in the schema too


def read(section: SettingsSection, defaults: RuleSet) -> RuleSet:
    """Read `secrets.disable` and `secrets.rules`."""
    disabled, added = _disabled(section), _added(section)
    return RuleSet(
        disabled=defaults.disabled if disabled is None else disabled,
        added=defaults.added if added is None else added,
    )


def _disabled(section: SettingsSection) -> frozenset[str] | None:
    texts = section.texts("disable", RULE_ID_PATTERN, MAX_DISABLED, "the id of a rule")
    if texts is None:
        return None
    ids = frozenset(texts)
    if unknown := unknown_ids(ids):
        near = difflib.get_close_matches(unknown[0], known_ids(), n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        named = cut(", ".join(unknown), 200)
        section.note("disable", f"`secrets.disable` names no rule of ours: {named}.{hint}")
    return ids.difference(unknown)


def _added(section: SettingsSection) -> tuple[OwnRule, ...] | None:
    items = section.items("rules", MAX_RULES, "rules")
    if items is None:
        return None
    found: dict[str, OwnRule] = {}
    for item in items:
        try:
            rule = own_rule(_plain(item))
        except ValueError as error:
            section.note("rules", f"A rule of `secrets.rules` {error}.", line=item.line)
            continue
        if rule.id in found:
            message = f"The rule {rule.id} is given twice. Keep one."
            section.note("rules", message, line=item.line)
        shown = cut(rule.description, MAX_DESCRIPTION)
        found.setdefault(rule.id, replace(rule, description=shown))
    return tuple(found.values())


def _plain(node: Node) -> dict[str, object]:
    """A mapping of texts and lists of texts; anything else in it stays a node. Empty for others."""
    plain: dict[str, object] = {}
    for key, entry in node.entries.items() if isinstance(node, Map) else ():
        value: object = entry.value
        if isinstance(entry.value, Scalar):
            value = entry.value.text
        elif isinstance(entry.value, yaml_nodes.Sequence):
            value = [item.text if isinstance(item, Scalar) else item for item in entry.value.items]
        plain[key] = value
    return plain
