"""Take verdicts back until there are new ones, where those that stand may be another base's.

Whoever gives a pull request another base could otherwise merge it under the verdict of the old one.
A finished check run stays finished, so each gets a new one of its name: GitHub counts the newest.
"""

from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, number, text
from bot.github.errors import NotFound, WriteUncertain
from bot.github.installation import RepositoryAccess
from bot.github.mutations import Mutation, request_of
from bot.github.published import CHECKS, checks_of

_ATTEMPTS: Final = 3
_BEFORE_LOOKING: Final = 2.0  # seconds for a write to become visible
_TITLE: Final = "In progress: what this is compared with has changed"
_SUMMARY: Final = (
    "The base branch is another one now, the repository has other settings, or this commit is the "
    "head of a further pull request. The verdicts are on their way."
)
_QUERY: Final = f"""
query Verdicts($owner: String!, $name: String!, $number: Int!, $head: String!, $appId: Int!) {{
  repository(owner: $owner, name: $name) {{
    id databaseId
    head: object(expression: $head) {{ ... on Commit {{ oid }} ...checks }}
    pullRequest(number: $number) {{ state headRefOid baseRefName }}
  }}
}}
{CHECKS}"""


async def put_in_progress(access: RepositoryAccess, number_: int, *, head: str | None) -> bool:
    """Let no verdict stand on the head of a pull request; False when that is closed, or has moved.

    head: its sha, None where it is not known. What is in progress is finished by publish().
    Raises NotFound where GitHub does not know it (yet); RateLimited; GitHubError.
    """
    app = access.installation.app
    identity = await app.identity()
    variables = {
        "number": number_,
        "head": head or f"refs/pull/{number_}/head",
        "appId": identity.app_id,
    }
    is_known = False
    for _ in range(_ATTEMPTS):
        answer = await access.query(_QUERY, variables)
        repository = child(answer.data, "repository")
        if repository:
            access.confirm(repository)
        if is_known := bool(child(repository, "pullRequest")):
            if not _is_its_head(repository):
                return False
            runs = _runs(repository, number_)
            if not runs or await _written(access, runs):
                return True
        await app.client.timing.sleep(_BEFORE_LOOKING)
    if not is_known:
        raise NotFound(f"pull request {number_} of {access.full_name}")
    raise GitHubError("GitHub does not take our checks back, and does not say why")


async def _written(access: RepositoryAccess, runs: dict[str, Mutation]) -> bool:
    try:
        made = await access.mutate(request_of(runs, name="Unsettle"))
    except WriteUncertain:
        return False
    return all(run.made(child(made.data, alias)) for alias, run in runs.items())


def _is_its_head(repository: Json) -> bool:
    commit, pull = child(repository, "head"), child(repository, "pullRequest")
    return text(pull, "state") == "OPEN" and text(commit, "oid") == text(pull, "headRefOid")


def _runs(repository: Json, number_: int) -> dict[str, Mutation]:
    """A new run for each verdict."""
    commit, pull = child(repository, "head"), child(repository, "pullRequest")
    whose = f"{number(repository, 'databaseId')}:{number_}:{text(pull, 'baseRefName')}"
    verdicts = [check.name for check in checks_of(commit) if check.status == "COMPLETED"]
    return {
        f"run{index}": Mutation.create_check_run(
            {
                "repositoryId": text(repository, "id"),
                "headSha": text(commit, "oid"),
                "name": name,
                "status": "IN_PROGRESS",
                "externalId": f"{whose}:unsettled",
                "output": {"title": _TITLE, "summary": _SUMMARY},
            }
        )
        for index, name in enumerate(verdicts)
    }
