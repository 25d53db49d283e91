"""Every credential of the vectors in a repository, and in nothing that the command line prints."""

from collections import defaultdict

import pytest

from tests.cli.running import run
from tests.git.worktree import WorkTree
from tests.scenarios.conftest import memory
from tests.test_redaction import BARE, CASES, leaked

NAMES = [secret for secret in BARE if "/" not in secret][::6]
EVERYTHING = "\n".join(case.text for case in CASES)
MEMORIES = {
    ".memoryrail/config.json": '{"version": 1}',
    **memory("20260301-noted", "gotcha", f"Use {NAMES[0]}", EVERYTHING, more='links: ["bare"]\n'),
    **memory(f"20260302-{NAMES[1]}", "constraint", "A name", more="pinned: true\n"),
}
ASKED = [  # and the exit code
    *((("secrets", "scan", "--format", one), 1) for one in ("text", "json", "sarif")),
    *((("secrets", "scan", "--range", "main..", "--format", one), 1) for one in ("text", "sarif")),
    *((("check", "--base", "main", "--format", one), 1) for one in ("text", "json", "github")),
    (("lint",), 0),
    (("list",), 0),
    (("list", "--json"), 0),
    (("show", "20260301-noted"), 0),
    (("show", "20260301-noted", "--json"), 0),
    (("search", NAMES[0]), 0),
    (("precheck", "--base", "main"), 0),
    (("precheck", "--base", "main", "--json"), 0),
    (("stale",), 0),
    (("sync",), 0),
    (("approve", f"DEC-{NAMES[0]}"), 2),
    (("secrets", "scan", NAMES[0]), 2),
    (("secrets", "scan", "--format", NAMES[0]), 2),
    (("check", NAMES[0]), 2),
    ((NAMES[0],), 2),
    (("add", "decision", f"Use {NAMES[0]} for all"), 2),
]


def test_nothing_that_is_printed_holds_a_value(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memories that stand; then in files, names and a message, some of it taken away again."""
    work.commit(MEMORIES)
    work.git("checkout", "-qb", f"fix-{NAMES[2]}")
    texts = defaultdict[str, list[str]](list)
    for case in CASES:
        texts[f"planted/{case.path}"].append(case.text)
    planted = {path: "\n".join(some) for path, some in texts.items()}
    work.commit({**planted, **{f"bare/{name}": "x = 1\n" for name in NAMES}}, message=EVERYTHING)
    work.git("rm", "-qr", "planted")
    work.commit({"picture.png": b"\x89PNG\r\n\x1a\n\0" + EVERYTHING.encode()}, message="Go on")
    monkeypatch.chdir(work.path)
    for arguments, code in ASKED:
        result = run(*arguments)
        assert (arguments, result.exit_code) == (arguments, code)
        assert (arguments, leaked(result.stdout, result.stderr)) == (arguments, [])
    assert leaked((work.path / "AGENTS.md").read_text()) == []
