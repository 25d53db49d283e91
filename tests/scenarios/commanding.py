"""A pull request with a proposal, people who comment on it, and what the bot makes of it."""

import hashlib
from datetime import timedelta

from bot.sandbox.state.conversation import Comment, Said
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, memory, synced

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}
NEW = "20260401-use-queues"  # DEC-4243
TWIN = "20260401-use-topics-60425"  # the same ref
(PATH,) = memory(NEW, "decision", "Orders go through a queue")
REF = "DEC-" + hashlib.sha1(NEW.encode(), usedforsecurity=False).hexdigest()[:4]


def proposal(**more: str) -> dict[str, str]:
    return memory(
        NEW, "decision", "Orders go through a queue", "Because.", status="proposed", **more
    )


def opened(team: Team, files: dict[str, str], *, author: str = "coder[bot]") -> PullRequest:
    """A pull request of an agent's that proposes; ada maintains, bob writes, eve reads.

    What ada may do comes with a role of the owner's own making.
    """
    repository = team.repository(SHOP)
    team.github.user("coder[bot]", type="Bot")
    for login, role in (("ada", "maintain"), ("bob", "write"), ("eve", "read")):
        repository.grant(login, role, role_name="keeper" if login == "ada" else None)
    repository.branch("feature")
    repository.commit("feature", files=files, login=author)
    pull = repository.open_pull(head="feature", user=author)
    team.settle()
    return pull


def say(team: Team, pull: PullRequest, login: str, text: str) -> Comment:
    """Write a comment, some seconds after what stands there was shown."""
    team.github.advance(timedelta(seconds=5))
    return pull.comment(login, text)


def content(repository: Repository, sha: str, path: str) -> str | None:
    entry = repository.git.entry(sha, path)
    found = repository.git.read(entry.oid) if entry else None
    return found.data.decode() if found else None


def reactions(comment: Said) -> set[str]:
    return {reaction.content for reaction in comment.reactions}


def answers(pull: PullRequest) -> list[str]:
    """The bot's answers, without their hidden first line."""
    return [
        comment.body.partition("\n")[2]
        for comment in pull.comments
        if comment.author.login == "memoryrail[bot]" and "memoryrail-reply" in comment.body
    ]


def audit(team: Team) -> list[tuple[object, ...]]:
    """What the audit says of every command, in the order in which they were written."""
    return rows(
        team,
        "SELECT verb, refs, outcome, commit_sha FROM audit ORDER BY at_ms, comment, position",
    )


def rows(team: Team, query: str) -> list[tuple[object, ...]]:
    """What a query finds in the bot's database."""
    with team.bot.database.engine.connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(query)]
