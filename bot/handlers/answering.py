"""Telling people what became of their comment: one answer at most, and a thumb."""

import logging
from collections.abc import Sequence

from bot.commands import answers
from bot.core.comment import suggestions_marker
from bot.core.errors import GitHubError
from bot.github import conversation
from bot.github.conversation import CommandComment
from bot.github.errors import RateLimited
from bot.github.suggesting import LineComment, suggest
from bot.handlers.turn import Turn, is_past_words
from bot.render.suggestions import Suggestion

log = logging.getLogger(__name__)


async def answer(
    turn: Turn, pull_node: str, comment: CommandComment, text: str | None, *, refused: bool
) -> None:
    """Answer and react; of an edit, in the place of what was said before. Twice is as once.

    text: None where the reaction says it all. Raises GitHubError, unless that was so for too long.
    """
    try:
        if text:
            await conversation.reply(
                turn.access,
                pull_node,
                answers.of_button(comment.button, comment.author, text) if comment.button else text,
                in_reply_to=comment.anchor,
                digest=turn.waiting.digest,
            )
        elif turn.waiting.is_edit and pull_node:
            await conversation.withdraw(turn.access, pull_node, in_reply_to=comment.anchor)
    except RateLimited:
        raise
    except GitHubError as error:
        if not is_past_words(turn.waiting):
            raise  # what was done is known again, and is not done twice
        log.warning("an answer to %s was not taken: %s", comment.anchor, error)
    thumbs: tuple[conversation.ReactionContent, ...] = ("THUMBS_UP", "THUMBS_DOWN")
    await conversation.react(turn.access, comment.node_id, thumbs[refused])
    if turn.waiting.is_edit:
        await conversation.take_back(turn.access, comment.node_id, thumbs[not refused])


async def refuse(turn: Turn, comment: CommandComment, text: str) -> None:
    """Say that nothing was done, before the pull request was read. text: "" for a thumb alone."""
    pull_node = ""
    if text:
        pull_node = await conversation.pull_node(turn.access, turn.state.key.number)
    await answer(turn, pull_node, comment, text, refused=True)


async def offer(turn: Turn, pull_node: str, head_sha: str, suggested: Sequence[Suggestion]) -> None:
    """Offer what the patch in the answer does as a click. Nothing depends on it."""
    waiting = turn.waiting
    await suggest(
        turn.access,
        pull_node,
        head_sha,
        [
            LineComment(path=one.path, start=one.start, end=one.end, body=one.body)
            for one in suggested
        ],
        begin=suggestions_marker(waiting.comment, waiting.digest),
        said=answers.SUGGESTED,
    )
