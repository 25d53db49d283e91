"""`remember`: a new memory out of a comment."""

import pytest

from bot.commands.authorise import authors_of
from bot.commands.context import Context, approved_by
from bot.commands.message import body
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import Actor, Commit, PullRequest, Repository
from bot.formats.memoryrail.layout import memory_path
from tests.commands.making import context, edits, memory_file, said, store_tree, texts
from tests.making import BASE_SHA, HEAD_SHA, github_token

ID = "20261010-never-grow-the-pool"
ASKED = '/memoryrail remember gotcha "Never grow the pool"\nIt *hides* leaks.\n\n- see the log\n'


def written(comment: str, on: Context) -> str:
    batch = said(comment, on)
    assert texts(batch), "what was written is said"
    (data,) = edits(batch).values()
    assert data is not None
    return data.decode()


def test_the_paragraphs_below_are_the_body() -> None:
    on = context(memory_file("20261001-old", "active"), files=("src/db/pool.py",))
    assert written(ASKED, on) == (
        f'---\nid: "{ID}"\ntype: "gotcha"\ntitle: "Never grow the pool"\nstatus: "proposed"\n'
        'created: "2026-10-10T17:30:00.000Z"\nupdated: "2026-10-10T17:30:00.000Z"\n'
        'links: ["src/db/pool.py"]\n---\n\nIt *hides* leaks.\n\n- see the log\n'
    )
    batch = said(ASKED, on)
    assert list(edits(batch)) == [memory_path("", ID)]
    assert batch.plan is not None
    assert batch.plan.title.startswith("memoryrail: remember GOT-")
    assert texts(batch)[0].startswith("Remembered **GOT-")


def test_a_file_that_the_head_has_no_more_is_not_linked() -> None:
    files = ("src/db/gone.py",)
    on = context(memory_file("20261001-old", "active"), files=files, missing=frozenset(files))
    assert "links:" not in written(ASKED, on)


def test_where_settings_let_a_maintainer_it_is_active_and_approved() -> None:
    on = context(memory_file("20261001-old", "active"), remembers_active=True)
    assert 'status: "active"' in written(ASKED, on)
    plan = said(ASKED, on).plan
    assert plan is not None
    assert approved_by(plan) == {memory_path("", ID)}
    waits = said(ASKED, context(memory_file("20261001-old", "active"))).plan
    assert waits is not None
    assert approved_by(waits) == frozenset()


def test_it_goes_into_the_store_that_governs_the_file() -> None:
    trees = (store_tree(), store_tree(root="services/billing/"))
    (path,) = edits(said(ASKED, Context(trees=trees, now=context().now)))
    assert path == memory_path("", ID)
    inner = Context(trees=trees, now=context().now, files=("services/billing/src/a.py",))
    ((path, data),) = edits(said(ASKED, inner)).items()
    assert path == memory_path("services/billing", ID)
    assert b'links: ["src/a.py"]' in (data or b"")


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ("/memoryrail remember", "neither a type nor a title"),
        ('/memoryrail remember lesson "x"', "is no type of memory. There are decision, constraint"),
        ("/memoryrail remember gotcha", "says no title"),
        (
            "/memoryrail remember gotcha Pool: never grow it",
            "A title with a colon stands in quotes",
        ),
        (f'/memoryrail remember gotcha "Key"\nIt is {github_token()}', "credential"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(comment: str, why: str) -> None:
    batch = said(comment, context(memory_file("20261001-old", "active")))
    assert batch.plan is None
    assert why in texts(batch)[0]
    assert github_token() not in texts(batch)[0]


def test_without_a_store_there_is_nowhere_to_write() -> None:
    assert "no store" in texts(said(ASKED, Context(trees=(), now=context().now)))[0]


def test_who_has_it_written_is_its_author() -> None:
    plan = said(ASKED, context(memory_file("20261001-old", "active"))).plan
    assert plan is not None
    message = f"{plan.title}\n\n" + body(
        plan,
        sender=Actor(id=7, login="ada"),
        comment="issuecomment-9",
        digest="0" * 64,
        number=1,
        repository=Repository(id=1, full_name="octo/shop", default_branch="main"),
    )
    path = memory_path("", ID)
    ours = Commit(
        sha=HEAD_SHA,
        message=message,
        author=Actor(id=99, login="memoryrail[bot]", is_bot=True),
        author_name="memoryrail[bot]",
        author_email="bot@example.com",
        paths=(path,),
        is_ours=True,
    )
    pull = PullRequest(
        number=1,
        title="",
        body="",
        author=None,
        base_ref="main",
        base_sha=BASE_SHA,
        head_ref="x",
        head_sha=HEAD_SHA,
    )
    assert list(authors_of([ours], pull, RepositorySettings()).of(path)) == [7]
