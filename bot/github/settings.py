"""The settings that govern a repository: its own file, and its owner's for what that leaves open.

Both are asked for with the request that a reading begins with, so they cost none, and are what
GitHub has at that moment, whichever process asks. Nothing of them is remembered.
"""

from dataclasses import dataclass, replace
from typing import Final

from bot.core.model import Problem
from bot.core.repository_settings import (
    OWNERS_REPOSITORY,
    SETTINGS_PATH,
    RepositorySettings,
    parse,
)
from bot.github.answers import Json, child, number, text
from bot.github.blobs import keep_text, read_blobs
from bot.github.installation import Answer, RepositoryAccess
from bot.github.trees import Entry, listing

_FILE: Final = """
    defaultBranchRef { name target { ... on Commit {
      settings: file(path: $settings) {
        mode type oid size object { ... on Blob { oid text } }
      }
    } } }
"""
# Of a repository, in a query with the variable $settings. The owner's is asked for below the
# repository, so that after a transfer it is the new one's, and by no name that it had before.
SETTINGS: Final = f"""
    {_FILE}
    owner {{
      repository(name: "{OWNERS_REPOSITORY}", followRenames: false) {{
        databaseId nameWithOwner {_FILE}
      }}
    }}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFiles:
    """Where settings stand on the default branches; None: nowhere that we may read."""

    own: Entry | None
    owners: Entry | None = None
    owners_repository: str = ""  # owner/name


@dataclass(frozen=True, slots=True, kw_only=True)
class Governing:
    """The settings that hold, and what is wrong with the files. defaults: the owner's."""

    settings: RepositorySettings
    problems: tuple[Problem, ...]
    owners_problems: tuple[Problem, ...]
    defaults: RepositorySettings


def is_partial(answer: Answer) -> bool:
    """Whether something is null that may be there, but for an owner's repository without access."""
    owners = ("repository", "owner")
    return replace(
        answer,
        problems=tuple(
            problem
            for problem in answer.problems
            if not (problem.type == "FORBIDDEN" and problem.path[:2] == owners)
        ),
    ).is_partial


def files_of(access: RepositoryAccess, repository: Json) -> SettingsFiles:
    """Where a repository with the fields of SETTINGS has its files, whose texts are kept."""
    owners = child(repository, "owner", "repository")
    if number(owners, "databaseId") == number(repository, "databaseId"):
        owners = {}  # its own file is the owner's
    return SettingsFiles(
        own=_entry(access, repository),
        owners=_entry(access, owners),
        owners_repository=text(owners, "nameWithOwner"),
    )


async def governing(access: RepositoryAccess, files: SettingsFiles) -> Governing:
    """Read both files, as far as their texts are not known. Raises GitHubError, RateLimited."""
    owner, _, name = files.owners_repository.partition("/")
    at_owner = access.installation.repository(owner, name)
    nothing = RepositorySettings()
    defaults, owners_problems = await read_settings(at_owner, files.owners, nothing)
    settings, problems = await read_settings(access, files.own, defaults)
    where = f"{files.owners_repository}:{SETTINGS_PATH}"
    return Governing(
        settings=settings,
        problems=problems,
        owners_problems=tuple(replace(problem, path=where) for problem in owners_problems),
        defaults=defaults,
    )


async def read_settings(
    access: RepositoryAccess, entry: Entry | None, defaults: RepositorySettings
) -> tuple[RepositorySettings, tuple[Problem, ...]]:
    """Read a settings file, None where there is none; with what is wrong with it."""
    if entry is None:
        return defaults, ()
    if entry.is_symlink:
        why = "it is a symbolic link, which is not followed"
    else:
        blob = (await read_blobs(access, {entry.oid: entry.size}))[entry.oid]
        if blob.data is not None:
            return parse(blob.data, defaults)
        why = blob.unread or "no reason is known"
    message = f"The settings were not read: {why}. The defaults apply."
    return defaults, (Problem(path=SETTINGS_PATH, rule="unread", message=message),)


def _entry(access: RepositoryAccess, repository: Json) -> Entry | None:
    entry = child(repository, "defaultBranchRef", "target", "settings")
    if text(entry, "type") != "blob":
        return None
    keep_text(access, child(entry, "object"))
    (found,) = listing({"p0": entry}, [SETTINGS_PATH]).values()
    return found
