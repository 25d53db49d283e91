"""A new memory, as a plan of file edits (spec/memoryrail.md, "Writing").

Every value is written as JSON and the fields stand in one order, so that the file reads the same
everywhere. Nothing is ever overwritten: a name that is taken gets a number.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, islice
from typing import Final

from bot.core.edit_plan import Action, EditPlan, FileEdit
from bot.core.errors import UserError
from bot.core.line_editor import json_text
from bot.core.model import DURABLE, Memory, MemoryType, Status, TreeFile, short_ref
from bot.core.precheck import parts_of
from bot.core.secrets import Text, scan
from bot.formats.limits import MAX_FILE_BYTES
from bot.formats.memoryrail.layout import id_of, memory_path
from bot.formats.memoryrail.memory_file import read_memory
from bot.formats.memoryrail.store_tree import StoreTree, planned, timestamp
from bot.formats.memoryrail.supersession import superseding

MAX_SLUG: Final = 60  # characters

_MAX_TRIED: Final = 100  # ids whose ref may be taken; refs may be shared, ids may not
_MAX_READ: Final = 500  # characters of a title; more never get into a slug
_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What somebody wants to be remembered."""

    type: MemoryType
    title: str  # one line that states the conclusion
    body: str = ""  # Markdown
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()  # from the store's root
    pinned: bool = False
    supersedes: Memory | None = None  # of the same store
    proposed: bool = False  # waits for a person, whoever writes it


class DraftError(UserError):
    """A draft cannot become a memory: which rule of the format it breaks, and how."""

    def __init__(self, rule: str, problem: str) -> None:
        super().__init__(problem)
        self.rule = rule


class SecretRefused(DraftError):  # noqa: N818 - reads as what it is
    """The draft holds what looks like a credential; secret_rule is its kind. It is not quoted."""

    def __init__(self, secret_rule: str, description: str, where: str) -> None:
        super().__init__(
            "secret",
            f"{where} holds what looks like a credential: {description} ({secret_rule}). "
            "Memories are committed and shown to agents, so nothing was written. Name the place "
            "where the value is kept instead.",
        )
        self.secret_rule = secret_rule


def create(
    tree: StoreTree,
    draft: Draft,
    *,
    now: datetime,
    by_agent: bool,
    allow_secret: bool = False,
    elsewhere: Collection[str] = (),
) -> EditPlan:
    """Plan the file of a new memory, the memory that it supersedes, and the blocks that show it.

    Where the review gate is on, what an agent writes that is durable, or would take the place of
    what is, is a proposal, and leaves alone what it wants to supersede. The one action of the plan
    holds the new memory.
    allow_secret: a person insists, which an agent cannot. elsewhere: ids of the repository's other
    stores.
    Raises DraftError, SecretRefused, MissingTarget, AlreadySuperseded, MemoryFormatError.
    """
    if by_agent or not allow_secret:
        _refuse_secrets(draft)
    types = {draft.type, *([draft.supersedes.type] if draft.supersedes else [])}
    waits = draft.proposed or (by_agent and tree.store.gated and not DURABLE.isdisjoint(types))
    memory, file = _written(tree, draft, _free_id(tree, draft, now, elsewhere), now, waits)
    edits = [FileEdit(path=file.path, data=file.data, expected_oid=None)]
    if draft.supersedes:
        replaced = superseding(tree, memory, now=now)  # checks the target of a proposal, too
        edits += () if waits else replaced
    return planned(tree, Action(verb="add", memory=memory), edits)


def slug(title: str) -> str:
    """A title as part of an id: lower-case ASCII letters, digits and hyphens; "" if none are left.

    Accents are dropped. A long title is cut between words.
    """
    plain = (
        unicodedata.normalize("NFKD", title[:_MAX_READ].casefold())
        .encode("ascii", "ignore")
        .decode()
    )
    words = _SEPARATORS.sub("-", plain).strip("-")
    if len(words) > MAX_SLUG:
        words = words[: MAX_SLUG + 1].rpartition("-")[0] or words[:MAX_SLUG]
    return words


def _refuse_secrets(draft: Draft) -> None:
    """Raise for the surest secret. A mark beside it is not obeyed: its writer could add it."""
    parts = [("The title", draft.title), ("The body", draft.body)]
    parts += [("A tag", tag) for tag in draft.tags] + [("A link", link) for link in draft.links]
    result = scan([Text(path=memory_path("", "new"), text=text) for _, text in parts],
                  inline_marks=False)  # fmt: skip
    if result.findings:
        worst = max(result.findings, key=lambda finding: finding.level.weight)
        raise SecretRefused(worst.rule, worst.description, parts[worst.text_index][0])
    if result.incomplete:
        raise DraftError("secret", "The text is too large to be searched for credentials.")


def _free_id(tree: StoreTree, draft: Draft, now: datetime, elsewhere: Collection[str]) -> str:
    """YYYYMMDD-slug, numbered where a file, an id or a ref is taken, in whatever letter case."""
    memories = tree.store.memories
    taken = {name.casefold() for name in (*map(id_of, tree.files), *elsewhere)}
    taken |= {memory.id.casefold() for memory in memories}
    refs = {memory.ref for memory in memories}
    first = f"{now.astimezone(UTC):%Y%m%d}-{slug(draft.title) or draft.type}"
    numbered = (f"{first}-{number}" if number > 1 else first for number in count(1))
    free = (id_ for id_ in numbered if id_.casefold() not in taken)
    tried = list(islice(free, _MAX_TRIED))
    return next((id_ for id_ in tried if short_ref(draft.type, id_) not in refs), tried[0])


def _written(
    tree: StoreTree, draft: Draft, id_: str, now: datetime, waits: bool
) -> tuple[Memory, TreeFile]:
    """The new file, and the memory that it reads as. Raises DraftError when it would not do."""
    status = Status.PROPOSED if waits else Status.ACTIVE
    moment = timestamp(now)
    lines = [
        f"id: {json_text(id_)}",
        f"type: {json_text(draft.type)}",
        f"title: {json_text(draft.title.strip())}",
        f"status: {json_text(status)}",
        f"created: {json_text(moment)}",
        f"updated: {json_text(moment)}",
    ]
    lines += _list("tags", _checked_tags(draft.tags)) + _list("links", _checked_links(draft.links))
    lines += ["pinned: true"] if draft.pinned else []
    lines += [f"supersedes: {json_text(draft.supersedes.id)}"] if draft.supersedes else []
    body = draft.body.strip("\r\n")
    text = "\n".join(["---", *lines, "---", "", *([body, ""] if body.strip() else [])])
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise DraftError("bad-encoding", "The text holds characters that UTF-8 lacks.") from None
    if len(data) > MAX_FILE_BYTES:
        raise DraftError("too-large", f"The memory is larger than {MAX_FILE_BYTES // 1024} KiB.")
    file = TreeFile(path=memory_path(tree.store.root, id_), oid="", data=data)
    memory, problems = read_memory(file)
    if problems or memory is None:
        problem = problems[0]
        raise DraftError(problem.rule, problem.message)
    return memory, file


def _checked_tags(tags: Iterable[str]) -> Iterator[str]:
    for tag in dict.fromkeys(tag.strip() for tag in tags):
        if not tag or any(unicodedata.category(character) == "Cc" for character in tag):
            raise DraftError("bad-frontmatter", "A tag is one line, and not empty.")
        yield tag


def _checked_links(links: Iterable[str]) -> Iterator[str]:
    for link in dict.fromkeys(links):
        if parts_of(link) is None or "://" in link or "\\" in link:
            raise DraftError(
                "link-outside-repo",
                f"The link {link!r} does not name a path inside the project. Write it with / and "
                "relative to the directory that holds .memoryrail.",
            )
        yield link


def _list(name: str, values: Iterable[str]) -> list[str]:
    texts = ", ".join(map(json_text, values))
    return [f"{name}: [{texts}]"] if texts else []
