"""What commands are planned on, out of a pull request as it was read."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.commands.authorise import Asking
from bot.commands.context import Context
from bot.commands.grammar import parse
from bot.commands.registry import HANDLERS
from bot.core.model import TreeFile
from bot.core.review import review
from bot.core.snapshot import Snapshot
from bot.handlers.after_merge import at_base
from bot.handlers.command_context import Asked, contents_of, context_of
from bot.handlers.turn import Turn
from tests.making import ALICE, file, memory, snapshot, store

NOW = datetime(2026, 10, 10, tzinfo=UTC)
WAITS = memory("20261002-waits", status="proposed", title="Waits")
AGENTS = TreeFile(path="AGENTS.md", oid="1", data=b"# Agents\n")
MAINTAINS = Asking(sender=ALICE, permission=frozenset({"pull", "push", "maintain"}))


def context(of: Snapshot) -> Context:
    return context_of(of, review(of), MAINTAINS, now=NOW)


def merged(of: Snapshot) -> Snapshot:
    return at_base(replace(of, pull=replace(of.pull, is_open=False, is_merged=True)))


def test_a_store_comes_with_its_agent_files() -> None:
    other = replace(AGENTS, path="docs/AGENTS.md")
    found = context(snapshot(base=[store(memory())], head_files=[AGENTS, other]))
    (tree,) = found.trees
    assert tree.files["AGENTS.md"] == AGENTS
    assert "docs/AGENTS.md" not in tree.files
    assert found.merged is None


def test_the_page_of_the_head_is_that_of_its_repository() -> None:
    own = snapshot(base=[store(memory())])
    for name, url in (("eve/fork", "https://github.example/eve/fork"), ("", "")):
        there = replace(own, pull=replace(own.pull, head_repository=name))
        assert context(there).head_url == url


def test_after_the_merge_what_it_brought_and_still_stands_counts_as_changed() -> None:
    brought = store(WAITS)
    path = WAITS.path
    both = snapshot(base=[brought], head=[brought], files=[file(path, "added")])
    assert context(merged(both)).merged == frozenset({path})
    others = store(WAITS, texts={path: "what others made of it"})
    since = replace(both, base=replace(both.base, stores=(others,)))
    assert context(merged(since)).merged == frozenset()


def test_whoever_takes_back_must_be_allowed_to_give(turn: Turn) -> None:
    own = snapshot(base=[store(memory())])
    writes = Asking(sender=ALICE, permission=frozenset({"pull", "push"}))

    def may(text: str, asking: Asking, of: Snapshot = own) -> bool:
        parsed = parse(f"/memoryrail {text}", HANDLERS)
        asked = Asked(turn=turn, parsed=parsed, snapshot=of, context=context(of), asking=asking)
        return asked.may(parsed.commands[0]) is None

    assert may("undo ack DEC-1", MAINTAINS)
    assert not may("undo ack DEC-1", writes)
    assert may("remember gotcha X", writes)
    assert not may("undo", MAINTAINS, merged(own))
    assert not may("undo ack DEC-1", MAINTAINS, merged(own))
    assert may("undo ignore 0123456789abcdef", MAINTAINS, merged(own))


def test_what_could_not_be_read_is_in_no_patch() -> None:
    unread = TreeFile(path="CLAUDE.md", oid="2", data=None)
    side = snapshot(base=[store(memory())], head_files=[AGENTS, unread]).head
    found = contents_of(side)
    assert found["AGENTS.md"] == AGENTS.data
    assert "CLAUDE.md" not in found
    assert memory().path in found
