from pathlib import Path

import pytest
import yaml

from bot.core.report import Check, Conclusion
from bot.handlers import permissions

ROOT = Path(__file__).parents[2]


def test_nothing_is_needed_that_the_app_does_not_ask_for() -> None:
    asked = yaml.safe_load((ROOT / "app.yml").read_text())["permissions"]
    assert permissions.missing(asked) == ()


@pytest.mark.parametrize(
    ("granted", "expected"),
    [
        ({}, ("metadata: read", "contents: read", "pull_requests: read", "checks: write")),
        ({**permissions.NEEDED, "contents": "write", "checks": "admin"}, ()),
        ({**permissions.NEEDED, "checks": "read"}, ("checks: write",)),
        ({**permissions.NEEDED, "contents": "none"}, ("contents: read",)),
    ],
)
def test_what_is_missing(granted: dict[str, str], expected: tuple[str, ...]) -> None:
    assert permissions.missing(granted) == expected


def test_every_check_fails_and_names_it() -> None:
    runs = permissions.runs_without(("contents: read", "checks: write"))
    assert [run.name for run in runs] == [check.value for check in Check]
    assert {run.conclusion for run in runs} == {Conclusion.FAILURE}
    assert all("contents: read, checks: write" in run.title for run in runs)
