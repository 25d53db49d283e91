"""Reviews of a pull request, and their comments on lines."""

from bot.sandbox.refusal import not_found
from bot.sandbox.rest.calls import Call, handles
from bot.sandbox.wire import Reply


@handles("pulls/get-review", needs="pull_requests:read")
def get_review(call: Call) -> Reply:
    review = call.repository.reviews.get(call.number("review_id"))
    if review is None or review.pull is not call.pull():
        raise not_found()
    return Reply(body=call.shapes.review(review))


@handles("pulls/get-review-comment", needs="pull_requests:read")
def get_review_comment(call: Call) -> Reply:
    comment = call.repository.review_comments.get(call.number("comment_id"))
    if comment is None:
        raise not_found()
    return Reply(body=call.shapes.review_comment(comment))
