"""What is fed with hostile bytes, and the laws that hold whatever they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.commands.grammar import parse as parse_commands
from bot.commands.registry import HANDLERS
from bot.core import repository_settings
from bot.core.contents import text_of
from bot.core.edit_plan import neutral
from bot.core.model import Memory, MemoryStore, MemoryType, Status, TreeFile
from bot.core.precheck import covers, parts_of, precheck
from bot.core.refs import Refs, citations
from bot.core.report import BlockState
from bot.core.secrets import Text, redacted, scan
from bot.core.sync import difference, find, place, rendering, standing
from bot.formats import cursor, jumpybrain, memoryrail
from bot.formats.cursor.append import Draft as EntryDraft
from bot.formats.cursor.append import append
from bot.formats.cursor.validate import problems_of, read_file
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.edit import show, update
from bot.formats.jumpybrain.ids import ensure_ids
from bot.formats.jumpybrain.lint import findings as lint
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.config import read_config
from bot.formats.memoryrail.create import Draft, create
from bot.formats.memoryrail.edit import set_fields
from bot.formats.memoryrail.memory_file import read_memory
from bot.formats.memoryrail.store_tree import StoreTree, after
from tests.formats.jumpybrain.making import id_of as document_id
from tests.formats.jumpybrain.making import text as document_text
from tests.fuzz.inputs import Grammar
from tests.fuzz.samples import ID, SAMPLES
from tests.fuzz.samples import memory as sample

NOW: Final = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
_PATH: Final = f".memoryrail/memories/{ID}.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Something that reads what strangers write."""

    run: Callable[[bytes], None]  # a BotError refuses the input; any other exception is a bug
    inputs: Grammar
    share: int  # of all inputs, against the other targets


def _file(path: str, data: bytes | str) -> TreeFile:
    return TreeFile(path=path, oid="", data=data if isinstance(data, bytes) else data.encode())


_CONFIG: Final = _file(".memoryrail/config.json", '{"version": 1, "review": "agents"}')
_OLD: Final = _file(
    ".memoryrail/memories/20261001-old.md", sample("active", "20261001-old", 'links: ["src/db"]')
)
_RULE: Final = _file(
    ".memoryrail/memories/20261002-no-orm.md",
    sample("active", "20261002-no-orm", "pinned: true", 'links: ["src", "docs/é"]')
    .replace("decision", "constraint"),
)  # fmt: skip


def _store(*files: TreeFile) -> MemoryStore:
    store = memoryrail.read("", [_CONFIG, *files])
    assert store is not None
    return store


_STORE: Final = _store(_OLD, _RULE)


def read(data: bytes) -> None:
    """A memory, or a problem that says why not; the other memories stay."""
    memory, problems = read_memory(_file(_PATH, data))
    assert memory is not None or problems
    assert all(problem.line >= 1 and problem.message for problem in problems)
    store = _store(_OLD, _file(_PATH, data), _RULE)
    assert {"20261001-old", "20261002-no-orm"} <= {one.id for one in store.memories}
    assert store == _store(_RULE, _file(_PATH, data), _OLD)
    rendering(store.memories)


def edit(data: bytes) -> None:
    """A field is set and all else reads as before, or the edit is refused."""
    before, _ = read_memory(_file(_PATH, data))
    now = set_fields(data, {"status": "active", "superseded_by": "20261010-x"}, path=_PATH)
    memory, _ = read_memory(_file(_PATH, now))
    assert before is None or memory is not None
    if memory is not None and before is not None:
        assert (memory.status, memory.superseded_by) == ("active", "20261010-x")
        assert (memory.id, memory.title, memory.body) == (before.id, before.title, before.body)
    assert set_fields(now, {"status": "active"}, path=_PATH) == now


def move(data: bytes) -> None:
    """Approve then read gives active, and both sides of a supersession."""
    files = [_CONFIG, _OLD, _RULE, _file(_PATH, data), _file("AGENTS.md", place(
        b"# A\n", _STORE.memories, path="AGENTS.md"))]  # fmt: skip
    tree = StoreTree(store=_store(*files[1:]), files={file.path: file for file in files})
    memory = next((one for one in tree.store.memories if one.path == _PATH), None)
    if memory is None:
        return
    now = after(tree, lifecycle.approve(tree, memory, now=NOW))
    again = memoryrail.read("", list(now.files.values()))
    assert again is not None
    assert again.memories == now.store.memories
    approved = next(one for one in again.memories if one.path == _PATH)
    assert approved.status == "active"
    old = next(one for one in again.memories if one.path == _OLD.path)
    assert (old.superseded_by == approved.id) == (approved.supersedes == old.id)
    shown = now.files["AGENTS.md"].data
    assert shown is None or standing(shown, again.memories).state is BlockState.IN_STEP


def new(data: bytes) -> None:
    """A draft becomes a file that reads back without a fault, or is refused."""
    title, _, rest = data.decode("utf-8", "surrogateescape").partition("\n")
    tags, _, rest = rest.partition("\n")
    link, _, body = rest.partition("\n")
    tree = StoreTree(store=_STORE, files={file.path: file for file in (_CONFIG, _OLD, _RULE)})
    draft = Draft(
        type=MemoryType.GOTCHA, title=title, tags=tuple(tags.split()), links=(link,), body=body
    )
    plan = create(tree, draft, now=NOW, by_agent=True)
    (made,) = [one for one in plan.edits if one.path == plan.actions[0].memory.path]
    memory, problems = read_memory(_file(made.path, made.data or b""))
    assert memory is not None
    assert problems == ()
    assert (memory.title, memory.body.strip()) == (title.strip(), body.strip())
    assert memory.path not in tree.files


def config(data: bytes) -> None:
    """What is not said clearly counts as the stricter choice."""
    read_ = read_config(_file(_CONFIG.path, data))
    assert read_.gated or not read_.problems


def sync(data: bytes) -> None:
    """What is outside the markers stays, and a second sync changes nothing."""
    memories = _STORE.memories
    stands = standing(data, memories)
    difference(data, memories, path="AGENTS.md")
    once = place(data, memories, path="AGENTS.md")
    assert stands.state is not BlockState.DAMAGED
    assert place(once, memories, path="AGENTS.md") == once
    assert standing(once, memories).state is BlockState.IN_STEP
    text = data.decode("utf-8", "surrogateescape")
    if (block := find(text)) is None:
        assert once.startswith(data)
    else:
        assert once.startswith(text[: block.start].encode("utf-8", "surrogateescape"))
        assert once.endswith(text[block.end :].encode("utf-8", "surrogateescape"))


def settings(data: bytes) -> None:
    """Wrong settings are problems, and the rest holds."""
    _, problems = repository_settings.parse(data)
    assert all(problem.line >= 1 for problem in problems)


def commands(data: bytes) -> None:
    """Commands are known ones, each on its own line of the comment."""
    text = data.decode("utf-8", "surrogateescape")
    parsed = parse_commands(text, HANDLERS)
    assert all(command.verb in HANDLERS for command in parsed.commands)
    assert all("\n" not in command.reason for command in parsed.commands)
    neutral(text, 100)


def refs(data: bytes) -> None:
    """What is cited means one memory, several or none."""
    text = data.decode("utf-8", "surrogateescape")
    known = Refs(_STORE.memories)
    cited = citations(text, {memory.id for memory in _STORE.memories})
    for name in (*cited, text[:200]):
        known.resolve(name)


def links(data: bytes) -> None:
    """Paths and plans of any shape; what covers a path applies to it."""
    text = data.decode("utf-8", "surrogateescape")
    link, _, rest = text.partition("\n")
    path, _, plan = rest.partition("\n")
    memory = Memory(
        id=ID,
        type=MemoryType.DECISION,
        title=plan[:40],
        status=Status.ACTIVE,
        created="",
        updated="",
        links=(link,),
        path=_PATH,
    )
    store = MemoryStore(format="memoryrail", root="", memories=(memory,))
    found = precheck([store, _STORE], [path, "src/db/a.ts"], plan)
    assert [match for match in found if match.pinned]
    if covers(link, path) and parts_of(path):
        assert memory in [match.memory for match in found]


def secrets(data: bytes) -> None:
    """A value lies within its text, and stands in no finding."""
    text = text_of(data)
    found = scan([Text(path="a.yml", text=text)], inline_marks=False)
    for finding in found.findings:
        assert 0 <= finding.start < finding.end <= len(text)
        assert len(text[finding.start : finding.end]) < 12 or (
            text[finding.start : finding.end] not in repr(finding)
        )
    redacted(text)


def entries(data: bytes) -> None:
    """Entries lie apart and where they say; one that is appended leaves them as they are."""
    file = read_file("decisions.md", data)
    last = 0
    for one in file.blocks.entries:
        assert last <= one.start < one.end <= len(file.text)
        last = one.end
    assert all(problem.line >= 1 and problem.message for problem in problems_of([file]))
    cursor.read("", [_file(".cursor/memory/decisions.md", data)])
    said = " ".join(data.decode("utf-8", "replace").split())
    draft = EntryDraft(
        file="decisions",
        kind="decision",
        status="done",
        summary=f"{said[10:60]} and so on",
        body=f"Why it is so: {data.decode('utf-8', 'replace')[-60:-30]}",
    )
    appended = append({"decisions.md": data}, draft, correlation_id="1-0", now=NOW)
    new = read_file("decisions.md", appended.data).blocks.entries
    assert [one.fields for one in new[:-1]] == [one.fields for one in file.blocks.entries]
    assert new[-1].text("author") == "orchestrator"


def documents(data: bytes) -> None:
    """Any file is a document; a stamp and an update leave of it what they must."""
    place, known = "notes/a.md", f"mem_{'0' * 8}-0000-4000-8000-{'0' * 12}"
    mark = _file("memory/jumpybrain.json", '{"schemaVersion": 1}')
    store = jumpybrain.read("", [mark, _file(f"memory/{place}", data)])
    assert store is not None
    assert all(problem.line >= 1 and problem.message for problem in store.problems)
    document = read_document(place, data)
    assert document.text.endswith(document.body)
    lint([document])
    files = {place: data, **ensure_ids({place: data}, now=NOW, new_id=lambda: known).files}
    assert not ensure_ids(files, now=NOW, new_id=lambda: known).files
    assert document.is_damaged or files[place].endswith(document.body.encode())
    old = {place: document_text().encode()}
    token = show(old, document_id(1)).content_hash
    done = update(old, document_id(1), if_match=token, content=data, now=NOW)
    after_ = read_document(place, done.data).parts
    assert after_.text("id") == document_id(1)
    assert after_.text("updated_at") == "2026-10-10T17:30:00.000Z"


TARGETS: Final[Mapping[str, Target]] = {
    name: Target(run=run, inputs=SAMPLES[kind], share=share)
    for name, run, kind, share in (
        ("read", read, "memory", 20),
        ("edit", edit, "memory", 14),
        ("move", move, "memory", 8),
        ("new", new, "draft", 6),
        ("config", config, "config", 6),
        ("sync", sync, "agent-file", 10),
        ("settings", settings, "settings", 8),
        ("commands", commands, "comment", 8),
        ("refs", refs, "citation", 8),
        ("links", links, "links", 6),
        ("secrets", secrets, "secrets", 6),
        ("entries", entries, "entries", 8),
        ("documents", documents, "documents", 8),
    )
}
