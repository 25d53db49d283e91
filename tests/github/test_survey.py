"""What is open in an installation, and what lacks our verdicts."""

import pytest

from bot.core.report import Check
from bot.github import survey
from bot.github.installation import GitHubApp, Installation
from bot.github.survey import Head, installations, lacking, open_heads, repositories
from bot.sandbox.state.checks import create_check_run
from tests.github.conftest import Shop
from tests.github.test_open_pulls import open_some


@pytest.fixture
def installation(bot: GitHubApp, shop: Shop) -> Installation:
    return bot.installation(shop.installation.id)


async def heads_of(installation: Installation) -> list[Head]:
    nodes, _ = await repositories(installation, 1)
    return [head async for heads in open_heads(installation, nodes) for head in heads]


async def test_who_has_the_app_installed(shop: Shop, bot: GitHubApp) -> None:
    other = shop.github.create_repository("else/where", files={"a": "1"})
    shop.app.suspend(shop.app.install(other, permissions={"checks": "read"}))
    here, there = await installations(bot)
    assert (here.is_suspended, here.permissions["checks"]) == (False, "write")
    assert (there.is_suspended, there.permissions["checks"]) == (True, "read")


async def test_archived_repositories_are_left_out(shop: Shop, installation: Installation) -> None:
    old = shop.github.create_repository("octo/old", files={"a": "1"})
    shop.app.install(old)
    assert await repositories(installation, 1) == (
        (shop.repository.node_id, old.node_id),
        False,
    )
    old.archived = True
    assert await repositories(installation, 1) == ((shop.repository.node_id,), False)


async def test_pull_requests_and_groups(shop: Shop, installation: Installation) -> None:
    shop.repository.branch("v1/fix")
    pull = shop.open({"src/b.py": "b\n"}, base="v1/fix")
    shop.repository.branch("gone")
    shop.repository.open_pull(head="gone").close()
    group = pull.enqueue()
    by_pull, by_group = await heads_of(installation)
    assert (by_pull.number, by_pull.sha, by_pull.base_ref) == (pull.number, pull.head_sha, "")
    assert (by_group.number, by_group.sha, by_group.base_ref) == (0, group, "v1/fix")
    assert by_group.ref.startswith(f"gh-readonly-queue/v1/fix/pr-{pull.number}-")
    assert by_group.repository == "octo/shop"


async def test_a_repository_that_is_gone_stops_no_other(
    shop: Shop, installation: Installation
) -> None:
    shop.open({"src/b.py": "b\n"})
    nodes = ["R_kwDOSB999999", shop.repository.node_id]
    found = [heads async for heads in open_heads(installation, nodes)]
    assert [[head.number for head in heads] for heads in found] == [[1]]


async def test_more_pull_requests_than_a_page_has(
    shop: Shop, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_OPEN", "_MORE"):
        text: str = getattr(survey, name)
        monkeypatch.setattr(survey, name, text.replace("first: 100", "first: 2"))
    open_some(shop, 5)
    found = await heads_of(installation)
    assert {head.number for head in found} == set(range(1, 6))
    assert len([one for one in shop.github.requests if "MoreHeads" in one.operation]) == 2


async def test_a_head_is_judged_when_all_four_checks_are_finished(
    shop: Shop, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "_HEADS", 1)
    pull = shop.open({"src/b.py": "b\n"})
    group = pull.enqueue()
    base = shop.repository.git.branch("main")
    heads = await heads_of(installation)
    for name in Check:
        found = [missing async for missing, _ in lacking(installation, heads)]
        assert [[head.sha for head in some] for some in found] == [[pull.head_sha], [group]]
        assert [head.base_sha for some in found for head in some] == ["", base]
        for sha in (pull.head_sha, group):
            fields = {"name": name.value, "head_sha": sha, "conclusion": "failure"}
            create_check_run(shop.repository, shop.app, fields)
    assert [whole async for _, whole in lacking(installation, heads)] == [(head,) for head in heads]
    pull.check_runs()[0].status = "in_progress"
    assert [len(missing) async for missing, _ in lacking(installation, heads)] == [1, 0]
