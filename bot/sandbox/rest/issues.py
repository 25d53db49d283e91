"""Issue comments, which a pull request's conversation is made of, and reactions."""

from datetime import datetime

from bot.sandbox.refusal import forbidden, not_found
from bot.sandbox.rest.calls import Call, handles
from bot.sandbox.state.conversation import Comment, say
from bot.sandbox.wire import Reply

# On a pull request either permission will do; there are no plain issues here.
_READ = "pull_requests:read|issues:read"
_WRITE = "pull_requests:write|issues:write"


@handles("issues/list-comments", needs=_READ)
def list_comments(call: Call) -> Reply:
    comments = call.pull("issue_number").comments
    since = call.request.query.get("since")
    if since is not None:
        start = datetime.fromisoformat(since)
        comments = tuple(comment for comment in comments if comment.updated_at >= start)
    shown, link = call.page(comments)
    return Reply(body=[call.shapes.comment(comment) for comment in shown], headers=link)


@handles("issues/create-comment", needs=_WRITE)
def create_comment(call: Call) -> Reply:
    pull = call.pull("issue_number")
    comment = say(pull, call.body["body"], user=call.user, app=call.app)
    body = call.shapes.comment(comment)
    return Reply(status=201, body=body, headers={"location": body["url"]})


@handles("issues/get-comment", needs=_READ)
def get_comment(call: Call) -> Reply:
    return Reply(body=call.shapes.comment(_comment(call)))


@handles("issues/update-comment", needs=_WRITE)
def update_comment(call: Call) -> Reply:
    comment = _own(call, _comment(call))
    comment.edit(call.body["body"], user=call.user)
    return Reply(body=call.shapes.comment(comment))


@handles("issues/delete-comment", needs=_WRITE)
def delete_comment(call: Call) -> Reply:
    _own(call, _comment(call)).delete(user=call.user)
    return Reply(status=204)


@handles("reactions/create-for-issue-comment", needs=_WRITE)
def create_reaction(call: Call) -> Reply:
    reaction, is_new = _comment(call).react(call.body["content"], user=call.user)
    return Reply(status=201 if is_new else 200, body=call.shapes.reaction(reaction))


def _comment(call: Call) -> Comment:
    comment = call.repository.comments.get(call.number("comment_id"))
    if comment is None:
        raise not_found()
    return comment


def _own(call: Call, comment: Comment) -> Comment:
    """Changing the words of others takes `issues: write`, as a maintainer has it."""
    if comment.author is not call.user and not (call.caller and call.caller.may("issues:write")):
        raise forbidden()
    return comment
