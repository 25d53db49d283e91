"""Strictness: what is not GitHub's contract is refused, and noted."""

from datetime import timedelta

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.conftest import Client, Shop, client, mint


def _problems(github: Sandbox) -> list[tuple[str, str]]:
    """Kind and text of the violations so far, which the test thereby has expected."""
    found = [(each.kind, each.problem) for each in github.violations]
    github.violations.clear()
    return found


def test_a_misspelt_property_is_refused_and_noted(shop: Shop, http: Client) -> None:
    run = {"name": "x", "head_sha": shop.pull.head_sha, "conclusions": "success"}
    assert http.post("/repos/octo/shop/check-runs", json=run).status_code == 422
    assert shop.pull.check_runs() == ()
    [(kind, problem)] = _problems(shop.github)
    assert kind == "contract"
    assert "conclusions" in problem


def test_a_misspelt_parameter_is_refused_and_noted(shop: Shop, http: Client) -> None:
    assert http.get("/repos/octo/shop/pulls?perpage=3").status_code == 422
    [(kind, problem)] = _problems(shop.github)
    assert kind == "contract"
    assert "perpage" in problem


def test_an_unknown_route_is_refused_and_noted(shop: Shop, http: Client) -> None:
    assert http.get("/repos/octo/shop/pull/1").status_code == 404
    assert [kind for kind, _ in _problems(shop.github)] == ["contract"]


def test_an_unknown_version_of_the_api_is_refused(shop: Shop) -> None:
    with client(shop.github, mint(shop), version="2021-01-01") as http:
        assert http.get("/repos/octo/shop").status_code == 400
    assert [kind for kind, _ in _problems(shop.github)] == ["contract"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        pytest.param("issues/1/comments", {"body": "x" * 65_537}, id="comment too long"),
        pytest.param("issues/1/comments", {"body": " "}, id="blank comment"),
        pytest.param(
            "check-runs",
            {"name": "x", "head_sha": "HEAD", "output": {"title": "t", "summary": "x" * 65_536}},
            id="summary too long",
        ),
        pytest.param(
            "check-runs",
            {
                "name": "x",
                "head_sha": "HEAD",
                "output": {
                    "title": "t",
                    "summary": "s",
                    "annotations": [
                        {
                            "path": "a",
                            "start_line": 1,
                            "end_line": 1,
                            "annotation_level": "notice",
                            "message": "m",
                        }
                    ]
                    * 51,
                },
            },
            id="too many annotations",
        ),
    ],
)
def test_what_is_too_large_is_refused(
    shop: Shop, http: Client, path: str, body: dict[str, object]
) -> None:
    if "head_sha" in body:
        body = {**body, "head_sha": shop.pull.head_sha}
    assert http.post(f"/repos/octo/shop/{path}", json=body).status_code == 422
    assert (shop.pull.comments, shop.pull.check_runs()) == ((), ())
    assert {kind for kind, _ in _problems(shop.github)} == {"limit"}


def test_every_path_works_by_the_id_of_the_repository(shop: Shop, http: Client) -> None:
    by_id = http.get(f"/repositories/{shop.repository.id}/pulls/1")
    assert by_id.json() == http.get("/repos/octo/shop/pulls/1").json()
    assert http.get("/repositories/1/pulls/1").status_code == 404


def test_the_old_name_of_a_repository_leads_to_the_new_one(shop: Shop, http: Client) -> None:
    shop.repository.rename("store")
    answer = http.get("/repos/octo/shop/pulls/1")
    assert answer.status_code == 301
    target = f"{shop.github.url}/repositories/{shop.repository.id}/pulls/1"
    assert answer.headers["location"] == target
    assert http.get(target).json()["base"]["repo"]["full_name"] == "octo/store"
    assert http.post("/repos/octo/shop/issues/1/comments", json={"body": "x"}).status_code == 307


def test_answers_carry_the_headers_of_github(http: Client) -> None:
    answer = http.get("/repos/octo/shop")
    for name in ("date", "x-github-request-id", "x-ratelimit-remaining", "x-ratelimit-reset"):
        assert answer.headers[name]


def test_lists_come_in_pages_with_links(shop: Shop, http: Client) -> None:
    for number in range(5):
        shop.pull.comment("bob", f"comment {number}")
    first = http.get("/repos/octo/shop/issues/1/comments?per_page=2")
    assert [each["body"] for each in first.json()] == ["comment 0", "comment 1"]
    second = http.get(first.links["next"]["url"])
    assert [each["body"] for each in second.json()] == ["comment 2", "comment 3"]
    last = http.get(second.links["last"]["url"])
    assert [each["body"] for each in last.json()] == ["comment 4"]
    assert "next" not in last.links


def test_beyond_the_hourly_limit_every_request_is_refused_until_its_reset(
    shop: Shop, http: Client
) -> None:
    shop.github.world.rates.limit = 2
    answers = [http.get("/repos/octo/shop") for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 403]
    assert [each.headers["x-ratelimit-remaining"] for each in answers] == ["1", "0", "0"]
    asked = {"query": "{ rateLimit { remaining } }"}
    first, second, third = (http.post("/graphql", json=asked).json() for _ in range(3))
    assert (first["data"], second["data"]) == (
        {"rateLimit": {"remaining": 1}},
        {"rateLimit": {"remaining": 0}},
    )
    assert [each["type"] for each in third["errors"]] == ["RATE_LIMITED"]
    assert http.get("/rate_limit").json()["resources"]["core"]["remaining"] == 0
    shop.github.advance(timedelta(hours=1))
    rate = shop.github.world.rates.look(f"installation {shop.installation.id}", "core")
    assert (rate.remaining, rate.used) == (2, 0)
