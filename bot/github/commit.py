"""Commit a plan to the branch of a pull request: one commit that GitHub signs, or none.

The commit is tied to the head that the plan was made on: where the branch has moved, GitHub refuses
it. So sending it again can do no harm, and an answer that got lost is made good by looking whether
the commit stands on the branch.

A pull request decides neither where the app writes nor over what: its own repository's branch that
is not the default one, and plain files that hold what the plan was made on. Another branch is what
bot/github/own_pulls.py asks for, after a merge.
"""

import base64
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.edit_plan import EditPlan, FileEdit
from bot.core.errors import BotError, GitHubError
from bot.core.snapshot import PullRequest
from bot.github.answers import Json, child, children, number, text
from bot.github.errors import HeadMoved, NotFound, WriteUncertain
from bot.github.installation import Answer, MutationRequest, RepositoryAccess
from bot.github.mutations import Mutation, request_of
from bot.github.own_commits import OWN_COMMIT, is_ours

MAX_BYTES: Final = 30_000_000  # of contents; in base64 GitHub takes about 40 MB a commit
MAX_FILES: Final = 100  # of one commit, each of which is looked up
_ATTEMPTS: Final = 3
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_REFUSALS: Final = {
    "FORBIDDEN": "GitHub does not let the app push to this branch.",
    "UNPROCESSABLE": "GitHub does not take this commit.",
}
_PROTECTED: Final = "This branch is protected: its rules do not let the app push."
# What GitHub says where it is the rules of the branch: GH006 for protection, GH013 for rulesets.
_RULES: Final = re.compile(
    r"protected|rule violation|GH006|GH013|through a pull request|required status|signed commits",
    re.IGNORECASE,
)
_BRANCH: Final = """
query Branch(
  $owner: String!, $name: String!, $number: Int!, $branch: String!, $planned: GitObjectID!
  %(types)s
) {
  repository(owner: $owner, name: $name) {
    id databaseId nameWithOwner isArchived
    defaultBranchRef { name }
    planned: object(oid: $planned) { ... on Commit { oid tree { oid } %(files)s } }
    pullRequest(number: $number) {
      state isCrossRepository headRepository { databaseId } headRefName
      baseRef { rules(first: 100) { nodes {
        parameters { ... on PullRequestParameters { dismissStaleReviewsOnPush } }
      } } }
      headRef { target { ...tip } }
    }
    branch: ref(qualifiedName: $branch) { target { ...tip } }
  }
}
fragment tip on Commit { oid history(first: 20) { nodes {
  oid url message parents(first: 2) { nodes { oid } } ...ownCommit
} } }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The commit that a plan became."""

    sha: str
    url: str
    is_verified: bool  # GitHub's signature on it is valid
    # A ruleset of the base branch dismisses reviews at a push, which this was. The older branch
    # protection may do so too, but GitHub shows it to administrators only.
    dismisses_reviews: bool = False


class StaleHead(HeadMoved):
    """The branch is no longer where the plan was made: plan again on the new head."""


class CannotPush(BotError):  # noqa: N818 - says what is the matter
    """The app may not or must not push here.

    reason: a sentence of ours, for the answer. said: what GitHub says, which may quote paths.
    """

    def __init__(self, reason: str, said: str = "") -> None:
        super().__init__(reason)
        self.reason, self.said = reason, said


class NotOpen(CannotPush):
    """The pull request was closed or merged meanwhile, so nothing is to be done on it."""

    def __init__(self) -> None:
        super().__init__("This pull request is not open any more.")


async def commit(
    access: RepositoryAccess,
    plan: EditPlan,
    pull: PullRequest,
    *,
    body: str = "",
    branch: str = "",
) -> Committed:
    """Make the edits of a plan in one commit on the head branch of the pull request it is for.

    branch: of the repository, where the commit goes to another one, whatever became of the pull
    request; the caller answers for that.

    plan: with one edit at least. pull: as it was when the plan was made; its head_sha is what the
    commit is tied to. body: of the message, below the plan's title; with the id of the comment in
    it, the commit of an earlier try is known again and given back.

    Raises CannotPush; StaleHead; RateLimited; GitHubError.
    """
    edits = _effective(plan.edits)
    if not edits:
        raise ValueError("a plan without edits makes no commit")
    check_size(edits)
    await check_permission(access)
    message = {"headline": plan.title, **({"body": body} if body else {})}
    repository = await look(access, edits, pull, branch)
    for _ in range(_ATTEMPTS):
        target = checked_branch(repository, branch)
        check_files(edits, child(repository, "planned"), pull)
        try:
            answer = await access.mutate(_request(edits, message, target, pull.head_sha))
            if made := child(answer.data, "commit", "commit"):
                return _committed(made, repository)
            check_refusal(answer)
        except WriteUncertain:
            pass
        await access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
        repository = await look(access, edits, pull, branch)
        now = tip(repository, branch)
        if standing := await _standing(access, now, pull.head_sha, message):
            return _committed(standing, repository)
        head = text(now, "oid")
        if head and head != pull.head_sha:
            raise StaleHead(pull.head_sha, head)
    raise GitHubError("GitHub does not take the commit, and does not say why")


async def check_permission(access: RepositoryAccess) -> None:
    """Raise CannotPush where the owner does not let the app write."""
    if (await access.installation.permissions()).get("contents") != "write":
        raise CannotPush(
            "The app may not write to this repository: it lacks the permission “Contents: write”."
        )


def _effective(edits: Sequence[FileEdit]) -> tuple[FileEdit, ...]:
    """Without files that one step of the plan makes and another deletes: GitHub refuses those."""
    return tuple(edit for edit in edits if edit.data is not None or edit.expected_oid is not None)


async def look(
    access: RepositoryAccess, edits: Sequence[FileEdit], pull: PullRequest, branch: str
) -> Json:
    """Where the head branch, another one and the files stand, as the repository of _BRANCH.

    Paths travel as variables: they are hostile.
    """
    paths = {f"p{index}": edit.path for index, edit in enumerate(edits)}
    query = _BRANCH % {
        "types": "".join(f", ${name}: String!" for name in paths),
        "files": " ".join(f"{name}: file(path: ${name}) {{ mode type oid }}" for name in paths),
    }
    variables = {
        "number": pull.number,
        "branch": f"refs/heads/{branch or pull.head_ref}",
        "planned": pull.head_sha,
        **paths,
    }
    answer = await access.query(f"{query}{OWN_COMMIT}", variables)
    repository = child(answer.data, "repository")
    needed = tuple(one for one in answer.problems if "baseRef" not in one.path)
    if replace(answer, problems=needed).is_partial:
        raise GitHubError(f"GitHub did not give all of pull request {pull.number}")
    if not child(repository, "pullRequest"):
        raise NotFound(f"pull request {pull.number} of {access.full_name}")
    return repository


def checked_branch(repository: Json, branch: str) -> dict[str, str]:
    """The branch to commit to, as GitHub takes it; raises CannotPush where we must not push."""
    pull = child(repository, "pullRequest")
    name = branch or text(pull, "headRefName")
    head_repository = number(child(pull, "headRepository"), "databaseId")
    if repository.get("isArchived") is True:
        raise CannotPush("This repository is archived.")
    if not branch:
        _check_head(repository, pull, head_repository)
    if not tip(repository, branch):
        raise CannotPush("The branch is gone.")
    return {"repositoryNameWithOwner": text(repository, "nameWithOwner"), "branchName": name}


def _check_head(repository: Json, pull: Json, head_repository: int) -> None:
    if (
        pull.get("isCrossRepository") is not False
        or head_repository != number(repository, "databaseId")
        or not head_repository
    ):
        raise CannotPush("The branch lies in another repository, to which the app cannot push.")
    if text(pull, "headRefName") == text(child(repository, "defaultBranchRef"), "name"):
        raise CannotPush("The app does not push to the default branch.")
    if text(pull, "state") != "OPEN":
        raise NotOpen


def tip(repository: Json, branch: str) -> Json:
    """The newest commit of the branch that is committed to."""
    way = ("branch",) if branch else ("pullRequest", "headRef")
    return child(repository, *way, "target")


def check_size(edits: Sequence[FileEdit]) -> None:
    """Raise CannotPush for more than fits into a commit."""
    if len(edits) > MAX_FILES:
        raise CannotPush(f"This changes more than {MAX_FILES} files, too many for one commit.")
    if sum(len(edit.data) for edit in edits if edit.data is not None) > MAX_BYTES:
        raise CannotPush(f"This changes more than {MAX_BYTES // 1_000_000} MB at once.")


def check_files(edits: Sequence[FileEdit], planned: Json, pull: PullRequest) -> None:
    """See that files are what the plan takes them for: it makes plain files of all that it writes.

    https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch
    """
    if not planned:
        raise GitHubError(f"GitHub did not give commit {pull.head_sha[:12]}")
    for index, edit in enumerate(edits):
        file = child(planned, f"p{index}")
        if (text(file, "oid") or None) != edit.expected_oid:
            raise GitHubError("the plan was not made on the head that it names")
        mode = number(file, "mode")
        if file and edit.data is not None and not (stat.S_ISREG(mode) and not mode & 0o111):
            raise CannotPush(
                "A file to be changed is a symbolic link or executable, and would not stay so."
            )


def _request(
    edits: Sequence[FileEdit], message: Json, branch: Json, head_sha: str
) -> MutationRequest:
    additions = [
        {"path": edit.path, "contents": base64.b64encode(edit.data).decode()}
        for edit in edits
        if edit.data is not None
    ]
    deletions = [{"path": edit.path} for edit in edits if edit.data is None]
    mutation = Mutation.create_commit(
        {
            "branch": branch,
            "expectedHeadOid": head_sha,
            "message": message,
            "fileChanges": {"additions": additions, "deletions": deletions},
        }
    )
    return request_of({"commit": mutation}, name="Commit")


def check_refusal(answer: Answer) -> None:
    """Raise CannotPush for a refusal that asking again does not change."""
    for problem in answer.problems:
        if reason := _REFUSALS.get(problem.type):
            is_rule = problem.type == "UNPROCESSABLE" and _RULES.search(problem.message)
            raise CannotPush(_PROTECTED if is_rule else reason, problem.message)


async def _standing(
    access: RepositoryAccess, tip: Json, head_sha: str, message: Json
) -> Json | None:
    """Our commit upon the planned head, when it landed after all."""
    identity = await access.installation.app.identity()
    words = f"{text(message, 'headline')} {text(message, 'body')}".split()
    for node in children(child(tip, "history"), "nodes"):
        parents = [text(parent, "oid") for parent in children(node, "parents", "nodes")]
        is_the_one = parents == [head_sha] and text(node, "message").split() == words
        if is_the_one and is_ours(node, identity):
            return node
    return None


def _committed(commit_: Json, repository: Json) -> Committed:
    return Committed(
        sha=text(commit_, "oid"),
        url=text(commit_, "url"),
        is_verified=child(commit_, "signature").get("isValid") is True,
        dismisses_reviews=dismisses_reviews(repository),
    )


def dismisses_reviews(repository: Json) -> bool:
    """Whether a ruleset of the pull request's base branch dismisses reviews at a push."""
    return any(
        child(rule, "parameters").get("dismissStaleReviewsOnPush") is True
        for rule in children(repository, "pullRequest", "baseRef", "rules", "nodes")
    )
