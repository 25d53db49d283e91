"""The runner itself: what is wrong fails and is named, and nothing is passed over in silence."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.cases import VECTORS, MalformedError, content, plain, text
from tests.vectors.runner import main

CONFIG = {".memoryrail/config.json": '{"version": 1}'}
ID = "20261001-keep-sqlite"
PATH = f".memoryrail/memories/{ID}.md"
NOW = "2026-10-10T17:30:00.000Z"


def memory(status: str = "active", *more: str, id_: str = ID, title: str = "Keep SQLite") -> str:
    lines = [f'id: "{id_}"', 'type: "decision"', f'title: "{title}"', f'status: "{status}"']
    lines += [f'{name}: "2026-10-01T08:00:00.000Z"' for name in ("created", "updated")]
    return "\n".join(["---", *lines, *more, "---", "", "Body.", ""])


def case(op: str, expect: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    args = more.pop("args", {})
    files = {**CONFIG, PATH: memory(), **more.pop("files", {})}
    files = {path: text for path, text in files.items() if text is not None}
    return {"name": "it", "op": op, "args": args, "files": files, "expect": expect, **more}


@pytest.fixture
def ran(tmp_path: Path) -> Any:
    """Runs cases of a format; the exit code and the lines."""

    def run(*cases: Mapping[str, Any], format_: object = "memoryrail") -> tuple[int, list[str]]:
        document = {"format": format_, "topic": "t", "cases": cases}
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / "t.json").write_text(json.dumps(document))
        lines: list[str] = []
        code = main([str(tmp_path)], lines.append)
        return code, lines

    return run


def test_a_wrong_vector_fails_with_what_was_expected_and_what_came(ran: Any) -> None:
    right = case("ref", {"ref": "DEC-74f0"}, args={"id": ID, "type": "decision"})
    wrong = {**right, "name": "wrong one", "expect": {"ref": "DEC-0000"}}
    assert ran(right, wrong, right) == (
        1,
        [
            "FAIL  deep/t.json: wrong one (ref)",
            "      ref: expected 'DEC-0000'",
            "           got      'DEC-74f0'",
            "2 passed, 1 failed",
        ],
    )
    assert ran(right) == (0, ["1 passed, 0 failed"])


PROPOSAL = {PATH: memory("proposed")}
APPROVED = memory().replace('updated: "2026-10-01T08:00:00.000Z"', f'updated: "{NOW}"')
REF = {"ref": ID, "now": NOW}
BLOCK = "a\n{{START}}\n{{BLOCK}}{{END}}\nb\n"
OLD_BLOCK = BLOCK.replace("{{BLOCK}}", "old\n")
DRAFT = {"type": "decision", "title": "Use it", "author": "human", "now": NOW}
NEW = ".memoryrail/memories/20261010-use-it.md"
NEW_LINES = [
    *('id: "20261010-use-it"', 'type: "decision"', 'title: "Use it"', 'status: "active"'),
    *(f'created: "{NOW}"', f'updated: "{NOW}"'),
]

# op, what differs from a plain case, what passes, and what must not.
OUTCOMES: list[tuple[str, dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]] = [
    (
        "read",
        {"args": {"id": ID}, "files": {PATH: memory("active", "tags: ~", "pinned: false")}},
        [{"body": "\n\nBody.\n"}, {"errors": []}],
        [{"body": "Body"}, {"errors": ["bad-type"]}, {"fields": {"id": ID}}],
    ),
    (
        "read",
        {"args": {"id": ID}, "files": {".memoryrail/memories/b.md": "nothing"}},
        [{"errors": []}, {"errors": ["missing-frontmatter"]}],
        [{"errors": ["bad-frontmatter"]}],
    ),
    (
        "read",
        {"args": {"id": ID}, "files": {PATH: "nothing"}},
        [{"errors": ["missing-frontmatter"]}, {"fields": None, "body": None}],
        [{"errors": []}, {"fields": {}}],
    ),
    (
        "lint",
        {"files": {PATH: memory("superseded", 'links: ["../x", "../y"]')}},
        [
            {"exit": 0, "findings": [{"kind": "missing-superseded-by", "id": ID}]},
            {"findings": [{"kind": "missing-superseded-by", "severity": "warning"}]},
        ],
        [
            {"findings": []},
            {"exit": 1},
            {"findings": [{"kind": "missing-superseded-by", "severity": "error"}]},
        ],
    ),
    (
        "lint",
        {"files": {PATH: memory("active", 'links: ["../x", "../y"]')}},
        [
            {"exit": 1, "findings": [{"kind": "link-outside-repo", "id": ID}]},
            {"findings": [{"kind": "link-outside-repo", "link": f"../{x}"} for x in "yx"]},
        ],
        [{"findings": [{"kind": "link-outside-repo", "link": "../x"}]}],
    ),
    (
        "lint",
        {"files": {PATH: {"join": [memory(), "AK", "IA", "Q7XK2M5VN3JPRT4C"]}}},
        [
            {
                "findings": [{"kind": "secret", "rule": "aws-access-key-id"}],
                "output_must_not_contain": {"join": ["Q7XK2M5V", "N3JPRT4C"]},
            }
        ],
        [{"output_must_not_contain": "aws-access-key-id"}, {"exit": 1}],
    ),
    (
        "lint",
        {"files": {".memoryrail/config.json": '{"version": 2}'}},
        [{"error": "unsupported-version", "exit": 1}],
        [{"findings": []}, {"error": "bad-config"}],
    ),
    (
        "config",
        {"files": {".memoryrail/config.json": '{"version": 1, "review": "agents"}'}},
        [{"version": 1, "review": "agents"}],
        [{"review": "off"}, {"error": "bad-config"}],
    ),
    (
        "config",
        {"files": {".memoryrail/config.json": "{"}},
        [{"error": "bad-config"}, {"error_any": ["x", "bad-config"]}],
        [{"version": 1}, {"error_any": ["x", "y"]}],
    ),
    (
        "find-project",
        {"args": {"cwd": "pkg/src"}, "files": {"pkg/.memoryrail/x.md": "x"}},
        [{"root": "."}],
        [{"root": "pkg"}, {"error": "no-project"}],
    ),
    (
        "find-project",
        {"args": {"cwd": "."}, "files": {".memoryrail/config.json": None}},
        [{"error": "no-project"}],
        [{"root": "."}],
    ),
    ("read", {"args": {"id": ID}, "files": {".memoryrail/config.json": None}},
     [{"error": "no-project"}], [{"fields": {}}]),
    ("lint", {"files": {".memoryrail/config.json": None}},
     [{"error": "no-project", "exit": 1}], [{"findings": []}]),
    (
        "resolve-ref",
        {"args": {"ref": "[per dec-74F0]"}},
        [{"id": ID}],
        [{"error": "not-found"}, {"id": "x"}],
    ),
    ("resolve-ref", {"args": {"ref": "DEC-0000"}}, [{"error": "not-found"}], [{"id": ID}]),
    (
        "link-applies",
        {"args": {"link": "src", "changed": "src/a"}},
        [{"applies": True}],
        [{"applies": False}],
    ),
    (
        "precheck",
        {"args": {"plan": "keep SQLite", "files": ["README.md"]}},
        [{"ids": [ID], "first": ID, "ids_any_order": [ID]}],
        [{"ids": []}, {"first": None}, {"ids_any_order": [ID, "x"]}],
    ),
    ("precheck", {"args": {"files": ["a"]}}, [{"first": None, "ids": []}], [{"first": ID}]),
    (
        "list",
        {"files": {".memoryrail/memories/a.md": memory("active", "pinned: true", id_="a")}},
        [{"ids": ["a", ID]}],
        [{"ids": [ID, "a"]}, {"refs": []}],
    ),
    ("list-proposals", {"files": PROPOSAL}, [{"refs": ["DEC-74f0"]}], [{"ids": []}]),
    (
        "approve",
        {"args": REF, "files": PROPOSAL},
        [
            {"files": {PATH: APPROVED}, "others_unchanged": True},
            {"one_of": [{"error": "not-proposed"}, {"files": {PATH: APPROVED}}]},
        ],
        [
            {"files": {PATH: memory("proposed")}},
            {"files": {PATH: None}},
            {"others_unchanged": True},
            {"unchanged": True},
            {"error": "not-proposed"},
            {"one_of": [{"error": "not-proposed"}, {"unchanged": True}]},
        ],
    ),
    (
        "approve",
        {"args": REF},
        [{"error": "not-proposed", "unchanged": True}, {"error_any": ["not-proposed"]}],
        [{"unchanged": True}, {"error": "not-found"}, {"files": {PATH: APPROVED}}],
    ),
    (
        "archive",
        {"args": {"ref": "DEC-74f0", "now": NOW}, "files": {PATH: memory("superseded")}},
        [{"error": "already-superseded", "unchanged": True}],
        [{"error": "not-found"}],
    ),
    ("archive", {"args": REF, "files": {".memoryrail/config.json": '{"version": 2}'}},
     [{"error": "unsupported-version"}], [{"error": "not-found"}]),
    ("archive", {"args": REF, "files": {".memoryrail/config.json": "{}"}},
     [{"error": "bad-config", "unchanged": True}], [{"error": "not-found"}]),
    (
        "reject",
        {"args": REF, "files": PROPOSAL},
        [{"files": {PATH: None}, "others_unchanged": True}],
        [{"files": {PATH: memory("proposed")}}],
    ),
    ("resolve", {"args": REF}, [{"error": "not-a-thread"}], [{"error": "not-proposed"}]),
    (
        "create",
        {"args": {**DRAFT, "body": "Why."}},
        [
            {
                "new": {"path": NEW, "frontmatter_lines_any_spacing": NEW_LINES[::-1]},
                "others_unchanged": True,
                "written": True,
                "status": "active",
            },
            {"new": {"path_not": PATH, "id_equals_file_name": True, "body": "\nWhy.\n"}},
        ],
        [
            {"new": {"path": PATH}},
            {"new": {"path_not": NEW}},
            {"new": {"frontmatter_lines_any_spacing": NEW_LINES[1:]}},
            {"new": {"body": "Why"}},
            {"new": {"colour": "red"}},
            {"written": False},
            {"unchanged": True},
            {"status": "proposed"},
            {"error": "secret"},
        ],
    ),
    ("create", {"args": {**DRAFT, "type": "note"}}, [{"error": "bad-type"}], [{"written": True}]),
    ("create", {"args": {**DRAFT, "title": {"join": ["a\n", "b"]}}},
     [{"error": "bad-title", "unchanged": True}], [{"error": "bad-type"}]),
    (
        "create",
        {"args": {**DRAFT, "supersedes": "DEC-74f0"}},
        [{"new": {"path": NEW}, "written": True}],
        [{"others_unchanged": True}],
    ),
    (
        "create",
        {"args": {**DRAFT, "tags": [{"join": ["AK", "IA", "Q7XK2M5VN3JPRT4C"]}]}},
        [{"error": "secret", "rule": "aws-access-key-id", "output_must_not_contain": "Q7XK2M"}],
        [{"error": "secret", "rule": "private-key"}, {"written": True}],
    ),
    (
        "sync",
        {"args": {"target": "AGENTS.md"}, "files": {"AGENTS.md": OLD_BLOCK}},
        [
            {"files": {"AGENTS.md": BLOCK}, "others_unchanged": True},
            {"starts_with": "a\n{{START}}\n", "ends_with": "{{END}}\nb\n", "line_end": "LF"},
            {"count": {"{{START}}": 1, "old": 0}, "own_line_count": {"{{END}}": 1, "a": 1}},
            {"block_has": ["DEC-74f0", "Keep SQLite"], "block_has_not": ["old", "{{END}}"]},
            {"one_of": [{"error": "bad-encoding"}, {"bytes_outside_unchanged": True}]},
        ],
        [
            {"files": {"AGENTS.md": OLD_BLOCK}},
            {"starts_with": "a\n{{END}}"},
            {"ends_with": "b"},
            {"line_end": "CRLF"},
            {"count": {"{{START}}": 2}},
            {"own_line_count": {"old": 1}},
            {"block_has": ["DEC-74f0", "a\n"]},
            {"block_has_not": ["DEC-74f0"]},
            {"bytes_outside_unchanged": False},
            {"unchanged": True},
            {"one_of": [{"error": "bad-encoding"}, {"unchanged": True}]},
        ],
    ),
    (
        "sync",
        {"args": {"target": "CLAUDE.md"}, "files": {"CLAUDE.md": BLOCK.replace("\n", "\r\n")}},
        [{"unchanged": True, "line_end": "CRLF"}],
        [{"line_end": "LF"}],
    ),
    (
        "sync",
        {"args": {"target": ".cursor/rules/memoryrail.mdc"}},
        [{"starts_with": "---\n", "own_line_count": {"{{START}}": 1}, "others_unchanged": True}],
        [{"unchanged": True}],
    ),
    ("sync", {"args": {"target": "../AGENTS.md"}},
     [{"error_any": ["link-outside-repo", "x"], "unchanged": True}], [{"error_any": ["x"]}]),
    (
        "sync",
        {"files": {"AGENTS.md": {"base64": "AHt7U1RBUlR9fQo="}}},
        [{"error_any": ["bad-encoding"], "unchanged": True}],
        [{"error": "unbalanced-markers"}],
    ),
    (
        "sync",
        {"files": {"CLAUDE.md": BLOCK}, "env": {"symlinks": {"AGENTS.md": "../outside.md"}}},
        [{"unchanged": True, "error": "refused"}],
        [{"count": {"{{START}}": 1}}],
    ),
    (
        "sync",
        {"files": {"AGENTS.md": "# A\n"}, "args": {"target": "CLAUDE.md"},
         "env": {"symlinks": {"CLAUDE.md": "AGENTS.md"}}},
        [
            {"files": {"AGENTS.md": f"# A\n\n{BLOCK[2:-2]}"}, "count": {"{{START}}": 1}},
            {"others_unchanged": True},
        ],
        [{"unchanged": True}],
    ),
    (
        "stale",
        {
            "files": {PATH: memory("active", 'links: ["a/b", "new", "out", "a", "d/e", "c"]')},
            "git": [
                {"at": "2026-09-01T00:00:00Z", "write": ["a/b", "c", "d/e"]},
                {"at": "2026-10-01T08:00:00.000Z", "write": {"c": "now"}, "delete": ["d/e"]},
                {"at": "2026-10-01T08:00:01Z", "write": ["a/f"]},
            ],
            "env": {"untracked": ["new"], "symlinks": {"out": "/etc"}},
        },
        [
            {
                "findings": [
                    {"kind": "maybe-stale", "severity": "warning", "id": ID, "link": "a"},
                    {"kind": "stale-link", "severity": "warning", "id": ID, "link": "d/e"},
                    {"kind": "link-outside-repo", "severity": "error", "id": ID, "link": "out"},
                ]
            }
        ],
        [{"findings": []}, {"colour": 1}],
    ),
    (
        "lint",
        {
            "files": {PATH: memory("active", 'links: ["gone"]')},
            "git": [{"at": "2026-09-01T00:00:00Z", "write": ["a"]}],
        },
        [{"findings": [{"kind": "stale-link", "id": ID, "link": "gone"}], "exit": 0}],
        [{"findings": []}],
    ),
    ("sync-check", {"files": {"AGENTS.md": BLOCK}}, [{"exit": 0}], [{"exit": 1}]),
    ("sync-check", {"files": {"AGENTS.md": OLD_BLOCK}}, [{"exit": 1}], [{"exit": 0}]),
    ("sync-check", {"files": {"AGENTS.md": "{{END}}\n"}},
     [{"exit": 1, "error": "unbalanced-markers"}], [{"error": "duplicate-markers"}]),
    (
        "sync-same-block",
        {"args": {"files_b": {**CONFIG, PATH: memory(title="Another")}}},
        [{"same_block": False}],
        [{"same_block": True}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("op", "more", "expect", "passes"),
    [
        (op, more, expect, passes)
        for op, more, right, wrong in OUTCOMES
        for passes, some in ((True, right), (False, wrong))
        for expect in some
    ],
)
def test_each_key_is_compared(
    ran: Any, op: str, more: dict[str, Any], expect: dict[str, Any], passes: bool
) -> None:
    code, lines = ran(case(op, expect, **more))
    assert (code, lines[-1]) == ((0, "1 passed, 0 failed") if passes else (1, "0 passed, 1 failed"))
    assert "raised" not in " ".join(lines)
    assert not passes or lines[:-1] == []


def test_an_added_line_may_stand_anywhere_at_the_top(ran: Any) -> None:
    new = ".memoryrail/memories/20261009-new.md"
    files = {
        PATH: memory("active", "x:", "  status: no"),
        new: memory("proposed", f'supersedes: "{ID}"', id_="20261009-new"),
    }
    old = files[PATH].replace('status: "active"', 'status: "superseded"')
    old = old.replace('updated: "2026-10-01T08:00:00.000Z"', f'updated: "{NOW}"')
    line = 'superseded_by: "20261009-new"\n'

    def code(wanted: str) -> int:
        args = {"ref": "20261009-new", "now": NOW}
        return int(ran(case("approve", {"files": {PATH: wanted}}, files=files, args=args))[0])

    assert code(old.replace("x:", f"{line}x:")) == 0
    assert code(old.replace("\n---\n\nB", f"\n{line}---\n\nB")) == 0
    assert code(old.replace("type:", f"{line}type:").replace("type:", "type: ")) == 1
    assert code(old.replace("Body.", f"Body.\n{line}")) == 1
    assert code(old.replace("  status", f"  {line}  status")) == 1
    assert code(old) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"op": "frobnicate"}, "op: expected 'one of read, lint, "),
        ({"expect": {}}, "something to compare"),
        ({"expect": {"id": ID, "colour": "red"}}, "a key that is not known here"),
        ({"args": {"ref": ID, "depth": 1}}, "args has keys that are not known here: depth"),
        ({"args": {}}, "args lacks ref"),
        ({"env": {"umask": 0}}, "env has keys that are not known here: umask"),
        ({"colour": "red"}, "the case has keys that are not known here: colour"),
        ({"files": {"a": {"hex": "00"}}}, "a text, "),
        ({"expect": {"id": "a" * 2000 + "b"}}, "…"),
    ],
)
def test_what_is_not_known_fails_and_says_so(ran: Any, changed: Any, said: str) -> None:
    code, lines = ran({**case("resolve-ref", {"id": ID}, args={"ref": ID}), **changed})
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")
    assert said in "\n".join(lines)
    assert max(map(len, lines)) < 1000


def test_an_unknown_format_fails_case_by_case(ran: Any) -> None:
    code, lines = ran(case("read", {"x": 1}), case("read", {"x": 1}), format_="hieroglyphs")
    assert (code, lines[-1]) == (1, "0 passed, 2 failed")
    assert "format: expected 'one of memoryrail, cursor, jumpybrain, 1'" in lines[1]


def test_labelled_texts(ran: Any) -> None:
    parts = ["AK", "IA", "Q7XK2M5VN3JPRT4C"]
    found = {"rule": "aws-access-key-id", "line": 2, "level": "high", "secret": {"join": parts}}
    one = {"id": "a", "path": "a.yml", "text": {"join": ["x\nk: ", *parts]}, "expect": [found]}

    def run(**changed: Any) -> tuple[int, list[str]]:
        code, lines = ran({**one, **changed}, format_=1)
        assert "".join(parts) not in "".join(lines)
        return code, lines

    assert run() == (0, ["1 passed, 0 failed"])
    assert run(expect=[{**found, "line": 1}])[0] == 1
    assert run(expect=[{**found, "rule": "jwt"}])[0] == 1
    assert run(expect=[{**found, "rule": "jwt"}], also_ok=["aws-access-key-id"])[0] == 0
    assert run(expect=[])[0] == 1
    assert run(text="nothing")[0] == 1
    assert run(colour="red")[0] == 1
    code, (note, last) = run(expect=[{**found, "level": "low"}])
    assert (code, last) == (0, "1 passed, 0 failed")
    assert note.endswith("a: aws-access-key-id is high here, expected low")
    code, (note, last) = run(text={"join": ["k: ", *parts, "\nk: ", *parts]})
    assert note.endswith("aws-access-key-id on line 1 is found as well")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.txt", "{}", "no vector file"),
        ("x.json", "{", "x.json: Expecting"),
        ("x.json", "[]", 'x.json: no vector file: an object with "format"'),
        ("x.json", '{"cases": []}', 'x.json: the key "format" is missing'),
        ("x.json", '{"format": "memoryrail", "cases": []}', "no vector file"),
        ("x.json", '{"format": "memoryrail", "cases": [1]}', "x.json: case 1 is no object"),
        ("x.json", '{"format": "memoryrail", "cases": [{}]}', "x.json: case 1 has neither"),
    ],
)
def test_an_unusable_folder_is_said_before_anything_is_run(
    tmp_path: Path, name: str, data: str, said: str
) -> None:
    (tmp_path / "good.json").write_text('{"format": "memoryrail", "cases": []}')
    (tmp_path / name).write_text(data)
    lines: list[str] = []
    assert main([str(tmp_path)], lines.append) == 2
    assert len(lines) == 1
    assert said in lines[0]


def test_a_folder_that_is_not_there_and_too_many_folders() -> None:
    lines: list[str] = []
    assert main(["/nowhere/at/all"], lines.append) == 2
    assert main(["a", "b"], lines.append) == 2
    assert lines == [
        "/nowhere/at/all: there is no such folder",
        "usage: python -m tests.vectors FOLDER",
    ]


def test_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.vectors", str(VECTORS / "memoryrail" / "refs.json")],
        cwd=VECTORS.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "14 passed, 0 failed\n")


def test_a_text_is_given_in_three_ways() -> None:
    assert content({"join": ["a", {"base64": "/w=="}]}) == b"a\xff"
    assert text({"base64": "w6k="}) == "é"
    assert plain({"a": [{"join": ["x", "y"]}, 1, None]}) == {"a": ["xy", 1, None]}
    with pytest.raises(MalformedError):
        content({"join": ["a"], "more": 1})
