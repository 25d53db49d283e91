"""Commands that come by an edit, in a review, and on a line of the change."""

from datetime import timedelta

from tests.scenarios.commanding import (
    PASS,
    REF,
    answers,
    audit,
    opened,
    proposal,
    reactions,
    rows,
    say,
)
from tests.scenarios.conftest import Team, verdicts


def test_a_mended_command_runs_and_the_answer_to_the_broken_one_goes(team: Team) -> None:
    pull = opened(team, proposal())
    comment = say(team, pull, "ada", f"/memoryrail aprove {REF}")
    team.settle()
    assert reactions(comment) == {"eyes", "-1"}
    assert "Did you mean" in answers(pull)[0]
    team.github.advance(timedelta(seconds=5))
    comment.edit(f"/memoryrail approve {REF}", user=comment.author)
    team.settle()
    assert answers(pull) == []
    assert reactions(comment) == {"eyes", "+1"}
    assert audit(team) == [("approve", REF, "done", pull.head_sha)]
    assert verdicts(pull) == PASS


def test_an_edit_runs_only_what_was_not_there_before(team: Team) -> None:
    pull = opened(team, proposal())
    comment = say(team, pull, "ada", f"/memoryrail help\n/memoryrail reject {REF}: no")
    team.settle()
    assert [one[:3] for one in audit(team)] == [("help", "", "answered"), ("reject", REF, "done")]
    head, (first,) = pull.head_sha, answers(pull)
    for text in ("A word more.\n\n", "Another.\n\n/memoryrail why\n"):
        team.github.advance(timedelta(seconds=5))
        comment.edit(f"{text}/memoryrail help\n/memoryrail reject {REF}: no", user=comment.author)
        team.settle()
    comment.edit("/memoryrail recheck", user=team.github.user("bob"))
    team.settle()
    assert pull.head_sha == head
    assert [one[:3] for one in audit(team)][2:] == [("why", "", "answered")]
    (second,) = answers(pull)
    assert second != first
    assert "applies to this change" in second


def test_reviews_and_comments_on_lines_command(team: Team) -> None:
    pull = opened(team, {**proposal(), "src/pay/new.py": "x = 1\n"})
    team.github.advance(timedelta(seconds=5))
    review = pull.review(
        "ada", f"Fine.\n\n/memoryrail approve {REF}", ("src/pay/new.py", 1, "/memoryrail why")
    )
    (line,) = review.comments
    team.settle()
    assert reactions(review) == reactions(line) == {"eyes", "+1"}
    assert len(pull.commits) == 2
    message = pull.commits[-1].message
    assert f"/pull/{pull.number}#pullrequestreview-{review.id} (" in message
    (answer,) = answers(pull)
    assert "applies to this change" in answer
    told = rows(team, "SELECT comment, verb, actor, permission, head_sha <> '' FROM audit")
    assert sorted(told, key=str) == [
        (f"discussion_r{line.id}", "why", "ada", "", True),
        (f"pullrequestreview-{review.id}", "approve", "ada", "maintain", True),
    ]


def test_a_quick_edit_of_the_author_takes_over_what_waits(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.github.advance(timedelta(seconds=5))
    comment.edit(f"Fine.\n\n/memoryrail approve {REF}", user=comment.author)
    team.github.resume_deliveries()
    team.settle()
    assert [one[:3] for one in audit(team)][-1] == ("approve", REF, "done")
    assert len(pull.commits) == 2


def test_what_somebody_else_edits_in_never_runs(team: Team) -> None:
    """Not even when the author mends a word before the first text had its turn."""
    pull = opened(team, proposal())
    held = team.github.faults.add("^GET .*/issues/comments/", hang=True)
    comment = say(team, pull, "ada", "/memoryrail help")
    assert held.waiting.wait(20)
    both = f"/memoryrail help\n/memoryrail approve {REF}"
    for who, text in (("bob", both), ("ada", f"Hello.\n\n{both}")):
        team.github.advance(timedelta(seconds=5))
        comment.edit(text, user=team.github.user(who))
    team.github.settle_deliveries()
    held.release()
    team.settle()
    assert {one[0] for one in audit(team)} <= {"", "help"}
    assert len(pull.commits) == 1


def test_a_text_that_had_no_turn_is_brought_back_by_an_edit(team: Team) -> None:
    pull = opened(team, proposal())
    team.github.pause_deliveries()
    comment = say(team, pull, "ada", f"/memoryrail approve {REF}")
    team.github.advance(timedelta(seconds=5))
    comment.edit("/memoryrail help", user=comment.author)
    team.github.resume_deliveries()
    team.settle()
    team.github.advance(timedelta(seconds=5))
    comment.edit(f"/memoryrail approve {REF}", user=comment.author)
    team.settle()
    assert ("approve", REF, "done", pull.head_sha) in audit(team)
