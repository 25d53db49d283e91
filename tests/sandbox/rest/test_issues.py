"""Comments and reactions."""

from datetime import timedelta

from tests.sandbox.conftest import Client, Shop

COMMENTS = "/repos/octo/shop/issues/1/comments"


def test_a_comment_is_made_read_changed_and_removed(shop: Shop, http: Client) -> None:
    made = http.post(COMMENTS, json={"body": "One"})
    assert made.status_code == 201
    url = made.json()["url"]
    assert made.headers["location"] == url
    assert made.json()["user"]["login"] == "memoryrail[bot]"
    assert made.json()["user"]["type"] == "Bot"
    assert made.json()["performed_via_github_app"]["id"] == shop.app.id
    shop.github.advance(timedelta(minutes=5))
    changed = http.patch(url, json={"body": "Two"}).json()
    assert changed["created_at"] < changed["updated_at"]
    assert http.get(url).json()["body"] == "Two"
    [comment] = shop.pull.comments
    assert (comment.body, comment.edits) == ("Two", 1)
    assert http.delete(url).status_code == 204
    assert http.get(url).status_code == 404
    assert shop.pull.comments == ()


def test_comments_since_a_moment(shop: Shop, http: Client) -> None:
    shop.pull.comment("bob", "early")
    shop.github.advance(timedelta(minutes=30))
    shop.pull.comment("bob", "late")
    since = shop.github.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    listed = http.get(f"{COMMENTS}?since={since}").json()
    assert [each["body"] for each in listed] == ["late"]


def test_the_words_of_others_are_left_alone(shop: Shop, http: Client) -> None:
    comment = shop.pull.comment("bob", "mine")
    path = f"/repos/octo/shop/issues/comments/{comment.id}"
    assert http.patch(path, json={"body": "no"}).status_code == 403
    assert http.delete(path).status_code == 403
    assert [each.body for each in shop.pull.comments] == ["mine"]


def test_a_reaction_counts_once(shop: Shop, http: Client) -> None:
    comment = shop.pull.comment("bob", "/memoryrail help")
    path = f"/repos/octo/shop/issues/comments/{comment.id}"
    statuses = [
        http.post(f"{path}/reactions", json={"content": "eyes"}).status_code for _ in range(2)
    ]
    assert statuses == [201, 200]
    assert http.get(path).json()["reactions"]["eyes"] == 1


def test_a_locked_conversation_takes_no_comment_and_no_reaction(shop: Shop, http: Client) -> None:
    comment = shop.pull.comment("bob", "/memoryrail help")
    shop.pull.lock()
    assert http.post(COMMENTS, json={"body": "x"}).status_code == 403
    path = f"/repos/octo/shop/issues/comments/{comment.id}/reactions"
    assert http.post(path, json={"content": "eyes"}).status_code == 403
    assert comment.reactions == []
