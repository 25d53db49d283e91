"""What commands are planned on, out of a pull request as it was read."""

from datetime import datetime

from bot.commands.authorise import Asking, authors_of, remembers_active
from bot.commands.context import Context
from bot.core.lifecycle import UNAPPROVED
from bot.core.review import review
from bot.core.snapshot import Side, Snapshot
from bot.formats.memoryrail.lifecycle import StoreTree


def context_of(
    snapshot: Snapshot, asking: Asking, *, now: datetime, files: tuple[str, ...] = ()
) -> Context:
    """The head's stores with their files, and what a review says of them. Takes milliseconds.

    files: that the comment stands on.
    """
    report = review(snapshot)
    agent_files = {file.path: file for file in snapshot.head.agent_files}
    trees = tuple(
        StoreTree(
            store=store,
            files={
                **store.files,
                **{path: agent_files[path] for path in store.agent_files if path in agent_files},
            },
        )
        for store in snapshot.head.stores
    )
    return Context(
        trees=trees,
        base=snapshot.base.stores,
        sender=asking.sender,
        settings=snapshot.settings,
        remembers_active=remembers_active(asking, pull=snapshot.pull, settings=snapshot.settings),
        authors=authors_of(snapshot.commits, snapshot.pull, snapshot.settings),
        report=report,
        merged=_merged(snapshot),
        unapproved=frozenset(
            one.path for one in report.findings if one.rule in UNAPPROVED and one.path
        ),
        approved=frozenset(path for path, _ in snapshot.approvals),
        now=now,
        url=snapshot.repository.url,
        head_url=_head_url(snapshot),
        head_ref=snapshot.pull.head_ref,
        files=files,
        number=snapshot.pull.number,
    )


def _merged(snapshot: Snapshot) -> frozenset[str] | None:
    """What a merged pull request brought, as far as it still stands."""
    if not snapshot.pull.is_merged:
        return None
    return frozenset(
        file.path for file in snapshot.files if snapshot.head.memory_file(file.path) is not None
    )


def _head_url(snapshot: Snapshot) -> str:
    """The page of the repository that holds the head branch; "" when it is gone."""
    repository, name = snapshot.repository, snapshot.pull.head_repository
    site = repository.url.removesuffix(repository.full_name)
    return f"{site}{name}" if name and repository.url else ""


def contents_of(side: Side) -> dict[str, bytes]:
    """A commit's memory and agent files as bytes, which a patch is made against."""
    files = [file for store in side.stores for file in store.files.values()]
    return {file.path: file.data for file in (*files, *side.agent_files) if file.data is not None}
