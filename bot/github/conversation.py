"""The conversation of a pull request: a commenter's command, their permission, and our answer."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import quote

from bot.core.anchor import Anchor, Kind
from bot.core.comment import reply_marker
from bot.core.errors import GitHubError
from bot.core.snapshot import Actor
from bot.github.answers import Json, child, children, number, rest_actor, text
from bot.github.client import Request
from bot.github.errors import NotFound, RateLimited, WriteUncertain
from bot.github.installation import RepositoryAccess
from bot.github.mutations import Mutation, deletions, request_of
from bot.github.published import ACTOR, COMMENT, PublishedComment, ours

ReactionContent = Literal["EYES", "THUMBS_UP", "THUMBS_DOWN"]

_GHOST: Final = "ghost"  # the account that REST shows in place of a deleted one
_NOT_FOUND: Final = 404
_GONE: Final = 410  # the status of what was deleted, beside 404
_ATTEMPTS: Final = 3
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_PULL_NODE: Final = """
query PullNode($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { id } }
}
"""
_NEWEST: Final = f"""
query Newest($pull: ID!) {{
  node(id: $pull) {{ ... on PullRequest {{
    locked comments(last: 100) {{ nodes {{ ...comment }} }}
  }} }}
}}
{ACTOR}{COMMENT}"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandComment:
    """A comment in which commands may stand, as it is now."""

    anchor: Anchor
    node_id: str
    number: int  # of the issue or pull request that it is on
    body: str = field(repr=False)
    author: Actor | None  # None for a deleted account
    via_app: bool  # an app wrote it in the author's name; GitHub says so of plain comments alone
    files: tuple[str, ...] = ()  # that it stands on, as a comment on a line does
    head_sha: str = ""  # that its author looked at; "" where nothing tells, as of words
    button: str = ""  # the label of the button that was pressed; "" for words


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A button of one of our check runs, pressed, as GitHub tells it now."""

    sender: Actor | None  # None for a deleted account
    head_sha: str  # that the check run judges
    external_id: str  # of the check run


async def read_comment(
    access: RepositoryAccess, anchor: Anchor, *, number_: int
) -> CommandComment | None:
    """Read a comment; None when it was deleted. Raises RateLimited, GitHubError.

    number_: of the pull request that it should be on.
    """
    try:
        reply_ = await access.get_patiently(_path(anchor, number_))
    except NotFound:
        return None
    except GitHubError as error:
        if error.status == _GONE:
            return None
        raise
    data = child(reply_.data)
    author = rest_actor(child(data, "user"))
    on = (text(data, "issue_url") or text(data, "pull_request_url")).rpartition("/")[2]
    path = text(data, "path")
    return CommandComment(
        anchor=anchor,
        node_id=text(data, "node_id"),
        number=int(on) if on.isdecimal() else 0,
        body=text(data, "body"),
        author=None if author is None or author.login == _GHOST else author,
        via_app=bool(child(data, "performed_via_github_app")),
        files=(path,) if path else (),
    )


async def read_press(access: RepositoryAccess, anchor: Anchor, *, account_id: int) -> Press | None:
    """Read on what a button was pressed, and by whom; None when the check run is not ours, or gone.

    account_id: of who pressed it. Raises RateLimited, GitHubError.
    """
    try:
        run = child((await access.get_patiently(f"/check-runs/{anchor.id}")).data)
    except NotFound:
        return None
    identity = await access.installation.app.identity()
    if number(child(run, "app"), "id") != identity.app_id:
        return None
    path = f"/user/{account_id}"
    account = await access.installation.send(Request(method="GET", path=path, read=True))
    is_gone = account.status == _NOT_FOUND
    sender = None if is_gone else rest_actor(child(account.expect(200).data))
    return Press(
        sender=sender if sender is not None and sender.id == account_id else None,
        head_sha=text(run, "head_sha"),
        external_id=text(run, "external_id"),
    )


def _path(anchor: Anchor, number_: int) -> str:
    return {
        Kind.COMMENT: f"/issues/comments/{anchor.id}",
        Kind.REVIEW: f"/pulls/{number_}/reviews/{anchor.id}",
        Kind.REVIEW_COMMENT: f"/pulls/comments/{anchor.id}",
    }[anchor.kind]


async def pull_node(access: RepositoryAccess, number_: int) -> str:
    """The node id of a pull request. Raises NotFound, RateLimited, GitHubError."""
    answer = await access.query(_PULL_NODE, {"number": number_})
    if not (node := text(child(answer.data, "repository", "pullRequest"), "id")):
        raise NotFound(f"pull request {number_} of {access.full_name}")
    return node


async def permission_answer(access: RepositoryAccess, author: Actor) -> Mapping[str, object] | None:
    """What GitHub says of an account's permission now; None when it does not say.

    It is asked by login, which may be someone else's by now: the answer must be about the same id.
    Raises RateLimited.
    https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
    """
    try:
        path = f"/collaborators/{quote(author.login, safe='')}/permission"
        reply_ = await access.get_patiently(path)
    except RateLimited:
        raise
    except GitHubError as error:
        log.warning("GitHub does not say what a commenter may do: %s", error)
        return None
    answer = child(reply_.data)
    answered = number(child(answer, "user"), "id")
    return answer if answered and answered == author.id else None


async def react(access: RepositoryAccess, comment_node: str, content: ReactionContent) -> None:
    """Show a reaction of ours on a comment; the same one twice is one, so it is sent again.

    comment_node: "" for what takes none, such as the press of a button.

    It may be all that says what became of a command. Still nothing depends on it, so a refusal (a
    locked conversation takes none) is only logged. Raises RateLimited.
    """
    if comment_node:
        given = {"subjectId": comment_node, "content": content}
        await _show(access, Mutation.add_reaction(given), name="React")


async def take_back(access: RepositoryAccess, comment_node: str, content: ReactionContent) -> None:
    """Show a reaction of ours no more; as harmless where there is none. Raises RateLimited."""
    given = {"subjectId": comment_node, "content": content}
    await _show(access, Mutation.remove_reaction(given), name="TakeBack")


async def _show(access: RepositoryAccess, mutation: Mutation, *, name: str) -> None:
    for left in reversed(range(_ATTEMPTS)):
        try:
            answer = await access.mutate(request_of({"reaction": mutation}, name=name))
            break
        except RateLimited:
            raise
        except GitHubError as error:
            if not left or not isinstance(error, WriteUncertain):
                log.warning("a reaction was not changed: %s", error)
                return
        await access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
    if not mutation.made(child(answer.data, "reaction")):
        types = ", ".join(problem.type for problem in answer.problems)
        log.info("GitHub takes no reaction in %s: %s", access.full_name, types or "no reason")


async def reply(
    access: RepositoryAccess, pull_node: str, body: str, *, in_reply_to: Anchor, digest: str
) -> bool:
    """Answer a comment once, however often this is called; False when comments are refused.

    body: at most MAX_REPLY characters; a hidden marker goes before it. digest: of the comment's
    text. The answer to an earlier text becomes this one. Raises RateLimited, GitHubError.
    """
    begin = reply_marker(str(in_reply_to))
    marked = f"{reply_marker(str(in_reply_to), digest)}{body}"
    identity = await access.installation.app.identity()
    for _ in range(_ATTEMPTS):
        pull = await _newest(access, pull_node)
        answers = ours(children(pull, "comments", "nodes"), identity, begin)
        if len(answers) == 1 and answers[0].body.startswith(marked.partition("\n")[0]):
            return True
        if pull.get("locked") is True:
            return False
        mutations = _one_answer(pull_node, answers, marked)
        try:
            answer = await access.mutate(request_of(mutations, name="Reply"))
            if mutations["comment"].made(made := child(answer.data, "comment")):
                # The list that was read may have lagged; what GitHub answers to a write does not.
                shown = ours(children(made, "subject", "comments", "nodes"), identity, begin)
                if len(shown) > 1:
                    mutations = _one_answer(pull_node, shown, marked)
                    await access.mutate(request_of(mutations, name="Reply"))
                return True
            if any(problem.type == "FORBIDDEN" for problem in answer.problems):
                return False
        except WriteUncertain:
            pass
        await access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
    raise GitHubError("GitHub does not take the answer to a command, and does not say why")


async def withdraw(access: RepositoryAccess, pull_node: str, *, in_reply_to: Anchor) -> None:
    """Delete the answer to a comment, if there is one. Raises RateLimited, GitHubError."""
    identity = await access.installation.app.identity()
    pull = await _newest(access, pull_node)
    begin = reply_marker(str(in_reply_to))
    if answers := ours(children(pull, "comments", "nodes"), identity, begin):
        await access.mutate(request_of(deletions(answers), name="Withdraw"))


async def _newest(access: RepositoryAccess, pull_node: str) -> Json:
    """The newest comments of a pull request; never a part of them, or we might answer twice."""
    answer = await access.installation.graphql(_NEWEST, {"pull": pull_node})
    pull = child(answer.data, "node")
    if answer.is_partial or not pull:
        raise GitHubError(f"GitHub did not give the conversation of {access.full_name}")
    return pull


def _one_answer(
    pull_node: str, answers: Sequence[PublishedComment], body: str
) -> dict[str, Mutation]:
    """What leaves one answer with the text: of several the oldest."""
    if not answers:
        return {"comment": Mutation.add_comment({"subjectId": pull_node, "body": body})}
    update = Mutation.update_comment({"id": answers[0].node_id, "body": body})
    return {"comment": update, **deletions(answers[1:])}
