"""What is said on a pull request, issue comments above all, and the reactions to it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from bot.sandbox import events
from bot.sandbox.contract.limits import MAX_COMMENT_CHARACTERS
from bot.sandbox.refusal import Refusal
from bot.sandbox.state.apps import App
from bot.sandbox.state.people import User

if TYPE_CHECKING:
    from bot.sandbox.state.pulls import PullRequest


@dataclass(eq=False, slots=True, kw_only=True)
class Reaction:
    id: int
    node_id: str
    user: User
    content: str  # as REST spells it: "+1", "eyes"
    created_at: datetime


@dataclass(eq=False, slots=True, kw_only=True)
class Said:
    """Words of somebody's on a pull request."""

    id: int
    node_id: str
    pull: "PullRequest" = field(repr=False)
    author: User
    body: str
    created_at: datetime
    updated_at: datetime
    edits: int = 0  # how often its text was changed
    reactions: list[Reaction] = field(default_factory=list)

    def tell(self, action: str, user: User, **more: object) -> None:
        """Send the event that says what became of it. more: `changes` of an edit."""
        raise NotImplementedError

    def edit(self, body: str, *, user: User) -> None:
        """Change the text; raises Refusal when it is too long."""
        with self.pull.world.lock:
            check_body(body)
            before, self.body = self.body, body
            self.edits += 1
            self.updated_at = self.pull.world.now()
            self.tell("edited", user, changes={"body": {"from": before}})

    def react(self, content: str, *, user: User) -> tuple[Reaction, bool]:
        """Give the reaction and whether it is new: the same one twice is one.

        Raises Refusal in a locked conversation, where nobody may react.
        """
        world = self.pull.world
        if self.pull.locked:
            what = f"{user.login} does not have the correct permissions to execute `AddReaction`"
            raise Refusal(403, what, kind="FORBIDDEN")
        with world.lock:
            for known in self.reactions:
                if known.user is user and known.content == content:
                    return known, False
            identity, node_id = world.identify("REA", None)
            reaction = Reaction(
                id=identity, node_id=node_id, user=user, content=content, created_at=world.now()
            )
            world.nodes[node_id] = reaction
            self.reactions.append(reaction)
            return reaction, True

    def unreact(self, content: str, *, user: User) -> Reaction | None:
        """Take a reaction back; None where there is none."""
        with self.pull.world.lock:
            for known in self.reactions:
                if known.user is user and known.content == content:
                    self.reactions.remove(known)
                    return known
            return None


@dataclass(eq=False, slots=True, kw_only=True)
class Comment(Said):
    """An issue comment."""

    app: App | None  # through which it was written
    minimized: str | None = None  # the reason, in lower case

    def tell(self, action: str, user: User, **more: object) -> None:
        events.issue_comment(self.pull.world, self, action, user, **more)

    def delete(self, *, user: User) -> None:
        world = self.pull.world
        with world.lock:
            del self.pull.repository.comments[self.id]
            del world.nodes[self.node_id]
            self.tell("deleted", user)


def say(pull: "PullRequest", body: str, *, user: User, app: App | None = None) -> Comment:
    """Add a comment to a pull request; raises Refusal when it is empty or too long."""
    world = pull.world
    check_body(body)
    if pull.locked:
        raise Refusal(403, "Unable to create comment because issue is locked.", kind="FORBIDDEN")
    identity, node_id = world.identify("IC", None)
    now = world.now()
    comment = Comment(
        id=identity,
        node_id=node_id,
        pull=pull,
        author=user,
        app=app,
        body=body,
        created_at=now,
        updated_at=now,
    )
    world.nodes[node_id] = comment
    pull.repository.comments[identity] = comment
    events.issue_comment(world, comment, "created", user)
    return comment


def check_body(body: str) -> None:
    if not body.strip():
        raise Refusal(422, "Body can't be blank", field="body", breach="limit")
    if len(body) > MAX_COMMENT_CHARACTERS:
        what = f"Body is too long (maximum is {MAX_COMMENT_CHARACTERS} characters)"
        raise Refusal(422, what, field="body", breach="limit")
