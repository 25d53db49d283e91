"""Merge the base branch into a pull request's, where only files that a plan knows are in conflict.

GitHub merges branches alone, and whole: so a branch of the bot's gets the head with the base's
version of the files in conflict, GitHub merges the base into it, and the branch goes again, all in
one request. What the merge made of all other files, with the plan's edits, becomes one commit upon
the head and the base, to which the pull request's branch moves if it is still at that head. GitHub
signs what an app commits in its own name.
https://docs.github.com/en/authentication/managing-commit-signature-verification/about-commit-signature-verification#signature-verification-for-bots

The process may stop anywhere: nothing is seen until the branch moves, and the bot's branch, where
it is left, goes at the next try. A commit is known again by the comment that it names.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.core.edit_plan import EditPlan, Merge
from bot.core.errors import GitHubError
from bot.core.snapshot import PullRequest
from bot.github.answers import Json, child, children, text
from bot.github.commit import (
    CannotPush,
    Committed,
    StaleHead,
    check_files,
    check_permission,
    check_refusal,
    check_size,
    checked_branch,
    dismisses_reviews,
    look,
    tip,
)
from bot.github.errors import WriteUncertain
from bot.github.installation import Answer, RepositoryAccess
from bot.github.mutations import Mutation, request_of
from bot.github.own_commits import is_ours

PREFIX: Final = "memoryrail/reappend-"  # of the bot's branch; the pull request's number follows
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_HEADS: Final = "refs/heads/"
_NONE: Final = "0" * 40  # GitHub's oid for a ref that is not there
# Of commits that only the bot's branch ever holds; so no workflow and no check runs for them.
# https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs
_ASIDE: Final = "memoryrail: a step of a merge, on no branch [skip ci]\n\n\nskip-checks: true"
_REFUSED: Final = frozenset({403, 422})
_NOT_TAKEN: Final = "GitHub does not take this commit."
_OTHERS: Final = (
    "Other files are in conflict with the base branch, too, and only a person can put those in "
    "order. Nothing was changed."
)
_IN_THE_WAY: Final = "There is a branch {} that is not mine, and I merge on one of that name."
_STAYS: Final = (
    "The rules of this repository do not let the app delete its branch {}. Delete it, and let the "
    "app make and delete branches of such names."
)


async def merge(
    access: RepositoryAccess, plan: EditPlan, merge_: Merge, pull: PullRequest, *, body: str
) -> Committed:
    """Make the edits of a plan in a merge of the base branch into that of the pull request.

    pull: as it was when the plan was made; its head_sha is what the merge is tied to. body: of the
    message, below the plan's title.

    Raises CannotPush; StaleHead; RateLimited; WriteUncertain, when it is to be tried anew;
    GitHubError.
    """
    check_size(plan.edits)
    await check_permission(access)
    work = _Work(access=access, merge=merge_, pull=pull)
    repository = await look(access, plan.edits, pull, work.branch)
    branch = checked_branch(repository, "")["branchName"]
    planned = child(repository, "planned")
    check_files(plan.edits, planned, pull)
    await work.sweep(repository)
    aside = await work.commit(
        await work.tree(text(child(planned, "tree"), "oid"), merge_.theirs),
        message=_ASIDE,
        parents=[pull.head_sha],
    )
    merged = await work.merged(repository, aside.sha)
    # Where an edit deletes a file, the base has none, and so the merge has none.
    own = {edit.path: await work.blob(edit.data) for edit in plan.edits if edit.data is not None}
    made = await work.commit(
        await work.tree(merged, own),
        message="\n\n".join(filter(None, [plan.title, body])),
        parents=[pull.head_sha, merge_.sha],
    )
    await work.move(repository, branch, made.sha, plan=plan)
    return replace(made, dismisses_reviews=dismisses_reviews(repository))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """The steps."""

    access: RepositoryAccess
    merge: Merge
    pull: PullRequest

    @property
    def branch(self) -> str:
        """The bot's own, one for each pull request."""
        return f"{PREFIX}{self.pull.number}"

    async def sweep(self, repository: Json) -> None:
        """Delete the branch that an earlier try left. Raises CannotPush for somebody else's."""
        left = tip(repository, self.branch)
        if not left:
            return
        identity = await self.access.installation.app.identity()
        newest = next(children(child(left, "history"), "nodes"), {})
        if not is_ours(newest, identity):
            raise CannotPush(_IN_THE_WAY.format(self.branch))
        drop = self._update(repository, self.branch, text(left, "oid"), _NONE)
        answer = await self.access.mutate(request_of({"drop": drop}, name="SweepBranch"))
        if not child(answer.data, "drop"):
            self._refuse_to_leave(answer)

    async def blob(self, data: bytes) -> str:
        """Write a file's content; gives its object id."""
        given = {"content": base64.b64encode(data).decode(), "encoding": "base64"}
        return text(await self._post("/git/blobs", given), "sha")

    async def tree(self, base: str, files: Mapping[str, str | None]) -> str:
        """Write a tree as base is, but for plain files: object ids, None for one that goes."""
        if not files:
            return base
        entries = [
            {"path": path, "mode": "100644", "type": "blob", "sha": oid}
            for path, oid in files.items()
        ]
        return text(await self._post("/git/trees", {"base_tree": base, "tree": entries}), "sha")

    async def commit(self, tree: str, *, message: str, parents: list[str]) -> Committed:
        """Write a commit, on no branch. Nothing is said of its author, or it is not signed."""
        given = {"message": message, "tree": tree, "parents": parents}
        made = await self._post("/git/commits", given)
        return Committed(
            sha=text(made, "sha"),
            url=text(made, "html_url"),
            is_verified=child(made, "verification").get("verified") is True,
        )

    async def merged(self, repository: Json, aside: str) -> str:
        """Have GitHub merge the base into a commit; gives the tree. Raises CannotPush."""
        merge = {"base": self.branch, "head": self.merge.sha, "commitMessage": _ASIDE}
        steps = {
            "make": self._update(repository, self.branch, _NONE, aside),
            "merge": Mutation.merge_branch({"repositoryId": text(repository, "id"), **merge}),
            "drop": self._update(repository, self.branch, None, _NONE),
        }
        answer = await self.access.mutate(request_of(steps, name="MergeAside"))
        if not child(answer.data, "make"):
            check_refusal(_of(answer, "make"))
            raise GitHubError("GitHub does not make a branch to merge on, and does not say why")
        if not child(answer.data, "drop"):
            self._refuse_to_leave(_of(answer, "drop"))
        made = child(answer.data, "merge", "mergeCommit")
        parents = [text(one, "oid") for one in children(made, "parents", "nodes")]
        if parents != [aside, self.merge.sha]:
            answer = _of(answer, "merge")
            said = " ".join(one.message for one in answer.problems)
            if "Merge conflict" in said:
                raise CannotPush(_OTHERS)
            if "does not exist" in said:  # not yet, where GitHub looked
                raise GitHubError("GitHub does not know what it is to merge")
            check_refusal(answer)
            raise GitHubError("GitHub does not merge, and does not say why")
        return text(child(made, "tree"), "oid")

    async def move(self, repository: Json, branch: str, sha: str, *, plan: EditPlan) -> None:
        """Move the pull request's branch to a commit on its head. Raises StaleHead, CannotPush."""
        step = self._update(repository, branch, self.pull.head_sha, sha)
        answer = None
        try:
            answer = await self.access.mutate(request_of({"move": step}, name="MergeBase"))
            if child(answer.data, "move"):
                return
        except WriteUncertain:
            pass
        await self.access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
        repository = await look(self.access, plan.edits, self.pull, self.branch)
        now = text(tip(repository, ""), "oid")
        if now == sha:
            return
        if now != self.pull.head_sha:
            raise StaleHead(self.pull.head_sha, now)
        if answer is not None:
            check_refusal(answer)
        raise GitHubError("GitHub does not move the branch, and does not say why")

    def _update(self, repository: Json, branch: str, before: str | None, after: str) -> Mutation:
        ref = {"name": f"{_HEADS}{branch}", "beforeOid": before, "afterOid": after}
        return Mutation.update_refs({"repositoryId": text(repository, "id"), "refUpdates": [ref]})

    def _refuse_to_leave(self, answer: Answer) -> None:
        """The bot's branch was not deleted. Raises CannotPush, GitHubError."""
        try:
            check_refusal(answer)
        except CannotPush as refusal:
            raise CannotPush(_STAYS.format(self.branch), refusal.said) from refusal
        raise GitHubError(f"GitHub does not delete the branch {self.branch}")

    async def _post(self, path: str, body: Json) -> Json:
        reply = await self.access.post(path, body)
        if reply.status in _REFUSED:
            raise CannotPush(_NOT_TAKEN, text(child(reply.data), "message"))
        return child(reply.expect(201).data)


def _of(answer: Answer, alias: str) -> Answer:
    """An answer with the problems of one mutation."""
    mine = tuple(one for one in answer.problems if one.path[:1] == (alias,))
    return replace(answer, problems=mine)
