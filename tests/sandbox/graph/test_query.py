"""Reading through GraphQL."""

from typing import Any

from bot.sandbox import File
from tests.sandbox.conftest import Client, Shop

MAX_TEXT = 512_000  # bytes


def _repository(http: Client, fields: str, **variables: Any) -> Any:
    declared = ", ".join(f"${name}: String" for name in variables)
    head = f"query Read({declared})" if declared else "query Read"
    query = f'{head} {{ repository(owner: "octo", name: "shop") {{ {fields} }} }}'
    answer = http.graphql(query, **variables)
    assert "errors" not in answer, answer
    return answer["data"]["repository"]


def _kinds(shop: Shop) -> list[str]:
    kinds = [each.kind for each in shop.github.violations]
    shop.github.violations.clear()
    return kinds


def test_a_pull_request_with_all_that_a_review_reads(shop: Shop, http: Client) -> None:
    run = {"name": "memoryrail/sync", "head_sha": shop.pull.head_sha, "conclusion": "success"}
    http.post("/repos/octo/shop/check-runs", json=run)
    http.post("/repos/octo/shop/issues/1/comments", json={"body": "Hello"})
    read = _repository(
        http,
        """
        id databaseId nameWithOwner isPrivate
        defaultBranchRef { name target { oid } }
        pullRequest(number: 1) {
          id number title body state isDraft merged isCrossRepository
          author { __typename login ... on User { databaseId } }
          baseRefName baseRef { target { oid } } headRefName headRefOid
          headRepository { databaseId } headRef { name }
          commits(first: 100) { totalCount nodes { commit {
            oid message author { name email user { login databaseId } } signature { isValid }
            checkSuites(first: 5) { nodes { app { databaseId } checkRuns(first: 10) {
              nodes { name status conclusion } } } }
          } } }
          comments(last: 10) { nodes { databaseId body viewerDidAuthor author {
            __typename login ... on Bot { databaseId } } } }
          files(first: 100) { nodes { path changeType additions deletions } }
        }
        """,
    )
    assert (read["databaseId"], read["nameWithOwner"]) == (shop.repository.id, "octo/shop")
    assert read["defaultBranchRef"] == {"name": "main", "target": {"oid": shop.pull.base_sha}}
    pull = read["pullRequest"]
    assert (pull["title"], pull["state"], pull["isCrossRepository"]) == ("Add b", "OPEN", False)
    assert pull["author"] == {
        "__typename": "User",
        "login": "alice",
        "databaseId": shop.pull.user.id,
    }
    assert pull["headRefOid"] == shop.pull.head_sha
    [commit] = [each["commit"] for each in pull["commits"]["nodes"]]
    assert commit["author"]["user"]["login"] == "alice"
    assert commit["signature"] is None
    assert commit["checkSuites"]["nodes"] == [
        {
            "app": {"databaseId": shop.app.id},
            "checkRuns": {
                "nodes": [
                    {"name": "memoryrail/sync", "status": "COMPLETED", "conclusion": "SUCCESS"}
                ]
            },
        }
    ]
    [comment] = pull["comments"]["nodes"]
    assert comment["author"] == {
        "__typename": "Bot",
        "login": "memoryrail",
        "databaseId": shop.app.bot.id,
    }
    assert comment["viewerDidAuthor"] is True
    assert pull["files"]["nodes"] == [
        {"path": "src/b.py", "changeType": "ADDED", "additions": 1, "deletions": 0}
    ]


def test_trees_files_and_history(shop: Shop, http: Client) -> None:
    shop.repository.commit(
        "main", files={"link": File(data=b"README.md", mode="120000"), "docs/x.md": "x\n"}
    )
    read = _repository(
        http,
        """
        object(expression: "main") { ... on Commit {
          tree { entries { name path type mode size oid object {
            ... on Blob { text byteSize isBinary isTruncated } ... on Tree { entries { path } }
          } } }
          file(path: "docs/x.md") { path object { ... on Blob { text } } }
          none: file(path: "docs/none.md") { path }
          history(first: 1, path: "README.md") { totalCount nodes { oid } }
          parents(first: 2) { totalCount nodes { oid } }
        } }
        folder: object(expression: "main:docs") { ... on Tree { entries { name path } } }
        none: object(expression: "main:none") { oid }
        ref(qualifiedName: "refs/heads/feature") { name prefix target { oid } }
        noRef: ref(qualifiedName: "refs/heads/none") { name }
        """,
    )
    commit = read["object"]
    entries = {each["name"]: each for each in commit["tree"]["entries"]}
    assert [(e["name"], e["type"], oct(e["mode"])) for e in entries.values()] == [
        ("README.md", "blob", "0o100644"),
        ("docs", "tree", "0o40000"),
        ("link", "blob", "0o120000"),
        ("src", "tree", "0o40000"),
    ]
    assert entries["README.md"]["object"] == {
        "text": "# Shop\n",
        "byteSize": 7,
        "isBinary": False,
        "isTruncated": False,
    }
    assert entries["docs"]["object"]["entries"] == [{"path": "docs/x.md"}]
    assert commit["file"] == {"path": "docs/x.md", "object": {"text": "x\n"}}
    assert commit["none"] is None
    assert commit["history"] == {"totalCount": 1, "nodes": [{"oid": shop.pull.base_sha}]}
    assert commit["parents"] == commit["history"]
    assert read["folder"]["entries"] == [{"name": "x.md", "path": "docs/x.md"}]
    assert (read["none"], read["noRef"]) == (None, None)
    assert read["ref"]["target"]["oid"] == shop.pull.head_sha


def test_long_and_binary_texts(shop: Shop, http: Client) -> None:
    shop.repository.commit("main", files={"long": "x" * (MAX_TEXT + 1), "binary": b"a\0b"})
    fields = "... on Blob { text byteSize isBinary isTruncated }"
    read = _repository(
        http,
        f'long: object(expression: "main:long") {{ {fields} }} '
        f'binary: object(expression: "main:binary") {{ {fields} }}',
    )
    assert len(read["long"].pop("text")) == MAX_TEXT
    assert read["long"] == {"byteSize": MAX_TEXT + 1, "isBinary": None, "isTruncated": True}
    assert read["binary"] == {"text": None, "byteSize": 3, "isBinary": True, "isTruncated": False}


def test_a_renamed_file_and_a_fork(shop: Shop, http: Client) -> None:
    fork = shop.repository.fork("mallory")
    fork.commit("main", rename={"src/a.py": "lib/a.py"}, login="mallory")
    shop.repository.open_pull(head=(fork, "main"))
    read = _repository(
        http,
        """
        pullRequest(number: 2) {
          isCrossRepository headRepositoryOwner { login } headRepository { nameWithOwner }
          files(first: 10) { nodes { path changeType } }
        }
        """,
    )["pullRequest"]
    assert (read["isCrossRepository"], read["headRepositoryOwner"]["login"]) == (True, "mallory")
    assert read["files"]["nodes"] == [{"path": "lib/a.py", "changeType": "RENAMED"}]
    fork.delete()
    gone = _repository(http, "pullRequest(number: 2) { headRepository { id } headRef { name } }")
    assert gone["pullRequest"] == {"headRepository": None, "headRef": None}


def test_a_deleted_account_is_null_or_a_ghost(shop: Shop, http: Client) -> None:
    comment = shop.pull.comment("bob", "Bye")
    shop.github.user("bob").gone = True
    query = "pullRequest(number: 1) { comments(first: 1) { nodes { body author { login } } } }"
    read = _repository(http, query)["pullRequest"]
    assert read["comments"]["nodes"] == [{"body": "Bye", "author": None}]
    rest = http.get(f"/repos/octo/shop/issues/comments/{comment.id}").json()
    assert rest["user"]["login"] == "ghost"


def test_pages_of_a_connection(shop: Shop, http: Client) -> None:
    for number in range(5):
        shop.pull.comment("bob", str(number))

    def page(arguments: str) -> Any:
        fields = "nodes { body } pageInfo { hasNextPage hasPreviousPage endCursor startCursor }"
        comments = f"comments({arguments}) {{ totalCount {fields} }}"
        found = _repository(http, f"pullRequest(number: 1) {{ {comments} }}")
        return found["pullRequest"]["comments"]

    def bodies(shown: Any) -> list[str]:
        return [each["body"] for each in shown["nodes"]]

    first = page("first: 2")
    assert (bodies(first), first["totalCount"]) == (["0", "1"], 5)
    assert (first["pageInfo"]["hasNextPage"], first["pageInfo"]["hasPreviousPage"]) == (True, False)
    second = page(f'first: 2, after: "{first["pageInfo"]["endCursor"]}"')
    assert bodies(second) == ["2", "3"]
    last = page("last: 2")
    assert bodies(last) == ["3", "4"]
    before = page(f'last: 2, before: "{last["pageInfo"]["startCursor"]}"')
    assert bodies(before) == ["1", "2"]


def test_pull_requests_by_state(shop: Shop, http: Client) -> None:
    shop.repository.branch("other")
    shop.repository.open_pull(head="other", title="Closed").close()
    read = _repository(
        http,
        """
        open: pullRequests(first: 10, states: [OPEN]) { nodes { number } }
        all: pullRequests(first: 10, orderBy: {field: CREATED_AT, direction: DESC}) {
          nodes { number state } }
        """,
    )
    assert read["open"]["nodes"] == [{"number": 1}]
    assert read["all"]["nodes"] == [
        {"number": 2, "state": "CLOSED"},
        {"number": 1, "state": "OPEN"},
    ]


def test_nodes_by_id_each_with_its_own_error(shop: Shop, http: Client) -> None:
    commit = http.get(f"/repos/octo/shop/commits/{shop.pull.head_sha}").json()["node_id"]
    answer = http.graphql(
        """query Nodes($ids: [ID!]!) { nodes(ids: $ids) {
          __typename id ... on Commit { oid } ... on PullRequest { number } } }""",
        ids=[shop.pull.node_id, "PR_none", commit],
    )
    pull, none, found = answer["data"]["nodes"]
    assert (pull["__typename"], pull["number"]) == ("PullRequest", 1)
    assert none is None
    assert found["oid"] == shop.pull.head_sha
    assert [(each["type"], each["path"]) for each in answer["errors"]] == [
        ("NOT_FOUND", ["nodes", 1])
    ]


def test_what_does_not_exist_is_null_with_an_error(http: Client) -> None:
    answer = http.graphql(
        '{ a: repository(owner: "octo", name: "none") { id }'
        ' b: repository(owner: "octo", name: "shop") { pullRequest(number: 9) { id } } }'
    )
    assert answer["data"] == {"a": None, "b": {"pullRequest": None}}
    assert {each["type"] for each in answer["errors"]} == {"NOT_FOUND"}


def test_limits_and_viewer(http: Client) -> None:
    data = http.graphql("{ rateLimit { limit cost } viewer { login } }")["data"]
    assert data == {
        "rateLimit": {"limit": 5_000, "cost": 1},
        "viewer": {"login": "memoryrail[bot]"},
    }


def test_refs_are_listed_below_a_prefix(shop: Shop, http: Client) -> None:
    sha = shop.pull.enqueue()
    fields = "refs(refPrefix: $prefix, first: 9) { nodes { prefix name target { oid } } }"
    query = (
        f'query Read($prefix: String!) {{ repository(owner: "octo", name: "shop") {{ {fields} }} }}'
    )
    answer = http.graphql(query, prefix="refs/heads/gh-readonly-queue/")
    name = f"gh-readonly-queue/main/pr-1-{shop.pull.base_tip}"
    assert answer["data"]["repository"]["refs"]["nodes"] == [
        {"prefix": "refs/heads/", "name": name, "target": {"oid": sha}}
    ]


def test_what_the_schema_does_not_know_is_refused_and_noted(shop: Shop, http: Client) -> None:
    for query in (
        "{ repositry { id } }",
        "{ viewer { login }",
        '{ repository(owner: "octo", name: "shop") { pullRequests { nodes { id } } } }',
        '{ repository(owner: "octo", name: "shop") { pullRequests(first: 101) { nodes { id } } } }',
    ):
        assert "data" not in http.graphql(query)
    assert _kinds(shop) == ["contract"] * 4
    assert http.post("/graphql", json={"text": "{}"}).status_code == 400
    assert http.get("/graphql").status_code == 400
    assert _kinds(shop) == ["contract"] * 2


def test_requests_are_counted_by_name(shop: Shop, http: Client) -> None:
    http.graphql("query Viewer { viewer { login } }")
    assert shop.github.requests[-1].operation == "graphql Viewer"
    shop.github.faults.add("POST /graphql Viewer", status=502)
    answer = http.post("/graphql", json={"query": "query Viewer { viewer { login } }"})
    assert answer.status_code == 502
