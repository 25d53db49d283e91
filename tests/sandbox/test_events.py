"""What deliveries tell, held against the required fields of GitHub's published examples."""

from typing import Any

from bot.sandbox import events
from bot.sandbox.git.repository import ZERO
from tests.sandbox.conftest import Shop

# Of the examples in @octokit/webhooks-examples 7.6.1 (MIT): the fields besides addresses.
ACCOUNT = {"login", "id", "node_id", "type", "site_admin", "avatar_url", "html_url", "url"}
REPOSITORY = {
    *("id", "node_id", "name", "full_name", "private", "owner", "html_url", "description", "fork"),
    *("url", "created_at", "updated_at", "pushed_at", "clone_url", "size", "language", "archived"),
    *("has_issues", "disabled", "open_issues_count", "license", "forks", "default_branch"),
    *("topics", "visibility", "stargazers_count", "mirror_url", "homepage"),
}
PULL_REQUEST = {
    *("url", "id", "node_id", "html_url", "diff_url", "patch_url", "issue_url", "number", "state"),
    *("locked", "title", "user", "body", "created_at", "updated_at", "closed_at", "merged_at"),
    *("merge_commit_sha", "assignee", "assignees", "requested_reviewers", "requested_teams"),
    *("labels", "milestone", "head", "base", "_links", "author_association", "draft", "merged"),
    *("mergeable", "mergeable_state", "merged_by", "comments", "review_comments", "commits"),
    *("maintainer_can_modify", "additions", "deletions", "changed_files", "comments_url"),
}


def _last(shop: Shop, event: str, action: str | None = None) -> Any:
    found = [d for d in shop.github.deliveries if (d.event, d.action) == (event, action)]
    payload = found[-1].payload
    assert payload["installation"]["id"] == shop.installation.id
    if "repository" in payload:
        assert payload["repository"].keys() >= REPOSITORY
        assert payload["repository"]["id"] == shop.repository.id
        assert payload["organization"]["login"] == "octo"
    assert payload["sender"].keys() >= ACCOUNT
    return payload


def test_opened(shop: Shop) -> None:
    payload = _last(shop, "pull_request", "opened")
    pull = payload["pull_request"]
    assert payload["number"] == 1
    assert pull.keys() >= PULL_REQUEST
    assert pull["user"].keys() >= ACCOUNT
    for end in ("head", "base"):
        assert pull[end].keys() == {"label", "ref", "sha", "user", "repo"}
        assert pull[end]["repo"].keys() >= REPOSITORY
    assert payload["sender"]["login"] == "alice"


def test_synchronize_says_from_where_to_where(shop: Shop) -> None:
    before = shop.pull.head_sha
    after = shop.pull.push(files={"x": "y"})
    payload = _last(shop, "pull_request", "synchronize")
    assert (payload["before"], payload["after"]) == (before, after)
    assert payload["pull_request"]["head"]["sha"] == after
    pushed = _last(shop, "push")
    assert (pushed["ref"], pushed["before"], pushed["after"]) == (
        "refs/heads/feature",
        before,
        after,
    )
    [commit] = pushed["commits"]
    assert (commit["id"], commit["added"], commit["author"]["username"]) == (after, ["x"], "alice")
    assert (pushed["created"], pushed["deleted"], pushed["forced"]) == (False, False, False)


def test_a_forced_push(shop: Shop) -> None:
    before = shop.pull.head_sha
    after = shop.pull.force_push(files={"z": "z"})
    assert _last(shop, "push")["forced"] is True
    payload = _last(shop, "pull_request", "synchronize")
    assert (payload["before"], payload["after"]) == (before, after)
    assert [commit.oid for commit in shop.pull.commits] == [after]


def test_a_branch_comes_and_goes(shop: Shop) -> None:
    sha = shop.repository.branch("short-lived")
    came = _last(shop, "push")
    assert (came["before"], came["after"], came["created"]) == (ZERO, sha, True)
    assert came["commits"] == []
    shop.repository.delete_branch("short-lived")
    went = _last(shop, "push")
    assert (went["before"], went["after"], went["deleted"]) == (sha, ZERO, True)
    assert went["head_commit"] is None


def test_an_edit_says_what_was_there(shop: Shop) -> None:
    old = shop.repository.branch("stable")
    shop.pull.edit(title="New", base="stable")
    assert _last(shop, "pull_request", "edited")["changes"] == {
        "title": {"from": "Add b"},
        "base": {"ref": {"from": "main"}, "sha": {"from": old}},
    }


def test_close_merge_reopen_and_draft(shop: Shop) -> None:
    shop.pull.close()
    assert _last(shop, "pull_request", "closed")["pull_request"]["merged"] is False
    shop.pull.reopen()
    assert _last(shop, "pull_request", "reopened")["pull_request"]["state"] == "open"
    shop.pull.convert_to_draft()
    assert _last(shop, "pull_request", "converted_to_draft")["pull_request"]["draft"] is True
    shop.pull.ready()
    assert _last(shop, "pull_request", "ready_for_review")["pull_request"]["draft"] is False
    made = shop.pull.merge(user="alice")
    closed = _last(shop, "pull_request", "closed")["pull_request"]
    assert (closed["merged"], closed["merged_by"]["login"]) == (True, "alice")
    assert closed["commits"] == 1
    assert _last(shop, "push")["after"] == made


def test_comments(shop: Shop) -> None:
    comment = shop.pull.comment("bob", "first")
    payload = _last(shop, "issue_comment", "created")
    assert payload["issue"]["number"] == 1
    assert "pull_request" in payload["issue"]
    assert (payload["comment"]["id"], payload["comment"]["body"]) == (comment.id, "first")
    comment.edit("second", user=shop.github.user("bob"))
    edited = _last(shop, "issue_comment", "edited")
    assert edited["changes"] == {"body": {"from": "first"}}
    comment.delete(user=shop.github.user("bob"))
    assert _last(shop, "issue_comment", "deleted")["comment"]["id"] == comment.id


def test_installations(shop: Shop) -> None:
    created = _last(shop, "installation", "created")
    assert [each["full_name"] for each in created["repositories"]] == ["octo/shop"]
    assert created["installation"]["account"]["login"] == "octo"
    more = shop.github.create_repository("octo/more", files={"a": "1"})
    shop.app.install(more)
    added = _last(shop, "installation_repositories", "added")
    assert [each["id"] for each in added["repositories_added"]] == [more.id]
    shop.app.remove(shop.installation, more)
    removed = _last(shop, "installation_repositories", "removed")
    assert [each["id"] for each in removed["repositories_removed"]] == [more.id]


def test_a_repository_renamed(shop: Shop) -> None:
    shop.repository.rename("store")
    payload = _last(shop, "repository", "renamed")
    assert payload["changes"] == {"repository": {"name": {"from": "shop"}}}
    assert payload["repository"]["full_name"] == "octo/store"


def test_the_merge_queue_asks_for_checks(shop: Shop) -> None:
    sha = shop.pull.enqueue()
    group = _last(shop, "merge_group", "checks_requested")["merge_group"]
    base = shop.pull.base_sha
    assert (group["head_sha"], group["base_sha"]) == (sha, base)
    assert group["head_ref"] == f"refs/heads/gh-readonly-queue/main/pr-1-{base}"
    assert shop.repository.git.read(f"{sha}:src/b.py") is not None


def test_a_group_of_the_merge_queue_has_several_and_may_go_again(shop: Shop) -> None:
    repository = shop.repository
    repository.branch("other")
    repository.commit("other", files={"src/other.py": "1\n"})
    other = repository.open_pull(head="other", user="alice")
    sha = shop.pull.enqueue(other)
    group = _last(shop, "merge_group", "checks_requested")["merge_group"]
    ref = group["head_ref"].removeprefix("refs/heads/")
    assert ref == f"gh-readonly-queue/main/pr-{other.number}-{group['base_sha']}"
    for path in ("src/b.py", "src/other.py"):
        assert repository.git.read(f"{sha}:{path}") is not None
    head = repository.git.commit_at(sha)
    assert head is not None
    where = {"ref": ref, "base_sha": group["base_sha"], "base": "main"}
    events.merge_group(repository.world, repository, head=head, **where, reason="dequeued")
    gone = _last(shop, "merge_group", "destroyed")
    assert (gone["merge_group"], gone["reason"]) == (group, "dequeued")


def test_a_suite_is_asked_for_on_every_push(shop: Shop) -> None:
    suite = _last(shop, "check_suite", "requested")["check_suite"]
    assert (suite["head_sha"], suite["status"]) == (shop.pull.head_sha, "queued")
    assert suite["app"]["id"] == shop.app.id
