"""What stands on a commit that is no pull request's head: our check runs, and the ids to write."""

from datetime import datetime
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, number, text
from bot.github.errors import NotFound
from bot.github.installation import Answer, RepositoryAccess
from bot.github.published import CHECKS, Published, checks_of

_COMMIT: Final = f"""
query Commit($owner: String!, $name: String!, $head: GitObjectID!, $appId: Int!) {{
  repository(owner: $owner, name: $name) {{
    id databaseId
    object(oid: $head) {{ ... on Commit {{ oid }} ...checks }}
  }}
}}
{CHECKS}"""
_TIP: Final = f"""
query Tip($owner: String!, $name: String!, $appId: Int!) {{
  repository(owner: $owner, name: $name) {{
    id databaseId
    defaultBranchRef {{ name target {{ ... on Commit {{ oid }} ...checks }} }}
  }}
}}
{CHECKS}"""


async def read_commit(access: RepositoryAccess, head_sha: str, *, base_ref: str) -> Published:
    """What stands on a commit. Raises NotFound when the commit is gone, or the repository."""
    app = access.installation.app
    read_at, identity = app.client.timing.now(), await app.identity()
    answer = await access.query(_COMMIT, {"head": head_sha, "appId": identity.app_id})
    repository = _repository(answer, access)
    commit = child(repository, "object")
    if not text(commit, "oid"):
        _complain(answer, f"commit {head_sha[:12]} of {access.full_name}")
        raise NotFound(f"commit {head_sha[:12]} of {access.full_name}")
    return on_commit(repository, commit, base_ref=base_ref, read_at=read_at)


async def read_tip(access: RepositoryAccess) -> Published | None:
    """What stands on the default branch; None where the repository has no commit yet."""
    app = access.installation.app
    read_at, identity = app.client.timing.now(), await app.identity()
    answer = await access.query(_TIP, {"appId": identity.app_id})
    repository = _repository(answer, access)
    branch = child(repository, "defaultBranchRef")
    tip = child(branch, "target")
    if not text(tip, "oid"):
        _complain(answer, f"the default branch of {access.full_name}")
        return None
    return on_commit(repository, tip, base_ref=text(branch, "name"), read_at=read_at)


def on_commit(repository: Json, commit: Json, *, base_ref: str, read_at: datetime) -> Published:
    """What an answer says of a commit: with id, databaseId, oid and the fragment checks."""
    return Published(
        repository_id=number(repository, "databaseId"),
        repository_node=text(repository, "id"),
        pull_node="",
        number=0,
        base_ref=base_ref,
        head_sha=text(commit, "oid"),
        checks=checks_of(commit),
        read_at=read_at,
    )


def _repository(answer: Answer, access: RepositoryAccess) -> Json:
    repository = child(answer.data, "repository")
    if not repository:
        _complain(answer, access.full_name)
        raise NotFound(access.full_name)
    access.confirm(repository)
    return repository


def _complain(answer: Answer, what: str) -> None:
    """Tell what GitHub failed to give from what is not there."""
    if answer.is_partial:
        raise GitHubError(f"GitHub did not give {what}")
