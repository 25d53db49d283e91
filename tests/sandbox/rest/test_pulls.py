"""Pull requests, their files and commits."""

from tests.sandbox.conftest import Client, Shop

PULL = "/repos/octo/shop/pulls/1"


def test_a_pull_request_as_it_was_opened(shop: Shop, http: Client) -> None:
    pull = http.get(PULL).json()
    assert (pull["number"], pull["state"], pull["draft"]) == (1, "open", False)
    assert (pull["title"], pull["body"], pull["user"]["login"]) == ("Add b", "Because", "alice")
    assert (pull["head"]["ref"], pull["head"]["sha"]) == ("feature", shop.pull.head_sha)
    assert (pull["base"]["ref"], pull["base"]["repo"]["id"]) == ("main", shop.repository.id)
    assert (pull["commits"], pull["changed_files"], pull["additions"]) == (1, 1, 1)
    assert http.get("/repos/octo/shop/pulls/9").status_code == 404


def test_lists_by_state_base_and_head(shop: Shop, http: Client) -> None:
    shop.repository.branch("other")
    shop.repository.open_pull(head="other", base="feature").close()

    def numbers(query: str) -> list[int]:
        return [each["number"] for each in http.get(f"/repos/octo/shop/pulls?{query}").json()]

    assert numbers("") == [1]
    assert numbers("state=all") == [2, 1]
    assert numbers("state=all&direction=asc") == [1, 2]
    assert numbers("state=all&base=feature") == [2]
    assert numbers("head=octo:feature") == [1]


def test_files_in_every_status(shop: Shop, http: Client) -> None:
    long = "".join(f"line {number}\n" for number in range(20))
    shop.repository.commit("main", files={"old.txt": long, "gone.txt": "x\n", "logo.png": b"\0"})
    shop.repository.merge("main", "feature")
    shop.pull.push(
        files={"src/a.py": "one = 1\ntwo = 3\n", "logo.png": b"\0\1"},
        rename={"old.txt": "new/name.txt"},
        delete=["gone.txt"],
    )
    files = {each["filename"]: each for each in http.get(f"{PULL}/files").json()}
    shown = {path: (each["status"], each["changes"]) for path, each in files.items()}
    assert shown == {
        "gone.txt": ("removed", 1),
        "logo.png": ("modified", 0),
        "new/name.txt": ("renamed", 0),
        "src/a.py": ("modified", 2),
        "src/b.py": ("added", 1),
    }
    assert files["new/name.txt"]["previous_filename"] == "old.txt"
    assert files["src/a.py"]["patch"] == "@@ -1,2 +1,2 @@\n one = 1\n-two = 2\n+two = 3"
    assert "patch" not in files["logo.png"]
    assert files["src/b.py"]["sha"] == shop.repository.git.read("feature:src/b.py").oid  # type: ignore[union-attr]  # it exists


def test_the_patch_of_a_large_file_is_left_out(shop: Shop, http: Client) -> None:
    shop.pull.push(files={"large.txt": "line\n" * 3_001, "small.txt": "line\n"})
    files = {each["filename"]: each for each in http.get(f"{PULL}/files").json()}
    assert ("patch" in files["large.txt"], files["large.txt"]["additions"]) == (False, 3_001)
    assert "patch" in files["small.txt"]


def test_no_more_than_3000_files_are_listed(shop: Shop, http: Client) -> None:
    shop.pull.push(files={f"many/{number}.txt": "" for number in range(3_005)})
    last = http.get(f"{PULL}/files?per_page=100&page=30")
    assert (len(last.json()), "next" in last.links) == (100, False)
    assert http.get(f"{PULL}/files?per_page=100&page=31").json() == []
    assert http.get(PULL).json()["changed_files"] == 3_006


def test_commits_oldest_first_with_their_authors(shop: Shop, http: Client) -> None:
    shop.pull.push(files={"c": "1"}, message="More\n\nWhy", author=("Zoe", "zoe@example.org"))
    commits = http.get(f"{PULL}/commits").json()
    assert [each["commit"]["message"] for each in commits] == ["Change files", "More\n\nWhy"]
    assert commits[-1]["sha"] == shop.pull.head_sha
    assert commits[0]["author"]["login"] == "alice"
    assert commits[1]["commit"]["author"]["name"] == "Zoe"


def test_the_head_of_a_fork_is_readable_through_the_base(shop: Shop, http: Client) -> None:
    fork = shop.repository.fork("mallory")
    fork.commit("topic", files={"evil.md": "e\n"}, login="mallory")
    fork.delete_branch("topic")
    fork.branch("patch-1")
    sha = fork.commit("patch-1", files={"fork.md": "f\n"}, login="mallory")
    pull = shop.repository.open_pull(head=(fork, "patch-1"), user="mallory")
    shown = http.get(f"/repos/octo/shop/pulls/{pull.number}").json()
    assert shown["head"]["repo"]["full_name"] == "mallory/shop"
    assert shown["head"]["label"] == "mallory:patch-1"
    assert http.get(f"/repos/octo/shop/git/trees/{sha}").status_code == 200
    files = http.get(f"/repos/octo/shop/pulls/{pull.number}/files").json()
    assert [each["filename"] for each in files] == ["fork.md"]
    fork.delete()
    assert http.get(f"/repos/octo/shop/pulls/{pull.number}").json()["head"]["repo"] is None


def test_the_diff_starts_where_the_branches_parted(shop: Shop, http: Client) -> None:
    shop.repository.commit("main", files={"src/a.py": "one = 2\n"})
    files = http.get(f"{PULL}/files").json()
    assert [each["filename"] for each in files] == ["src/b.py"]
    assert http.get(PULL).json()["base"]["sha"] == shop.pull.base_sha
