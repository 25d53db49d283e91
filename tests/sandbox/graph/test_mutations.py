"""Writing through GraphQL."""

import base64
from typing import Any

from tests.sandbox.conftest import Client, Shop, client, mint

COMMIT = """mutation Commit($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { ref { name target { oid } } commit {
    oid message author { name user { login databaseId } } committer { name }
    signature { isValid state wasSignedByGitHub verifiedAt } } } }"""
CREATE_RUN = """mutation Run($input: CreateCheckRunInput!) {
  createCheckRun(input: $input) { clientMutationId checkRun { id status conclusion } } }"""


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _commit_input(shop: Shop, **more: Any) -> dict[str, Any]:
    return {
        "branch": {"repositoryNameWithOwner": "octo/shop", "branchName": "feature"},
        "expectedHeadOid": shop.pull.head_sha,
        "message": {"headline": "Approve", "body": "By alice"},
        "fileChanges": {
            "additions": [{"path": "new.md", "contents": _base64("new\n")}],
            "deletions": [{"path": "README.md"}],
        },
        **more,
    }


def _kinds(shop: Shop) -> list[str]:
    kinds = [each.kind for each in shop.github.violations]
    shop.github.violations.clear()
    return kinds


def test_several_mutations_run_in_turn_each_with_its_own_error(shop: Shop, http: Client) -> None:
    answer = http.graphql(
        """mutation Publish($repository: ID!, $pull: ID!, $sha: GitObjectID!) {
          a: createCheckRun(input: {repositoryId: $repository, name: "one", headSha: $sha,
            status: COMPLETED, conclusion: SUCCESS, externalId: "x",
            output: {title: "T", summary: "S", annotations: [{path: "src/b.py", message: "m",
              annotationLevel: WARNING, location: {startLine: 1, endLine: 1}}]}}) {
            checkRun { name title } }
          b: addComment(input: {subjectId: "IC_none", body: "lost"}) { commentEdge { cursor } }
          c: addComment(input: {subjectId: $pull, body: "kept"}) {
            commentEdge { node { databaseId author { login } } } }
        }""",
        repository=shop.repository.node_id,
        pull=shop.pull.node_id,
        sha=shop.pull.head_sha,
    )
    assert answer["data"]["a"] == {"checkRun": {"name": "one", "title": "T"}}
    assert answer["data"]["b"] is None
    assert answer["data"]["c"]["commentEdge"]["node"]["author"] == {"login": "memoryrail"}
    assert [(each["type"], each["path"]) for each in answer["errors"]] == [("NOT_FOUND", ["b"])]
    [run] = shop.pull.check_runs()
    assert [each.annotation_level for each in run.annotations] == ["warning"]
    assert [each.body for each in shop.pull.comments] == ["kept"]


def test_a_run_is_updated(shop: Shop, http: Client) -> None:
    given = {"repositoryId": shop.repository.node_id, "name": "x", "headSha": shop.pull.head_sha}
    made = http.graphql(CREATE_RUN, input={**given, "clientMutationId": "7"})
    payload = made["data"]["createCheckRun"]
    assert payload["clientMutationId"] == "7"
    assert payload["checkRun"]["status"] == "QUEUED"
    update = """mutation Update($input: UpdateCheckRunInput!) {
      updateCheckRun(input: $input) { checkRun { status conclusion summary } } }"""
    change = {
        "repositoryId": shop.repository.node_id,
        "checkRunId": payload["checkRun"]["id"],
        "conclusion": "FAILURE",
        "output": {"title": "t", "summary": "s"},
    }
    assert http.graphql(update, input=change)["data"]["updateCheckRun"]["checkRun"] == {
        "status": "COMPLETED",
        "conclusion": "FAILURE",
        "summary": "s",
    }


def test_too_many_annotations_make_nothing_and_no_error(shop: Shop, http: Client) -> None:
    annotation = {
        "path": "a",
        "message": "m",
        "annotationLevel": "NOTICE",
        "location": {"startLine": 1, "endLine": 1},
    }
    given = {
        "repositoryId": shop.repository.node_id,
        "name": "x",
        "headSha": shop.pull.head_sha,
        "output": {"title": "t", "summary": "s", "annotations": [annotation] * 51},
    }
    answer = http.graphql(CREATE_RUN, input=given)
    assert answer == {"data": {"createCheckRun": {"checkRun": None, "clientMutationId": None}}}
    assert shop.pull.check_runs() == ()
    assert _kinds(shop) == ["limit"]


def test_texts_that_are_too_long_are_refused(shop: Shop, http: Client) -> None:
    add = """mutation Add($input: AddCommentInput!) {
      addComment(input: $input) { commentEdge { cursor } } }"""
    answer = http.graphql(add, input={"subjectId": shop.pull.node_id, "body": "x" * 65_537})
    assert answer["data"]["addComment"] is None
    given = {
        "repositoryId": shop.repository.node_id,
        "name": "x",
        "headSha": shop.pull.head_sha,
        "output": {"title": "t", "summary": "x" * 65_536},
    }
    assert http.graphql(CREATE_RUN, input=given)["data"]["createCheckRun"] is None
    assert set(_kinds(shop)) == {"limit"}
    assert (shop.pull.comments, shop.pull.check_runs()) == ((), ())


def test_a_comment_is_changed_hidden_reacted_to_and_removed(shop: Shop, http: Client) -> None:
    http.post("/repos/octo/shop/issues/1/comments", json={"body": "One"})
    [comment] = shop.pull.comments
    answer = http.graphql(
        """mutation Change($id: ID!) {
          updateIssueComment(input: {id: $id, body: "Two"}) { issueComment { body } }
          addReaction(input: {subjectId: $id, content: THUMBS_UP}) { reaction { content } }
          minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) {
            minimizedComment { isMinimized minimizedReason } }
        }""",
        id=comment.node_id,
    )
    assert answer["data"] == {
        "updateIssueComment": {"issueComment": {"body": "Two"}},
        "addReaction": {"reaction": {"content": "THUMBS_UP"}},
        "minimizeComment": {
            "minimizedComment": {"isMinimized": True, "minimizedReason": "outdated"}
        },
    }
    assert [each.content for each in comment.reactions] == ["+1"]
    delete = "mutation Gone($id: ID!) { deleteIssueComment(input: {id: $id}) { clientMutationId } }"
    assert "errors" not in http.graphql(delete, id=comment.node_id)
    assert shop.pull.comments == ()
    [error] = http.graphql(delete, id=comment.node_id)["errors"]
    assert error["type"] == "NOT_FOUND"


def test_a_commit_is_signed_and_by_the_app(shop: Shop, http: Client) -> None:
    before = shop.pull.head_sha
    payload = http.graphql(COMMIT, input=_commit_input(shop))["data"]["createCommitOnBranch"]
    made = payload["commit"]
    assert payload["ref"] == {"name": "feature", "target": {"oid": made["oid"]}}
    assert made["message"] == "Approve\n\nBy alice"
    assert made["author"] == {
        "name": "memoryrail[bot]",
        "user": {"login": "memoryrail[bot]", "databaseId": shop.app.bot.id},
    }
    assert made["committer"] == {"name": "GitHub"}
    signature = made["signature"]
    assert (signature["isValid"], signature["state"], signature["wasSignedByGitHub"]) == (
        True,
        "VALID",
        True,
    )
    git = shop.repository.git
    assert [entry.path for entry in git.walk(made["oid"])] == [
        "new.md",
        "src",
        "src/a.py",
        "src/b.py",
    ]
    assert (shop.pull.head_sha, shop.pull.commits[-1].parents) == (made["oid"], (before,))
    rest = http.get(f"/repos/octo/shop/commits/{made['oid']}").json()
    assert rest["commit"]["verification"]["verified"] is True
    assert rest["author"]["id"] == shop.app.bot.id
    synchronize = shop.github.deliveries[-1]
    assert (synchronize.event, synchronize.action) == ("pull_request", "synchronize")
    assert synchronize.payload["sender"]["login"] == "memoryrail[bot]"


def test_a_branch_that_moved_is_not_overwritten(shop: Shop, http: Client) -> None:
    given = _commit_input(shop)
    moved = shop.pull.push(files={"other.md": "x"})
    answer = http.graphql(COMMIT, input=given)
    assert answer["data"] == {"createCommitOnBranch": None}
    assert [each["type"] for each in answer["errors"]] == ["STALE_DATA"]
    assert shop.repository.git.branch("feature") == moved


def test_commits_that_cannot_be_made(shop: Shop, http: Client) -> None:
    missing = {"deletions": [{"path": "none.md"}]}
    nowhere = {"repositoryNameWithOwner": "octo/shop", "branchName": "none"}
    kinds = [
        http.graphql(COMMIT, input=_commit_input(shop, **change))["errors"][0]["type"]
        for change in ({"fileChanges": missing}, {"branch": nowhere})
    ]
    shop.repository.protected.add("feature")
    kinds.append(http.graphql(COMMIT, input=_commit_input(shop))["errors"][0]["type"])
    shop.repository.archived = True
    kinds.append(http.graphql(COMMIT, input=_commit_input(shop))["errors"][0]["type"])
    assert kinds == ["UNPROCESSABLE", "NOT_FOUND", "UNPROCESSABLE", "FORBIDDEN"]
    short = http.graphql(COMMIT, input=_commit_input(shop, expectedHeadOid="abc"))
    assert "data" not in short
    assert _kinds(shop) == ["contract"]


def test_writing_takes_its_permission(shop: Shop) -> None:
    with client(shop.github, mint(shop, permissions={"contents": "read"})) as http:
        answer = http.graphql(COMMIT, input=_commit_input(shop))
    assert answer["data"] == {"createCommitOnBranch": None}
    assert [each["type"] for each in answer["errors"]] == ["FORBIDDEN"]
    assert _kinds(shop) == ["permission"]
    fork = shop.repository.fork("mallory")
    branch = {"repositoryNameWithOwner": fork.full_name, "branchName": "main"}
    head = fork.git.branch("main")
    with client(shop.github, mint(shop)) as http:
        given = _commit_input(shop, branch=branch, expectedHeadOid=head)
        assert http.graphql(COMMIT, input=given)["errors"][0]["type"] == "FORBIDDEN"
