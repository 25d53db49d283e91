"""createRef and updateRef: branches that an app makes and moves."""

import re
from typing import Any, Final

from bot.sandbox.graph.git import ref_node
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


def _check(repository: Repository, name: str, oid: str) -> None:
    if repository.archived:
        raise forbidden("Repository was archived so is read-only.")
    if not _BRANCH.fullmatch(name):
        raise Refusal(422, f"{name} is not a valid name of a branch", breach="contract")
    if repository.git.commit_at(oid) is None:
        raise Refusal(422, f"Object does not exist: {oid}")
