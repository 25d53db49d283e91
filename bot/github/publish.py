"""Publish verdicts and the one comment: only what differs from what stands there already.

Everything goes out as one GraphQL request. Each of its mutations answers for itself: null is a
failure, whatever the status says. After an answer that leaves it open whether a write landed, what
stands there is read again and the difference taken anew; so nothing is ever written twice.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot.core.check_run import MAX_ANNOTATIONS_PER_REQUEST, CheckRun
from bot.core.errors import GitHubError
from bot.github.answers import child, children, text, text_or_none
from bot.github.errors import Forbidden, HeadMoved, NotFound, WriteUncertain
from bot.github.installation import Answer, RepositoryAccess
from bot.github.mutations import Mutation, deletions, request_of
from bot.github.published import Published, PublishedComment, ours, read_published
from bot.github.standing import read_commit

HEAD_IS_FRESH: Final = timedelta(seconds=2)  # so long the head that was read need not be asked for
_ATTEMPTS: Final = 3
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_UNFINISHED: Final = "unfinished"  # stands for the digest while annotations are still to come

_HEAD: Final = """
query Head($pull: ID!) { pull: node(id: $pull) { ... on PullRequest { headRefOid } } }
"""
_HEAD_AND_COMMENT: Final = """
query Head($pull: ID!, $comment: ID!) {
  pull: node(id: $pull) { ... on PullRequest { headRefOid } }
  comment: node(id: $comment) { ... on IssueComment { body } }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The pull request that a verdict is filed under, of those that share the head."""

    number: int
    base_ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What a pull request should show."""

    check_runs: tuple[CheckRun, ...]
    comment: str | None  # body, which starts with the marker; None leaves what stands there
    reruns: int = 0  # how often new check runs were asked for: each time they are made anew
    judged: Judged | None = None  # whose verdict it is; None: the pull request's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What to write; empty when everything stands there."""

    check_runs: tuple[CheckRun, ...] = ()
    comment: str | None = field(default=None, repr=False)
    doubled: tuple[PublishedComment, ...] = ()  # to be deleted
    judged: Judged | None = None
    reruns: int = 0

    def __bool__(self) -> bool:
        return bool(self.check_runs or self.doubled) or self.comment is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was written. comment_refused: the conversation is locked, or comments are forbidden."""

    check_runs: tuple[str, ...] = ()  # their names
    comment: bool = False
    comment_refused: bool = False

    def plus(self, other: "Receipt") -> "Receipt":
        """What both say together."""
        return Receipt(
            check_runs=(*self.check_runs, *other.check_runs),
            comment=self.comment or other.comment,
            comment_refused=self.comment_refused or other.comment_refused,
        )


def difference(wanted: Publication, published: Published) -> Difference:
    """Tell what is missing. A run that is not finished counts as missing."""
    missing = tuple(
        run
        for run in wanted.check_runs
        if (known := published.check(run.name)) is None
        or known.status != "COMPLETED"
        or known.external_id != external_id(run, published, wanted.judged, wanted.reruns)
    )
    body = wanted.comment
    if body is not None and published.comment and _same(body, published.comment.body):
        body = None
    return Difference(
        check_runs=missing,
        comment=body,
        doubled=published.doubled,
        judged=wanted.judged,
        reruns=wanted.reruns,
    )


def shown_since(wanted: Publication, published: Published) -> datetime | None:
    """Since when GitHub shows the very check runs that are wanted; None when it does not.

    By its own clock, and only our app can have made them. So it proves what people could see, even
    where we were stopped before we could write that down.
    """
    if difference(replace(wanted, comment=None), published):
        return None
    checks = [published.check(run.name) for run in wanted.check_runs]
    times = [check.completed_at for check in checks if check and check.completed_at]
    return max(times) if len(times) == len(checks) > 0 else None


def external_id(
    run: CheckRun, published: Published, judged: Judged | None = None, reruns: int = 0
) -> str:
    """Whose verdict this is, and a digest of all that it says and of how often it was asked for.

    Two pull requests may share a head, and a check run belongs to the commit: so the id says
    repository id, number and base branch first. ":" cannot stand in the name of a branch.
    """
    content = json.dumps([asdict(run), reruns], sort_keys=True).encode()
    return _external_id(published, judged, hashlib.sha256(content).hexdigest()[:16])


async def publish(access: RepositoryAccess, wanted: Publication, published: Published) -> Receipt:
    """Bring what stands on GitHub to what is wanted; nothing is sent when it is.

    published: as load() read it. Raises HeadMoved when a newer head makes this stale, before or
    after writing; RateLimited; GitHubError when it cannot be published, or when another process has
    published since.
    """
    timing = access.installation.app.client.timing
    receipt = Receipt(comment_refused=published.is_locked)
    for _ in range(_ATTEMPTS):
        missing = difference(wanted, published)
        if receipt.comment_refused:
            missing = replace(missing, comment=None)
        if not missing:
            return receipt
        if missing.comment is not None and timing.now() - published.read_at > HEAD_IS_FRESH:
            await _check_standing(access, published)
        try:
            written, is_done = await _write(access, missing, published)
            receipt = receipt.plus(written)
        except WriteUncertain:
            is_done = False
        if is_done:
            return receipt
        await timing.sleep(_BEFORE_LOOKING)
        published = await _look_again(access, published)
    raise GitHubError("GitHub does not take what is to be published, and does not say why")


async def _write(
    access: RepositoryAccess, missing: Difference, published: Published
) -> tuple[Receipt, bool]:
    """Send what is missing; says what was written, and whether that is all that can be."""
    mutations = {
        **{
            f"run{index}": _check_run(run, published, missing)
            for index, run in enumerate(missing.check_runs)
        },
        **({"comment": _comment(missing.comment, published)} if missing.comment else {}),
        **deletions(missing.doubled),
    }
    answer = await access.mutate(request_of(mutations))
    forbidden = {
        alias
        for problem in answer.problems
        if problem.type == "FORBIDDEN"
        for alias in problem.path[:1]
    }
    done = {alias for alias, one in mutations.items() if one.made(child(answer.data, alias))}
    if denied := forbidden - done - {"comment"}:
        raise Forbidden(f"GitHub does not let us write check runs ({len(denied)})", status=403)
    failed = mutations.keys() - done - forbidden
    failed |= await _append(access, missing, published, answer, done)
    if "comment" in done:
        await _settle_comment(access, str(missing.comment), published, answer)
    receipt = Receipt(
        check_runs=tuple(run.name for i, run in enumerate(missing.check_runs) if f"run{i}" in done),
        comment="comment" in done,
        comment_refused="comment" in forbidden,
    )
    return receipt, not failed


def _check_run(run: CheckRun, published: Published, missing: Difference) -> Mutation:
    """Create a finished run; finish one of ours that was left open, as a completed one stays."""
    batches = _batches(run)
    known = published.check(run.name)
    fields: dict[str, object] = {
        "repositoryId": published.repository_node,
        "status": "COMPLETED",
        "conclusion": run.conclusion.upper(),
        "externalId": external_id(run, published, missing.judged, missing.reruns)
        if len(batches) == 1
        else _external_id(published, missing.judged, _UNFINISHED),
        "output": _output(run, batches[0]),
        "actions": _actions(run),
    }
    if known is not None and known.status != "COMPLETED":
        return Mutation.update_check_run(fields | {"checkRunId": known.node_id})
    return Mutation.create_check_run(fields | {"name": run.name, "headSha": published.head_sha})


def _comment(body: str, published: Published) -> Mutation:
    if published.comment is None:
        return Mutation.add_comment({"subjectId": published.pull_node, "body": body})
    return Mutation.update_comment({"id": published.comment.node_id, "body": body})


async def _append(
    access: RepositoryAccess,
    missing: Difference,
    published: Published,
    answer: Answer,
    done: set[str],
) -> set[str]:
    """Send the annotations beyond the first batch; the last one makes the digest complete."""
    more = {}
    for index, run in enumerate(missing.check_runs):
        batches = _batches(run)
        node = text(child(answer.data, f"run{index}", "checkRun"), "id")
        for position, batch in enumerate(batches[1:], start=1) if f"run{index}" in done else ():
            fields: dict[str, object] = {
                "repositoryId": published.repository_node,
                "checkRunId": node,
                "output": _output(run, batch),
                "actions": _actions(run),
            }
            if position == len(batches) - 1:
                fields["externalId"] = external_id(run, published, missing.judged, missing.reruns)
            more[f"run{index}x{position}"] = Mutation.update_check_run(fields)
    if not more:
        return set()
    appended = await access.mutate(request_of(more))
    return {alias for alias, one in more.items() if not one.made(child(appended.data, alias))}


async def _settle_comment(
    access: RepositoryAccess, body: str, published: Published, answer: Answer
) -> None:
    """See from the answer that the head stands, and that no other process commented too.

    Of two comments of ours the older stays: it gets the text before the newer one is deleted.
    """
    made = child(answer.data, "comment")
    pull = child(made, "subject") or child(made, "issueComment", "pullRequest")
    identity = await access.installation.app.identity()
    standing = ours(children(pull, "comments", "nodes"), identity)
    if len(standing) > 1:
        oldest, *others = standing
        await _merge_comments(access, body, oldest, others)
    if (head := text(pull, "headRefOid")) and head != published.head_sha:
        raise HeadMoved(published.head_sha, head)


async def _merge_comments(
    access: RepositoryAccess,
    body: str,
    oldest: PublishedComment,
    others: Sequence[PublishedComment],
) -> None:
    update = Mutation.update_comment({"id": oldest.node_id, "body": body})
    await access.mutate(request_of({"comment": update, **deletions(others)}))


async def _check_standing(access: RepositoryAccess, published: Published) -> None:
    """See that head and comment are still those that were read.

    Another process may have published since, with a newer reading: it must not be taken back.
    """
    query, known = _HEAD, published.comment
    variables = {"pull": published.pull_node}
    if known is not None:
        query, variables = _HEAD_AND_COMMENT, variables | {"comment": known.node_id}
    answer = await access.installation.graphql(query, variables)
    head = text(child(answer.data, "pull"), "headRefOid")
    if not head:  # a replica that does not know it, or it is gone
        raise NotFound(f"pull request {published.number} of {access.full_name}")
    if head != published.head_sha:
        raise HeadMoved(published.head_sha, head)
    body = text_or_none(child(answer.data, "comment"), "body")
    if known is not None and body is not None and body != known.body:
        raise GitHubError("the comment was written to while this was decided")


async def _look_again(access: RepositoryAccess, published: Published) -> Published:
    if not published.pull_node:
        found = await read_commit(access, published.head_sha, base_ref=published.base_ref)
        return replace(found, number=published.number)
    found, head = await read_published(access, published.number, head_sha=published.head_sha)
    if head != published.head_sha:
        raise HeadMoved(published.head_sha, head)
    return found


def _external_id(published: Published, judged: Judged | None, digest: str) -> str:
    whose = judged or Judged(number=published.number, base_ref=published.base_ref)
    return f"{published.repository_id}:{whose.number}:{whose.base_ref}:{digest}"


def _batches(run: CheckRun) -> list[list[Mapping[str, object]]]:
    """The annotations as GraphQL takes them, so many at a time; one empty batch for none."""
    size = MAX_ANNOTATIONS_PER_REQUEST
    found: list[Mapping[str, object]] = [
        {
            "path": annotation.path,
            "location": {"startLine": annotation.start_line, "endLine": annotation.end_line},
            "annotationLevel": annotation.level.upper(),
            "title": annotation.title,
            "message": annotation.message,
        }
        for annotation in run.annotations
    ]
    return [found[start : start + size] for start in range(0, max(1, len(found)), size)]


def _output(run: CheckRun, annotations: Sequence[Mapping[str, object]]) -> dict[str, object]:
    output: dict[str, object] = {"title": run.title, "summary": run.summary}
    if run.text:
        output["text"] = run.text
    if annotations:
        output["annotations"] = annotations
    return output


def _actions(run: CheckRun) -> list[Mapping[str, str]]:
    """The buttons as GraphQL takes them. It gives none back: the digest tells what stands there."""
    return [
        {"identifier": one.identifier, "label": one.label, "description": one.description}
        for one in run.buttons
    ]


def _same(body: str, other: str) -> bool:
    """Whether GitHub would show the same: it may store other line ends and trim the text."""
    return body.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()
