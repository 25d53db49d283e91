from dataclasses import replace

import pytest

from bot.handlers import pull_request
from bot.store.pulls import PullKey, Wake


def _payload(action: str = "opened") -> dict[str, object]:
    """What GitHub sends when the author and the fork are gone."""
    return {
        "action": action,
        "installation": {"id": 5},
        "repository": {"id": 7, "full_name": "octo/cat"},
        "pull_request": {"number": 3, "head": {"sha": "a" * 40, "repo": None, "user": None}},
        "sender": None,
    }


WAKE = Wake(
    key=PullKey(repository_id=7, number=3),
    installation_id=5,
    repository="octo/cat",
    head_sha="a" * 40,
)


@pytest.mark.parametrize(
    "action",
    [
        "opened",
        "reopened",
        "synchronize",
        "edited",
        "ready_for_review",
        "converted_to_draft",
        "closed",
    ],
)
def test_what_changes_the_verdict_wakes_the_pull_request(action: str) -> None:
    meaning = pull_request.meaning(_payload(action))
    expected = replace(WAKE, rejoins=action == "reopened")
    assert (meaning.news, meaning.ignored) == ((expected,), None)


def test_under_another_base_no_verdict_stands() -> None:
    was = {"ref": {"from": "old"}, "sha": {"from": "b" * 40}}
    for changes, unsettles in (({"title": {"from": "A"}}, False), ({"base": was}, True)):
        meaning = pull_request.meaning(_payload("edited") | {"changes": changes})
        assert meaning.news == (replace(WAKE, unsettles=unsettles),)


@pytest.mark.parametrize("action", ["labeled", "assigned", "locked", "stacked", "new_in_2030"])
def test_what_does_not_is_ignored(action: str) -> None:
    """In a stack each pull request is judged by the branch below it, as it is out of one."""
    meaning = pull_request.meaning(_payload(action))
    assert meaning.news == ()
    assert meaning.ignored == "nothing that is judged has changed"
    assert (meaning.installation_id, meaning.repository_id) == (5, 7)


@pytest.mark.parametrize("missing", ["installation", "repository", "pull_request"])
@pytest.mark.parametrize("value", [None, {}, [], "text", 7])
def test_what_cannot_be_acted_on_is_ignored_with_the_reason(missing: str, value: object) -> None:
    meaning = pull_request.meaning(_payload() | {missing: value})
    assert meaning.news == ()
    assert meaning.ignored in ("it names no installation", "it does not say which pull request")


@pytest.mark.parametrize("sha", [None, "", "A" * 40, "a" * 39, "main", 7, "a" * 40 + "\n"])
def test_a_head_that_is_no_sha_is_left_out(sha: object) -> None:
    payload = _payload() | {"pull_request": {"number": 3, "head": {"sha": sha}}}
    (wake,) = pull_request.meaning(payload).news
    assert isinstance(wake, Wake)
    assert wake.head_sha is None


@pytest.mark.parametrize("number", [0, -1, True, 1.5, "3", 2**63, None])
def test_a_number_that_the_database_could_not_hold_is_no_number(number: object) -> None:
    payload = _payload() | {"pull_request": {"number": number}}
    assert pull_request.meaning(payload).news == ()


@pytest.mark.parametrize("name", ["octo", "octo/cat/dog", "octo/c\0at", "octo/\ud800", "o o/c"])
def test_a_name_that_is_no_repository_is_no_name(name: str) -> None:
    payload = _payload() | {"repository": {"id": 7, "full_name": name}}
    assert pull_request.meaning(payload).news == ()
