"""GitHub's log of the app's deliveries."""

import pytest

from bot.github import delivery_log
from bot.github.delivery_log import LogPage, read_log, redeliver
from bot.github.installation import GitHubApp
from tests.github.conftest import Shop


async def all_of(bot: GitHubApp, *, only_failures: bool = False) -> list[LogPage]:
    pages = [await read_log(bot.credentials, only_failures=only_failures, cursor=None)]
    while (page := pages[-1]) is not None and page.cursor:
        pages.append(
            await read_log(bot.credentials, only_failures=only_failures, cursor=page.cursor)
        )
    return [page for page in pages if page is not None]


async def test_pages_follow_the_cursor_from_the_newest(
    shop: Shop, bot: GitHubApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_log, "_PAGE", 2)
    shop.app.webhook_url = "http://127.0.0.1:9/"
    for number in range(3):
        shop.github.deliver("issue_comment", {"action": "created", "number": number}, app=shop.app)
    shop.github.settle_deliveries()
    pages = await all_of(bot)
    assert [len(page.deliveries) for page in pages] == [2, 1]
    sent = [(one.id, one.guid) for one in shop.github.deliveries if one.delivered_at]
    found = [one for page in pages for one in page.deliveries]
    assert [(one.id, one.guid) for one in reversed(found)] == sent
    assert {(one.event, one.action) for one in found} == {("issue_comment", "created")}


async def test_failures_are_told_apart_and_sent_again(shop: Shop, bot: GitHubApp) -> None:
    shop.app.webhook_url = "http://127.0.0.1:9/"
    lost = shop.github.ping(shop.app)
    shop.github.settle_deliveries()
    (page,) = await all_of(bot, only_failures=True)
    (one,) = page.deliveries
    assert one.guid == lost.guid
    assert await redeliver(bot.credentials, one.id)
    shop.github.settle_deliveries()
    assert [each.guid for each in shop.github.deliveries[-2:]] == [lost.guid, lost.guid]


async def test_what_github_has_forgotten(shop: Shop, bot: GitHubApp) -> None:
    assert not await redeliver(bot.credentials, 1)
    shop.github.faults.add("GET /app/hook/deliveries", status=422)
    assert await read_log(bot.credentials, only_failures=False, cursor="12") is None
