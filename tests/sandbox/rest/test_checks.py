"""Check runs and their annotations."""

from typing import Any

from tests.sandbox.conftest import Client, Shop

RUNS = "/repos/octo/shop/check-runs"


def _annotation(line: int) -> dict[str, Any]:
    return {
        "path": "src/b.py",
        "start_line": line,
        "end_line": line,
        "annotation_level": "warning",
        "message": f"line {line}",
    }


def _create(shop: Shop, http: Client, **more: Any) -> dict[str, Any]:
    body = {"name": "memoryrail/sync", "head_sha": shop.pull.head_sha, **more}
    answer = http.post(RUNS, json=body)
    assert answer.status_code == 201, answer.text
    run: dict[str, Any] = answer.json()
    return run


def test_a_run_from_progress_to_verdict(shop: Shop, http: Client) -> None:
    run = _create(shop, http, status="in_progress", external_id="17")
    assert (run["status"], run["conclusion"], run["completed_at"]) == ("in_progress", None, None)
    assert run["app"]["id"] == shop.app.id
    assert [each["number"] for each in run["pull_requests"]] == [1]
    output = {"title": "In step", "summary": "s", "annotations": [_annotation(1)]}
    done = http.patch(f"{RUNS}/{run['id']}", json={"conclusion": "success", "output": output})
    assert (done.json()["status"], done.json()["conclusion"]) == ("completed", "success")
    again = http.get(f"{RUNS}/{run['id']}").json()
    assert again["output"]["title"] == "In step"
    assert again["external_id"] == "17"


def test_annotations_of_later_requests_are_added(shop: Shop, http: Client) -> None:
    first = {"title": "t", "summary": "s", "annotations": [_annotation(n) for n in range(1, 51)]}
    run = _create(shop, http, conclusion="neutral", output=first)
    more = {"title": "t", "summary": "s", "annotations": [_annotation(51)]}
    http.patch(f"{RUNS}/{run['id']}", json={"conclusion": "neutral", "output": more})
    assert http.get(f"{RUNS}/{run['id']}").json()["output"]["annotations_count"] == 51
    page = http.get(f"{RUNS}/{run['id']}/annotations?per_page=50&page=2").json()
    assert [each["message"] for each in page] == ["line 51"]


def test_a_completed_run_is_not_reopened(shop: Shop, http: Client) -> None:
    run = _create(shop, http, conclusion="success")
    answer = http.patch(f"{RUNS}/{run['id']}", json={"status": "in_progress"})
    assert answer.status_code == 422
    assert [each.kind for each in shop.github.violations] == ["contract"]
    shop.github.violations.clear()


def test_a_new_run_takes_the_place_of_one_with_its_name(shop: Shop, http: Client) -> None:
    old, new = _create(shop, http, conclusion="failure"), _create(shop, http, conclusion="success")
    other = _create(shop, http, name="memoryrail/memory")
    path = f"/repos/octo/shop/commits/{shop.pull.head_sha}/check-runs"

    def ids(query: str) -> list[int]:
        return [each["id"] for each in http.get(f"{path}?{query}").json()["check_runs"]]

    assert ids("") == [new["id"], other["id"]]
    assert ids("filter=all") == [old["id"], new["id"], other["id"]]
    assert ids("check_name=memoryrail/sync&status=completed") == [new["id"]]
    assert ids(f"app_id={shop.app.id + 1}") == []
    assert [each.id for each in shop.pull.check_runs()] == [new["id"], other["id"]]


def test_a_run_needs_a_commit_that_exists(http: Client) -> None:
    assert http.post(RUNS, json={"name": "x", "head_sha": "1" * 40}).status_code == 422
    assert http.get(f"{RUNS}/1").status_code == 404


def test_a_run_takes_three_short_buttons(shop: Shop, http: Client) -> None:
    short = {"label": "l" * 20, "description": "d" * 40, "identifier": "i" * 20}
    run = _create(shop, http, conclusion="neutral", actions=[short] * 3)
    assert run["name"] == "memoryrail/sync"
    for wrong in ([short] * 4, [{**short, "label": "l" * 21}], [{**short, "description": ""}]):
        answer = http.patch(f"{RUNS}/{run['id']}", json={"actions": wrong})
        assert answer.status_code == 422
    assert len(shop.github.violations) >= 3
    shop.github.violations.clear()
