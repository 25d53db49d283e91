"""Suggestions on the lines of a pull request: one review, whatever is tried how often."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, children, text
from bot.github.errors import RateLimited, WriteUncertain
from bot.github.installation import RepositoryAccess
from bot.github.mutations import Mutation, request_of

_ATTEMPTS: Final = 3
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_REVIEWS: Final = """
query Reviews($pull: ID!) {
  node(id: $pull) { ... on PullRequest {
    reviews(last: 100) { nodes { author { __typename login } body } }
  } }
}
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineComment:
    """A comment on lines of a file at the head, that the pull request changes."""

    path: str
    start: int  # from 1
    end: int
    body: str


async def suggest(
    access: RepositoryAccess,
    pull_node: str,
    head_sha: str,
    comments: Sequence[LineComment],
    *,
    begin: str,
    said: str,
) -> bool:
    """Comment on lines in one review, once; False where GitHub does not take it.

    begin: a hidden line by which the review is known again. said: Markdown below that. Raises
    RateLimited.
    """
    mutation = Mutation.add_review(
        {
            "pullRequestId": pull_node,
            "commitOID": head_sha,
            "event": "COMMENT",
            "body": f"{begin}{said}",
            "threads": [_thread(one) for one in comments],
        }
    )
    for _ in range(_ATTEMPTS):
        try:
            if await _stands(access, pull_node, begin):
                return True
            answer = await access.mutate(request_of({"review": mutation}, name="Suggest"))
            if mutation.made(child(answer.data, "review")):
                return True
            types = ", ".join(problem.type for problem in answer.problems)
            log.info("GitHub takes no suggestions in %s: %s", access.full_name, types)
        except WriteUncertain:
            pass
        except RateLimited:
            raise
        except GitHubError as error:
            log.warning("suggestions were not made: %s", error)
            return False
        else:
            return False
        await access.installation.app.client.timing.sleep(_BEFORE_LOOKING)
    return False


async def _stands(access: RepositoryAccess, pull_node: str, begin: str) -> bool:
    identity = await access.installation.app.identity()
    answer = await access.installation.graphql(_REVIEWS, {"pull": pull_node})
    if answer.is_partial:
        raise GitHubError(f"GitHub did not give the reviews of {access.full_name}")
    return any(
        child(review, "author").get("__typename") == "Bot"
        and text(child(review, "author"), "login").removesuffix("[bot]") == identity.slug
        and text(review, "body").startswith(begin.rstrip("\n"))
        for review in children(child(answer.data, "node", "reviews"), "nodes")
    )


def _thread(one: LineComment) -> Json:
    thread: dict[str, object] = {
        "path": one.path,
        "body": one.body,
        "line": one.end,
        "side": "RIGHT",
    }
    if one.start != one.end:
        thread |= {"startLine": one.start, "startSide": "RIGHT"}
    return thread
