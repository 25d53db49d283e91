"""bot/sandbox/page/door.py: each address, what a form does, and who is kept out."""

import re

import pytest
from starlette.routing import Match

from bot.sandbox.page import routes, view
from bot.sandbox.shapes import rest_contract
from bot.sandbox.state.checks import CheckRun, create_check_run
from tests.sandbox.conftest import Client, Shop
from tests.sandbox.page.conftest import PULL, Visitor


def _check(shop: Shop) -> CheckRun:
    with shop.github.world.lock:
        note = {
            "path": "src/b.py",
            "start_line": 1,
            "end_line": 1,
            "annotation_level": "warning",
            "message": "Use <four>",
        }
        output = {"title": "1 finding", "summary": "**One**", "text": "two", "annotations": [note]}
        return create_check_run(
            shop.repository,
            shop.app,
            {
                "name": "memoryrail/memory",
                "head_sha": shop.pull.head_sha,
                "conclusion": "failure",
                "output": output,
            },
        )


def test_the_first_page_lists_repositories_and_their_pull_requests(
    visitor: Visitor,
) -> None:
    html = visitor.read("/")
    assert "octo/shop" in html
    assert f'<a href="{PULL}">Add b</a>' in html


def test_a_repository_lists_its_pull_requests(shop: Shop, visitor: Visitor) -> None:
    shop.github.create_repository("octo/other")
    html = visitor.read("/octo/shop")
    assert f'<a href="{PULL}">Add b</a>' in html
    assert "octo/other" not in html


def test_who_was_not_invited_wears_no_badge(shop: Shop, visitor: Visitor) -> None:
    """Everyone reads a public repository; GitHub shows COLLABORATOR for who was invited."""
    shop.repository.grant("eve", "read")
    shop.pull.comment("eve", "hello")
    assert "Collaborator" not in visitor.read(PULL)
    shop.repository.grant("ada", "triage")
    shop.pull.comment("ada", "hello")
    assert visitor.read(PULL).count('<span class="badge">Collaborator</span>') == 1


def test_a_pull_request_is_shown_whole(shop: Shop, visitor: Visitor) -> None:
    run = _check(shop)
    comment = shop.pull.comment("alice", "**hello**")
    comment.edit("**hello again**", user=comment.author)
    comment.react("+1", user=shop.github.user("bob"))
    shop.github.world.signed[shop.pull.head_sha] = shop.github.now()
    html = visitor.read(PULL)
    for shown in (
        'Add b <span class="number">#1</span>',
        '<span class="state open">Open</span>',
        '<code class="ref">main</code>',
        '<code class="ref">feature</code>',
        "<p>Because</p>",
        f'<a href="/octo/shop/commit/{shop.pull.head_sha}">Change files</a>',
        '<span class="badge verified">Verified</span>',
        f'id="issuecomment-{comment.id}"',
        "<strong>hello again</strong>",
        "· edited",
        '<span title="bob">👍 1</span>',
        f'<details id="check-{run.id}">',
        "Some checks were not successful",
        "<strong>One</strong>",
        f'<a href="{PULL}/files#{view.anchor("src/b.py")}R1"><code>src/b.py:1</code></a>',
        "Use &lt;four&gt;",
    ):
        assert shown in html


@pytest.mark.parametrize("state", ["merged", "closed", "draft"])
def test_a_pull_request_shows_its_state(shop: Shop, visitor: Visitor, state: str) -> None:
    act = {
        "merged": shop.pull.merge,
        "closed": shop.pull.close,
        "draft": shop.pull.convert_to_draft,
    }
    act[state]()
    assert f'<span class="state {state}">{state.capitalize()}</span>' in visitor.read(PULL)


def test_changed_files_are_shown_where_links_lead(visitor: Visitor) -> None:
    anchor = view.anchor("src/b.py")
    html = visitor.read(f"{PULL}/files")
    assert f'id="{anchor}"' in html
    assert f'<tr class="added" id="{anchor}R1">' in html
    assert '<td class="text">three = 3</td>' in html


def test_a_commit_is_shown_with_its_message_and_diff(shop: Shop, visitor: Visitor) -> None:
    sha = shop.pull.push(
        rename={"README.md": "docs.md"}, files={"bin": b"\0"}, message="Move\n\nBecause <b>"
    )
    html = visitor.read(f"/octo/shop/commit/{sha}")
    assert '<pre class="message">Because &lt;b&gt;</pre>' in html
    assert "README.md → docs.md" in html
    assert "No lines to show." in html


def test_a_file_is_shown_as_plain_text(shop: Shop, visitor: Visitor) -> None:
    sha = shop.pull.push(files={"docs/a b.md": "# <script>\n", "bin": b"\0\1"})
    html = visitor.read(f"/octo/shop/blob/{sha}/docs/a%20b.md")
    assert '<tr id="L1"><td class="line">1</td><td class="text"># &lt;script&gt;</td></tr>' in html
    assert "Not text: 2 bytes." in visitor.read(f"/octo/shop/blob/{sha}/bin")


def test_a_check_run_is_shown_on_its_pull_request(shop: Shop, visitor: Visitor) -> None:
    run = _check(shop)
    answer = visitor.get(f"/octo/shop/runs/{run.id}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PULL}#check-{run.id}")


@pytest.mark.parametrize(
    "path",
    [
        "/octo/none/pull/1",
        "/octo/shop/pull/9",
        "/octo/shop/commit/abc",
        "/octo/shop/blob/main/none",
        "/octo/shop/blob/main/%2e%2e/x",
        "/octo/shop/blob/main/src",
        "/octo/shop/runs/9",
    ],
)
def test_what_does_not_exist_is_said_in_words(visitor: Visitor, path: str) -> None:
    answer = visitor.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")


def test_a_comment_is_said_by_the_chosen_user_and_told_to_the_app(
    shop: Shop, visitor: Visitor
) -> None:
    answer = visitor.fill(f"{PULL}/comment", user="alice", body="/memoryrail help\r\nplease")
    [comment] = shop.pull.comments
    assert (comment.author.login, comment.body) == ("alice", "/memoryrail help\nplease")
    assert answer.headers["location"] == f"{PULL}#issuecomment-{comment.id}"
    told = shop.github.deliveries[-1]
    assert (told.event, told.action) == ("issue_comment", "created")


def test_a_check_is_asked_for_again_by_who_may_write(shop: Shop, visitor: Visitor) -> None:
    run = _check(shop)
    path = f"{PULL}/rerequest/{run.id}"
    assert visitor.fill(path, user="alice").status_code == 403
    shop.repository.grant("alice", "write")
    assert visitor.fill(path, user="alice").status_code == 303
    told = shop.github.deliveries[-1]
    assert (told.event, told.action) == ("check_run", "rerequested")
    assert visitor.fill(f"{PULL}/rerequest/9", user="alice").status_code == 404


def test_a_button_is_pressed_by_who_may_write(shop: Shop, visitor: Visitor) -> None:
    run = _check(shop)
    run.actions = ({"label": "Fix", "description": "Mend it", "identifier": "fix"},)
    assert f'formaction="{PULL}/press/{run.id}/fix"' in visitor.read(PULL)
    path = f"{PULL}/press/{run.id}/fix"
    assert visitor.fill(path, user="alice").status_code == 403
    shop.repository.grant("alice", "write")
    assert visitor.fill(path, user="alice").status_code == 303
    told = shop.github.deliveries[-1]
    assert (told.event, told.action) == ("check_run", "requested_action")
    assert visitor.fill(f"{PULL}/press/{run.id}/other", user="alice").status_code == 404


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"user": "alice", "body": "  "}, 422),
        ({"user": "alice", "body": "x" * 65_537}, 422),
        ({"user": "nobody", "body": "hello"}, 403),
        ({"user": "memoryrail[bot]", "body": "hello"}, 403),
        ({"user": "alice", "body": "hello", "token": "guessed"}, 403),
    ],
    ids=["blank", "too long", "unknown user", "the app's bot", "no token of ours"],
)
def test_a_comment_that_may_not_be_is_refused_in_words(
    shop: Shop, visitor: Visitor, fields: dict[str, str], status: int
) -> None:
    answer = visitor.fill(f"{PULL}/comment", **fields)
    assert answer.status_code == status
    assert answer.text
    assert shop.pull.comments == ()


def test_the_same_page_is_not_sent_twice(shop: Shop, visitor: Visitor) -> None:
    first = visitor.get(PULL)
    known = {"if-none-match": first.headers["etag"]}
    again = visitor.get(PULL, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    shop.pull.comment("alice", "news")
    assert visitor.get(PULL, headers=known).status_code == 200


@pytest.mark.parametrize("path", ["/", PULL, "/-/page.js", "/-/page.css", "/favicon.ico"])
def test_nothing_but_our_own_script_may_run(visitor: Visitor, path: str) -> None:
    headers = visitor.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
def test_another_name_for_this_machine_is_refused(visitor: Visitor, host: str) -> None:
    assert visitor.get(PULL, headers={"host": host}).status_code == 400
    said = visitor.post(f"{PULL}/comment", headers={"host": host}, data={"token": "x"})
    assert said.status_code == 400


def test_a_person_who_strays_breaks_no_contract(visitor: Visitor) -> None:
    answer = visitor.get("/octo/none", headers={"sec-fetch-mode": "navigate"})
    assert (answer.status_code, answer.text) == (404, "There is no such page. Begin at /.")


def test_no_page_stands_in_the_way_of_the_api(shop: Shop) -> None:
    pages = routes(shop.github.world)
    for operation in rest_contract().operations.values():
        path = re.sub(r"\{\w+\}", "1", operation.template)
        scope = {"type": "http", "path": path, "method": operation.method}
        hit = [page.path for page in pages if page.matches(scope)[0] is Match.FULL]
        assert hit == (["/"] if operation.id == "meta/root" else [])


def test_the_pages_are_no_traffic_of_the_api(shop: Shop, visitor: Visitor, http: Client) -> None:
    before = len(shop.github.requests)
    visitor.read(PULL)
    assert len(shop.github.requests) == before
    assert http.get("/repos/octo/shop").status_code == 200
    assert len(shop.github.requests) == before + 1
