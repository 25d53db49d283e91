"""Git as REST shows it, against what git itself says."""

import base64
import subprocess

from bot.sandbox import File
from tests.sandbox.conftest import Client, Shop

REPO = "/repos/octo/shop"


def _git(shop: Shop, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=shop.repository.git.path,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()


def test_a_tree_has_one_level_or_all(shop: Shop, http: Client) -> None:
    flat = http.get(f"{REPO}/git/trees/main").json()
    assert [(each["path"], each["type"]) for each in flat["tree"]] == [
        ("README.md", "blob"),
        ("src", "tree"),
    ]
    deep = http.get(f"{REPO}/git/trees/main?recursive=1").json()
    assert [each["path"] for each in deep["tree"]] == ["README.md", "src", "src/a.py"]
    assert deep["sha"] == _git(shop, "rev-parse", "main^{tree}")
    assert deep["truncated"] is False
    assert http.get(f"{REPO}/git/trees/{'0' * 40}").status_code == 404


def test_a_blob_comes_as_base64_or_raw(shop: Shop, http: Client) -> None:
    sha = _git(shop, "rev-parse", "main:src/a.py")
    blob = http.get(f"{REPO}/git/blobs/{sha}").json()
    assert base64.b64decode(blob["content"]) == b"one = 1\ntwo = 2\n"
    assert blob["size"] == 16
    raw = http.get(f"{REPO}/git/blobs/{sha}", headers={"accept": "application/vnd.github.raw+json"})
    assert raw.content == b"one = 1\ntwo = 2\n"


def test_contents_of_files_folders_and_links(shop: Shop, http: Client) -> None:
    shop.repository.commit(
        "main", files={"link": File(data=b"README.md", mode="120000"), "docs/a b.md": "x"}
    )
    file = http.get(f"{REPO}/contents/src/a.py").json()
    assert (file["type"], base64.b64decode(file["content"])) == ("file", b"one = 1\ntwo = 2\n")
    assert [each["path"] for each in http.get(f"{REPO}/contents/docs").json()] == ["docs/a b.md"]
    spaced = http.get(f"{REPO}/contents/docs/a%20b.md").json()
    assert spaced["name"] == "a b.md"
    link = http.get(f"{REPO}/contents/link").json()
    assert (link["type"], link["target"]) == ("symlink", "README.md")
    assert http.get(f"{REPO}/contents/src/b.py").status_code == 404
    assert http.get(f"{REPO}/contents/src/b.py?ref=feature").status_code == 200


def test_refs_and_branches(shop: Shop, http: Client) -> None:
    shop.repository.branch("deep/er")
    ref = http.get(f"{REPO}/git/ref/heads/deep/er").json()
    assert (ref["ref"], ref["object"]["sha"]) == ("refs/heads/deep/er", shop.pull.base_sha)
    pull = http.get(f"{REPO}/git/ref/pull/1/head").json()
    assert pull["object"]["sha"] == shop.pull.head_sha
    assert http.get(f"{REPO}/git/ref/heads/none").status_code == 404
    branch = http.get(f"{REPO}/branches/main").json()
    assert (branch["commit"]["sha"], branch["protected"]) == (shop.pull.base_sha, False)
    commit = http.get(f"{REPO}/git/commits/{shop.pull.head_sha}").json()
    assert [each["sha"] for each in commit["parents"]] == [shop.pull.base_sha]


def test_a_commit_shows_its_files_against_its_first_parent(shop: Shop, http: Client) -> None:
    shop.repository.commit("main", files={"other.md": "other\n"})
    merge = shop.repository.merge("main", "feature", login="alice")
    commit = http.get(f"{REPO}/commits/{merge}").json()
    assert len(commit["parents"]) == 2
    assert [each["filename"] for each in commit["files"]] == ["other.md"]
    assert commit["author"]["login"] == "alice"
    assert commit["commit"]["verification"]["verified"] is False
    first = http.get(f"{REPO}/commits/{shop.pull.base_sha}").json()
    assert [each["status"] for each in first["files"]] == ["added", "added"]


def test_files_of_a_commit_come_in_pages(shop: Shop, http: Client) -> None:
    many = {f"many/{number:03}.txt": f"{number}\n" for number in range(310)}
    sha = shop.repository.commit("main", files=many)
    page = http.get(f"{REPO}/commits/{sha}")
    assert (len(page.json()["files"]), page.json()["stats"]["additions"]) == (300, 310)
    assert len(http.get(page.links["next"]["url"]).json()["files"]) == 10


def test_commits_are_listed_newest_first_also_by_path(shop: Shop, http: Client) -> None:
    sha = shop.repository.commit("main", files={"README.md": "# New\n"}, message="Rename the shop")
    listed = http.get(f"{REPO}/commits").json()
    assert [each["sha"] for each in listed] == [sha, shop.pull.base_sha]
    by_path = http.get(f"{REPO}/commits?path=src&sha=main").json()
    assert [each["sha"] for each in by_path] == [shop.pull.base_sha]


def test_a_comparison_has_three_dots(shop: Shop, http: Client) -> None:
    shop.repository.commit("main", files={"README.md": "# New\n"})
    compared = http.get(f"{REPO}/compare/main...feature").json()
    assert (compared["status"], compared["ahead_by"], compared["behind_by"]) == ("diverged", 1, 1)
    assert [each["filename"] for each in compared["files"]] == ["src/b.py"]
    assert compared["merge_base_commit"]["sha"] == _git(shop, "merge-base", "main", "feature")
    assert http.get(f"{REPO}/compare/main...none").status_code == 404


def test_an_app_writes_blobs_trees_and_signed_commits(shop: Shop, http: Client) -> None:
    git, head = shop.repository.git, shop.pull.head_sha
    (base, _) = git.tree(head) or ("", ())
    given = {"content": base64.b64encode(b"\xff\r\n").decode(), "encoding": "base64"}
    blob = http.post(f"{REPO}/git/blobs", json=given).json()["sha"]
    entries = [
        {"path": "src/new.bin", "mode": "100644", "type": "blob", "sha": blob},
        {"path": "src/b.py", "mode": "100644", "type": "blob", "sha": None},
        {"path": "c.py", "mode": "100755", "type": "blob", "content": "c\n"},
    ]
    tree = http.post(f"{REPO}/git/trees", json={"base_tree": base, "tree": entries}).json()["sha"]
    assert {(one.path, one.mode) for one in git.walk(tree) if one.type == "blob"} == {
        *(("README.md", "100644"), ("c.py", "100755")),
        *(("src/a.py", "100644"), ("src/new.bin", "100644")),
    }
    parents = [head, git.branch("main")]
    message = {"message": "Merge", "tree": tree, "parents": parents}
    made = http.post(f"{REPO}/git/commits", json=message).json()
    commit = git.commit_at(made["sha"])
    assert commit
    assert list(commit.parents) == parents
    assert made["verification"]["verified"] is True
    assert (made["author"]["name"], made["committer"]["email"]) == (
        "memoryrail[bot]",
        "noreply@github.com",
    )
    assert git.read(f"{made['sha']}:src/new.bin").data == b"\xff\r\n"  # type: ignore[union-attr]
    assert shop.pull.head_sha == head  # no branch moves


def test_objects_that_cannot_be_written(shop: Shop, http: Client) -> None:
    (base, _) = shop.repository.git.tree("main") or ("", ())
    gone = {"path": "none.py", "mode": "100644", "type": "blob", "sha": None}
    unknown = {"path": "x.py", "mode": "100644", "type": "blob", "sha": "1" * 40}
    for path, body in (
        ("blobs", {"content": "?", "encoding": "base64"}),
        ("trees", {"base_tree": "1" * 40, "tree": []}),
        ("trees", {"base_tree": base, "tree": [gone]}),
        ("trees", {"base_tree": base, "tree": [unknown]}),
        ("commits", {"message": "m", "tree": "1" * 40}),
        ("commits", {"message": "m", "tree": base, "parents": ["1" * 40]}),
    ):
        assert http.post(f"{REPO}/git/{path}", json=body).status_code == 422
    shop.repository.archived = True
    assert http.post(f"{REPO}/git/blobs", json={"content": ""}).status_code == 403
