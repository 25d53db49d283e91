"""Pull requests beyond what GitHub shows: all of it is read, or the check says what is not."""

from tests.making import github_token
from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}
TOKEN = github_token()
MANY: dict[str, str | bytes] = {f"data/{number:04}.txt": "1\n" for number in range(2_999)}
LAST: dict[str, str | bytes] = {
    "src/api/orders.py": "import sqlite3\n",  # a constraint's path
    "zz.env": f"TOKEN={TOKEN}\n",  # the file that GitHub does not list
}


def test_of_3001_files_the_last_one_is_read_too(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={**MANY, **LAST}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    assert len(pull.changes) == 3_001
    team.settle()
    assert verdicts(pull) == {**PASS, "secrets": "failure"}
    (text,) = said(pull)
    assert "`zz.env:1`" in text
    assert "why: `src/api` is linked" in text
    assert "Not fully checked" not in text
    pull.force_push(files={**MANY, **LAST, "zz.env": "TOKEN=\n"})
    team.settle()
    assert verdicts(pull) == PASS


def test_of_more_than_can_be_listed_nothing_passes_unread(team: Team) -> None:
    repository = team.repository(SHOP)
    cut = {"sha": "1" * 40, "url": "", "tree": [], "truncated": True}
    team.github.faults.add("GET /repos/octo/shop/git/trees/", status=200, body=cut, times=99)
    repository.branch("feature")
    repository.commit("feature", files={**MANY, **LAST}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull) == dict.fromkeys(PASS, "failure")
    for run in pull.check_runs():
        assert "**Not fully checked:**" in str(run.summary)
        assert "GitHub listed 3,000 of 3,001 files" in str(run.summary)
    assert "**Not fully checked**" in said(pull)[0]


def test_a_file_of_50_mb_is_said_and_the_rest_is_checked(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("feature")
    files: dict[str, str | bytes] = {
        "dump.sql": b"INSERT INTO orders VALUES (1);\n" * 1_700_000,
        "src/api/orders.py": "import sqlite3\n",
    }
    repository.commit("feature", files=files, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull) == {**PASS, "secrets": "failure"}
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/secrets"]
    assert "- **Not fully checked:** dump.sql: GitHub does not give its content, which may be " in (
        str(run.summary)
    )
    assert "why: `src/api` is linked" in said(pull)[0]


def test_what_does_not_fit_is_cut_at_a_record_and_counted(team: Team) -> None:
    """Worst first, within GitHub's limits: the sandbox refuses what is longer."""
    tokens = [github_token(f"{number:03}B2c3D4e5F6g7H8i9J0k1L2m3N4o") for number in range(400)]
    files: dict[str, str | bytes] = {
        f"deploy/{number:03}-{'n' * 180}.env": f"TOKEN={token}\n"
        for number, token in enumerate(tokens)
    }
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files=files, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull) == {**PASS, "secrets": "failure"}
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/secrets"]
    assert len(run.annotations) == 100
    *shown, last = [one for one in str(run.summary).split("\n") if one.startswith("- ")]
    assert last == f"- {400 - len(shown)} more did not fit."
    assert f"change at {pull.head_sha[:7]}" in str(run.summary)
    (text,) = said(pull)
    assert text.startswith("### MemoryRail: ")
    told = sum(line.startswith("- GitHub token in ") for line in text.split("\n"))
    assert f"\n{401 - told} more records did not fit in here." in text  # and one that binds
