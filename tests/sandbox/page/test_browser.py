"""The page in a real browser: what a person sees, what the script keeps, and that nothing runs."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

import bot
from bot.sandbox.state.checks import CheckRun, create_check_run
from tests.sandbox.conftest import Shop
from tests.sandbox.page.conftest import PULL

SETUP = runpy.run_path(str(Path(bot.__file__).parents[1] / "deploy" / "browser.py"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
COMMENT = """\
### MemoryRail: 1 constraint binds this change

| ref | proposal |
| --- | --- |
| DEC-3743 | Send a key |

<details><summary>1 gotcha</summary>

- read the body

</details>
"""
HOSTILE = """\
<script>alert("script")</script>
<img src=x onerror=alert("image")> <svg onload=alert("svg")></svg>
<details open ontoggle=alert("toggle")><summary>x</summary></details>
[one](javascript:alert("link")) <a href="javascript:alert('anchor')">two</a>
<iframe srcdoc="<script>alert('frame')</script>"></iframe>
<style>* { display: none }</style>
<!-- <script>alert("comment")</script> --> </section></main><base href="https://evil.example/">
<form action="/octo/shop/pull/1/comment"><button>three</button></form> the end
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = SETUP["find"]()
    if path is None:
        pytest.fail(SETUP["MISSING"])
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, shop: Shop) -> Iterator[Page]:
    """A fresh window. The test fails when anything runs or is refused in it."""
    context = browser.new_context(base_url=shop.github.url, viewport={"width": 1100, "height": 800})
    context.set_default_timeout(5_000)
    opened = context.new_page()
    complaints: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        complaints.append(dialog.message)
        dialog.dismiss()

    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("dialog", dismiss)
    yield opened
    context.close()
    assert complaints == []


def _check(shop: Shop, title: str) -> CheckRun:
    note = {"path": "src/b.py", "start_line": 1, "end_line": 1, "annotation_level": "warning"}
    output = {"title": title, "summary": "**Why**", "annotations": [{**note, "message": "Here"}]}
    fields = {"name": "memoryrail/memory", "head_sha": shop.pull.head_sha, "output": output}
    with shop.github.world.lock:
        return create_check_run(shop.repository, shop.app, {**fields, "conclusion": "success"})


def test_a_pull_request_with_its_comment_and_checks(page: Page, shop: Shop) -> None:
    shop.pull.comment("memoryrail[bot]", COMMENT)
    run = _check(shop, "1 memory added")
    page.goto(PULL)
    expect(page.get_by_role("heading", level=1)).to_have_text("Add b #1")
    expect(page.get_by_role("cell", name="Send a key")).to_be_visible()
    gotcha = page.get_by_text("read the body")
    expect(gotcha).to_be_hidden()
    page.get_by_text("1 gotcha").click()
    expect(gotcha).to_be_visible()
    check = page.locator(f"#check-{run.id}")
    expect(check.locator("strong")).to_be_hidden()
    check.get_by_text("1 memory added").click()
    expect(check.locator("strong")).to_have_text("Why")
    check.get_by_role("link", name="src/b.py:1").click()
    expect(page.locator("tr:target")).to_contain_text("three = 3")


def test_a_ref_stays_in_one_piece_beside_a_long_title(page: Page, shop: Shop) -> None:
    shop.pull.comment("memoryrail[bot]", COMMENT.replace("a key", "a key, " + "and again " * 30))
    page.goto(PULL)
    lines = """cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
    }"""
    assert page.get_by_role("cell", name="DEC-3743").evaluate(lines) == 1
    assert page.get_by_role("cell", name="Send a key").evaluate(lines) > 1


def test_a_comment_is_written_and_news_come_by_themselves(page: Page, shop: Shop) -> None:
    shop.pull.comment("memoryrail[bot]", COMMENT)
    page.goto(PULL)
    page.get_by_text("1 gotcha").click()
    page.get_by_label("Comment as").select_option("alice")
    box = page.get_by_role("textbox", name="Comment")
    box.fill("/memoryrail help")
    page.get_by_role("button", name="Comment").click()
    expect(page.get_by_text("/memoryrail help")).to_be_visible()
    expect(box).to_have_value("")
    assert [comment.author.login for comment in shop.pull.comments][1:] == ["alice"]

    box.fill("half a thought")
    shop.pull.comments[1].react("+1", user=shop.app.bot)
    shop.pull.comments[0].edit(COMMENT.replace("a key", "two keys"), user=shop.app.bot)
    expect(page.get_by_text("👍 1")).to_be_visible()
    expect(page.get_by_role("cell", name="Send two keys")).to_be_visible()
    expect(page.get_by_text("read the body")).to_be_visible()
    expect(box).to_have_value("half a thought")


def test_a_check_is_asked_for_again(page: Page, shop: Shop) -> None:
    run = _check(shop, "1 memory added")
    shop.repository.grant("alice", "write")
    page.goto(f"{PULL}#check-{run.id}")
    page.get_by_role("textbox", name="Comment").fill("half a thought")
    with page.expect_response(f"**/rerequest/{run.id}"):
        page.get_by_role("button", name="Re-run").click()
    assert shop.github.deliveries[-1].action == "rerequested"
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("half a thought")


def test_hostile_text_runs_nothing_and_hides_nothing(page: Page, shop: Shop) -> None:
    for text in [HOSTILE, *HOSTILE.splitlines()]:
        shop.pull.comment("mallory", text)
    shop.pull.edit(title="<script>alert('title')</script>", body=HOSTILE)
    page.goto(PULL)
    expect(page.get_by_role("heading", level=1)).to_contain_text("<script>alert('title')</script>")
    for link in page.get_by_text("two", exact=True).all():
        link.click()
    elements = page.locator("#live").locator("script, img, iframe, form, style, base, [onload]")
    expect(elements).to_have_count(0)
    expect(page.get_by_text("the end").last).to_be_visible()
    expect(page.get_by_role("button", name="Comment")).to_be_visible()
    assert page.url.endswith(PULL)


def test_it_is_dark_where_the_reader_wants_it_dark(page: Page) -> None:
    page.goto(PULL)
    colour = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) == "rgb(13, 17, 23)"


def test_on_a_phone_nothing_is_wider_than_the_screen(page: Page, shop: Shop) -> None:
    shop.pull.comment("memoryrail[bot]", COMMENT + f"\n`{'long' * 60}`\n\n```\n{'x' * 300}\n```\n")
    _check(shop, "A long title of a check that does not fit into one line of a phone")
    page.set_viewport_size({"width": 390, "height": 800})
    for path in (PULL, f"{PULL}/files"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
