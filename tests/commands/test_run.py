"""Several commands of one comment: one after the other, one commit, one answer."""

from bot.commands.grammar import Command, Miss, MissKind, parse
from bot.commands.outcome import Answer, Planned, Refused, Shown
from bot.commands.registry import HANDLERS
from bot.commands.run import Batch, reply, run
from bot.core.comment import MAX_REPLY
from tests.commands.making import context, edits, file, memory_file, said, texts

OLD = memory_file("20261001-old", "active")
NEW = memory_file("20261009-new", supersedes="20261001-old")
PLAIN = memory_file("20261005-plain")
WHY = Command(verb="why")
BLOCK = b"<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n"


def test_each_command_sees_what_the_ones_before_it_did() -> None:
    comment = "/memoryrail approve 20261009-new\n/memoryrail approve 20261009-new"
    batch = said(comment, context(OLD, NEW))
    assert [type(outcome) for _, outcome in batch.outcomes] == [Planned, Refused]
    assert "is active already" in texts(batch)[1]


def test_all_commands_are_one_plan_with_blocks_in_step() -> None:
    agents = file("AGENTS.md", BLOCK)
    comment = "/memoryrail approve 20261009-new\n\n/memoryrail reject 20261005-plain: no"
    batch = said(comment, context(OLD, NEW, PLAIN, agents))
    assert list(edits(batch)) == [OLD.path, PLAIN.path, NEW.path, "AGENTS.md"]
    assert batch.plan is not None
    assert batch.plan.title == "memoryrail: approve DEC-e65d, reject DEC-7534"
    assert [edit.expected_oid for edit in batch.plan.edits] == [
        OLD.oid, PLAIN.oid, NEW.oid, agents.oid
    ]  # fmt: skip
    block = (edits(batch)["AGENTS.md"] or b"").decode()
    assert "DEC-e65d" in block
    assert "DEC-da6f" not in block


def test_a_command_that_fails_does_not_stop_the_others() -> None:
    comment = "/memoryrail approve DEC-ffff\n/memoryrail approve 20261005-plain"
    batch = said(comment, context(PLAIN))
    assert batch.is_refused
    assert list(edits(batch)) == [PLAIN.path]
    assert reply(batch, ()) == (
        "`approve DEC-ffff`: Nothing was changed. There is no memory DEC-ffff.\n\n"
        "Approved **DEC-7534** · Keep it."
    )


def test_one_of_several_commands_is_not_lost() -> None:
    batch = said("/memoryrail recheck\n/memoryrail why", context(report=None))
    assert reply(batch, ()) == (
        "`recheck`: The pull request is reviewed again.\n\n"
        "`why`: This pull request has not been reviewed yet. Ask again in a minute."
    )
    assert reply(said("/memoryrail recheck\n/memoryrail recheck", context()), ()) is None


def test_who_may_not_is_refused_before_anything_is_planned() -> None:
    commands = parse("/memoryrail approve 20261005-plain\n/memoryrail help", HANDLERS).commands
    batch = run(
        commands,
        context(PLAIN),
        may=lambda one: Refused(text="No.") if one.verb == "approve" else None,
    )
    assert batch.plan is None
    assert texts(batch)[0] == "No."
    assert "A command is a line" in texts(batch)[1]


def test_a_plain_success_needs_no_words_and_a_note_does() -> None:
    assert reply(said("/memoryrail approve 20261005-plain", context(PLAIN)), ()) is None
    damaged = file("AGENTS.md", b"<!-- memoryrail:end -->\n")
    answer = reply(said("/memoryrail approve 20261005-plain", context(PLAIN, damaged)), ())
    assert answer is not None
    assert answer.splitlines()[0] == "- Approved **DEC-7534** · Keep it."
    assert "AGENTS.md was left alone" in answer


def test_what_could_not_be_committed_is_not_said_to_be_done() -> None:
    comment = "/memoryrail approve 20261009-new\n/memoryrail reject 20261005-plain: no"
    batch = said(comment, context(OLD, NEW, PLAIN))
    assert reply(batch, (), instead="The bot may not push here.") == (
        "Would approve **DEC-e65d** · Keep it, in place of `20261001-old`.\n\n"
        "Would reject **DEC-7534** · Keep it. Reason: no\n\n"
        "The bot may not push here."
    )


def test_an_answer_and_its_patch_fit_into_a_comment() -> None:
    patch = "p" * (MAX_REPLY - 4_000)
    answers = tuple((WHY, Answer(text=letter * 61_000)) for letter in "ab")
    planned = said("/memoryrail reject 20261005-plain", context(PLAIN))
    batch = Batch(outcomes=(*answers, *planned.outcomes), plan=planned.plan)
    assert reply(batch, (), instead=patch) == (
        "Would reject **DEC-7534** · Keep it.\n\n2 more records did not fit in here.\n\n" + patch
    )
    without = reply(Batch(outcomes=answers, plan=None), ())
    assert without == f"`why`: {'a' * 61_000}\n\n1 more record did not fit in here."


def test_what_nobody_approved_stays_out_of_blocks_until_it_is() -> None:
    sneaky = memory_file("20261006-sneaky", "active", title="Run this first")
    agents = file("AGENTS.md", BLOCK)
    on = context(PLAIN, sneaky, agents, unapproved=frozenset({sneaky.path}))
    for comment in ("/memoryrail approve 20261005-plain", "/memoryrail reject 20261005-plain"):
        batch = said(comment, on)
        assert list(edits(batch)) == [PLAIN.path]
        assert "no maintainer approved" in texts(batch)[0]
    both = said("/memoryrail approve 20261005-plain 20261006-sneaky", on)
    assert list(edits(both)) == [PLAIN.path, sneaky.path, "AGENTS.md"]
    assert both.plan is not None
    assert not both.plan.notes
    again = said("/memoryrail approve 20261006-sneaky\n/memoryrail approve 20261006-sneaky", on)
    assert [type(outcome) for _, outcome in again.outcomes] == [Planned, Refused]


def test_near_misses_are_answered_together_with_the_rest() -> None:
    parsed = parse("/memoryrail aprove X\n`/memoryrail why`\n/memoryrail deploy", HANDLERS)
    answer = reply(run(parsed.commands, context()), parsed.misses)
    assert answer == (
        "- `/memoryrail aprove X` is no command. Did you mean `/memoryrail approve REF…|all`?\n"
        "- `/memoryrail why` was not run: a command is plain text on a line of its own, without "
        "back-ticks, bold, links or HTML, and no line of dashes may follow. Refs and paths in it "
        "may stand in back-ticks.\n"
        "- `/memoryrail deploy` is no command. "
        f"There are {', '.join(f'`{verb}`' for verb in HANDLERS)}."
    )
    assert parse(answer, HANDLERS) == parse("", HANDLERS)


def test_limits_are_explained() -> None:
    nothing = Batch(outcomes=(), plan=None)
    for kind in (MissKind.TOO_MANY_REFS, MissKind.TOO_MANY_COMMANDS):
        answer = reply(nothing, [Miss(kind=kind, written="/memoryrail approve @all")])
        assert answer is not None
        assert answer.startswith("`/memoryrail approve @all`")
    assert reply(nothing, ()) is None


def test_a_dry_run_shows_the_change_and_leaves_nothing() -> None:
    comment = (
        "/memoryrail approve 20261009-new --dry-run\n"
        "/memoryrail approve 20261005-plain\n"
        "/memoryrail approve 20261005-plain --dry-run\n"
    )
    batch = said(comment, context(OLD, NEW, PLAIN))
    assert [type(outcome) for _, outcome in batch.outcomes] == [Shown, Planned, Refused]
    assert list(edits(batch)) == [PLAIN.path]
    assert batch.upheld == {PLAIN.path}
    shown, done, again = (
        (reply(batch, ()) or "")
        .split("\n\n`approve 20261005-plain --dry-run`: ")[0]
        .partition("\n\nApproved **DEC-7534**")
    )
    assert shown.startswith(
        "`approve 20261009-new --dry-run`:\n\n"
        "Would approve **DEC-e65d** · Keep it, in place of `20261001-old`.\n\n```diff\n"
    )
    assert '\n+superseded_by: "20261009-new"\n' in shown
    assert shown.endswith("\n```")
    assert done
    assert again == " · Keep it."


def test_a_dry_run_that_is_too_long_says_what_it_would_do() -> None:
    long = file(PLAIN.path, (PLAIN.data or b"") + b"x y\n" * 16_000)
    (text,) = texts(said("/memoryrail reject 20261005-plain --dry-run", context(long)))
    assert text.startswith("Would reject **DEC-")
    assert text.endswith("\n\nThe change is too long to be shown in a comment.")


def test_what_a_later_command_takes_back_is_not_written() -> None:
    """The block is again as at the head, so it must not keep what was between."""
    head = context(PLAIN, file("AGENTS.md", BLOCK))
    synced = edits(said("/memoryrail sync", head)).get("AGENTS.md") or BLOCK
    on = context(PLAIN, file("AGENTS.md", synced))
    batch = said("/memoryrail approve 20261005-plain\n/memoryrail archive 20261005-plain", on)
    assert list(edits(batch)) == [PLAIN.path]
    assert b'status: "archived"' in (edits(batch)[PLAIN.path] or b"")
