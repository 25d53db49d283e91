"""Which pushes change what open pull requests are judged by."""

from typing import Any

import pytest

from bot.handlers import push
from bot.handlers.push import MAX_COMMITS, MAX_FILES
from bot.store.work import InstallationNews, RepositoryNews, Work, WorkKind
from tests.handlers.examples import examples

TOUCHES_MAIN = Work(kind=WorkKind.WAKE, base_ref="main")
TOUCHES_ALL = Work(kind=WorkKind.WAKE)
OTHER_RULES = Work(kind=WorkKind.RULES)


def commit(*added: str, **more: list[str]) -> dict[str, Any]:
    return {"added": list(added), "removed": [], "modified": [], **more}


def payload(*commits: object, branch: str = "main", **more: object) -> dict[str, Any]:
    return {
        "ref": f"refs/heads/{branch}",
        "created": False,
        "deleted": False,
        "forced": False,
        "commits": list(commits),
        "installation": {"id": 5},
        "repository": {"id": 7, "full_name": "octo/shop", "default_branch": "main"},
        **more,
    }


CODE = commit("src/a.py")
MEMORY = ".memoryrail/memories/x.md"


@pytest.mark.parametrize(
    ("sent", "work"),
    [
        (payload(CODE, commit(MEMORY)), TOUCHES_MAIN),
        (payload(commit(removed=[MEMORY])), TOUCHES_MAIN),
        (payload(commit(modified=["api/.memoryrail/config.json"])), TOUCHES_MAIN),
        (payload(commit(MEMORY), branch="v1"), Work(kind=WorkKind.WAKE, base_ref="v1")),
        (payload(commit(".github/memoryrail.yml")), OTHER_RULES),
        (payload(CODE, forced=True), TOUCHES_ALL),
        (payload(), TOUCHES_ALL),
        (payload(*([CODE] * MAX_COMMITS), branch="v1"), Work(kind=WorkKind.WAKE, base_ref="v1")),
        (payload(commit(*["a"] * MAX_FILES)), TOUCHES_ALL),
        (payload(None), TOUCHES_ALL),
        (payload({"added": ["a"]}), TOUCHES_ALL),
    ],
    ids=[
        "a memory",
        "a memory removed",
        "a store below",
        "another branch",
        "settings",
        "forced",
        "no commits told",
        "too many commits",
        "too many files",
        "no commit",
        "files left out",
    ],
)
def test_what_pull_requests_are_judged_by_wakes_them(sent: dict[str, Any], work: Work) -> None:
    meant = push.meaning(sent)
    news = RepositoryNews(repository_id=7, installation_id=5, repository="octo/shop", work=(work,))
    assert (meant.news, meant.ignored) == ((news,), None)


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (payload(CODE), "it touches no memory and no settings"),
        (
            payload(commit(".github/memoryrail.yml"), branch="v1"),
            "it touches no memory and no settings",
        ),
        (payload(commit(MEMORY), deleted=True), "nothing targets a branch that is gone, or new"),
        (payload(commit(MEMORY), created=True), "nothing targets a branch that is gone, or new"),
        (
            payload(commit(MEMORY), branch="gh-readonly-queue/main/pr-1-" + "a" * 40),
            "nothing targets a merge queue's branch",
        ),
        (payload(commit(MEMORY), ref="refs/tags/v1"), "it is no push to a branch"),
        (payload(commit(MEMORY), ref=None), "it is no push to a branch"),
        (payload(commit(MEMORY), repository=None), "it does not say which repository"),
        (payload(commit(MEMORY), installation=None), "it does not say which repository"),
    ],
)
def test_any_other_push_wakes_nobody(sent: dict[str, Any], why: str) -> None:
    meant = push.meaning(sent)
    assert (meant.news, meant.ignored) == ((), why)


def test_the_owners_settings_are_every_repositorys() -> None:
    github = {"id": 8, "full_name": "octo/.GitHub", "default_branch": "main"}
    everywhere = InstallationNews(installation_id=5, work=(TOUCHES_ALL,))
    settings, other = commit(".github/memoryrail.yml"), commit(MEMORY)
    own, others = push.meaning(payload(settings, repository=github)).news
    assert (own, others) == (
        RepositoryNews(
            repository_id=8, installation_id=5, repository="octo/.GitHub", work=(OTHER_RULES,)
        ),
        everywhere,
    )
    for sent in (payload(other, repository=github), payload(settings)):
        assert everywhere not in push.meaning(sent).news


@pytest.mark.parametrize("sent", examples("push"))
def test_the_published_examples_are_tags_and_new_branches(sent: dict[str, Any]) -> None:
    meant = push.meaning(sent)
    assert meant.news == ()
    assert meant.repository_id == sent["repository"]["id"]
    assert meant.ignored in {
        "it is no push to a branch",
        "nothing targets a branch that is gone, or new",
    }
