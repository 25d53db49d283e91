"""Findings with what a person needs: which commit, the keyed fingerprint, and no value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.core.report import SecretHit
from bot.core.secrets import (
    IgnoreFile,
    Level,
    RuleSet,
    SecretFinding,
    Text,
    Unscanned,
    fingerprint,
    scan,
)

Ignores = Callable[[SecretFinding, str | None], bool]


@dataclass(frozen=True, slots=True)
class Source:
    """A text, and where it comes from."""

    text: Text
    commit: str | None = None  # that adds it; None for what stands there
    at_head: bool = False


def at_rest(listed: IgnoreFile) -> Ignores:
    """What the marks of files at rest hide: whoever wrote them answers for it."""
    return lambda finding, commit: finding.marked or _covers(listed, finding, commit)


def in_a_change(base: IgnoreFile, head: IgnoreFile) -> Ignores:
    """What marks hide in a change, whose author may have added them with the secret.

    For the highest level only the base's list counts.
    """

    def is_ignored(finding: SecretFinding, commit: str | None) -> bool:
        if finding.level is Level.HIGH:
            return _covers(base, finding, commit)
        return finding.marked or any(_covers(one, finding, commit) for one in (base, head))

    return is_ignored


def hits(
    sources: Sequence[Source], *, rules: RuleSet, key: bytes, is_ignored: Ignores
) -> tuple[tuple[SecretHit, ...], tuple[Unscanned, ...]]:
    """Every place where a secret stands, and what was not scanned whole."""
    result = scan([source.text for source in sources], rules=rules, inline_marks=False)
    found = (
        hit_of(finding, sources[finding.text_index], key)
        for finding in result.findings
        if not is_ignored(finding, sources[finding.text_index].commit)
    )
    return tuple(found), result.incomplete


def hit_of(finding: SecretFinding, source: Source, key: bytes) -> SecretHit:
    """The finding for people. key: of the fingerprint."""
    value = source.text.text[finding.start : finding.end]
    return SecretHit(
        rule=finding.rule,
        description=finding.description,
        level=finding.level.value,
        path=finding.path,
        line=finding.line,
        column=finding.column,
        length=finding.length,
        fingerprint=fingerprint(value, key),
        commit=source.commit,
        at_head=source.at_head,
        why=finding.why,
        revoke=finding.revoke,
    )


def _covers(listed: IgnoreFile, finding: SecretFinding, commit: str | None) -> bool:
    return listed.covers(rule=finding.rule, path=finding.path, line=finding.line, commit=commit)
