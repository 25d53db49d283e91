"""Short ways to make the values that tests are about; what a test does not name is ordinary."""

import zlib
from collections.abc import Mapping, Sequence

from bot.core.model import Memory, MemoryStore, MemoryType, Problem, Status, TreeFile
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import (
    Actor,
    AddedBlock,
    ChangedFile,
    Commit,
    PullRequest,
    Repository,
    Side,
    Snapshot,
)

BASE_SHA = "b" * 40
HEAD_SHA = "a" * 40
ALICE = Actor(id=1, login="alice")
ROBOT = Actor(id=2, login="robot[bot]", is_bot=True)


def memory(
    id_: str = "20261001-keep-sqlite",
    type_: str = "decision",
    *,
    title: str = "Keep SQLite",
    status: str = "active",
    links: Sequence[str] = (),
    root: str = "",
    **fields: object,
) -> Memory:
    """A memory in its file below a store's root."""
    folder = f"{root}/" if root else ""
    return Memory(
        id=id_,
        type=MemoryType(type_),
        title=title,
        status=Status(status),
        created="2026-10-01T08:00:00.000Z",
        updated="2026-10-01T08:00:00.000Z",
        links=tuple(links),
        path=f"{folder}.memoryrail/memories/{id_}.md",
        **fields,  # type: ignore[arg-type]  # the caller names real fields
    )


def store(
    *memories: Memory,
    root: str = "",
    gated: bool = False,
    problems: Sequence[Problem] = (),
    texts: Mapping[str, str] | None = None,
) -> MemoryStore:
    """A store. A memory's file holds its representation, unless texts has other words."""
    folder = f"{root}/" if root else ""
    contents = {**{one.path: repr(one) for one in memories}, **(texts or {})}
    return MemoryStore(
        format="memoryrail",
        root=root,
        gated=gated,
        memories=tuple(sorted(memories, key=lambda one: one.id)),
        problems=tuple(problems),
        config=f"{folder}.memoryrail/config.json",
        files={
            path: TreeFile(path=path, oid=f"{zlib.crc32(text.encode()):x}", data=text.encode())
            for path, text in contents.items()
        },
        agent_files=tuple(folder + name for name in ("AGENTS.md", "CLAUDE.md")),
    )


def file(path: str, status: str = "modified", **fields: object) -> ChangedFile:
    """A changed file; added may be one text, which then starts at line 1."""
    added = fields.pop("added", ())
    if isinstance(added, str):
        added = (AddedBlock(path=path, start=1, text=added),)
    return ChangedFile(path=path, status=status, added=added, **fields)  # type: ignore[arg-type]


def commit(
    sha: str = HEAD_SHA,
    *,
    message: str = "Change it",
    author: Actor | None = ALICE,
    added: Mapping[str, str] | None = None,
    **fields: object,
) -> Commit:
    """A commit that adds texts, each from line 1 of its path."""
    texts = added or {}
    values: dict[str, object] = {
        "author_name": "Alice",
        "author_email": "alice@example.com",
        "paths": tuple(texts),
        **fields,
    }
    return Commit(
        sha=sha,
        message=message,
        author=author,
        added=tuple(AddedBlock(path=path, start=1, text=text) for path, text in texts.items()),
        **values,  # type: ignore[arg-type]  # the caller names real fields
    )


def snapshot(
    *,
    base: Sequence[MemoryStore] = (),
    head: Sequence[MemoryStore] | None = None,
    files: Sequence[ChangedFile] = (),
    commits: Sequence[Commit] = (),
    title: str = "A change",
    body: str = "",
    author: Actor | None = ALICE,
    settings: RepositorySettings | None = None,
    base_files: Sequence[TreeFile] = (),
    head_files: Sequence[TreeFile] = (),
    **fields: object,
) -> Snapshot:
    """A pull request of alice's on main; the head has the base's stores unless told otherwise."""
    return Snapshot(
        repository=Repository(
            id=7,
            full_name="octo/shop",
            default_branch="main",
            url="https://github.example/octo/shop",
        ),
        pull=PullRequest(
            number=12,
            title=title,
            body=body,
            author=author,
            base_ref="main",
            base_sha=BASE_SHA,
            head_ref="feature",
            head_sha=HEAD_SHA,
        ),
        files=tuple(files),
        commits=tuple(commits),
        base=Side(sha=BASE_SHA, stores=tuple(base), agent_files=tuple(base_files)),
        head=Side(
            sha=HEAD_SHA,
            stores=tuple(base if head is None else head),
            agent_files=tuple(head_files),
        ),
        settings=settings or RepositorySettings(),
        fingerprint_key=b"k" * 32,
        **fields,  # type: ignore[arg-type]  # the caller names real fields
    )


def github_token(seed: str = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5") -> str:
    """A made-up GitHub token with a right checksum, from a seed of 30 characters."""
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    rest, check = zlib.crc32(seed.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        check = alphabet[digit] + check
    return f"{'ghp'}_{seed}{check}"
