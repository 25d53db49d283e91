"""memoryrail-bot precheck, in a real repository."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from bot.core.precheck.history import MAX_PLAN
from tests.git.worktree import WorkTree, memory, store

TOKEN = "sk_live_" + "oHwLMeaZqo9DZDNjN1GTPdVK"


def kept(id_: str, type_: str, title: str, fields: str, body: str = "Why.\n") -> str:
    """The file of an active memory with more fields."""
    return (
        memory(id_, body=body)
        .replace('"decision"', f'"{type_}"')
        .replace(f"Title of {id_}", title)
        .replace('status: "active"', f'status: "active"\n{fields}')
    )


POOL, POOLER, CENTS, TABS = (
    f".memoryrail/memories/2026010{number}-{name}.md"
    for number, name in enumerate(("pool", "pooler", "cents", "tabs"), start=1)
)
MEMORIES = {
    POOL: kept("20260101-pool", "constraint", "Only src/db opens connections", 'links: ["src/db"]'),
    POOLER: kept(
        "20260102-pooler",
        "attempt",
        "Pooler in front of SQLite failed under load",
        'links: ["src/db/pool.py"]',
    ),
    TABS: kept("20260104-tabs", "decision", "Indent Makefiles with tabs", 'links: ["Makefile"]'),
}
PINNED = kept("20260103-cents", "constraint", "Money is integer cents", "pinned: true")
CON, ATT, DEC = "CON-f03c", "ATT-4ec7", "DEC-27a9"
PIN = "CON-44ce"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with three memories, to be copied: making one takes longer."""
    work = WorkTree(tmp_path_factory.mktemp("original"))
    work.commit({"src/db/pool.py": "a = 1\n", "src/a.py": "a\n", "Makefile": "\n"})
    work.commit(store("") | MEMORIES, "Remember")
    return work.path


@pytest.fixture
def shop(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """A copy of it, and a working directory inside."""
    shutil.copytree(original, tmp_path / "work")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.delenv("GIT_INDEX_FILE", raising=False)
    monkeypatch.chdir(tmp_path / "work" / "src")
    return WorkTree(tmp_path / "work")


def precheck(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["precheck", *map(str, arguments)], input=stdin)


def told(*arguments: str | Path, stdin: str | bytes | None = None) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(precheck(*arguments, "--json", stdin=stdin).stdout)
    return document


def refs(*arguments: str | Path, stdin: str | bytes | None = None) -> list[str]:
    return [match["ref"] for match in told(*arguments, stdin=stdin)["matches"]]


def test_a_file_shows_what_links_it(shop: WorkTree) -> None:
    result = precheck("db/pool.py")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == f"""\
1 constraint binds this change, and one way of doing it failed before:

{CON}  constraint Only src/db opens connections  [per {CON}]
    because: links src/db: src/db/pool.py
    | Why.

{ATT}  attempt    Pooler in front of SQLite failed under load  [per {ATT}]
    because: links src/db/pool.py: src/db/pool.py
    | Why.

Cite what you rely on as [per REF]. Stop and ask where the plan conflicts with a constraint or a \
decision.
"""
    )
    assert refs("new.py") == []
    assert refs("db/new.py", shop.path / "Makefile") == [CON, DEC]


def test_a_directory_stands_for_all_in_it(shop: WorkTree) -> None:
    assert refs(".") == [CON, ATT]
    assert refs("..") == [CON, ATT, DEC]
    shop.commit(store("services/billing/") | {f"services/billing/{CENTS}": PINNED})
    assert PIN in refs("../services")
    assert refs("../services/other.py") == []


@pytest.mark.usefixtures("shop")
def test_a_plan_from_an_option_and_from_the_input() -> None:
    plan = "Put a pooler in front of SQLite to cope with load"
    assert refs("--plan", plan) == [ATT]
    assert refs("--plan", "-", stdin=b"\xff\xfe " + plan.encode()) == [ATT]
    long = precheck("--plan", "-", stdin=f"{plan} " + "x" * 2_000_000)
    assert (long.exit_code, long.stderr) == (
        0,
        f"Only the first {MAX_PLAN:,} characters of the plan count.\n",
    )
    match = told("--plan", plan)["matches"][0]
    assert set(match["words"]) >= {"pooler", "SQLite"}
    assert match["strength"] > 3


def test_a_plan_alone_is_about_the_working_directory(
    shop: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.commit(store("services/billing/") | {f"services/billing/{CENTS}": PINNED})
    assert refs("--plan", "say hello") == []
    monkeypatch.chdir(shop.path / "services" / "billing")
    assert refs("--plan", "say hello") == [PIN]


@pytest.mark.usefixtures("shop")
def test_nothing_applies_quietly() -> None:
    for arguments in (["a.py"], ["--plan", ""]):
        result = precheck(*arguments)
        assert (result.exit_code, result.output) == (0, "None of 3 memories applies\n")
    hook = precheck("--staged", "--fail")
    assert (hook.exit_code, hook.output) == (0, "")


def test_what_is_staged_under_both_names(shop: WorkTree) -> None:
    shop.git("mv", "src/db/pool.py", "src/pool.py")
    shop.write("Makefile", "not staged\n")
    document = told("--staged")
    assert [match["ref"] for match in document["matches"]] == [CON, ATT]
    assert document["looked_at"]["paths"] == ["src/db/pool.py", "src/pool.py"]
    assert (document["looked_at"]["base"], document["looked_at"]["memories"]) == (None, 3)


def test_fail_asks_for_a_citation(shop: WorkTree) -> None:
    shop.commit({CENTS: PINNED})
    shop.write("src/db/pool.py", "b = 1\n")
    shop.git("add", "-A")
    assert precheck("--staged").exit_code == 0
    result = precheck("--staged", "--fail")
    assert result.exit_code == 1
    assert result.stdout.endswith(f"\nNot cited, so this fails: {PIN}, {CON} and {ATT}.\n")
    shop.write(".git/COMMIT_EDITMSG", f"Pool [per {CON}, 20260102-pooler]\n\n# [per {PIN}]\n")
    message = shop.path / ".git" / "COMMIT_EDITMSG"
    result = precheck("--staged", "--fail", message)
    assert result.stdout.endswith(f"\nNot cited, so this fails: {PIN}.\n")
    assert told("--staged", "--fail", message)["fails"] is True
    accepted = precheck("--staged", "--fail", "--plan", f"Cents stay [per {PIN.lower()}]", message)
    assert accepted.exit_code == 0


def test_words_alone_and_what_does_not_bind_never_fail(shop: WorkTree) -> None:
    plan = "Put a pooler in front of SQLite to cope with load"
    assert precheck("--plan", plan, "--fail", shop.path / "Makefile").exit_code == 0


def test_a_memory_that_cannot_be_read_is_no_pass(shop: WorkTree) -> None:
    shop.write(POOL, "no memory\n")
    shop.write(TABS, MEMORIES[TABS].replace('created: "2026', 'created: "soon'))  # still binds
    result = precheck("a.py")
    assert (result.exit_code, result.stdout) == (0, "None of 2 memories applies\n")
    assert result.stderr.startswith(f"{POOL}:1: ")
    assert result.stderr.count("\n") == 1
    assert precheck("a.py", "--fail").exit_code == 1
    assert [one["rule"] for one in told("a.py")["unread"]] == ["missing-frontmatter"]
    shop.write(".memoryrail/config.json", '{"version": 9}')
    assert [one["rule"] for one in told("a.py")["unread"]] == ["unsupported-version"]


def test_a_change_cannot_lift_the_rule_that_it_is_judged_by(shop: WorkTree) -> None:
    shop.git("checkout", "-q", "-b", "feature")
    archived = MEMORIES[POOL].replace('"active"', '"archived"')
    base, _ = shop.git("rev-parse", "HEAD"), shop.commit({POOL: archived}, "Lift it")
    shop.commit({"src/db/pool.py": "b\n"}, "Open more connections")
    shop.write("Makefile", "staged\n")
    shop.git("add", "-A")
    assert refs("db/pool.py") == [ATT]
    document = told("--base", "main", "--fail")
    assert [match["ref"] for match in document["matches"]] == [CON, ATT]
    assert document["looked_at"]["paths"] == ["src/db/pool.py"]
    assert (document["looked_at"]["base"], document["fails"]) == (base, True)
    assert refs("--base", "main", "--staged") == [CON, ATT, DEC]
    shop.commit({}, f"Explain it [per {CON}, {ATT}]")
    assert precheck("--base", "main", "--fail").exit_code == 0


def test_secrets_and_hostile_text_are_not_shown(shop: WorkTree) -> None:
    hostile = MEMORIES[POOL].replace("Why.", f'token = "{TOKEN}"\n\x1b[31m\u202ered\x07')
    shop.write(POOL, hostile.replace("opens connections", f"{TOKEN} \\u001b]0;x\\u0007"))
    for arguments in (["db/x"], ["db/x", "--json"]):
        result = precheck(*arguments)
        assert (result.exit_code, CON in result.stdout) == (0, True)
        assert TOKEN not in result.output
        assert set(result.output) & {"\x1b", "\x07", "\u202e"} == set()


def test_outside_git(shop: WorkTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop.path / ".git").rename(tmp_path / "elsewhere")
    assert refs("db/pool.py") == [CON, ATT]
    result = precheck("--staged")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "need a git repository" in result.stderr
    monkeypatch.chdir(tmp_path)
    assert "in no project with memories" in precheck("x").stderr


def test_a_repository_without_memories(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    work.write("a", "a\n")
    work.git("add", "-A")
    monkeypatch.chdir(work.path)
    assert precheck("--staged", "--fail").output == ""
    assert precheck("a").stderr == (
        "There is no project memory here: "
        "no .memoryrail/config.json, .cursor/memory or jumpybrain.json.\n"
    )
    work.write(".memoryrail/config.json", store("")[".memoryrail/config.json"] or "")
    work.write(CENTS, PINNED)
    assert refs("--staged") == [PIN]  # before the first commit


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "Nothing is asked about. Name files, or use --plan TEXT, --staged or --base REV."),
        (["--fail"], "Nothing is asked about."),
        (["/etc/passwd"], "lies outside"),
        (["--base", "nope"], "no commit here is known as 'nope'"),
        (["--base", "--help"], "no commit here is known as '--help'"),
        (["../.git/config"], "git's own files"),
    ],
)
def test_what_cannot_be_done(arguments: list[str], problem: str) -> None:
    result = precheck(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr


@pytest.mark.usefixtures("shop")
def test_the_arithmetic_is_printed_on_asking() -> None:
    plan = "A pooler in front of SQLite"
    shown = precheck("--plan", plan, "--explain").stdout
    assert "    | strength " in shown
    assert "  pooler  (weight " in shown
    (match,) = json.loads(precheck("--plan", plan, "--explain", "--json").stdout)["matches"]
    assert match["arithmetic"]["shares"][0]["times"]["title"] == 1
    assert "arithmetic" not in json.loads(precheck("--plan", plan, "--json").stdout)["matches"][0]


def test_thresholds_come_from_the_settings(shop: WorkTree) -> None:
    plan = "A pooler in front of SQLite"
    assert ATT in precheck("--plan", plan).stdout
    shop.write(".github/memoryrail.yml", "precheck: {text-hits: 0}\n")
    assert ATT not in precheck("--plan", plan).stdout
