"""A new memory: its file, its id, and what is refused."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.edit_plan import EditPlan
from bot.core.model import MemoryType, Status, TreeFile
from bot.core.sync import place
from bot.formats import memoryrail
from bot.formats.memoryrail.conditions import AlreadySuperseded, MissingTarget
from bot.formats.memoryrail.create import Draft, DraftError, SecretRefused, create, slug
from bot.formats.memoryrail.memory_file import read_memory
from bot.formats.memoryrail.store_tree import StoreTree, after

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
CONFIG = TreeFile(path=".memoryrail/config.json", oid="c", data=b'{"version": 1}')
GATED = TreeFile(path=CONFIG.path, oid="c", data=b'{"version": 1, "review": "agents"}')
KEY = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"


def tree(*files: TreeFile) -> StoreTree:
    store = memoryrail.read("", files)
    assert store is not None
    return StoreTree(store=store, files={file.path: file for file in files})


def draft(title: str = "Use Drizzle over Prisma", **fields: Any) -> Draft:
    return Draft(**{"type": MemoryType.DECISION, "title": title} | fields)


def planned(into: StoreTree, wanted: Draft, *, by_agent: bool = False, **how: Any) -> EditPlan:
    return create(into, wanted, now=NOW, by_agent=by_agent, **how)


def test_the_file_is_written_as_json_in_one_order() -> None:
    wanted = draft(
        "Keep “quotes” & ünïcode: \\ yes",
        body="\nWhy.\n\n---\n\nMore.\n\n",
        tags=("db", "on", "db"),
        links=("src/db", "docs/a b.md"),
        pinned=True,
    )
    [edit] = planned(tree(CONFIG), wanted).edits
    assert edit.path == ".memoryrail/memories/20261010-keep-quotes-unicode-yes.md"
    assert edit.expected_oid is None
    assert edit.data is not None
    assert edit.data.decode() == (
        "---\n"
        'id: "20261010-keep-quotes-unicode-yes"\n'
        'type: "decision"\n'
        'title: "Keep “quotes” & ünïcode: \\\\ yes"\n'
        'status: "active"\n'
        'created: "2026-10-10T17:30:00.000Z"\n'
        'updated: "2026-10-10T17:30:00.000Z"\n'
        'tags: ["db", "on"]\n'
        'links: ["src/db", "docs/a b.md"]\n'
        "pinned: true\n"
        "---\n"
        "\n"
        "Why.\n\n---\n\nMore.\n"
    )


def test_a_memory_without_a_body_ends_after_its_frontmatter() -> None:
    [edit] = planned(tree(CONFIG), draft(body=" \n")).edits
    assert edit.data is not None
    assert edit.data.endswith(b'Z"\n---\n')


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Use Drizzle over Prisma", "use-drizzle-over-prisma"),
        ("  Größe: ÉTÉ / naïve?! ", "grosse-ete-naive"),
        ("資料庫", ""),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 80, "a" * 60),
        ("one " * 20, "-".join(["one"] * 15)),
    ],
)
def test_a_title_as_part_of_an_id(title: str, expected: str) -> None:
    assert slug(title) == expected


def taken(name: str, id_: str | None = None) -> TreeFile:
    text = f'---\nid: "{id_ or name}"\ntype: decision\ntitle: T\nstatus: active\n---\n'
    return TreeFile(path=f".memoryrail/memories/{name}.md", oid="o", data=text.encode())


@pytest.mark.parametrize(
    ("there", "elsewhere", "expected"),
    [
        ([], [], "20261010-keep-it"),
        ([taken("20261010-keep-it")], [], "20261010-keep-it-2"),
        ([taken("20261010-KEEP-it")], [], "20261010-keep-it-2"),
        ([taken("other", id_="20261010-Keep-it")], [], "20261010-keep-it-2"),
        ([TreeFile(path=taken("20261010-keep-it").path, oid="o", data=b"?")], [],
         "20261010-keep-it-2"),
        ([taken("20261010-keep-it"), taken("20261010-keep-it-2")], [], "20261010-keep-it-3"),
        ([], ["20261010-Keep-It"], "20261010-keep-it-2"),
    ],
    ids=["free", "same", "other case", "id alone", "unreadable", "numbered", "other store"],
)  # fmt: skip
def test_a_taken_name_gets_a_number(
    there: list[TreeFile], elsewhere: list[str], expected: str
) -> None:
    plan = planned(tree(CONFIG, *there), draft("Keep it"), elsewhere=elsewhere)
    assert plan.actions[0].memory.id == expected


def test_a_ref_that_is_taken_is_passed_over() -> None:
    """Two real ids share DEC-0663: the second one is numbered."""
    ledger = taken("20261010-keep-invoice-ledger")
    plan = planned(tree(CONFIG, ledger), draft("Keep invoice queue"))
    assert plan.actions[0].memory.id == "20261010-keep-invoice-queue-2"


def test_a_title_without_latin_letters_is_named_by_its_type() -> None:
    plan = planned(tree(CONFIG), draft("資料庫", type=MemoryType.GOTCHA))
    assert plan.actions[0].memory.id == "20261010-gotcha"


@pytest.mark.parametrize(
    ("config", "by_agent", "type_", "proposed", "expected"),
    [
        (CONFIG, True, MemoryType.DECISION, False, Status.ACTIVE),
        (GATED, False, MemoryType.DECISION, False, Status.ACTIVE),
        (GATED, True, MemoryType.DECISION, False, Status.PROPOSED),
        (GATED, True, MemoryType.CONSTRAINT, False, Status.PROPOSED),
        (GATED, True, MemoryType.GOTCHA, False, Status.PROPOSED),
        (GATED, True, MemoryType.ATTEMPT, False, Status.PROPOSED),
        (GATED, True, MemoryType.THREAD, False, Status.ACTIVE),
        (GATED, True, MemoryType.SESSION, False, Status.ACTIVE),
        (CONFIG, False, MemoryType.DECISION, True, Status.PROPOSED),
    ],
)
def test_the_review_gate(
    config: TreeFile, by_agent: bool, type_: MemoryType, proposed: bool, expected: Status
) -> None:
    wanted = draft(type=type_, proposed=proposed)
    plan = planned(tree(config), wanted, by_agent=by_agent)
    assert plan.actions[0].memory.status is expected


def test_superseding_changes_the_old_memory_in_the_same_plan() -> None:
    into = tree(CONFIG, taken("20261001-old"))
    [old] = into.store.memories
    plan = planned(into, draft(supersedes=old))
    assert [(m.id, m.status.value, m.supersedes) for m in after(into, plan).store.memories] == [
        ("20261001-old", "superseded", None),
        ("20261010-use-drizzle-over-prisma", "active", "20261001-old"),
    ]


def test_a_proposal_leaves_what_it_supersedes_alone() -> None:
    into = tree(GATED, taken("20261001-old"))
    plan = planned(into, draft(supersedes=into.store.memories[0]), by_agent=True)
    assert [edit.path for edit in plan.edits] == [
        ".memoryrail/memories/20261010-use-drizzle-over-prisma.md"
    ]


def test_a_proposal_is_checked_against_its_target_too() -> None:
    over = taken("20261001-old")
    data = (over.data or b"").replace(b"active", b"superseded\nsuperseded_by: 20261002-new")
    into = tree(GATED, TreeFile(path=over.path, oid="o", data=data))
    with pytest.raises(AlreadySuperseded):
        planned(into, draft(supersedes=into.store.memories[0]), by_agent=True)
    with pytest.raises(MissingTarget):
        planned(tree(GATED), draft(supersedes=into.store.memories[0]), by_agent=True)


def test_our_block_shows_the_new_memory() -> None:
    agents = TreeFile(path="AGENTS.md", oid="a", data=place(None, (), path="AGENTS.md"))
    plan = planned(tree(CONFIG, agents), draft())
    assert [edit.path for edit in plan.edits] == [
        ".memoryrail/memories/20261010-use-drizzle-over-prisma.md",
        "AGENTS.md",
    ]
    assert b"Use Drizzle over Prisma" in (plan.edits[1].data or b"")


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"title": "one\ntwo"}, "bad-title"),
        ({"title": "  "}, "bad-title"),
        ({"links": ("../other",)}, "link-outside-repo"),
        ({"links": ("/etc/passwd",)}, "link-outside-repo"),
        ({"links": ("",)}, "link-outside-repo"),
        ({"tags": ("a\nb",)}, "bad-frontmatter"),
        ({"tags": (" ",)}, "bad-frontmatter"),
        ({"body": "half \ud83d"}, "bad-encoding"),
        ({"body": "x " * (1 << 20)}, "too-large"),
        ({"tags": tuple(f"tag-{n:060}" for n in range(2000))}, "bad-frontmatter"),
    ],
)
def test_what_breaks_the_format_is_refused(fields: dict[str, Any], rule: str) -> None:
    with pytest.raises(DraftError) as refused:
        planned(tree(CONFIG), draft(**fields))
    assert refused.value.rule == rule


@pytest.mark.parametrize(
    "fields",
    [{"title": f"Use {KEY}"}, {"body": f"x\n{KEY}"}, {"tags": (KEY,)}, {"links": (f"a/{KEY}",)}],
    ids=["title", "body", "tags", "links"],
)
def test_a_secret_is_refused_and_not_quoted(fields: dict[str, Any]) -> None:
    with pytest.raises(SecretRefused) as refused:
        planned(tree(CONFIG), draft(**fields))
    assert refused.value.secret_rule == "aws-access-key-id"
    assert KEY not in str(refused.value)
    assert next(iter(fields)).rstrip("s") in str(refused.value)
    assert planned(tree(CONFIG), draft(**fields), allow_secret=True).edits
    with pytest.raises(SecretRefused):
        planned(tree(CONFIG), draft(**fields), allow_secret=True, by_agent=True)


def test_a_mark_that_tells_scanners_to_look_away_is_not_obeyed() -> None:
    with pytest.raises(SecretRefused):
        planned(tree(CONFIG), draft(body=f"{KEY}  # gitleaks:allow"))


@settings(max_examples=60)
@given(
    title=st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1).filter(
        str.strip
    ),
    tags=st.lists(
        st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip)
    ),
    body=st.text(st.characters(exclude_categories=["Cs"])),
)
def test_what_is_written_reads_back(title: str, tags: list[str], body: str) -> None:
    plan = planned(tree(CONFIG), draft(title, tags=tuple(tags), body=body), allow_secret=True)
    [edit] = plan.edits
    memory, problems = read_memory(TreeFile(path=edit.path, oid="", data=edit.data))
    assert not problems
    assert memory is not None
    assert memory.title == title.strip()
    assert memory.tags == tuple(dict.fromkeys(tag.strip() for tag in tags))
    assert memory.body.strip() == body.strip()


def test_an_id_is_found_when_every_ref_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids must differ; refs may be shared."""
    ref = "bot.formats.memoryrail.create.short_ref"
    taken_refs = tree(CONFIG, taken("20261010-keep-it")).store.memories[0].ref
    monkeypatch.setattr(ref, lambda *_: taken_refs)
    plan = planned(tree(CONFIG, taken("20261010-keep-it")), draft("Keep it"))
    assert plan.actions[0].memory.id == "20261010-keep-it-2"


@pytest.mark.parametrize("link", ["https://example.com/a", "src\\db", "..\\x", "C:\\x"])
def test_a_link_is_a_posix_path(link: str) -> None:
    with pytest.raises(DraftError) as refused:
        planned(tree(CONFIG), draft(links=(link,)))
    assert refused.value.rule == "link-outside-repo"
