"""bot/sandbox/page/view.py: order, names and numbers that the pages show."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from bot.sandbox.page import view
from bot.sandbox.state.checks import create_check_run
from tests.sandbox.conftest import Shop


def _check(shop: Shop, name: str, **fields: object) -> None:
    with shop.github.world.lock:
        given = {"name": name, "head_sha": shop.pull.head_sha, **fields}
        create_check_run(shop.repository, shop.app, given)


def _shown(shop: Shop) -> list[str]:
    events = view.timeline(shop.pull)
    return [e.comment.body if e.comment else e.commit.title if e.commit else "" for e in events]


def test_commits_and_comments_stand_in_the_order_in_which_they_came(shop: Shop) -> None:
    shop.github.advance(timedelta(minutes=1))
    shop.pull.comment("alice", "first")
    shop.github.advance(timedelta(minutes=1))
    shop.pull.push(files={"c": "3"}, message="Second\n\nwith a reason")
    shop.github.advance(timedelta(minutes=1))
    shop.pull.comment("bob", "third")
    assert _shown(shop) == ["Change files", "first", "Second", "third"]


def test_a_commit_with_an_old_date_stays_behind_the_one_before_it(shop: Shop) -> None:
    old = datetime(2020, 1, 1, tzinfo=UTC)
    shop.pull.push(files={"c": "3"}, message="Backdated", date=old)
    assert _shown(shop) == ["Change files", "Backdated"]


def test_within_a_second_a_signed_commit_follows_the_words_that_asked_for_it(shop: Shop) -> None:
    now = shop.pull.created_at
    said = shop.pull.comment("alice", "/memoryrail approve DEC-0001")
    said.created_at = now
    made = shop.pull.push(files={"c": "3"}, message="Approve", date=now)
    assert _shown(shop)[-1] == "/memoryrail approve DEC-0001"
    shop.github.world.signed[made] = now
    assert _shown(shop)[-1] == "Approve"


def test_authors_are_named_as_github_names_them(shop: Shop) -> None:
    agent = view.author(shop.github.user("shop-agent[bot]"))
    assert (agent.name, agent.is_bot, agent.initial) == ("shop-agent", True, "S")
    assert not view.author(shop.github.user("alice")).is_bot
    gone = shop.github.user("bob")
    gone.gone = True
    assert view.author(gone).name == "ghost"


def test_who_may_comment_stands_by_what_they_may_do(shop: Shop) -> None:
    shop.repository.grant("mia", "maintain")
    shop.repository.grant("wu", "write", role_name="release manager")
    shop.github.user("shop-agent[bot]")
    people = view.commenters(shop.repository)
    assert [(user.login, view.role(shop.repository, user)) for user in people] == [
        ("mia", "maintain"),
        ("wu", "write (release manager)"),
        ("alice", "read"),
        ("shop-agent[bot]", "read"),
    ]


def test_in_a_private_repository_only_its_people_may_comment(shop: Shop) -> None:
    hidden = shop.github.create_repository("octo/hidden", files={"a": "1"}, private=True)
    hidden.grant("mia", "read")
    assert [user.login for user in view.commenters(hidden)] == ["mia"]


def test_reactions_are_counted_with_who_gave_them(shop: Shop) -> None:
    comment = shop.pull.comment("alice", "hello")
    for login, content in (("alice", "eyes"), ("bob", "+1"), ("alice", "+1")):
        comment.react(content, user=shop.github.user(login))
    assert view.reactions(comment.reactions) == (("👀", "alice", 1), ("👍", "bob, alice", 2))


def test_the_worst_check_gives_the_line_above_all(shop: Shop) -> None:
    def seen() -> tuple[str, str, str]:
        tally = view.tally(shop.pull.check_runs())
        return tally.tone, tally.title, tally.counts

    assert seen() == ("none", "No checks yet", "")
    _check(shop, "one", conclusion="success")
    _check(shop, "two", conclusion="success")
    assert seen() == ("good", "All checks have passed", "2 success")
    _check(shop, "three", conclusion="action_required")
    assert seen()[0] == "care"
    _check(shop, "four", conclusion="failure")
    assert seen()[::2] == ("bad", "2 success, 1 action required, 1 failure")
    _check(shop, "five", status="in_progress")
    assert seen()[0] == "waits"


def test_a_files_place_is_named_as_github_names_it() -> None:
    assert view.anchor("src/a.py") == "diff-" + sha256(b"src/a.py").hexdigest()


def test_a_patch_is_numbered_on_both_sides() -> None:
    patch = "@@ -3,2 +3,3 @@ def f\n same\n-old\n+new\n+more\n\\ No newline at end of file"
    lines = [(line.kind, line.old, line.new, line.text) for line in view.diff_lines(patch)]
    assert lines == [
        ("hunk", None, None, "@@ -3,2 +3,3 @@ def f"),
        ("same", 3, 3, "same"),
        ("removed", 4, None, "old"),
        ("added", None, 4, "new"),
        ("added", None, 5, "more"),
        ("note", None, None, "No newline at end of file"),
    ]
    assert list(view.diff_lines(None)) == []
