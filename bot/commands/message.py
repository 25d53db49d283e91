"""What the commit of a comment's commands says below its subject.

It says who decided, and in which comment. A login behind an `@` would mention its owner in every
place that shows the commit; as the address of a page it mentions nobody.
"""

from typing import Final

from bot.core.anchor import Anchor, Kind
from bot.core.edit_plan import DONE, EditPlan, neutral
from bot.core.snapshot import Actor, Repository

COMMENT: Final = "MemoryRail-Comment"  # the trailer by which a comment's commit is known again
ACCOUNT: Final = "MemoryRail-Account"  # the trailer with GitHub's id of who has a memory written
_SHOWN: Final = 12  # characters of a digest
_MAX_LOGIN: Final = 100  # characters; GitHub's longest has 39


def body(
    plan: EditPlan,
    *,
    sender: Actor | None,
    comment: str,
    digest: str,
    number: int,
    repository: Repository,
) -> str:
    """The plan's own words, and trailers: Approved-by: ada (https://github.com/ada).

    comment, digest: the anchor and the digest of the text that asks for it. number: of the pull
    request that it is on.
    """
    trailers = []
    if sender is not None:
        site = repository.url.removesuffix(f"/{repository.full_name}")
        login = neutral(sender.login, _MAX_LOGIN)
        trailers += [
            f"{DONE[verb].capitalize()}-by: {login} ({site}/{login})" for verb in plan.verbs
        ]
        if "remember" in plan.verbs:
            trailers.append(f"{ACCOUNT}: {sender.id}")
    page = address(comment, number=number, repository=repository)
    trailers.append(f"{COMMENT}: {page} ({digest[:_SHOWN]})")
    return "\n\n".join(filter(None, [plan.body, "\n".join(trailers)]))


def address(comment: str, *, number: int, repository: Repository) -> str:
    """Where a comment stands, or the check run on which a button was pressed. comment: an anchor.

    number: of the pull request that it is on.
    """
    anchor = Anchor.parse(comment)
    page = f"runs/{anchor.id}" if anchor.kind is Kind.PRESS else f"pull/{number}"
    return f"{repository.url}/{page}#{comment}"


def remembering(message: str) -> int | None:
    """The account for which a commit of ours wrote a new memory; None where it wrote none."""
    ids = (one.removeprefix(f"{ACCOUNT}: ") for one in message.splitlines() if ACCOUNT in one)
    return next((int(id_) for id_ in ids if id_.isdecimal()), None)


def names(message: str, comment: str, digest: str) -> bool:
    """Whether the commit with a message is the one that a comment's text asked for.

    The repository may have another name since.
    """
    return any(one.endswith(f"#{comment} ({digest[:_SHOWN]})") for one in _comments(message))


def is_of_button(message: str, comment: str, digest: str) -> bool:
    """Whether it is the commit of any press of the button that was pressed, on its check run.

    comment: the anchor of a press.
    """
    run, shown = f"#{Kind.PRESS}{Anchor.parse(comment).id}-", f" ({digest[:_SHOWN]})"
    return any(run in one and one.endswith(shown) for one in _comments(message))


def _comments(message: str) -> list[str]:
    return [line for line in message.splitlines() if line.startswith(f"{COMMENT}: ")]
