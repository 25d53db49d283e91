"""Branches that an app makes, moves, merges and deletes through GraphQL."""

from typing import Any

from bot.sandbox.git.repository import ZERO
from bot.sandbox.state.pulls import FINDING_OUT
from tests.sandbox.conftest import Client, Shop, client, mint

UPDATE = """mutation Update($repository: ID!, $updates: [RefUpdate!]!) {
  updateRefs(input: {repositoryId: $repository, refUpdates: $updates}) { clientMutationId } }"""
MERGE = """mutation Merge($repository: ID!, $base: String!, $head: String!) {
  mergeBranch(input: {repositoryId: $repository, base: $base, head: $head, commitMessage: "M"}) {
    mergeCommit { oid message tree { oid } parents(first: 3) { nodes { oid } }
      author { name } committer { email } signature { isValid } } } }"""
MERGEABLE = """query Mergeable($number: Int!) {
  repository(owner: "octo", name: "shop") { pullRequest(number: $number) { mergeable } } }"""


def update(http: Client, shop: Shop, *updates: dict[str, Any]) -> Any:
    return http.graphql(UPDATE, repository=shop.repository.node_id, updates=updates)


def merge(http: Client, shop: Shop, base: str, head: str) -> Any:
    return http.graphql(MERGE, repository=shop.repository.node_id, base=base, head=head)


def told(answer: Any) -> str:
    return f"{answer['errors'][0]['type']}: {answer['errors'][0]['message']}"


def ref(name: str, before: str | None, after: str, *, force: bool = False) -> dict[str, Any]:
    return {"name": f"refs/heads/{name}", "beforeOid": before, "afterOid": after, "force": force}


def test_refs_come_move_and_go_all_or_none(shop: Shop, http: Client) -> None:
    git, head = shop.repository.git, shop.pull.head_sha
    main = git.branch("main") or ""
    assert "errors" not in update(http, shop, ref("new", ZERO, main))
    assert "errors" not in update(http, shop, ref("new", main, head), ref("more", ZERO, main))
    assert (git.branch("new"), git.branch("more")) == (head, main)
    for wrong in (
        ref("more", head, head),  # it is elsewhere
        ref("more", ZERO, head),  # it is there
        ref("new", head, main),  # not forward
        ref("none", None, ZERO),
        ref("other", ZERO, "1" * 40),
    ):
        answer = update(http, shop, ref("another", ZERO, main), wrong)
        assert (answer["data"]["updateRefs"], told(answer)[:14]) == (None, "UNPROCESSABLE:")
    assert git.branch("another") is None
    assert "errors" not in update(http, shop, ref("new", head, main, force=True))
    assert "errors" not in update(http, shop, ref("new", main, ZERO), ref("more", None, ZERO))
    assert (git.branch("new"), git.branch("more")) == (None, None)
    gone = [one for one in shop.github.deliveries if one.event == "push"][-1]
    assert (gone.payload["deleted"], gone.payload["sender"]["login"]) == (True, "memoryrail[bot]")


def test_a_merge_is_signed_and_one_commit(shop: Shop, http: Client) -> None:
    git, head = shop.repository.git, shop.pull.head_sha
    main = shop.repository.commit("main", files={"c.py": "c\n"})
    made = merge(http, shop, "feature", main)["data"]["mergeBranch"]["mergeCommit"]
    assert [one["oid"] for one in made["parents"]["nodes"]] == [head, main]
    assert (made["message"], made["signature"]["isValid"]) == ("M", True)
    assert made["committer"]["email"] == "noreply@github.com"
    assert git.branch("feature") == made["oid"] == shop.pull.head_sha
    assert [one.path for one in git.walk(made["tree"]["oid"])] == [
        *("README.md", "c.py", "src", "src/a.py", "src/b.py")
    ]
    assert told(merge(http, shop, "feature", main)).endswith('Failed to merge: "Already merged"')


def test_merges_that_cannot_be_made(shop: Shop, http: Client) -> None:
    shop.repository.commit("main", files={"src/b.py": "other\n"})
    before = shop.pull.head_sha
    assert told(merge(http, shop, "feature", "main")) == (
        'UNPROCESSABLE: Failed to merge: "Merge conflict"'
    )
    assert told(merge(http, shop, "none", "main")).endswith('"Base does not exist"')
    assert told(merge(http, shop, "feature", "none")).endswith('"Head does not exist"')
    shop.repository.protected.add("feature")
    assert "pull request" in told(merge(http, shop, "feature", "main"))
    assert shop.repository.git.branch("feature") == before


def test_both_take_the_permission_to_write_contents(shop: Shop) -> None:
    with client(shop.github, mint(shop, permissions={"contents": "read"})) as http:
        assert told(merge(http, shop, "feature", "main"))[:9] == "FORBIDDEN"
        assert told(update(http, shop, ref("x", ZERO, shop.pull.head_sha)))[:9] == "FORBIDDEN"
    shop.github.violations.clear()


def test_whether_a_pull_request_is_mergeable_is_known_a_moment_later(
    shop: Shop, http: Client
) -> None:
    def asked() -> str:
        answer = http.graphql(MERGEABLE, number=shop.pull.number)
        return str(answer["data"]["repository"]["pullRequest"]["mergeable"])

    assert [asked(), asked()] == ["UNKNOWN", "UNKNOWN"]
    shop.github.advance(FINDING_OUT)
    assert asked() == "MERGEABLE"
    shop.repository.commit("main", files={"src/b.py": "other\n"})
    assert asked() == "UNKNOWN"
    shop.github.advance(FINDING_OUT)
    assert asked() == "CONFLICTING"
