"""What an operator's Prometheus would fetch after a pull request has got its verdicts."""

from tests.scenarios.conftest import CODE, MEMORIES, Team, synced


def test_the_figures_tell_of_a_verdict_and_what_it_cost(team: Team) -> None:
    repository = team.repository({**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)})
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import sqlite3\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    lines = team.figures()
    series = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}
    assert series["memoryrail_verdict_seconds_count"] == 1
    assert series['memoryrail_deliveries_total{event="pull_request",outcome="accepted"}'] == 1
    assert series['memoryrail_job_attempts_total{kind="pull_request",outcome="done"}'] == 1
    assert series["memoryrail_queue_oldest_seconds"] == 0
    published = 'memoryrail_github_requests_total{route="POST /graphql Publish",status="200"}'
    assert series[published] >= 1
    sent = {name: count for name, count in series.items() if "github_requests_total" in name}
    assert sum(sent.values()) == len(team.github.requests)
    assert not [name for name in sent if "other" in name]
    left = f'memoryrail_github_rate_remaining{{installation="{team.installation.id}"'
    assert 0 < series[f'{left},resource="graphql"}}'] < 5000
    text = "\n".join(lines)
    assert not [name for name in ("octo", "shop", "alice", pull.head_sha) if name in text]
