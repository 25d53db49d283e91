"""A report as JSON values, for programs. The shape grows; keys are never renamed."""

from typing import Final

from bot.core.report import Check, Finding, Match, Report, SecretHit
from bot.core.secrets import redacted
from bot.render import phrases
from bot.render.markdown import visible

FORMAT: Final = 1


def document(report: Report) -> dict[str, object]:
    """The report as plain dicts, lists, texts and numbers."""
    return {
        "format": FORMAT,
        "base": {"ref": visible(report.base_ref), "sha": report.base_sha},
        "head": {"sha": report.head_sha},
        "memories_read": report.memories_read,
        "checks": [
            {
                "name": check.value,
                "conclusion": report.conclusions[check].value,
                "title": visible(phrases.title(report, check)),
            }
            for check in Check
        ],
        "sections": {section.value: state.value for section, state in report.states.items()},
        "matches": [_match(match) for match in report.matches],
        "secrets": [_secret(hit) for hit in report.secrets],
        "findings": [_finding(finding) for finding in report.findings],
        "unread": [
            {"section": one.section.value, "what": visible(one.what), "why": visible(one.why)}
            for one in report.unread
        ],
    }


def _match(match: Match) -> dict[str, object]:
    memory = match.memory
    return {
        "id": visible(memory.id),
        "ref": memory.ref,
        "type": memory.type.value,
        "title": visible(memory.title),
        "path": redacted(memory.path),
        "pinned": match.pinned,
        "links": [
            {
                "path": redacted(hit.path),
                "link": redacted(hit.link),
                "exact": hit.exact,
                "broad": hit.broad,
                "renamed": hit.renamed_from,
            }
            for hit in match.links
        ],
        "words": [visible(word) for word in match.text.words] if match.text else [],
        "words_of_paths": [visible(word) for word in match.text.of_paths] if match.text else [],
        "strength": round(match.text.strength, 3) if match.text else None,
        "acknowledged": match.acknowledged,
        "weak": match.weak,
    }


def _secret(hit: SecretHit) -> dict[str, object]:
    return {
        "rule": hit.rule,
        "level": hit.level,
        "path": redacted(hit.path),
        "line": hit.line,
        "commit": hit.commit,
        "at_head": hit.at_head,
        "fingerprint": hit.fingerprint,
        "marked": hit.is_marked,
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "section": finding.section.value,
        "weight": finding.weight.value,
        "rule": finding.rule,
        "path": finding.path and redacted(finding.path),
        "line": finding.line,
        "message": visible(finding.message),
    }
