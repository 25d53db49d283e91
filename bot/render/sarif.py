"""A report as SARIF 2.1.0, for GitHub's code scanning and other viewers.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html, and what code scanning takes of
it: https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support. It
refuses a whole file when one result has no place, so what is about no file stands at a fixed one.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.quoting import cut
from bot.core.report import CHECK_OF, Finding, Report, Section, Unread, Weight
from bot.render.markdown import url_path, visible

MAX_RESULTS: Final = 5_000  # code scanning shows no more of a run
PLACELESS: Final = ".memoryrail/config.json"  # where results stand that are about no file

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL: Final = {  # what makes the exit code 1 is an error
    Weight.FAILURE: "error",
    Weight.ACTION: "error",
    Weight.WARNING: "warning",
    Weight.NOTICE: "note",
}
_WEIGHTS: Final = tuple(Weight)
_MAX_MESSAGE: Final = 2_000  # characters
_NOT_READ: Final = "not-read"
_ROOT: Final = "%SRCROOT%"  # paths count from there
_SEVERITY: Final = "8.0"  # "high" in code scanning's words, which asks for a number


def sarif(report: Report, *, version: str) -> dict[str, object]:
    """The report as plain dicts, lists, texts and numbers. version: of this software."""
    # A secret's message names a commit, which a rebase changes.
    prints = {(hit.rule, hit.path, hit.line): hit.fingerprint for hit in report.secrets}
    return sarif_of(report.findings, report.unread, prints, version=version)


def sarif_of(
    findings: Sequence[Finding],
    unread: Sequence[Unread],
    identities: Mapping[tuple[str, str, int], str],
    *,
    version: str,
) -> dict[str, object]:
    """Findings, and what could not be read. identities: by rule, path, line."""
    results = list(_results(findings, unread, identities))
    more = len(results) - MAX_RESULTS
    if more > 0:
        told = f"{more + 1:,} more results are left out: code scanning shows {MAX_RESULTS:,}."
        left_out = _Result(rule="left-out", section=None, level="warning", message=told)
        results = [*results[: MAX_RESULTS - 1], left_out]
    rules = _rules(results)
    numbers = {str(rule["id"]): number for number, rule in enumerate(rules)}
    driver = {"name": "MemoryRail bot", "version": version, "rules": rules}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": "memoryrail/"},
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The root of the repository."}}
                },
                "columnKind": "unicodeCodePoints",
                "results": list(_entries(results, numbers)),
            }
        ],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    rule: str
    section: Section | None
    level: str
    message: str
    path: str = PLACELESS
    line: int = 1
    identity: str = ""  # what it is told again by, beside rule and path; "" for the message


def _results(
    findings: Sequence[Finding],
    unread: Sequence[Unread],
    prints: Mapping[tuple[str, str, int], str],
) -> Iterator[_Result]:
    """What could not be read, then what was found, the worst first."""
    for one in unread:
        message = f"Not fully checked: {one.what}: {one.why}"
        yield _Result(rule=_NOT_READ, section=one.section, level="error", message=message)
    for finding in sorted(findings, key=lambda one: _WEIGHTS.index(one.weight)):
        yield _result(finding, prints)


def _result(finding: Finding, prints: Mapping[tuple[str, str, int], str]) -> _Result:
    return _Result(
        rule=finding.rule,
        section=finding.section,
        level=_LEVEL[finding.weight],
        message=finding.message,
        path=finding.path or PLACELESS,
        line=finding.line,
        identity=prints.get((finding.rule, finding.path or "", finding.line), ""),
    )


def _rules(results: Iterable[_Result]) -> list[dict[str, object]]:
    """Each rule that a result names, once, by its id."""
    first: dict[str, _Result] = {}
    for result in results:
        first.setdefault(_id(result), result)
    return [_rule(id_, result) for id_, result in sorted(first.items())]


def _rule(id_: str, result: _Result) -> dict[str, object]:
    section = result.section
    check = CHECK_OF[section] if section else "memoryrail"
    properties: dict[str, object] = {"tags": [section or "report"]}
    if section is Section.SECRETS and result.rule != _NOT_READ:
        properties = {"tags": ["security", section], "security-severity": _SEVERITY}
    return {
        "id": id_,
        "shortDescription": {"text": f"{check}: {_text(result.rule, 200)}"},
        "defaultConfiguration": {"level": result.level},
        "properties": properties,
    }


def _entries(results: Sequence[_Result], numbers: dict[str, int]) -> Iterator[dict[str, object]]:
    seen: Counter[str] = Counter()
    for result in results:
        id_, message = _id(result), _text(result.message, _MAX_MESSAGE)
        known_by = "\0".join((id_, result.path, result.identity or message))
        print_ = hashlib.sha256(known_by.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[print_] += 1
        yield {
            "ruleId": id_,
            "ruleIndex": numbers[id_],
            "level": result.level,
            "message": {"text": message.replace("](", "] (")},  # a link would be followed
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": url_path(result.path), "uriBaseId": _ROOT},
                        "region": {"startLine": max(1, result.line)},
                    }
                }
            ],
            # The one that code scanning reads: it tells a result again when lines move.
            "partialFingerprints": {"primaryLocationLineHash": f"{print_}:{seen[print_]}"},
        }


def _id(result: _Result) -> str:
    """The rule within its section: two sections may use the same word."""
    return _text(f"{result.section or 'report'}/{result.rule}", 200)


def _text(text: str, limit: int) -> str:
    return cut(visible(text), limit)
