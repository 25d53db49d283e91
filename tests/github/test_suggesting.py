"""Suggestions: one review on the lines of the head, whatever gets lost."""

from collections.abc import Sequence

import pytest

from bot.github.errors import RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.suggesting import LineComment, suggest
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.reviews import Review
from tests.github.conftest import Shop

BEGIN = "<!-- memoryrail-suggestions issuecomment-7 0123456789ab -->\n"
ONE = LineComment(path="src/b.py", start=2, end=2, body="```suggestion\ntwo\n```")
SEVERAL = LineComment(path="src/b.py", start=1, end=3, body="```suggestion\nall\n```")


@pytest.fixture
def pull(shop: Shop) -> PullRequest:
    return shop.open({"src/b.py": "a\nb\nc\n"})


def reviews(pull: PullRequest) -> list[Review]:
    return [*pull.repository.reviews.values()]


async def offered(
    access: RepositoryAccess,
    pull: PullRequest,
    comments: Sequence[LineComment] = (ONE, SEVERAL),
    begin: str = BEGIN,
) -> bool:
    return await suggest(
        access, pull.node_id, pull.head_sha, comments, begin=begin, said="As suggestions."
    )


async def test_all_of_them_stand_in_one_review(access: RepositoryAccess, pull: PullRequest) -> None:
    assert await offered(access, pull)
    (review,) = reviews(pull)
    assert (review.body, review.state) == (f"{BEGIN}As suggestions.", "commented")
    assert [(one.start_line, one.line, one.body) for one in review.comments] == [
        (None, 2, ONE.body),
        (1, 3, SEVERAL.body),
    ]
    assert await offered(access, pull)  # told again
    assert len(reviews(pull)) == 1
    assert await offered(access, pull, begin=BEGIN.replace("-7", "-8"))  # of another comment
    assert len(reviews(pull)) == 2


async def test_what_somebody_else_wrote_is_not_ours(
    access: RepositoryAccess, pull: PullRequest
) -> None:
    pull.review("alice", f"{BEGIN}As suggestions.")
    assert await offered(access, pull)
    assert len(reviews(pull)) == 2


@pytest.mark.parametrize("has_effect", [False, True])
async def test_a_lost_answer_makes_no_second_review(
    shop: Shop, access: RepositoryAccess, pull: PullRequest, *, has_effect: bool
) -> None:
    shop.github.faults.add("graphql Suggest", status=502, after_effect=has_effect)
    assert await offered(access, pull)
    assert len(reviews(pull)) == 1


async def test_what_github_does_not_take_is_let_go(
    shop: Shop, access: RepositoryAccess, pull: PullRequest
) -> None:
    shop.github.faults.add("graphql Suggest", status=502, times=3)
    assert not await offered(access, pull)
    shop.github.faults.add("graphql Reviews", status=400)
    assert not await offered(access, pull)
    beyond = LineComment(path="src/b.py", start=9, end=9, body="x")
    assert not await offered(access, pull, [beyond])
    assert reviews(pull) == []


async def test_a_limit_is_passed_on(
    shop: Shop, access: RepositoryAccess, pull: PullRequest
) -> None:
    shop.github.faults.add("graphql", status=429, headers={"retry-after": "3600"}, times=5)
    with pytest.raises(RateLimited):
        await offered(access, pull)
