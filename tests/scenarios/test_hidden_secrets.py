"""A credential is found however it is written down, and wherever in the history it stood."""

import pytest

from bot.sandbox.git import Edits
from bot.sandbox.state.repositories import Repository
from tests.making import github_token
from tests.scenarios.conftest import CODE, Team, verdicts

LINE = f"TOKEN={github_token()}\n"


@pytest.mark.parametrize(
    "data",
    [
        b"\0\n" + LINE.encode(),
        LINE.encode("utf-16"),
        LINE.encode("utf-16-be"),
        b"\x7fELF\0\0\1\2" * 100 + LINE.encode() + b"\0\1\2\3" * 100,
        b"\x89PNG\r\n\x1a\n" + LINE.encode(),
        b"\xff\xfe" + LINE.encode(),
        b"# text\n" * 2_000 + LINE.encode("utf-16-le"),
    ],
    ids=["nul", "utf-16", "utf-16-be", "program", "picture", "false mark", "late utf-16"],
)
def test_in_what_passes_for_a_binary(team: Team, data: bytes) -> None:
    repository = team.repository(CODE)
    repository.branch("feature")
    repository.commit("feature", files={"deploy.env": data}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull)["secrets"] == "failure"


def test_in_a_large_text_declared_binary(team: Team) -> None:
    repository = team.repository({**CODE, ".gitattributes": "*.env binary\n"})
    repository.branch("feature")
    files = {"deploy.env": "x = 1\n" * 100_000 + LINE}
    repository.commit("feature", files=files, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull)["secrets"] == "failure"


@pytest.mark.parametrize("evil", [True, False])
def test_in_a_merge_only(team: Team, evil: bool) -> None:
    """What the merge itself brought is leaked, though the next commit removes it."""
    repository = team.repository(CODE)
    repository.branch("feature")
    repository.commit("feature", files={"a.py": "1\n"}, login="alice")
    repository.commit("main", files={"stood.env": LINE})  # this is not the pull request's fault
    merged = {"stood.env": LINE, **({"leak.env": LINE} if evil else {"b.py": "2\n"})}
    merge(repository, merged)
    repository.commit("feature", delete=["leak.env" if evil else "b.py"], login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull)["secrets"] == ("failure" if evil else "success")


def merge(repository: Repository, files: dict[str, str]) -> None:
    """A merge of main into feature that holds what its author likes."""
    with repository.world.lock:
        parents = [repository.git.resolve(name) or "" for name in ("feature", "main")]
        before = repository.git.commit_at(parents[0])
        assert before is not None
        made = repository.git.commit(
            parents=parents,
            edits=Edits(files=files),
            message="Merge main",
            author=before.author,
            committer=before.committer,
        )
        repository.move("feature", made, sender=repository.owner)
