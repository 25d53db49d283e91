"""createCommitOnBranch: one signed commit, if the branch is still where the caller thinks it is."""

import base64
from typing import Any

from bot.sandbox.git import Edits, GitError, Signature
from bot.sandbox.graph.git import git_node, ref_node
from bot.sandbox.graph.view import View
from bot.sandbox.refusal import Refusal, forbidden, not_found
from bot.sandbox.state.repositories import Repository

SIGNER = ("GitHub", "noreply@github.com")  # who commits what GitHub itself signs


def commit_on_branch(view: View, given: dict[str, Any]) -> dict[str, Any]:
    """Run the mutation; raises Refusal, and the error STALE_DATA when the branch has moved."""
    repository, branch = _branch(view, given["branch"])
    view.require(repository, "contents:write", writes=True)
    if repository.archived:
        raise forbidden("Repository was archived so is read-only.")
    head = repository.git.branch(branch)
    if head is None:
        raise not_found(f"No ref named 'refs/heads/{branch}' in {repository.full_name}")
    expected = given["expectedHeadOid"]
    if head != expected:
        raise _stale(expected)
    if branch in repository.protected:
        raise Refusal(422, "Changes must be made through a pull request.")
    changes = given.get("fileChanges") or {}
    edits = _edits(repository, head, changes)
    message = given["message"]["headline"]
    if given["message"].get("body"):
        message += f"\n\n{given['message']['body']}"
    bot, now = view.caller.app.bot, view.world.now()
    made = repository.git.commit(
        parents=[head],
        edits=edits,
        message=message,
        author=Signature(name=bot.login, email=bot.email, date=now),
        committer=Signature(name=SIGNER[0], email=SIGNER[1], date=now),
    )
    view.world.signed[made] = now
    try:
        repository.move(branch, made, sender=bot, expected=expected)
    except GitError as error:
        raise _stale(expected) from error
    return {
        "commit": git_node(view, repository, made),
        "ref": ref_node(view, repository, f"refs/heads/{branch}"),
    }


def _branch(view: View, given: dict[str, Any]) -> tuple[Repository, str]:
    """By node id of the ref, or by names."""
    if given.get("id"):
        number, _, full = given["id"].removeprefix("REF_kwDO").partition("_")
        repository = view.world.repositories.get(int(number)) if number.isdigit() else None
        name = full
    else:
        repository = view.world.repository(given.get("repositoryNameWithOwner") or "")
        name = given.get("branchName") or ""
    if repository is None or not name:
        raise not_found("Could not resolve to a branch")
    return repository, name.removeprefix("refs/heads/")


def _edits(repository: Repository, head: str, changes: dict[str, Any]) -> Edits:
    additions, deletions = changes.get("additions") or (), changes.get("deletions") or ()
    paths = [each["path"] for each in (*additions, *deletions)]
    if len(set(paths)) != len(paths):
        raise Refusal(422, "A path was requested twice in file changes.", breach="contract")
    for path in (each["path"] for each in deletions):
        if repository.git.read(f"{head}:{path}") is None:
            what = f"A path was requested for deletion which does not exist as of {head}: {path}"
            raise Refusal(422, what)
    return Edits(
        files={each["path"]: base64.b64decode(each["contents"]) for each in additions},
        delete=[each["path"] for each in deletions],
    )


def _stale(expected: str) -> Refusal:
    what = f'Expected branch to point to "{expected}" but it did not. Pull and try again.'
    return Refusal(409, what, kind="STALE_DATA")
