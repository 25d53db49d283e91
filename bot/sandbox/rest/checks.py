"""Check runs and their annotations."""

from bot.sandbox.refusal import not_found
from bot.sandbox.rest.calls import Call, handles
from bot.sandbox.state.checks import CheckRun, create_check_run, update_check_run
from bot.sandbox.wire import Reply


@handles("checks/create", needs="checks:write")
def create(call: Call) -> Reply:
    run = create_check_run(call.repository, call.app, call.body)
    return Reply(status=201, body=call.shapes.check_run(run))


@handles("checks/update", needs="checks:write")
def update(call: Call) -> Reply:
    run = _run(call)
    update_check_run(run, call.app, call.body)
    return Reply(body=call.shapes.check_run(run))


@handles("checks/get", needs="checks:read")
def get(call: Call) -> Reply:
    return Reply(body=call.shapes.check_run(_run(call)))


@handles("checks/list-annotations", needs="checks:read")
def list_annotations(call: Call) -> Reply:
    run = _run(call)
    shown, link = call.page(run.annotations)
    return Reply(body=[call.shapes.annotation(run, each) for each in shown], headers=link)


@handles("checks/list-for-ref", needs="checks:read")
def list_for_ref(call: Call) -> Reply:
    query = call.request.query
    sha = call.repository.git.resolve(call.parameters["ref"])
    if sha is None:
        raise not_found("No commit found for the ref")
    suites = [s for s in call.repository.check_suites.values() if s.head_sha == sha]
    everything = query.get("filter", "latest") == "all"
    runs = [run for s in suites for run in (s.check_runs if everything else s.latest)]
    found = [
        run
        for run in runs
        if query.get("check_name") in {None, run.name}
        and query.get("status") in {None, run.status}
        and query.get("app_id") in {None, str(run.app.id)}
    ]
    shown, link = call.page(found)
    body = {"total_count": len(found), "check_runs": [call.shapes.check_run(r) for r in shown]}
    return Reply(body=body, headers=link)


def _run(call: Call) -> CheckRun:
    run = call.repository.check_runs.get(call.number("check_run_id"))
    if run is None:
        raise not_found()
    return run
