"""The webhook events: what each tells, in the shape of GitHub's published examples.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.git.repository import ZERO
from bot.sandbox.shapes import REACTIONS, Shapes, moment

if TYPE_CHECKING:
    from bot.sandbox.git import Commit
    from bot.sandbox.state.apps import App, Installation
    from bot.sandbox.state.checks import CheckRun, CheckSuite
    from bot.sandbox.state.conversation import Comment
    from bot.sandbox.state.people import User
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.reviews import Review, ReviewComment
    from bot.sandbox.state.world import World

Json = dict[str, Any]
_OF_ORGANIZATIONS: Final = ("repos", "events", "hooks", "issues", "members")
MAX_PUSHED_COMMITS: Final = 2048  # that a push delivery lists


def pull_request(
    world: "World", pull: "PullRequest", action: str, sender: "User", **more: object
) -> None:
    """more: `changes` of an edit, `before` and `after` of a synchronize."""
    if not _heard(world, pull.repository):
        return
    shapes = Shapes(world)
    payload = {
        "action": action,
        "number": pull.number,
        "pull_request": shapes.pull(pull),
        **more,
        **_where(world, pull.repository, sender),
    }
    world.emit("pull_request", payload, repository=pull.repository)


def push(
    world: "World",
    repository: "Repository",
    branch: str,
    *,
    before: str,
    after: str,
    sender: "User",
) -> None:
    """A branch moved, came (before is zeros) or went (after is zeros)."""
    if not _heard(world, repository):
        return
    git = repository.git
    gone = after == ZERO
    start = repository.default_branch if before == ZERO else before
    since = None if start == branch else git.resolve(start)
    shas = [] if gone else git.between(since, after)[-MAX_PUSHED_COMMITS:]
    commits = [_pushed(world, repository, commit) for sha in shas if (commit := git.commit_at(sha))]
    head = None if gone else git.commit_at(after)
    page = f"{world.url}/{repository.full_name}"
    new = ZERO in (before, after)
    payload = {
        "ref": f"refs/heads/{branch}",
        "before": before,
        "after": after,
        "created": before == ZERO,
        "deleted": gone,
        "forced": not new and git.merge_base(before, after) != before,
        "base_ref": None,
        "compare": f"{page}/compare/{before[:12]}...{after[:12]}",
        "commits": commits,
        "head_commit": _pushed(world, repository, head) if head else None,
        "pusher": {"name": sender.login, "email": sender.email},
        **_where_pushed(world, repository, sender),
    }
    world.emit("push", payload, repository=repository)


def issue_comment(
    world: "World", comment: "Comment", action: str, sender: "User", **more: object
) -> None:
    """more: `changes` of an edit."""
    pull = comment.pull
    if not _heard(world, pull.repository):
        return
    payload = {
        "action": action,
        "issue": _issue(world, pull),
        "comment": Shapes(world).comment(comment),
        **more,
        **_where(world, pull.repository, sender),
    }
    world.emit("issue_comment", payload, repository=pull.repository)


def review(world: "World", said: "Review", action: str, sender: "User", **more: object) -> None:
    """more: `changes` of an edit."""
    pull = said.pull
    if not _heard(world, pull.repository):
        return
    shapes = Shapes(world)
    payload = {
        "action": action,
        "review": {**shapes.review(said), "state": said.state},  # webhooks spell it in lower case
        "pull_request": shapes.pull_simple(pull),
        **more,
        **_where(world, pull.repository, sender),
    }
    world.emit("pull_request_review", payload, repository=pull.repository)


def review_comment(
    world: "World", comment: "ReviewComment", action: str, sender: "User", **more: object
) -> None:
    """more: `changes` of an edit."""
    pull = comment.pull
    if not _heard(world, pull.repository):
        return
    shapes = Shapes(world)
    payload = {
        "action": action,
        "comment": shapes.review_comment(comment),
        "pull_request": shapes.pull_simple(pull),
        **more,
        **_where(world, pull.repository, sender),
    }
    world.emit("pull_request_review_comment", payload, repository=pull.repository)


def check_run(world: "World", run: "CheckRun", action: str, sender: "User", **more: object) -> None:
    """more: `requested_action` when a person pressed a button. To the run's own app only."""
    repository = run.suite.repository
    shapes = Shapes(world)
    payload = {
        "action": action,
        "check_run": {**shapes.check_run(run), "check_suite": _suite(shapes, run.suite)},
        **more,
        **_where(world, repository, sender),
    }
    _to_own_app(world, "check_run", payload, repository, run.app)


def check_suite(world: "World", suite: "CheckSuite", action: str, sender: "User") -> None:
    payload = {
        "action": action,
        "check_suite": _suite(Shapes(world), suite),
        **_where(world, suite.repository, sender),
    }
    _to_own_app(world, "check_suite", payload, suite.repository, suite.app)


def merge_group(
    world: "World",
    repository: "Repository",
    *,
    head: "Commit",
    ref: str,
    base_sha: str,
    base: str,
    reason: str | None = None,
) -> None:
    """A merge queue asks for checks on what the base branch would become. base: its name.

    reason: why the group is gone again, "merged", "dequeued" or "invalidated"; None: it is new.
    """
    group = {
        "head_sha": head.oid,
        "head_ref": f"refs/heads/{ref}",
        "base_sha": base_sha,
        "base_ref": f"refs/heads/{base}",
        "head_commit": _briefly(_pushed(world, repository, head)),
    }
    where = _where(world, repository, repository.owner)
    action = "checks_requested" if reason is None else "destroyed"
    payload = {"action": action, "merge_group": group, **where}
    if reason is not None:
        payload["reason"] = reason
    world.emit("merge_group", payload, repository=repository)


def installation(world: "World", installation: "Installation", action: str) -> None:
    payload = {
        "action": action,
        "installation": Shapes(world).installation(installation),
        "repositories": [_small(repository) for repository in installation.repositories],
        "requester": None,
        "sender": Shapes(world).user(installation.account),
    }
    world.emit("installation", payload, installation=installation)


def installation_repositories(
    world: "World",
    installation: "Installation",
    *,
    added: Sequence["Repository"] = (),
    removed: Sequence["Repository"] = (),
) -> None:
    payload = {
        "action": "added" if added else "removed",
        "installation": Shapes(world).installation(installation),
        "repository_selection": "selected",
        "repositories_added": [_small(repository) for repository in added],
        "repositories_removed": [_small(repository) for repository in removed],
        "requester": None,
        "sender": Shapes(world).user(installation.account),
    }
    world.emit("installation_repositories", payload, installation=installation)


def repository(
    world: "World", repository: "Repository", action: str, changes: Mapping[str, Any]
) -> None:
    payload = {"action": action, "changes": changes, **_where(world, repository, repository.owner)}
    world.emit("repository", payload, repository=repository)


def ping(world: "World", app: "App") -> Json:
    """The payload with which GitHub greets a new webhook."""
    hook = {
        "type": "App",
        "id": app.hook_id,
        "name": "web",
        "active": True,
        "events": list(app.events),
        "config": {"content_type": "json", "insecure_ssl": "0", "url": app.webhook_url},
        "app_id": app.id,
        "created_at": moment(app.created_at),
        "updated_at": moment(app.created_at),
    }
    sender = Shapes(world).user(app.owner)
    return {
        "zen": "Keep it logically awesome.",
        "hook_id": app.hook_id,
        "hook": hook,
        "sender": sender,
    }


def _heard(world: "World", repository: "Repository") -> bool:
    """Whether any app would hear of it; a payload costs several runs of git."""
    return any(app.on(repository) for app in world.apps.values())


def _where(world: "World", repository: "Repository", sender: "User") -> Json:
    shapes = Shapes(world)
    shown = {**shapes.repository(repository), "custom_properties": {}}
    found: Json = {"repository": shown, "sender": shapes.user(sender)}
    owner = repository.owner
    if owner.type == "Organization":
        api = f"{world.url}/orgs/{owner.login}"
        found["organization"] = {
            "login": owner.login,
            "id": owner.id,
            "node_id": owner.node_id,
            "url": api,
            **{f"{name}_url": f"{api}/{name}" for name in _OF_ORGANIZATIONS},
            "public_members_url": f"{api}/public_members{{/member}}",
            "avatar_url": f"{world.url}/avatars/{owner.id}",
            "description": None,
        }
    return found


def _where_pushed(world: "World", repository: "Repository", sender: "User") -> Json:
    """As above, but only pushes spell it so: times as seconds, and more about the owner."""
    found = _where(world, repository, sender)
    found["repository"] |= {
        "created_at": int(repository.created_at.timestamp()),
        "pushed_at": int(repository.pushed_at.timestamp()),
        "master_branch": repository.default_branch,
        "stargazers": 0,
    }
    owner = {"name": repository.owner.login, "email": None}
    found["repository"]["owner"] = {**found["repository"]["owner"], **owner}
    return found


def _small(repository: "Repository") -> Json:
    return {
        "id": repository.id,
        "node_id": repository.node_id,
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.private,
    }


def _to_own_app(
    world: "World", event: str, payload: Json, repository: "Repository", app: "App"
) -> None:
    reached = app.on(repository)
    if reached is not None:
        world.emit(event, payload, repository=repository, installation=reached)


def _suite(shapes: Shapes, suite: "CheckSuite") -> Json:
    world = suite.repository.world
    url = f"{world.url}/repos/{suite.repository.full_name}/check-suites/{suite.id}"
    head = suite.repository.git.commit_at(suite.head_sha)
    pulls = suite.repository.pulls.values()
    branch = next((pull.head_ref for pull in pulls if pull.head_sha == suite.head_sha), None)
    if branch is None:
        branches = suite.repository.git.branches()
        branch = next((name for name, sha in branches.items() if sha == suite.head_sha), None)
    return {
        "id": suite.id,
        "node_id": suite.node_id,
        "head_branch": branch,
        "head_sha": suite.head_sha,
        "head_commit": _briefly(_pushed(world, suite.repository, head)) if head else None,
        "url": url,
        "check_runs_url": f"{url}/check-runs",
        "status": suite.status,
        "conclusion": suite.conclusion,
        "before": None,
        "after": suite.head_sha,
        "pull_requests": [],
        "latest_check_runs_count": len(suite.latest),
        "app": shapes.app(suite.app),
        "created_at": moment(suite.created_at),
        "updated_at": moment(suite.created_at),
    }


def _issue(world: "World", pull: "PullRequest") -> Json:
    shapes = Shapes(world)
    url = f"{world.url}/repos/{pull.repository.full_name}"
    issue = f"{url}/issues/{pull.number}"
    page = shapes.pull_page(pull)
    return {
        "id": pull.id,
        "node_id": pull.node_id,
        "url": issue,
        "html_url": page,
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "user": shapes.user(pull.user),
        "state": pull.state,
        "locked": pull.locked,
        "draft": pull.draft,
        **{f"{name}_url": f"{issue}/{name}" for name in ("labels", "comments", "events")},
        "repository_url": url,
        "labels": [],
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "reactions": {"url": f"{issue}/reactions", "total_count": 0, **dict.fromkeys(REACTIONS, 0)},
        "comments": len(pull.comments),
        "created_at": moment(pull.created_at),
        "updated_at": moment(pull.updated_at),
        "closed_at": moment(pull.closed_at) if pull.closed_at else None,
        "author_association": pull.repository.association(pull.user),
        "active_lock_reason": None,
        "pull_request": {"url": f"{url}/pulls/{pull.number}", "html_url": page},
    }


def _pushed(world: "World", repository: "Repository", commit: "Commit") -> Json:
    changes = repository.git.changes_of(commit)
    removed = {"removed", "renamed"}
    author, committer = world.emails.get(commit.author.email), commit.committer
    return {
        "id": commit.oid,
        "tree_id": commit.tree,
        "distinct": True,
        "message": commit.message,
        "timestamp": commit.committer.date.isoformat(),
        "url": f"{world.url}/{repository.full_name}/commit/{commit.oid}",
        "author": {
            "name": commit.author.name,
            "email": commit.author.email,
            **({"username": author.login} if author else {}),
        },
        "committer": {"name": committer.name, "email": committer.email},
        "added": [c.path for c in changes if c.status in {"added", "renamed", "copied"}],
        "removed": [c.previous_path or c.path for c in changes if c.status in removed],
        "modified": [c.path for c in changes if c.status in {"modified", "changed"}],
    }


def _briefly(pushed: Json) -> Json:
    """A commit without its files, as other events than a push show it."""
    kept = ("id", "tree_id", "message", "timestamp", "author", "committer")
    return {name: pushed[name] for name in kept}
