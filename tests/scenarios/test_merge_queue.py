"""A merge queue's group always gets its four verdicts, from its own content."""

from datetime import timedelta

import pytest

from bot.handlers import repository_jobs
from bot.sandbox import events
from bot.sandbox.git import Signature
from bot.sandbox.state.checks import CheckRun
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.making import github_token
from tests.scenarios.conftest import (
    CODE,
    CONFIG,
    MEMORIES,
    POOL,
    Team,
    memory,
    on_both,
    said,
    synced,
    verdicts,
)

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
BARE = {**CODE, ".memoryrail/config.json": CONFIG}  # a store without memories and agent files
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}
ROUND = memory("20260401-note-69", "gotcha", "Rounding happens once")  # GOT-983e
SYMBOL = memory("20260401-note-198", "gotcha", "The currency stands last")  # GOT-983e too
CITED = "precheck:\n  require: all\n"


def group_runs(repository: Repository, sha: str) -> dict[str, CheckRun]:
    """The newest runs on a group's head, by the part of the name behind the slash."""
    suites = [suite for suite in repository.check_suites.values() if suite.head_sha == sha]
    newest = {run.name: run for suite in suites for run in suite.latest}
    assert all(run.status == "completed" for run in newest.values())
    return {name.partition("/")[2]: run for name, run in newest.items()}


def outcomes(repository: Repository, sha: str) -> dict[str, str]:
    return {name: str(run.conclusion) for name, run in group_runs(repository, sha).items()}


def opened(
    repository: Repository, branch: str, files: dict[str, str], *, body: str = ""
) -> PullRequest:
    repository.branch(branch)
    repository.commit(branch, files=files, login="alice")
    return repository.open_pull(head=branch, user="alice", title="What we learned", body=body)


def squashed(repository: Repository, *pulls: PullRequest) -> str:
    """Queue several pull requests as one group, each squashed to one commit; gives its head."""
    git, base = repository.git, pulls[0].base_tip
    sign = Signature(name="GitHub", email="noreply@github.com", date=repository.world.now())
    above = base
    for pull in pulls:
        merged = git.commit_at(git.merge(above, pull.head_sha, message="-", signature=sign))
        assert merged is not None
        people = {
            "author.name": pull.user.name,
            "author.email": pull.user.email,
            "committer.name": sign.name,
            "committer.email": sign.email,
        }
        named = [part for key, value in people.items() for part in ("-c", f"{key}={value}")]
        message = f"{pull.title} (#{pull.number})"
        made = git.run(*named, "commit-tree", merged.tree, "-p", above, "-m", message)
        above = made.decode().strip()
    ref = f"gh-readonly-queue/main/pr-{pulls[-1].number}-{base}"
    repository.move(ref, above, sender=repository.owner)
    head = git.commit_at(above)
    assert head is not None
    world = repository.world
    events.merge_group(world, repository, head=head, ref=ref, base_sha=base, base="main")
    return above


@on_both
def test_a_group_gets_the_same_four_checks(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    sha = pull.enqueue()
    team.settle()
    assert outcomes(repository, sha) == PASS
    run = group_runs(repository, sha)["memory"]
    assert run.external_id.startswith(f"{repository.id}:0:main:")
    assert f"change at {sha[:7]}" in str(run.summary)
    assert len(said(pull)) == 1
    assert verdicts(pull) == PASS


def test_a_group_that_names_no_pull_request_is_judged_too(team: Team) -> None:
    repository = team.repository(SHOP)
    ref, base = "gh-readonly-queue/main/odd", repository.git.branch("main")
    repository.branch(ref)
    sha = repository.commit(ref, delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"])
    head = repository.git.commit_at(sha)
    assert head is not None
    assert base is not None
    events.merge_group(repository.world, repository, head=head, ref=ref, base_sha=base, base="main")
    team.settle()
    assert outcomes(repository, sha) == {**PASS, "memory": "failure"}


def test_a_group_that_removes_what_binds_fails(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"])
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    sha = pull.enqueue()
    team.settle()
    assert outcomes(repository, sha) == {**PASS, "memory": "failure"}


def test_a_fault_that_only_the_union_has_fails_the_group(team: Team) -> None:
    """Two memories whose short refs are the same, each from a pull request of its own."""
    repository = team.repository(BARE)
    first, second = opened(repository, "one", ROUND), opened(repository, "two", SYMBOL)
    team.settle()
    assert verdicts(first) == verdicts(second) == PASS
    first.merge(user="octo")
    team.settle()
    sha = second.enqueue()
    team.settle()
    assert outcomes(repository, sha) == {**PASS, "memory": "failure"}
    assert "GOT-983e" in str(group_runs(repository, sha)["memory"].summary)


def test_a_block_that_is_out_of_step_only_in_the_union_fails_the_group(team: Team) -> None:
    repository = team.repository({**BARE, **ROUND})
    first = opened(repository, "one", {"AGENTS.md": synced(ROUND | BARE)})
    second = opened(repository, "two", memory("20260402-utc", "constraint", "Times are in UTC"))
    team.settle()
    assert verdicts(first) == verdicts(second) == PASS
    sha = squashed(repository, first, second)
    team.settle()
    assert outcomes(repository, sha) == {**PASS, "sync": "failure"}


def test_citations_of_every_pull_request_in_a_group_count(team: Team) -> None:
    repository = team.repository({**SHOP, ".github/memoryrail.yml": CITED})
    cites = "[per CON-7475] [per CON-21ec]"
    first = opened(repository, "one", {"src/api/a.py": "1\n"}, body=cites)
    second = opened(repository, "two", {"docs/a.md": "1\n"}, body="[per CON-21ec]")
    team.settle()
    assert verdicts(first)["precheck"] == verdicts(second)["precheck"] == "success"
    sha = squashed(repository, first, second)
    team.settle()
    assert outcomes(repository, sha) == PASS


def test_an_approval_of_a_pull_request_in_a_group_holds_there(team: Team) -> None:
    """An agent's proposal, approved by a maintainer; squashing makes the agent its author."""
    repository = team.repository(BARE)
    repository.grant("mia", "maintain")
    repository.branch("one")
    proposal = memory("20260402-utc", "constraint", "Times are in UTC", status="proposed")
    repository.commit("one", files=proposal, login="helper[bot]")
    first = repository.open_pull(head="one", user="helper[bot]", title="Note the time zone")
    second = opened(repository, "two", {"docs/a.md": "1\n"})
    team.settle()
    first.comment("mia", "/memoryrail approve 20260402-utc")
    team.settle()
    assert verdicts(first) == PASS
    sha = squashed(repository, first, second)
    team.settle()
    assert outcomes(repository, sha) == PASS
    alone = squashed(repository, second)
    team.settle()
    assert outcomes(repository, alone) == PASS


def test_what_nobody_approved_fails_in_the_group_too(team: Team) -> None:
    repository = team.repository(BARE)
    repository.branch("one")
    binding = memory("20260402-utc", "constraint", "Times are in UTC")
    repository.commit("one", files=binding, login="helper[bot]")
    pull = repository.open_pull(head="one", user="helper[bot]", title="Note the time zone")
    team.settle()
    sha = squashed(repository, pull, opened(repository, "two", {"docs/a.md": "1\n"}))
    team.settle()
    assert outcomes(repository, sha)["memory"] == "failure"


@pytest.mark.parametrize("times", [8, 40])
def test_an_evaluation_that_fails_still_concludes(team: Team, times: int) -> None:
    """GitHub's answers are unusable for as long as the bot tries; then the checks say so."""
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    team.github.faults.add("^GET /repos/octo/shop/compare", status=502, times=times)
    sha = pull.enqueue()
    team.settle()
    assert set(outcomes(repository, sha).values()) == {"failure"}
    title = str(group_runs(repository, sha)["sync"].title)
    assert title.startswith("The bot could not check this (request ")
    assert verdicts(pull) == PASS


def test_a_limit_while_a_group_is_judged_is_waited_for(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    limited = {"retry-after": "1", "x-ratelimit-remaining": "0"}
    team.github.faults.add("/compare/", status=403, headers=limited)
    sha = pull.enqueue()
    team.settle()
    assert outcomes(repository, sha) == PASS


@on_both
def test_a_crash_in_the_middle_of_a_group_resumes(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    team.github.faults.add("^POST /graphql Publish", status=502, after_effect=True)
    sha = pull.enqueue()
    team.settle()
    assert outcomes(repository, sha) == PASS
    runs = [run for run in repository.check_runs.values() if run.head_sha == sha]
    assert len(runs) == 4


def test_a_group_that_has_waited_for_long_is_not_kept_waiting(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a busy repository other news could let the attempts begin anew for ever."""
    monkeypatch.setattr(repository_jobs, "PATIENCE", timedelta(0))
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    team.github.faults.add("^GET /repos/octo/shop/compare", status=502, times=4)
    sha = pull.enqueue()
    team.settle()
    assert set(outcomes(repository, sha).values()) == {"failure"}
    assert team.unfinished() == ()


def test_a_large_group_is_judged_to_the_last_file(team: Team) -> None:
    """A comparison lists 300 files; what comes after them counts too."""
    repository = team.repository(BARE)
    many = {f"data/{number:03}.txt": f"{number}\n" for number in range(320)}
    first = opened(repository, "one", {**many, **memory("20260402-utc", "constraint", "In UTC")})
    second = opened(repository, "two", {"zz/late.py": f"token = '{github_token()}'\n"})
    team.settle()
    sha = first.enqueue()
    team.settle()
    assert outcomes(repository, sha) == PASS
    sha = squashed(repository, first, second)
    team.settle()
    assert outcomes(repository, sha) == {**PASS, "secrets": "failure"}


def test_a_mistake_of_ours_concludes_too(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()

    def mistake(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(repository_jobs, "_decide", mistake)
    sha = pull.enqueue()
    team.settle()
    assert set(outcomes(repository, sha).values()) == {"failure"}
    assert verdicts(pull) == PASS


def test_a_permission_that_a_group_needs_is_named(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    del team.installation.permissions["contents"]
    team.stop()
    team.start()  # without the token that still may
    sha = pull.enqueue()
    team.settle()
    runs = group_runs(repository, sha)
    assert set(outcomes(repository, sha).values()) == {"failure"}
    assert runs["sync"].title == "The app lacks a permission here (contents: read)"


def test_a_group_that_fails_once_does_not_hold_up_the_next(team: Team) -> None:
    repository = team.repository(SHOP)
    first = opened(repository, "one", {"src/api/a.py": "1\n"})
    second = opened(repository, "two", {"src/api/b.py": "2\n"})
    team.settle()
    team.github.faults.add("/compare/", status=502, times=4)  # the first one fails once
    shas = [first.enqueue(), second.enqueue()]
    team.settle()
    assert [outcomes(repository, sha) for sha in shas] == [PASS, PASS]


def test_a_group_is_judged_anew_when_somebody_asks_for_it(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository, "feature", {"src/api/orders.py": "import db\n"})
    team.settle()
    sha = pull.enqueue()
    team.settle()
    seen = {run.id for run in group_runs(repository, sha).values()}
    run = group_runs(repository, sha)["memory"]
    for ask in (run, run.suite):
        ask.rerequest(team.github.user("octo"))
        team.settle()
        now = {run.id for run in group_runs(repository, sha).values()}
        assert (len(now), now & seen) == (4, set())
        seen |= now
    assert outcomes(repository, sha) == PASS
