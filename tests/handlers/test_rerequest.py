"""Who asks for our checks again, and for which pull request."""

from typing import Any

import pytest

from bot.handlers import check_run, check_suite
from bot.store.pulls import HeadWake, PullKey, Wake
from bot.store.work import RepositoryNews, Work, WorkKind

SHA = "a" * 40
BASE: dict[str, Any] = {
    "action": "rerequested",
    "installation": {"id": 5},
    "repository": {"id": 7, "full_name": "octo/shop"},
}
BY_HEAD = HeadWake(
    repository_id=7, installation_id=5, repository="octo/shop", head_sha=SHA, reruns=True
)


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


GROUP = f"gh-readonly-queue/release/1/pr-3-{'b' * 40}"


@pytest.mark.parametrize(
    ("branch", "work"),
    [
        ("main", Work(kind=WorkKind.READY, head_sha=SHA)),
        (
            GROUP,
            Work(
                kind=WorkKind.GROUP,
                base_ref="release/1",
                head_sha=SHA,
                head_ref=GROUP,
                base_sha="b" * 40,
            ),
        ),
        ("feature", None),
        ("gh-readonly-queue/main/pr-3-xyz", None),
        (None, None),
    ],
)
def test_what_belongs_to_no_pull_request_is_known_by_its_branch(
    branch: str | None, work: Work | None
) -> None:
    payload = {**BASE, "repository": {**BASE["repository"], "default_branch": "main"}}
    suite = {"head_sha": SHA, "head_branch": branch}
    run = {"head_sha": SHA, "external_id": "7:0:other:0123", "check_suite": suite}
    news = RepositoryNews(
        repository_id=7,
        installation_id=5,
        repository="octo/shop",
        work=(work,) if work else (),
        reruns=True,
    )
    expected = (BY_HEAD, news) if work else (BY_HEAD,)
    assert check_suite.meaning({**payload, "check_suite": suite}).news == expected
    assert check_run.meaning({**payload, "check_run": run}).news == expected


def test_a_check_run_of_no_pull_request_names_its_branch_too() -> None:
    payload = {**BASE, "repository": {**BASE["repository"], "default_branch": "main"}}
    run = {"head_sha": SHA, "external_id": "7:0:main:0123"}
    _, news = check_run.meaning({**payload, "check_run": run}).news
    assert isinstance(news, RepositoryNews)
    assert news.work == (Work(kind=WorkKind.READY, head_sha=SHA),)


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
