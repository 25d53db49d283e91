"""Publishing: only what differs, never twice, never for a head that has moved."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.core.check_run import Annotation, CheckRun
from bot.core.errors import GitHubError
from bot.core.report import Conclusion
from bot.github.errors import HeadMoved, NotFound, RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.publish import (
    Difference,
    Publication,
    difference,
    external_id,
    publish,
    shown_since,
)
from bot.github.published import Published, PublishedCheck, PublishedComment
from bot.github.snapshot import load
from bot.sandbox.state.checks import create_check_run
from bot.sandbox.state.conversation import say
from tests.github.conftest import FakeTime, Shop

MARKER = "<!-- memoryrail-bot -->\n"
NAMES = ("precheck", "secrets", "memory", "sync")
RUN = CheckRun(
    name="memoryrail/sync", conclusion=Conclusion.SUCCESS, title="In step", summary="All is well."
)
RUNS = tuple(replace(RUN, name=f"memoryrail/{name}") for name in NAMES)
WANTED = Publication(check_runs=RUNS, comment=f"{MARKER}Hello")
NOTHING = Published(
    repository_id=1,
    repository_node="R",
    pull_node="P",
    number=7,
    base_ref="main",
    head_sha="a" * 40,
    read_at=datetime(2026, 1, 2, tzinfo=UTC),
)
COMMENT = PublishedComment(node_id="C", database_id=5, body=f"{MARKER}Hello")


def standing(run: CheckRun, **changed: Any) -> PublishedCheck:
    check = PublishedCheck(
        node_id="N",
        name=run.name,
        status="COMPLETED",
        conclusion="SUCCESS",
        title=run.title,
        external_id=external_id(run, NOTHING),
    )
    return replace(check, **changed)


def test_what_stands_there_proves_since_when_it_is_shown() -> None:
    early, late = (datetime(2026, 1, 2, 3, minute, tzinfo=UTC) for minute in (4, 5))

    def since(**changed: Any) -> datetime | None:
        last = standing(RUNS[-1], completed_at=late, **changed)
        checks = (*(standing(run, completed_at=early) for run in RUNS[:-1]), last)
        return shown_since(WANTED, replace(NOTHING, checks=checks))

    assert since() == late
    assert since(status="IN_PROGRESS") is None
    assert since(external_id="another verdict") is None
    assert shown_since(WANTED, NOTHING) is None


def annotations(number: int) -> tuple[Annotation, ...]:
    return tuple(
        Annotation(
            path="src/b.py",
            start_line=1,
            end_line=1,
            level="warning",
            title="T",
            message=str(index),
        )
        for index in range(number)
    )


ALL_THERE = replace(NOTHING, comment=COMMENT, checks=tuple(standing(run) for run in RUNS))
SILENT = replace(WANTED, comment=None)

DIFFERENCES = {
    "nothing stands there": (WANTED, NOTHING, NAMES, WANTED.comment),
    "all stands there": (WANTED, ALL_THERE, (), None),
    "nothing to say, and nothing was said": (SILENT, replace(ALL_THERE, comment=None), (), None),
    "the comment is to be left": (SILENT, ALL_THERE, (), None),
    "the comment was changed": (
        WANTED,
        replace(ALL_THERE, comment=replace(COMMENT, body=f"{MARKER}Bye")),
        (),
        WANTED.comment,
    ),
    "only the ends of lines differ": (
        replace(WANTED, comment=f"{MARKER}a\nb\n"),
        replace(ALL_THERE, comment=replace(COMMENT, body=f"{MARKER}a\nb".replace("\n", "\r\n"))),
        (),
        None,
    ),
    "a run is left open": (
        WANTED,
        replace(ALL_THERE, checks=(standing(RUNS[0], status="IN_PROGRESS"), *ALL_THERE.checks[1:])),
        ("precheck",),
        None,
    ),
    "a run says something else": (
        WANTED,
        replace(
            ALL_THERE, checks=(*ALL_THERE.checks[:3], standing(RUNS[3], external_id="1:7:main:0"))
        ),
        ("sync",),
        None,
    ),
    "the base branch is another": (WANTED, replace(ALL_THERE, base_ref="next"), NAMES, None),
    "the run is of another pull request": (WANTED, replace(ALL_THERE, number=8), NAMES, None),
}


@pytest.mark.parametrize(
    ("wanted", "published", "runs", "comment"), DIFFERENCES.values(), ids=DIFFERENCES
)
def test_difference(
    wanted: Publication, published: Published, runs: tuple[str, ...], comment: str | None
) -> None:
    found = difference(wanted, published)
    assert [run.name for run in found.check_runs] == [f"memoryrail/{name}" for name in runs]
    assert found.comment == comment
    assert bool(found) == bool(runs or comment)


@pytest.mark.parametrize(
    "other",
    [
        replace(RUN, title="Out of step"),
        replace(RUN, summary="."),
        replace(RUN, text="."),
        replace(RUN, conclusion=Conclusion.NEUTRAL),
        replace(RUN, annotations=annotations(1)),
    ],
)
def test_the_digest_covers_all_that_a_run_says(other: CheckRun) -> None:
    assert external_id(other, NOTHING) != external_id(RUN, NOTHING)
    assert external_id(RUN, NOTHING).startswith("1:7:main:")


def test_an_empty_difference_is_false() -> None:
    assert not Difference()


async def test_all_goes_out_in_one_request_and_never_twice(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    loaded = await load(access, pull.number)
    with shop.github.measure() as measured:
        receipt = await publish(access, WANTED, loaded.published)
    assert [each.operation for each in measured.requests] == ["graphql Publish"]
    assert receipt.check_runs == tuple(run.name for run in RUNS)
    assert receipt.comment
    shown = {(run.name, run.status, run.conclusion, run.title) for run in pull.check_runs()}
    assert shown == {(run.name, "completed", "success", "In step") for run in RUNS}
    assert [comment.body for comment in pull.comments] == [WANTED.comment]
    again = await load(access, pull.number)
    with shop.github.measure() as measured:
        await publish(access, WANTED, again.published)
    assert measured.requests == ()


async def test_the_comment_is_edited_in_place(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    for body in ("one", "two", None):
        loaded = await load(access, pull.number)
        wanted = replace(WANTED, comment=body and f"{MARKER}{body}")
        await publish(access, wanted, loaded.published)
    assert [comment.body for comment in pull.comments] == [f"{MARKER}two"]


@pytest.mark.parametrize("number", [50, 51, 130])
async def test_annotations_go_out_fifty_at_a_time(
    shop: Shop, access: RepositoryAccess, number: int
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    run = replace(RUN, annotations=annotations(number))
    wanted = Publication(check_runs=(run,), comment=None)
    with shop.github.measure() as measured:
        await publish(access, wanted, (await load(access, pull.number)).published)
    writes = [each for each in measured.requests if each.operation == "graphql Publish"]
    assert len(writes) == (1 if number == 50 else 2)
    (shown,) = pull.check_runs()
    assert [one.message for one in shown.annotations] == [str(index) for index in range(number)]
    assert difference(wanted, (await load(access, pull.number)).published) == Difference()


async def test_annotations_that_were_cut_off_are_not_taken_for_published(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    wanted = Publication(check_runs=(replace(RUN, annotations=annotations(60)),), comment=None)
    published = (await load(access, pull.number)).published
    await access.installation.permissions()
    fault = shop.github.faults.add("graphql Publish", after_effect=True)  # lands, unanswered
    await publish(access, wanted, published)
    assert fault.hits == 1
    assert len(pull.check_runs()[0].annotations) == 60


async def test_a_run_left_open_by_a_crash_is_finished(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    fields = {"name": RUN.name, "head_sha": pull.head_sha, "status": "in_progress"}
    opened = create_check_run(shop.repository, shop.app, fields)
    published = (await load(access, pull.number)).published
    await publish(access, Publication(check_runs=(RUN,), comment=None), published)
    assert (opened.status, opened.conclusion) == ("completed", "success")
    assert list(pull.check_runs()) == [opened]


@pytest.mark.parametrize("landed", [True, False])
async def test_after_a_502_it_looks_before_it_writes_again(
    shop: Shop, access: RepositoryAccess, clock: FakeTime, landed: bool
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    shop.github.faults.add("graphql Publish", status=502, after_effect=landed)
    await publish(access, WANTED, published)
    assert len(pull.comments) == 1
    assert len(shop.repository.check_runs) == 4
    assert clock.slept[-1] == 2.0


async def test_a_write_that_always_fails_ends_in_an_error(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    shop.github.faults.add("graphql Publish", status=502, times=99)
    with pytest.raises(GitHubError, match="does not take"):
        await publish(access, WANTED, published)


async def test_a_limit_on_writing_is_for_the_worker(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    shop.github.faults.add("graphql Publish", status=403)
    with pytest.raises(RateLimited) as got:
        await publish(access, WANTED, published)
    assert got.value.retry_after == timedelta(seconds=60)
    assert pull.comments == ()


async def test_a_moved_head_drops_what_is_stale(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    pull.push(files={"src/b.py": "c\n"})
    clock.ahead += timedelta(seconds=10)
    with pytest.raises(HeadMoved) as got:
        await publish(access, WANTED, published)
    assert got.value.head == pull.head_sha
    assert pull.comments == ()
    assert pull.check_runs(published.head_sha) == ()


async def test_a_pull_request_that_a_replica_does_not_know_has_not_moved(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    clock.ahead += timedelta(seconds=10)
    errors = [{"type": "NOT_FOUND", "path": ["pull"], "message": "Could not resolve to a node"}]
    unknown = {"data": {"pull": None}, "errors": errors}
    shop.github.faults.add("graphql Head", status=200, body=unknown)
    with pytest.raises(NotFound):
        await publish(access, WANTED, published)
    assert pull.comments == ()


async def test_a_head_that_moves_at_the_last_moment_is_told(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    pull.push(files={"src/b.py": "c\n"})
    with pytest.raises(HeadMoved):
        await publish(access, WANTED, published)
    assert pull.check_runs() == ()
    assert len(pull.check_runs(published.head_sha)) == 4


async def test_a_process_that_slept_takes_nothing_back(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    await publish(access, WANTED, (await load(access, pull.number)).published)
    asleep = (await load(access, pull.number)).published
    newer = replace(WANTED, comment=f"{WANTED.comment} Newer.")
    await publish(access, newer, (await load(access, pull.number)).published)
    clock.ahead += timedelta(seconds=10)
    with pytest.raises(GitHubError, match="was written to while this was decided"):
        await publish(access, replace(WANTED, comment=f"{WANTED.comment} Older."), asleep)
    assert [comment.body for comment in pull.comments] == [newer.comment]


async def test_of_two_processes_that_comment_at_once_one_comment_stays(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    pull.comment("alice", "Hm")
    other = say(pull, f"{MARKER}From the other", user=shop.app.bot, app=shop.app)
    await publish(access, WANTED, published)
    said = [(comment.node_id, comment.body) for comment in pull.comments]
    assert said[1:] == [(other.node_id, WANTED.comment)]
    assert len(said) == 2


async def test_a_list_that_lagged_makes_no_second_comment(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    first = say(pull, WANTED.comment or "", user=shop.app.bot, app=shop.app)
    shop.github.faults.add("graphql PullRequest", stale_comments=True)
    published = (await load(access, pull.number)).published
    assert published.comment is None
    await publish(access, WANTED, published)
    assert pull.comments == (first,)


@pytest.mark.parametrize("text", [WANTED.comment, f"{MARKER}Old"])
async def test_what_a_crash_left_doubled_is_deleted(
    shop: Shop, access: RepositoryAccess, text: str
) -> None:
    """It came between a second comment and its deletion; the first may say what is wanted."""
    pull = shop.open({"src/b.py": "b\n"})
    comments = [say(pull, text, user=shop.app.bot, app=shop.app) for _ in range(3)]
    await publish(access, WANTED, (await load(access, pull.number)).published)
    assert pull.comments == (comments[0],)
    assert comments[0].body == WANTED.comment


async def test_a_comment_deleted_meanwhile_is_made_anew(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    first = say(pull, f"{MARKER}Old", user=shop.app.bot, app=shop.app)
    published = (await load(access, pull.number)).published
    first.delete(user=shop.app.bot)
    await publish(access, WANTED, published)
    assert [comment.body for comment in pull.comments] == [WANTED.comment]
    assert len(shop.repository.check_runs) == 4


async def test_a_locked_conversation_gets_checks_only(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    pull.lock()
    published = (await load(access, pull.number)).published
    receipt = await publish(access, WANTED, published)
    assert receipt.comment_refused
    assert len(receipt.check_runs) == 4
    assert pull.comments == ()


async def test_a_conversation_locked_meanwhile_gets_checks_only(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    published = (await load(access, pull.number)).published
    pull.lock()
    receipt = await publish(access, WANTED, published)
    assert (receipt.comment, receipt.comment_refused) == (False, True)
    assert len(pull.check_runs()) == 4


async def test_without_the_right_to_write_checks_it_says_so(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    shop.installation.permissions["checks"] = "read"
    published = (await load(access, pull.number)).published
    with pytest.raises(GitHubError, match="check runs") as got:
        await publish(access, WANTED, published)
    assert got.value.status == 403
    shop.github.violations.clear()  # what the sandbox says of the missing right
