"""The sandbox as a whole: it starts, stops, counts and fails as it is told."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from githubkit import AppInstallationAuthStrategy, GitHub

from bot.sandbox import Sandbox
from bot.sandbox.faults import LAG
from tests.sandbox.conftest import Client, Shop, app_token, client


def test_when_it_has_stopped_nothing_runs_or_listens(tmp_path: Path) -> None:
    with Sandbox.start(tmp_path / "root") as github, client(github) as http:
        repository = github.create_repository("octo/shop", files={"a": "1"})
        app = github.create_app(webhook_url="http://127.0.0.1:9/")
        app.install(repository)
        github.settle_deliveries()
        assert http.get("/meta").status_code == 200
    names = {thread.name for thread in threading.enumerate()}
    assert names.isdisjoint({"sandbox", "deliveries"})
    with client(github) as late, pytest.raises(httpx.ConnectError):
        late.get("/meta")


def test_githubkit_reads_a_pull_request_and_publishes_on_it(shop: Shop) -> None:
    auth = AppInstallationAuthStrategy(shop.app.id, shop.app.private_key_pem, shop.installation.id)
    with GitHub(auth, base_url=shop.github.url, auto_retry=False, http_cache=False) as bot:
        pull = bot.rest.pulls.get("octo", "shop", 1).json()
        run = bot.rest.checks.create(
            "octo",
            "shop",
            name="memoryrail/precheck",
            head_sha=pull["head"]["sha"],
            status="completed",
            conclusion="success",
            output={"title": "Nothing applies", "summary": "No memory matches."},
        )
        bot.rest.issues.create_comment("octo", "shop", 1, body="Hello")
    assert run.status_code == 201
    shown = [(each.name, each.conclusion, each.title) for each in shop.pull.check_runs()]
    assert shown == [("memoryrail/precheck", "success", "Nothing applies")]
    said = [(each.author.login, each.body) for each in shop.pull.comments]
    assert said == [("memoryrail[bot]", "Hello")]


def test_requests_are_counted_while_they_are_measured(shop: Shop, http: Client) -> None:
    http.get("/meta")
    with shop.github.measure(latency=timedelta(milliseconds=1)) as measured:
        http.get("/repos/octo/shop")
        http.get("/repos/octo/shop/pulls/1")
    http.get("/meta")
    assert [each.operation for each in measured.requests] == ["repos/get", "pulls/get"]
    assert measured.depth == 2


def test_many_requests_at_once_are_answered(shop: Shop, http: Client) -> None:
    path = "/repos/octo/shop/issues/1/comments"
    with ThreadPoolExecutor(30) as pool:
        calls = [pool.submit(http.post, path, json={"body": str(n)}) for n in range(60)]
        assert {call.result().status_code for call in calls} == {201}
    said = [each.body for each in shop.pull.comments]
    assert sorted(said, key=int) == [str(number) for number in range(60)]


def test_an_answer_of_502_comes_before_or_after_the_effect(shop: Shop, http: Client) -> None:
    path = "/repos/octo/shop/issues/1/comments"
    shop.github.faults.add(r"POST .*/comments$", status=502)
    assert http.post(path, json={"body": "lost"}).status_code == 502
    shop.github.faults.add(r"POST .*/comments$", status=502, after_effect=True)
    assert http.post(path, json={"body": "kept"}).status_code == 502
    assert [each.body for each in shop.pull.comments] == ["kept"]


def test_a_limit_is_answered_with_the_headers_that_were_set(shop: Shop, http: Client) -> None:
    shop.github.faults.add("GET /repos", status=429, headers={"retry-after": "7"}, times=2)
    answers = [http.get("/repos/octo/shop") for _ in range(3)]
    assert [each.status_code for each in answers] == [429, 429, 200]
    assert answers[0].headers["retry-after"] == "7"


def test_graphql_tells_of_a_limit_with_status_200(shop: Shop, http: Client) -> None:
    limited = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    shop.github.faults.add("POST /graphql", status=200, body=limited)
    assert http.graphql("{ viewer { login } }") == limited


def test_a_request_hangs_until_it_is_released(shop: Shop, http: Client) -> None:
    fault = shop.github.faults.add("GET /repos/octo/shop$", hang=True)
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(http.get("/repos/octo/shop").status_code))
    thread.start()
    assert fault.waiting.wait(5)
    assert seen == []
    fault.release()
    thread.join()
    assert seen == [200]


def test_the_connection_breaks_before_or_after_the_effect(shop: Shop, http: Client) -> None:
    path = "/repos/octo/shop/issues/1/comments"
    for after_effect in (False, True):
        shop.github.faults.add(r"POST .*/comments$", cut=True, after_effect=after_effect)
        with pytest.raises(httpx.RemoteProtocolError):
            http.post(path, json={"body": f"{after_effect}"})
    assert [each.body for each in shop.pull.comments] == ["True"]


def test_a_lagging_replica_shows_the_head_before_the_last_push(shop: Shop, http: Client) -> None:
    old = shop.pull.head_sha
    new = shop.pull.push(files={"src/b.py": "three = 4\n"})
    shop.github.faults.add("GET .*/pulls/1$", stale_head=True)
    seen = [http.get("/repos/octo/shop/pulls/1").json()["head"]["sha"] for _ in range(2)]
    assert seen == [old, new]


def test_a_lagging_replica_shows_no_comment_of_the_last_seconds(shop: Shop, http: Client) -> None:
    path = "/repos/octo/shop/issues/1/comments"
    shop.pull.comment("alice", "First")
    shop.github.advance(LAG)
    shop.pull.comment("alice", "Second")
    shop.github.faults.add("GET .*/comments$", stale_comments=True)
    seen = [[each["body"] for each in http.get(path).json()] for _ in range(2)]
    assert seen == [["First"], ["First", "Second"]]


def test_requests_without_a_user_agent_are_refused(shop: Shop) -> None:
    with httpx.Client(base_url=shop.github.url, trust_env=False) as bare:
        request = bare.build_request("GET", "/app")
        request.headers["authorization"] = f"Bearer {app_token(shop.app)}"
        del request.headers["user-agent"]
        assert bare.send(request).status_code == 403
    assert [each.kind for each in shop.github.violations] == ["contract"]
    shop.github.violations.clear()
