"""What a push costs of the requests that GitHub allows, with all that the real bot does."""

from tests.scenarios.conftest import CODE, MEMORIES, Team, memory, said, synced, verdicts

PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def test_a_push_takes_four_requests_and_two_more_where_memory_changes(team: Team) -> None:
    repository = team.repository({**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)})
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "0\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    new = memory("20260401-queue", "decision", "Orders go through a queue")
    for files, most in (
        ({"src/api/orders.py": "1\n"}, 4),
        ({"src/api/orders.py": "2\n"}, 4),
        ({**new, "AGENTS.md": synced({**MEMORIES, **new})}, 6),
        ({"src/api/orders.py": "3\n"}, 4),
    ):
        before = len(team.github.requests)
        pull.push(files=dict(files))
        team.settle()
        assert (verdicts(pull), len(said(pull))) == (PASS, 1)
        asked = [each.operation for each in team.github.requests[before:]]
        assert len(asked) <= most, asked


def test_what_says_nothing_new_is_asked_for_and_not_written(team: Team) -> None:
    """A chatty integration does not make the bot write the same verdict again."""
    repository = team.repository({**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)})
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "0\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    before = len(team.github.requests)
    for number in range(5):
        pull.edit(title=f"Orders {number}")
        team.settle()
    operations = {each.operation for each in team.github.requests[before:]}
    assert operations == {"graphql PullRequest", "pulls/list-files"}
    assert len(pull.check_runs()) == 4
