"""The labelled texts of spec/vectors/secrets: found on their line by their rule, or clean.

By their README a level that differs is worth a look and no failure; so is a finding more, or one
that marks other characters. No value is ever shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.core.secrets import Scan, SecretFinding, Text, scan
from tests.vectors.cases import MalformedError, only, text
from tests.vectors.verdict import Difference, Verdict

_KEYS: Final = ("id", "path", "text", "expect", "also_ok", "kind", "near_miss_of", "note")
_EXPECTED_KEYS: Final = ("rule", "line", "level", "secret")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A finding that a text should give."""

    rule: str
    line: int  # from 1
    level: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A text and what should be found in it."""

    id: str
    path: str
    text: str = field(repr=False)
    expect: tuple[Expected, ...] = ()
    also_ok: frozenset[str] = frozenset()  # rules that may be found as well
    near_miss_of: str = ""  # the rule that must not take it for its kind

    @property
    def secret(self) -> str:
        """The value of a text with one credential."""
        [expected] = self.expect
        return expected.secret


def labelled(data: Mapping[str, Any]) -> Labelled:
    """A case as values, put together in memory only. Raises MalformedError."""
    only(data, _KEYS, "the case")
    if not {"id", "path", "text", "expect"} <= data.keys():
        raise MalformedError("a case has id, path, text and expect")
    for expected in data["expect"]:
        only(expected, _EXPECTED_KEYS, "expect")
    return Labelled(
        id=data["id"],
        path=data["path"],
        text=text(data["text"]),
        expect=tuple(
            Expected(
                rule=one["rule"],
                line=one["line"],
                level=one.get("level", ""),
                secret=text(one.get("secret", "")),
            )
            for one in data["expect"]
        ),
        also_ok=frozenset(data.get("also_ok", ())),
        near_miss_of=data.get("near_miss_of", ""),
    )


def run(data: Mapping[str, Any]) -> Verdict:
    """Scan a case's text."""
    case = labelled(data)
    found = scan([Text(path=case.path, text=case.text)])
    return Verdict(
        differences=tuple(_differences(case, found)), notes=tuple(_notes(case, found.findings))
    )


def _differences(case: Labelled, found: Scan) -> Iterator[Difference]:
    places = [f"{finding.rule} on line {finding.line}" for finding in found.findings]
    if not case.expect and places:
        yield Difference(what="findings", expected="none", got=places)
    for expected in case.expect:
        if not _matching(expected, case, found.findings):
            wanted = f"{expected.rule} on line {expected.line}"
            yield Difference(what="findings", expected=wanted, got=places)
        if expected.secret and expected.secret in repr(found):
            yield Difference(what="secret", expected="in no reported field", got="reported")
    if found.incomplete:
        yield Difference(what="scan", expected="the whole text", got=found.incomplete)


def _notes(case: Labelled, findings: tuple[SecretFinding, ...]) -> Iterator[str]:
    if not case.expect:
        return
    known = set()
    for expected in case.expect:
        for finding in _matching(expected, case, findings):
            known.add(finding)
            if expected.level and finding.level != expected.level:
                yield f"{finding.rule} is {finding.level} here, expected {expected.level}"
            value = case.text[finding.start : finding.end]
            if expected.secret and value != expected.secret:
                yield f"{finding.rule} marks {len(value)} characters that are not the secret's"
    for finding in findings:
        if finding not in known and finding.rule not in case.also_ok:
            yield f"{finding.rule} on line {finding.line} is found as well"


def _matching(
    expected: Expected, case: Labelled, findings: tuple[SecretFinding, ...]
) -> list[SecretFinding]:
    """The findings that say what is expected, by its rule or one that is as good."""
    rules = {expected.rule, *case.also_ok}
    return [one for one in findings if one.line == expected.line and one.rule in rules]
