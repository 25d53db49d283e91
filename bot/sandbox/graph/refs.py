"""createRef, updateRef, updateRefs, mergeBranch: branches that an app makes, moves and merges."""

import re
from typing import Any, Final

from bot.sandbox.git import GitError, Signature
from bot.sandbox.git.repository import ZERO
from bot.sandbox.graph.commit import SIGNER
from bot.sandbox.graph.git import git_node, ref_node
from bot.sandbox.graph.view import View
from bot.sandbox.refusal import Refusal, forbidden, not_found
from bot.sandbox.state.repositories import Repository

_BRANCH: Final = re.compile(
    r"refs/heads/(?!.*(?:\.\.|//|@\{|\.lock$|/$|\.$))[^\s~^:?*\[\\\x00-\x1f]+"
)
_NODE: Final = re.compile(r"REF_kwDO(\d+)_(refs/heads/.+)")


def make_ref(view: View, repository: Repository, name: str, oid: str) -> dict[str, Any]:
    """Run createRef; raises Refusal."""
    _check(repository, name, oid)
    branch = name.removeprefix("refs/heads/")
    if repository.git.branch(branch) is not None:
        raise Refusal(422, f'A ref named "{name}" already exists in the repository.')
    repository.move(branch, oid, sender=view.caller.app.bot)
    return {"ref": ref_node(view, repository, name)}


def move_ref(view: View, node_id: str, oid: str, *, force: bool) -> dict[str, Any]:
    """Run updateRef; raises Refusal."""
    match = _NODE.fullmatch(node_id)
    repository = view.world.repositories.get(int(match[1])) if match else None
    if match is None or repository is None:
        raise not_found(f"Could not resolve to a node with the global id of '{node_id}'.")
    view.require(repository, "contents:write", writes=True)
    _check(repository, match[2], oid)
    branch = match[2].removeprefix("refs/heads/")
    before = repository.git.branch(branch)
    if before is None:
        raise not_found(f"No ref named '{match[2]}'")
    if branch in repository.protected:
        raise Refusal(422, "Changes must be made through a pull request.")
    if not force and repository.git.merge_base(before, oid) != before:
        raise Refusal(422, "Update is not a fast forward")
    repository.move(branch, oid, sender=view.caller.app.bot)
    return {"ref": ref_node(view, repository, match[2])}


def update_refs(view: View, repository: Repository, updates: list[dict[str, Any]]) -> None:
    """Run updateRefs: all of the updates, or none; raises Refusal.

    Zeros as beforeOid say that there is no such ref yet, as afterOid they delete it.
    """
    for each in updates:
        _check_update(repository, each)
    bot = view.caller.app.bot
    for each in updates:
        branch = each["name"].removeprefix("refs/heads/")
        if each["afterOid"] == ZERO:
            repository.delete_branch(branch, sender=bot)
        else:
            repository.move(branch, each["afterOid"], sender=bot)


def merge_branch(view: View, repository: Repository, given: dict[str, Any]) -> dict[str, Any]:
    """Run mergeBranch: one signed commit on the base; raises Refusal."""
    if repository.archived:
        raise forbidden("Repository was archived so is read-only.")
    git, base = repository.git, given["base"].removeprefix("refs/heads/")
    ours, theirs = git.branch(base), git.branch(given["head"]) or git.resolve(given["head"])
    if ours is None:
        raise Refusal(422, 'Failed to merge: "Base does not exist"')
    if theirs is None:
        raise Refusal(422, 'Failed to merge: "Head does not exist"')
    if base in repository.protected:
        raise Refusal(422, "Changes must be made through a pull request.")
    if git.merge_base(ours, theirs) == theirs:
        raise Refusal(422, 'Failed to merge: "Already merged"')
    bot, now = view.caller.app.bot, view.world.now()
    try:
        made = git.merge(
            ours,
            theirs,
            message=given.get("commitMessage") or f"Merge {given['head']} into {base}",
            signature=Signature(name=bot.login, email=bot.email, date=now),
            committer=Signature(name=SIGNER[0], email=SIGNER[1], date=now),
        )
    except GitError as error:
        raise Refusal(422, 'Failed to merge: "Merge conflict"') from error
    view.world.signed[made] = now
    repository.move(base, made, sender=bot)
    return {"mergeCommit": git_node(view, repository, made)}


def _check_update(repository: Repository, given: dict[str, Any]) -> None:
    name, after = given["name"], given["afterOid"]
    branch = name.removeprefix("refs/heads/")
    before = repository.git.branch(branch)
    if after != ZERO:
        _check(repository, name, after)
    elif before is None:
        raise Refusal(422, f"Reference does not exist: {name}")
    if given.get("beforeOid") not in {None, before or ZERO}:
        raise Refusal(422, f"Reference cannot be updated: {name} is not as expected")
    if branch in repository.protected:
        raise Refusal(422, "Changes must be made through a pull request.")
    is_move = before is not None and after != ZERO and not given.get("force")
    if is_move and repository.git.merge_base(str(before), after) != before:
        raise Refusal(422, "Update is not a fast forward")


def _check(repository: Repository, name: str, oid: str) -> None:
    if repository.archived:
        raise forbidden("Repository was archived so is read-only.")
    if not _BRANCH.fullmatch(name):
        raise Refusal(422, f"{name} is not a valid name of a branch", breach="contract")
    if repository.git.commit_at(oid) is None:
        raise Refusal(422, f"Object does not exist: {oid}")
