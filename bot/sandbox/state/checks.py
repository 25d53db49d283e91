"""Check runs, and the suites that hold those of one app on one commit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox import events
from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.state.apps import App
from bot.sandbox.state.people import User

if TYPE_CHECKING:
    from bot.sandbox.state.repositories import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    path: str
    start_line: int
    end_line: int
    annotation_level: str  # "notice", "warning" or "failure"
    message: str
    title: str | None = None
    raw_details: str | None = None
    start_column: int | None = None
    end_column: int | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class CheckSuite:
    id: int
    node_id: str
    repository: "Repository" = field(repr=False)
    app: App
    head_sha: str
    created_at: datetime
    check_runs: list["CheckRun"] = field(default_factory=list, repr=False)

    def rerequest(self, user: User) -> None:
        """What the button "Re-run all checks" does."""
        with self.repository.world.lock:
            events.check_suite(self.repository.world, self, "rerequested", user)

    @property
    def latest(self) -> list["CheckRun"]:
        """The newest run of each name, in the order in which they were made."""
        newest = {run.name: run for run in self.check_runs}
        return sorted(newest.values(), key=lambda run: run.id)

    @property
    def status(self) -> str:
        if not self.check_runs:
            return "queued"
        done = all(run.status == "completed" for run in self.latest)
        return "completed" if done else "in_progress"

    @property
    def conclusion(self) -> str | None:
        """The worst of the latest runs, once all are completed."""
        if self.status != "completed":
            return None
        found = {run.conclusion for run in self.latest}
        return next((worst for worst in _WORST_FIRST if worst in found), "success")


_WORST_FIRST: Final = ("action_required", "timed_out", "cancelled", "failure", "success", "neutral")


@dataclass(eq=False, slots=True, kw_only=True)
class CheckRun:
    id: int
    node_id: str
    suite: CheckSuite
    name: str
    started_at: datetime | None
    status: str = "queued"
    conclusion: str | None = None
    completed_at: datetime | None = None
    external_id: str = ""
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[Annotation] = field(default_factory=list)
    actions: tuple[Mapping[str, str], ...] = ()

    @property
    def head_sha(self) -> str:
        return self.suite.head_sha

    @property
    def app(self) -> App:
        return self.suite.app

    def rerequest(self, user: User) -> None:
        """What the button "Re-run" does: tell the app; the run itself stays as it is."""
        world = self.suite.repository.world
        with world.lock:
            events.check_run(world, self, "rerequested", user)

    def press(self, user: User, identifier: str) -> None:
        """Press a button that the app put here. Raises Refusal where there is no such one."""
        world = self.suite.repository.world
        with world.lock:
            if all(action["identifier"] != identifier for action in self.actions):
                raise not_found(f"The check run has no button {identifier}.")
            asked = {"identifier": identifier}
            events.check_run(world, self, "requested_action", user, requested_action=asked)


def suite_of(repository: "Repository", app: App, head_sha: str) -> CheckSuite:
    """The suite of an app on a commit, made when it is first asked for."""
    key = (app.id, head_sha)
    if key not in repository.check_suites:
        world = repository.world
        identity, node_id = world.identify("CS", None)
        suite = CheckSuite(
            id=identity,
            node_id=node_id,
            repository=repository,
            app=app,
            head_sha=head_sha,
            created_at=world.now(),
        )
        world.nodes[node_id] = suite
        repository.check_suites[key] = suite
    return repository.check_suites[key]


def create_check_run(repository: "Repository", app: App, fields: Mapping[str, Any]) -> CheckRun:
    """Make a run from the body of the REST request; raises Refusal."""
    world = repository.world
    if repository.archived:
        raise Refusal(403, "Repository was archived so is read-only.", kind="FORBIDDEN")
    if repository.git.resolve(fields["head_sha"]) != fields["head_sha"]:
        raise Refusal(422, f"No commit found for SHA: {fields['head_sha']}", field="head_sha")
    suite = suite_of(repository, app, fields["head_sha"])
    identity, node_id = world.identify("CR", None)
    run = CheckRun(
        id=identity, node_id=node_id, suite=suite, name=fields["name"], started_at=world.now()
    )
    _apply(run, fields)
    suite.check_runs.append(run)
    repository.check_runs[identity] = run
    world.nodes[node_id] = run
    events.check_run(world, run, "created", app.bot)
    if run.status == "completed":
        events.check_run(world, run, "completed", app.bot)
    return run


def update_check_run(run: CheckRun, app: App, fields: Mapping[str, Any]) -> None:
    """Change a run as the body of the REST request says; annotations are added. Raises Refusal."""
    if run.app is not app:
        raise Refusal(403, "Invalid app_id: the check run belongs to another app", kind="FORBIDDEN")
    was_completed = run.status == "completed"
    if was_completed and fields.get("status", "completed") != "completed":
        what = "A completed check run cannot be reopened"
        raise Refusal(422, what, field="status", breach="contract")
    _apply(run, fields)
    if run.status == "completed" and not was_completed:
        events.check_run(run.suite.repository.world, run, "completed", app.bot)


def _apply(run: CheckRun, fields: Mapping[str, Any]) -> None:
    output = fields.get("output") or {}
    annotations: Sequence[Mapping[str, Any]] = output.get("annotations") or ()
    conclusion = fields.get("conclusion")
    status = fields.get("status") or ("completed" if conclusion else run.status)
    if status == "completed" and not (conclusion or run.conclusion):
        raise Refusal(
            422, "A completed run needs a conclusion", field="conclusion", breach="contract"
        )
    now = run.suite.repository.world.now()
    run.status, run.conclusion = status, conclusion or run.conclusion
    run.completed_at = (_moment(fields, "completed_at") or now) if status == "completed" else None
    run.started_at = _moment(fields, "started_at") or run.started_at
    for name in ("name", "external_id", "details_url"):
        if fields.get(name) is not None:
            setattr(run, name, fields[name])
    for name in ("title", "summary", "text"):
        if output.get(name) is not None:
            setattr(run, name, output[name])
    if fields.get("actions") is not None:
        run.actions = tuple(fields["actions"])
    run.annotations += [Annotation(**annotation) for annotation in annotations]


def _moment(fields: Mapping[str, Any], name: str) -> datetime | None:
    text = fields.get(name)
    return datetime.fromisoformat(text) if text else None
