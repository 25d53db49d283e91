"""Check suites and check runs."""

from typing import Any

from bot.sandbox.graph.git import CommitNode, git_node
from bot.sandbox.graph.view import Info, View, connection, shows
from bot.sandbox.shapes import moment, moment_or_none
from bot.sandbox.state.checks import CheckRun, CheckSuite


@shows(CheckSuite)
class CheckSuiteNode:
    __typename = "CheckSuite"

    def __init__(self, view: View, suite: CheckSuite) -> None:
        self._view = view
        self._suite = suite
        self.id = suite.node_id
        self.database_id = suite.id
        self.status = suite.status.upper()
        self.conclusion = _upper(suite.conclusion)
        self.created_at = self.updated_at = moment(suite.created_at)
        self.resource_path = f"/{suite.repository.full_name}/commit/{suite.head_sha}/checks"
        self.url = f"{view.world.url}{self.resource_path}"

    @property
    def app(self) -> Any:
        return self._view.node(self._suite.app)

    @property
    def commit(self) -> CommitNode:
        found: CommitNode = git_node(self._view, self._suite.repository, self._suite.head_sha)
        return found

    @property
    def repository(self) -> Any:
        return self._view.node(self._suite.repository)

    def check_runs(
        self, _info: Info, *, filter_by: dict[str, Any] | None = None, **page: Any
    ) -> dict[str, Any]:
        """All runs of the suite; with checkType LATEST the newest of each name."""
        wanted = filter_by or {}
        latest = wanted.get("checkType", "LATEST") == "LATEST"
        statuses = wanted.get("statuses") or ([wanted["status"]] if wanted.get("status") else None)
        conclusions = wanted.get("conclusions")
        runs = [
            run
            for run in (self._suite.latest if latest else self._suite.check_runs)
            if wanted.get("checkName") in {None, run.name}
            and wanted.get("appId") in {None, run.app.id}
            and (not statuses or run.status.upper() in statuses)
            and (not conclusions or _upper(run.conclusion) in conclusions)
        ]
        return connection(runs, self._view.node, page)


@shows(CheckRun)
class CheckRunNode:
    __typename = "CheckRun"

    def __init__(self, view: View, run: CheckRun) -> None:
        self._view = view
        self._run = run
        self.id = run.node_id
        self.database_id = run.id
        self.name = run.name
        self.status = run.status.upper()
        self.conclusion = _upper(run.conclusion)
        self.external_id = run.external_id
        self.title, self.summary, self.text = run.title, run.summary, run.text
        self.started_at = moment_or_none(run.started_at)
        self.completed_at = moment_or_none(run.completed_at)
        self.resource_path = f"/{run.suite.repository.full_name}/runs/{run.id}"
        self.permalink = self.url = f"{view.world.url}{self.resource_path}"
        self.details_url = run.details_url or self.url

    @property
    def check_suite(self) -> Any:
        return self._view.node(self._run.suite)

    @property
    def repository(self) -> Any:
        return self._view.node(self._run.suite.repository)

    def is_required(self, _info: Info, **_: Any) -> bool:
        return False


def _upper(conclusion: str | None) -> str | None:
    return conclusion.upper() if conclusion else None
