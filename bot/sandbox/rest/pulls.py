"""Pull requests: themselves, their files, their commits."""

from bot.sandbox.rest.calls import Call, handles
from bot.sandbox.rest.commits import files
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.wire import Reply

MAX_FILES = 3_000
MAX_COMMITS = 250


@handles("pulls/get", needs="pull_requests:read")
def get_pull(call: Call) -> Reply:
    return Reply(body=call.shapes.pull(call.pull()))


@handles("pulls/list", needs="pull_requests:read")
def list_pulls(call: Call) -> Reply:
    query = call.request.query
    state, base, head = query.get("state", "open"), query.get("base"), query.get("head")

    def wanted(pull: PullRequest) -> bool:
        return (
            state in {"all", pull.state}
            and base in {None, pull.base_ref}
            and head in {None, f"{pull.head_owner.login}:{pull.head_ref}"}
        )

    pulls = [pull for pull in call.repository.pulls.values() if wanted(pull)]
    newest_first = query.get("direction", "desc")
    key = "updated_at" if query.get("sort") == "updated" else "number"
    pulls.sort(key=lambda pull: getattr(pull, key), reverse=newest_first == "desc")
    shown, link = call.page(pulls)
    return Reply(body=[call.shapes.pull_simple(pull) for pull in shown], headers=link)


@handles("pulls/list-files", needs="pull_requests:read")
def list_files(call: Call) -> Reply:
    pull = call.pull()
    shown, link = call.page(pull.changes, of=MAX_FILES)
    return Reply(body=files(call, list(shown), pull.head_sha), headers=link)


@handles("pulls/list-commits", needs="pull_requests:read")
def list_commits(call: Call) -> Reply:
    shown, link = call.page(call.pull().commits, of=MAX_COMMITS)
    body = [call.shapes.commit(call.repository, commit) for commit in shown]
    return Reply(body=body, headers=link)
