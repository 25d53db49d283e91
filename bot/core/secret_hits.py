"""Findings with what a person needs: which commit, the keyed fingerprint, and no value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Source:
    """A text, and where it comes from."""

    text: Text
    commit: str | None = None  # that adds it; None for what stands there
    at_head: bool = False
    was: str = field(default="", repr=False)  # the whole file on the base, where that is known


Ignores = Callable[[SecretFinding, Source], bool]


def at_rest(listed: IgnoreFile) -> Ignores:
    """What the marks of files at rest hide: whoever wrote them answers for it."""
    return lambda finding, source: finding.marked or _covers(listed, finding, source)


def in_a_change(base: IgnoreFile, head: IgnoreFile) -> Ignores:
    """What marks hide in a change, whose author may have added them with the secret.

    For the highest level only the base's list counts, and only for what it was written about: a
    commit that it names, or a value that the file has on the base. Without a commit a line of it
    says nothing about what a change puts in that place.
    """

    def is_ignored(finding: SecretFinding, source: Source) -> bool:
        if finding.level is not Level.HIGH:
            return finding.marked or any(_covers(one, finding, source) for one in (base, head))
        if source.commit is not None:
            return base.names(
                rule=finding.rule, path=finding.path, line=finding.line, commit=source.commit
            )
        return _value(finding, source) in source.was and _covers(base, finding, source)

    return is_ignored


def hits(
    sources: Sequence[Source], *, rules: RuleSet, key: bytes, is_ignored: Ignores
) -> tuple[tuple[SecretHit, ...], tuple[Unscanned, ...]]:
    """Every place where a secret stands, and what was not scanned whole."""
    result = scan([source.text for source in sources], rules=rules, inline_marks=False)
    found = (
        hit_of(finding, sources[finding.text_index], key)
        for finding in result.findings
        if not is_ignored(finding, sources[finding.text_index])
    )
    return tuple(found), result.incomplete


def hit_of(finding: SecretFinding, source: Source, key: bytes) -> SecretHit:
    """The finding for people. key: of the fingerprint."""
    return SecretHit(
        rule=finding.rule,
        description=finding.description,
        level=finding.level.value,
        path=finding.path,
        line=finding.line,
        column=finding.column,
        length=finding.length,
        fingerprint=fingerprint(_value(finding, source), key),
        commit=source.commit,
        at_head=source.at_head,
        why=finding.why,
        revoke=finding.revoke,
    )


def _covers(listed: IgnoreFile, finding: SecretFinding, source: Source) -> bool:
    return listed.covers(
        rule=finding.rule, path=finding.path, line=finding.line, commit=source.commit
    )


def _value(finding: SecretFinding, source: Source) -> str:
    return source.text.text[finding.start : finding.end]
