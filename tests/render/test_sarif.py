"""A report as SARIF."""

import dataclasses
from typing import Any

import jsonschema_rs

from bot.core.report import Finding, Report, SecretHit, Section, Unread, Weight
from bot.render.sarif import MAX_RESULTS, PLACELESS, sarif
from tests.making import github_token
from tests.render.test_comment import FAULT, LEAK, report

TOKEN = github_token()
CITED = Finding(
    section=Section.CITATIONS,
    weight=Weight.WARNING,
    rule="unknown-citation",
    message="[per DEC-0000](https://evil.example) names no memory.",
)
UNREAD = Unread(section=Section.MEMORY, what="x.md", why="too large")
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
# The parts of the published schema that these files use, and what code scanning asks beyond it.
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "run": {
            "type": "object",
            "additionalProperties": False,
            "required": ["tool", "results"],
            "properties": {
                "tool": {"properties": {"driver": {"$ref": "#/$defs/driver"}}},
                "automationDetails": {"properties": {"id": {"type": "string"}}},
                "originalUriBaseIds": {
                    "additionalProperties": {"properties": {"description": TEXT}}
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "driver": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "version", "rules"],
            "properties": {
                "name": {"type": "string"},
                "version": {"type": "string"},
                "rules": {"uniqueItems": True, "items": {"$ref": "#/$defs/rule"}},
            },
        },
        "rule": {
            "type": "object",
            "additionalProperties": False,
            "required": ["id", "shortDescription"],
            "properties": {
                "id": {"type": "string"},
                "shortDescription": TEXT,
                "defaultConfiguration": {
                    "properties": {"level": {"enum": ["none", "note", "warning", "error"]}}
                },
                "properties": {
                    "properties": {
                        "tags": {"uniqueItems": True, "maxItems": 10},
                        "security-severity": {"pattern": r"^\d+\.\d$"},
                    }
                },
            },
        },
        "result": {
            "type": "object",
            "additionalProperties": False,
            "required": ["ruleId", "message", "locations", "partialFingerprints"],
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"enum": ["note", "warning", "error"]},
                "message": TEXT,
                "locations": {
                    "minItems": 1,
                    "maxItems": 1,
                    "items": {"$ref": "#/$defs/location"},
                },
                "partialFingerprints": {"additionalProperties": {"type": "string"}},
            },
        },
        "location": {
            "required": ["physicalLocation"],
            "properties": {
                "physicalLocation": {
                    "required": ["artifactLocation", "region"],
                    "properties": {
                        "artifactLocation": {
                            "required": ["uri"],
                            "properties": {"uri": {"format": "uri-reference", "minLength": 1}},
                        },
                        "region": {"properties": {"startLine": {"minimum": 1}}},
                    },
                }
            },
        },
    },
}
VALID = jsonschema_rs.validator_for(
    {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMA}, validate_formats=True
)


def run(made: Report) -> dict[str, Any]:
    log: Any = sarif(made, version="1.2.3")
    VALID.validate(log)
    (one,) = log["runs"]
    rules = one["tool"]["driver"]["rules"]
    for result in one["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    return dict(one)


def test_each_result_has_rule_level_and_place() -> None:
    made = run(report(findings=(LEAK, FAULT, CITED), unread=(UNREAD,)))
    assert made["tool"]["driver"]["version"] == "1.2.3"
    found = [
        (
            result["ruleId"],
            result["level"],
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for result in made["results"]
    ]
    assert found == [
        ("memory/not-read", "error", PLACELESS, 1),
        ("secrets/github-token", "error", ".memoryrail/memories/x.md", 3),
        ("memory/reworded", "error", ".memoryrail/memories/x.md", 3),
        ("citations/unknown-citation", "warning", PLACELESS, 1),
    ]
    texts = [result["message"]["text"] for result in made["results"]]
    assert texts[0] == "Not fully checked: x.md: too large"
    assert "](" not in texts[3]
    tags = {rule["id"]: rule["properties"] for rule in made["tool"]["driver"]["rules"]}
    assert tags["secrets/github-token"]["security-severity"] == "8.0"
    assert "security-severity" not in tags["memory/reworded"]


def test_a_clean_report_has_no_results() -> None:
    made = run(report())
    assert (made["results"], made["tool"]["driver"]["rules"]) == ([], [])


def test_hostile_paths_and_secrets() -> None:
    path = f"a b/ü#?%:\x1b\n\\xff/{TOKEN}.md"
    bad = dataclasses.replace(FAULT, path=path, message=f"\u202e{TOKEN}", rule=f"\x1b{TOKEN}")
    made = run(report(findings=(bad,)))
    (place,) = made["results"][0]["locations"]
    assert (
        place["physicalLocation"]["artifactLocation"]["uri"]
        == "a%20b/%C3%BC%23%3F%25%3A%1B%0A%5Cxff/%5Bsecret%5D.md"
    )
    assert TOKEN not in str(made)
    assert "\u202e" not in str(made)


def prints(made: Report) -> list[str]:
    found = [result["partialFingerprints"] for result in run(made)["results"]]
    assert all(set(one) == {"primaryLocationLineHash"} for one in found)
    return [one["primaryLocationLineHash"] for one in found]


def test_fingerprints_tell_results_again() -> None:
    """When lines move, and for a secret when a rebase gives its commit another name."""
    moved = dataclasses.replace(FAULT, line=99)
    assert prints(report(findings=(FAULT,))) == prints(report(findings=(moved,)))
    twice = prints(report(findings=(FAULT, moved)))
    assert len(set(twice)) == 2
    hit = SecretHit(
        rule=LEAK.rule,
        description="GitHub token",
        level="high",
        path=LEAK.path or "",
        line=LEAK.line,
        fingerprint="0123456789abcdef",
        commit=None,
        at_head=True,
    )
    other = dataclasses.replace(LEAK, message="Commit 7654321 adds it.")
    before = prints(report(findings=(LEAK,), secrets=(hit,)))
    assert before == prints(report(findings=(other,), secrets=(hit,)))
    another = dataclasses.replace(hit, fingerprint="fedcba9876543210")
    assert before != prints(report(findings=(LEAK,), secrets=(another,)))


def test_no_more_results_than_are_shown() -> None:
    lesser = dataclasses.replace(FAULT, weight=Weight.NOTICE)
    many = [dataclasses.replace(lesser, line=line) for line in range(1, MAX_RESULTS + 3)]
    log: Any = sarif(report(findings=(*many, LEAK)), version="1")
    results = log["runs"][0]["results"]
    assert len(results) == MAX_RESULTS
    assert results[0]["ruleId"] == "secrets/github-token"
    assert results[-1]["message"]["text"] == (
        "4 more results are left out: code scanning shows 5,000."
    )
