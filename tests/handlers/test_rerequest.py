"""Who asks for our checks again, and for which pull request."""

from typing import Any

import pytest

from bot.handlers import check_run, check_suite
from bot.store.pulls import HeadWake, PullKey, Wake

SHA = "a" * 40
BASE: dict[str, Any] = {
    "action": "rerequested",
    "installation": {"id": 5},
    "repository": {"id": 7, "full_name": "octo/shop"},
}
BY_HEAD = HeadWake(repository_id=7, head_sha=SHA, reruns=True)


@pytest.mark.parametrize(
    ("external_id", "expected"),
    [
        (
            "7:12:main:0123",
            Wake(
                key=PullKey(repository_id=7, number=12),
                installation_id=5,
                repository="octo/shop",
                reruns=True,
            ),
        ),
        ("8:12:main:0123", BY_HEAD),
        ("7:0:main:0123", BY_HEAD),
        ("something else", BY_HEAD),
        (None, BY_HEAD),
    ],
    ids=["ours", "of another repository", "of no pull request", "foreign", "none"],
)
def test_a_check_run_names_its_pull_request(external_id: str | None, expected: object) -> None:
    run: dict[str, object] = {"head_sha": SHA, "external_id": external_id, "pull_requests": []}
    assert check_run.meaning({**BASE, "check_run": run}).news == (expected,)


def test_a_check_suite_is_known_by_its_head() -> None:
    assert check_suite.meaning({**BASE, "check_suite": {"head_sha": SHA}}).news == (BY_HEAD,)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ({**BASE, "action": "completed"}, "nothing was asked for again"),
        (BASE, "it does not say which commit"),
        ({**BASE, "installation": None}, "it does not say which commit"),
    ],
)
def test_anything_else_is_left_alone(payload: dict[str, Any], why: str) -> None:
    meant = check_run.meaning(payload)
    assert (meant.news, meant.ignored) == ((), why)
