"""The conversation: who said what, what they may do, and one answer each."""

import pytest

from bot.core.anchor import Anchor, Kind
from bot.core.comment import COMMENT_MARKER, MAX_COMMENT, MAX_REPLY, reply_marker
from bot.core.errors import GitHubError
from bot.core.snapshot import Actor
from bot.github.conversation import (
    CommandComment,
    permission_answer,
    react,
    read_comment,
    reply,
    take_back,
    withdraw,
)
from bot.github.errors import RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.published import read_published
from bot.sandbox.state.conversation import Comment, say
from tests.github.conftest import FakeTime, Shop

DIGEST = "0123456789abcdef"


def anchor(comment: Comment) -> Anchor:
    return Anchor(kind=Kind.COMMENT, id=comment.id)


@pytest.fixture
def comment(shop: Shop) -> Comment:
    """A command of alice, who maintains."""
    shop.repository.grant("alice", "maintain")
    return shop.open({"src/b.py": "b\n"}).comment("alice", "/memoryrail why")


async def test_a_comment_is_read_as_it_is_now(access: RepositoryAccess, comment: Comment) -> None:
    comment.edit("/memoryrail help", user=comment.author)
    assert await read_comment(
        access, anchor(comment), number_=comment.pull.number
    ) == CommandComment(
        anchor=anchor(comment),
        node_id=comment.node_id,
        number=comment.pull.number,
        body="/memoryrail help",
        author=Actor(id=comment.author.id, login="alice"),
        via_app=False,
    )


async def test_a_comment_tells_what_wrote_it(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    through = say(comment.pull, "hello", user=comment.author, app=shop.app)
    read = await read_comment(access, anchor(through), number_=comment.pull.number)
    assert read is not None
    assert read.via_app
    comment.author.gone = True
    read = await read_comment(access, anchor(comment), number_=comment.pull.number)
    assert read is not None
    assert read.author is None


@pytest.mark.parametrize("status", [404, 410])
async def test_a_deleted_comment_is_none(
    shop: Shop, access: RepositoryAccess, comment: Comment, status: int
) -> None:
    if status == 410:
        shop.github.faults.add("GET .*/issues/comments/", status=410)
    else:
        comment.delete(user=comment.author)
    assert await read_comment(access, anchor(comment), number_=comment.pull.number) is None


async def test_what_a_replica_does_not_know_yet_is_asked_for_again(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    shop.github.faults.add("GET .*/issues/comments/", status=404, times=2)
    assert await read_comment(access, anchor(comment), number_=comment.pull.number) is not None
    shop.github.faults.add("GET .*/permission", status=404, times=2)
    answer = await permission_answer(access, Actor(id=comment.author.id, login="alice"))
    assert answer is not None


async def test_a_comment_that_cannot_be_read_is_an_error(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    shop.github.faults.add("GET .*/issues/comments/", status=451)
    with pytest.raises(GitHubError) as got:
        await read_comment(access, anchor(comment), number_=comment.pull.number)
    assert got.value.status == 451


async def test_a_permission_is_told(access: RepositoryAccess, comment: Comment) -> None:
    answer = await permission_answer(access, Actor(id=comment.author.id, login="alice"))
    assert answer is not None
    assert answer["role_name"] == "maintain"


async def test_a_login_that_is_someone_elses_now_gives_no_permission(
    shop: Shop, access: RepositoryAccess
) -> None:
    shop.repository.grant("alice", "maintain")
    assert await permission_answer(access, Actor(id=4711, login="alice")) is None
    assert await permission_answer(access, Actor(id=None, login="alice")) is None


@pytest.mark.parametrize("login", ["nobody", "x/../../../app", "robot[bot]", "a?b#c", ".."])
async def test_an_unknown_login_gives_no_permission(
    shop: Shop, access: RepositoryAccess, login: str
) -> None:
    assert await permission_answer(access, Actor(id=4711, login=login)) is None
    shop.github.violations.clear()  # such logins do not exist, nor do their addresses


async def test_an_outage_gives_no_permission_and_a_limit_is_for_the_worker(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    alice = Actor(id=comment.author.id, login="alice")
    shop.github.faults.add("collaborators/alice", status=502, times=4)
    assert await permission_answer(access, alice) is None
    shop.github.faults.add("collaborators/alice", status=403)
    with pytest.raises(RateLimited):
        await permission_answer(access, alice)


async def test_a_reaction_is_given_once(access: RepositoryAccess, comment: Comment) -> None:
    for content in ("EYES", "THUMBS_UP", "EYES"):
        await react(access, comment.node_id, content)
    given = [(reaction.user.login, reaction.content) for reaction in comment.reactions]
    assert given == [("memoryrail[bot]", "eyes"), ("memoryrail[bot]", "+1")]


async def test_a_reaction_that_fails_is_no_error(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    shop.github.faults.add("graphql React", status=502, times=3)
    await react(access, comment.node_id, "EYES")
    assert comment.reactions == []
    comment.pull.lock()
    await react(access, comment.node_id, "EYES")
    comment.delete(user=comment.author)
    await react(access, comment.node_id, "EYES")
    assert comment.reactions == []


@pytest.mark.parametrize("after_effect", [False, True])
async def test_a_reaction_is_sent_again_when_it_may_not_have_landed(
    shop: Shop, access: RepositoryAccess, comment: Comment, after_effect: bool
) -> None:
    shop.github.faults.add("graphql React", status=502, after_effect=after_effect, times=2)
    await react(access, comment.node_id, "THUMBS_UP")
    assert [reaction.content for reaction in comment.reactions] == ["+1"]


async def test_a_limit_on_reactions_is_for_the_worker(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    shop.github.faults.add("graphql React", status=403)
    with pytest.raises(RateLimited):
        await react(access, comment.node_id, "EYES")


async def test_a_comment_is_answered_once(access: RepositoryAccess, comment: Comment) -> None:
    pull, answer = comment.pull, "x" * MAX_REPLY
    assert await reply(access, pull.node_id, answer, in_reply_to=anchor(comment), digest=DIGEST)
    assert await reply(access, pull.node_id, "another", in_reply_to=anchor(comment), digest=DIGEST)
    other = Anchor(kind=Kind.COMMENT, id=comment.id // 10)
    assert await reply(access, pull.node_id, "other", in_reply_to=other, digest=DIGEST)
    bodies = [said.body for said in pull.comments][1:]
    assert bodies == [
        f"<!-- memoryrail-reply issuecomment-{comment.id} 0123456789ab -->\n{answer}",
        f"<!-- memoryrail-reply issuecomment-{comment.id // 10} 0123456789ab -->\nother",
    ]
    assert len(bodies[0]) <= MAX_COMMENT


async def test_the_answer_to_an_edited_comment_takes_the_place_of_the_one_before(
    access: RepositoryAccess, comment: Comment
) -> None:
    node, to = comment.pull.node_id, anchor(comment)
    for text, digest in (("first", DIGEST), ("second", "f" * 64), ("third", "f" * 64)):
        assert await reply(access, node, text, in_reply_to=to, digest=digest)
    (answer,) = comment.pull.comments[1:]
    assert answer.body.endswith(f"{'f' * 12} -->\nsecond")
    for _ in range(2):
        await withdraw(access, node, in_reply_to=to)
    assert comment.pull.comments == (comment,)


async def test_a_reaction_is_taken_back(access: RepositoryAccess, comment: Comment) -> None:
    for content in ("THUMBS_DOWN", "THUMBS_UP"):
        await react(access, comment.node_id, content)
    for _ in range(2):
        await take_back(access, comment.node_id, "THUMBS_DOWN")
    assert [reaction.content for reaction in comment.reactions] == ["+1"]


async def test_reviews_are_read_reacted_to_and_answered(
    access: RepositoryAccess, comment: Comment
) -> None:
    pull = comment.pull
    review = pull.review("alice", "/memoryrail why", ("src/b.py", 1, "/memoryrail help"))
    (line,) = review.comments
    for kind, said, files in (
        (Kind.REVIEW, review, ()),
        (Kind.REVIEW_COMMENT, line, ("src/b.py",)),
    ):
        at = Anchor(kind=kind, id=said.id)
        assert await read_comment(access, at, number_=pull.number) == CommandComment(
            anchor=at,
            node_id=said.node_id,
            number=pull.number,
            body=said.body,
            author=Actor(id=said.author.id, login="alice"),
            via_app=False,
            files=files,
        )
        await react(access, said.node_id, "EYES")
        assert [reaction.content for reaction in said.reactions] == ["eyes"]
        assert await reply(access, pull.node_id, "Done.", in_reply_to=at, digest=DIGEST)
    line.delete(user=line.author)
    gone = Anchor(kind=Kind.REVIEW_COMMENT, id=line.id)
    assert await read_comment(access, gone, number_=pull.number) is None


async def test_an_answer_is_not_taken_for_the_one_comment(
    access: RepositoryAccess, comment: Comment
) -> None:
    pull = comment.pull
    assert not reply_marker("issuecomment-1", DIGEST).startswith(COMMENT_MARKER)
    await reply(access, pull.node_id, "Done.", in_reply_to=anchor(comment), digest=DIGEST)
    published, _ = await read_published(access, pull.number, head_sha=pull.head_sha)
    assert published.comment is None


async def test_a_marker_that_somebody_pasted_is_no_answer(
    access: RepositoryAccess, comment: Comment
) -> None:
    pull = comment.pull
    pull.comment("mallory", f"{reply_marker(str(anchor(comment)), DIGEST)}Approved!")
    pull.comment(
        "memoryrail", f"{reply_marker(str(anchor(comment)), DIGEST)}Approved!"
    )  # a person of that name
    assert await reply(access, pull.node_id, "No.", in_reply_to=anchor(comment), digest=DIGEST)
    assert pull.comments[-1].body.endswith("No.")


@pytest.mark.parametrize("landed", [True, False])
async def test_after_a_502_it_looks_before_it_answers_again(
    shop: Shop, access: RepositoryAccess, comment: Comment, clock: FakeTime, landed: bool
) -> None:
    shop.github.faults.add("graphql Reply", status=502, after_effect=landed)
    assert await reply(
        access, comment.pull.node_id, "Done.", in_reply_to=anchor(comment), digest=DIGEST
    )
    assert len(comment.pull.comments) == 2
    assert 2.0 in clock.slept


async def test_a_list_that_lags_makes_no_second_answer(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    pull, to = comment.pull, anchor(comment)
    await reply(access, pull.node_id, "Done.", in_reply_to=to, digest="f" * 64)
    shop.github.faults.add("graphql Newest", stale_comments=True)
    assert await reply(access, pull.node_id, "Edited.", in_reply_to=to, digest=DIGEST)
    said = [one.body.partition("\n")[2] for one in pull.comments if one is not comment]
    assert said == ["Edited."]


@pytest.mark.parametrize("digest", [DIGEST, "f" * 64])
async def test_an_answer_that_a_crash_left_doubled_is_deleted(
    shop: Shop, access: RepositoryAccess, comment: Comment, digest: str
) -> None:
    pull = comment.pull
    text = f"{reply_marker(str(anchor(comment)), digest)}Done."
    first, _ = (say(pull, text, user=shop.app.bot, app=shop.app) for _ in range(2))
    assert await reply(access, pull.node_id, "Done.", in_reply_to=anchor(comment), digest=DIGEST)
    assert pull.comments == (comment, first)
    assert first.body == f"{reply_marker(str(anchor(comment)), DIGEST)}Done."


async def test_an_answer_that_is_never_taken_is_an_error(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    shop.github.faults.add("graphql Reply", status=502, times=99)
    with pytest.raises(GitHubError, match="does not take"):
        await reply(
            access, comment.pull.node_id, "Done.", in_reply_to=anchor(comment), digest=DIGEST
        )


async def test_half_a_conversation_is_not_answered(
    shop: Shop, access: RepositoryAccess, comment: Comment
) -> None:
    half = {
        "data": {"node": {"locked": False, "comments": None}},
        "errors": [{"type": "SERVICE_UNAVAILABLE", "message": "…", "path": ["node", "comments"]}],
    }
    shop.github.faults.add("graphql Newest", status=200, body=half)
    with pytest.raises(GitHubError, match="conversation"):
        await reply(
            access, comment.pull.node_id, "Done.", in_reply_to=anchor(comment), digest=DIGEST
        )
    assert len(comment.pull.comments) == 1


@pytest.mark.parametrize("meanwhile", [False, True])
async def test_a_locked_conversation_takes_no_answer(
    shop: Shop, access: RepositoryAccess, comment: Comment, meanwhile: bool
) -> None:
    node = comment.pull.node_id
    if meanwhile:
        page = {"data": {"node": {"locked": False, "comments": {"nodes": []}}}}
        shop.github.faults.add("graphql Newest", status=200, body=page)
    comment.pull.lock()
    assert not await reply(access, node, "Done.", in_reply_to=anchor(comment), digest=DIGEST)
    assert len(comment.pull.comments) == 1
