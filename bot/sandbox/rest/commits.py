"""Commits with their files, lists of them, and the comparison of two."""

from urllib.parse import urlencode

from bot.sandbox.git import Commit, FileChange
from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.rest.calls import Call, Json, PatchBudget, handles
from bot.sandbox.state.repositories import Repository
from bot.sandbox.wire import Reply

MAX_FILES = 300  # on one page of a commit, and of a comparison in all
MAX_COMMIT_FILES = 3_000
MAX_COMPARED_COMMITS = 250


@handles("repos/get-commit", needs="contents:read")
def get_commit(call: Call) -> Reply:
    commit = _commit(call, call.repository, call.parameters["ref"])
    changes = call.repository.git.changes_of(commit)[:MAX_COMMIT_FILES]
    size = int(call.request.query.get("per_page", str(MAX_FILES)))
    page = int(call.request.query.get("page", "1"))
    shown = changes[(page - 1) * size : page * size]
    link = {}
    if page * size < len(changes):
        query = urlencode({**call.request.query, "page": page + 1})
        link = {"link": f'<{call.world.url}{call.request.path}?{query}>; rel="next"'}
    added = sum(change.additions for change in changes)
    deleted = sum(change.deletions for change in changes)
    body = {
        **call.shapes.commit(call.repository, commit),
        "stats": {"additions": added, "deletions": deleted, "total": added + deleted},
        "files": files(call, shown, commit.oid),
    }
    return Reply(body=body, headers=link)


@handles("repos/list-commits", needs="contents:read")
def list_commits(call: Call) -> Reply:
    query = call.request.query
    start = _commit(call, call.repository, query.get("sha", call.repository.default_branch))
    shas = call.repository.git.log(start.oid, path=query.get("path"))
    shown, link = call.page(shas)
    commits = (call.repository.git.commit_at(sha) for sha in shown)
    body = [call.shapes.commit(call.repository, commit) for commit in commits if commit]
    return Reply(body=body, headers=link)


@handles("repos/compare-commits-with-basehead", needs="contents:read")
def compare(call: Call) -> Reply:
    """Three dots: what head has that the base has not, from their merge base on."""
    left, dots, right = call.parameters["basehead"].partition("...")
    if not dots:
        raise not_found()
    git = call.repository.git
    base, head = _commit(call, call.repository, left), _commit(call, call.repository, right)
    fork_point = git.merge_base(base.oid, head.oid)
    if fork_point is None:
        raise not_found(f"No common ancestor between {left} and {right}.")
    ahead = git.between(base.oid, head.oid)
    behind = git.between(head.oid, base.oid)
    paged = "page" in call.request.query or "per_page" in call.request.query
    shown, link = call.page(ahead) if paged else (ahead[-MAX_COMPARED_COMMITS:], {})
    first = call.request.query.get("page", "1") == "1"
    url = f"{call.world.url}/repos/{call.repository.full_name}/compare/{left}...{right}"
    html = f"{call.world.url}/{call.repository.full_name}/compare/{left}...{right}"
    listed = (git.commit_at(sha) for sha in shown)
    body: Json = {
        "url": url,
        "html_url": html,
        "permalink_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "base_commit": call.shapes.commit(call.repository, base),
        "merge_base_commit": call.shapes.commit(
            call.repository, _commit(call, call.repository, fork_point)
        ),
        "status": _relation(len(ahead), len(behind)),
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": [call.shapes.commit(call.repository, each) for each in listed if each],
    }
    if first:
        changes = git.changes(fork_point, head.oid)[:MAX_FILES]
        body["files"] = files(call, changes, head.oid)
    return Reply(body=body, headers=link)


@handles("repos/list-pull-requests-associated-with-commit", needs="pull_requests:read")
def list_pulls_of_commit(call: Call) -> Reply:
    sha = call.parameters["commit_sha"]
    pulls = [
        pull
        for pull in call.repository.pulls.values()
        if pull.head_sha == sha or any(commit.oid == sha for commit in pull.commits)
    ]
    shown, link = call.page(pulls)
    return Reply(body=[call.shapes.pull_simple(pull) for pull in shown], headers=link)


def files(call: Call, changes: "tuple[FileChange, ...] | list[FileChange]", ref: str) -> list[Json]:
    """Entries of a diff, some without patch: see PatchBudget."""
    budget = PatchBudget()
    shown = []
    for change in changes:
        entry = call.shapes.file(call.repository, change, ref)
        if budget.allows(change.patch, change.additions + change.deletions):
            entry["patch"] = change.patch
        shown.append(entry)
    return shown


def _commit(call: Call, repository: Repository, name: str) -> Commit:
    owner, colon, branch = name.partition(":")
    if colon:  # "mallory:branch" names a branch of a fork
        forks = call.world.repositories.values()
        named = (r for r in forks if r.owner.login == owner and repository in (r, r.parent))
        repository = next(named, repository)
        name = branch
    commit = repository.git.commit_at(name)
    if commit is None:
        raise Refusal(404, "Not Found", kind="NOT_FOUND")
    return commit


def _relation(ahead: int, behind: int) -> str:
    if ahead and behind:
        return "diverged"
    return "ahead" if ahead else "behind" if behind else "identical"
