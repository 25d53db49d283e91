"""A report for programs."""

import dataclasses
import json

from bot.core.verdicts import conclusions, states
from bot.render.json import document
from tests.render.test_comment import FAULT, LEAK, MATCHES, SECRET, report


def test_a_report_is_plain_json() -> None:
    made = report(findings=(LEAK, FAULT), matches=MATCHES[1:3], secrets=(SECRET,))
    made = dataclasses.replace(
        made,
        conclusions=conclusions(made.findings, ()),
        states=states(made.findings, ()),
    )
    shown = json.loads(json.dumps(document(made)))
    assert shown["checks"][1] == {
        "name": "memoryrail/secrets",
        "conclusion": "failure",
        "title": "1 secret in this change: revoke it",
    }
    assert shown["sections"]["memory"] == "failed"
    assert [match["ref"] for match in shown["matches"]] == ["CON-7475", "ATT-335f"]
    assert shown["matches"][0]["links"][0] == {
        "path": "src/api/a.py",
        "link": "src/api",
        "exact": False,
        "broad": False,
        "renamed": False,
    }
    assert shown["matches"][1]["words"] == ["retry", "timeout"]
    assert shown["matches"][1]["words_of_paths"] == []
    assert shown["secrets"][0]["fingerprint"] == SECRET.fingerprint
    assert shown["secrets"][0]["marked"] is False
    assert shown["findings"][1]["rule"] == "reworded"
