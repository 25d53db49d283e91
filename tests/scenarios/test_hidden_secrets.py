"""A credential is found however it is written down, and wherever in the history it stood."""

import pytest

from bot.sandbox.git import Edits
from bot.sandbox.state.repositories import Repository
from tests.making import github_token
from tests.scenarios.conftest import CODE, Team, verdicts

LINE = f"TOKEN={github_token()}\n"


LINES = [f"TOKEN={github_token(f'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o{n}')}\n" for n in range(7)]
BINARIES = {
    "nul": b"\0\n" + LINES[0].encode(),
    "utf-16": LINES[1].encode("utf-16"),
    "utf-16-be": LINES[2].encode("utf-16-be"),
    "program": b"\x7fELF\0\0\1\2" * 100 + LINES[3].encode() + b"\0\1\2\3" * 100,
    "picture": b"\x89PNG\r\n\x1a\n" + LINES[4].encode(),
    "false-mark": b"\xff\xfe" + LINES[5].encode(),
    "late-utf-16": b"# text\n" * 2_000 + LINES[6].encode("utf-16-le"),
}


def test_in_what_passes_for_a_binary(team: Team) -> None:
    repository = team.repository(CODE)
    repository.branch("feature")
    repository.commit("feature", files=BINARIES, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull)["secrets"] == "failure"
    (run,) = (one for one in pull.check_runs() if one.name == "memoryrail/secrets")
    assert {one.path for one in run.annotations} == BINARIES.keys()


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
