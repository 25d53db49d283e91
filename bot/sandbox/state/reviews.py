"""Reviews of a pull request, and their comments on lines."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bot.sandbox import events
from bot.sandbox.state.conversation import Said, check_body
from bot.sandbox.state.people import User

if TYPE_CHECKING:
    from bot.sandbox.state.pulls import PullRequest


_HUNK: Final = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)")


@dataclass(eq=False, slots=True, kw_only=True)
class Review(Said):
    """A review; its text may be empty where it has comments."""

    commit_id: str
    state: str = "commented"  # or "approved", "changes_requested"
    comments: list["ReviewComment"] = field(default_factory=list, repr=False)

    def tell(self, action: str, user: User, **more: object) -> None:
        events.review(self.pull.world, self, action, user, **more)


@dataclass(eq=False, slots=True, kw_only=True)
class ReviewComment(Said):
    """A comment on a line of the change."""

    review: Review = field(repr=False)
    path: str
    line: int  # the last one that it is on
    start_line: int | None = None  # the first one, where it is on several

    def tell(self, action: str, user: User, **more: object) -> None:
        events.review_comment(self.pull.world, self, action, user, **more)

    def delete(self, *, user: User) -> None:
        world = self.pull.world
        with world.lock:
            del self.pull.repository.review_comments[self.id]
            del world.nodes[self.node_id]
            self.review.comments.remove(self)
            self.tell("deleted", user)


def submit(
    pull: "PullRequest", body: str, *, user: User, lines: tuple[tuple[str, int, str], ...] = ()
) -> Review:
    """Submit a review. lines: path, line and text of each comment on a line.

    Raises Refusal when a text is too long, or all is empty.
    """
    world, repository, now = pull.world, pull.repository, pull.world.now()
    for text in (body, *(said for _, _, said in lines)) if body or not lines else ():
        check_body(text)
    identity, node_id = world.identify("PRR", None)
    review = Review(
        id=identity,
        node_id=node_id,
        pull=pull,
        author=user,
        body=body,
        created_at=now,
        updated_at=now,
        commit_id=pull.head_sha,
    )
    world.nodes[node_id] = review
    repository.reviews[identity] = review
    review.tell("submitted", user)
    for path, line, text in lines:
        identity, node_id = world.identify("PRRC", None)
        comment = ReviewComment(
            id=identity,
            node_id=node_id,
            pull=pull,
            author=user,
            body=text,
            created_at=now,
            updated_at=now,
            review=review,
            path=path,
            line=line,
        )
        world.nodes[node_id] = comment
        repository.review_comments[identity] = comment
        review.comments.append(comment)
        comment.tell("created", user)
    return review


def shown_lines(pull: "PullRequest", path: str) -> set[int]:
    """The lines of a file at the head that the difference shows: added ones and those around."""
    shown: set[int] = set()
    line = 0
    for change in pull.changes:
        for text in (change.patch or "").split("\n") if change.path == path else ():
            if hunk := _HUNK.match(text):
                line = int(hunk[1])
            elif text[:1] in {"+", " "}:
                shown.add(line)
                line += 1
    return shown
