"""Secrets in every commit, in the words and in memory files: found, placed, never shown."""

import hashlib
import json
import time
from dataclasses import asdict, replace

import pytest

from bot.core.leaks import BODY, TITLE, leak_findings, leaks
from bot.core.model import TreeFile
from bot.core.report import Finding, SecretHit, Weight
from bot.core.repository_settings import RepositorySettings
from bot.core.secrets import RuleSet
from bot.core.secrets.ruleset import own_rule
from bot.core.snapshot import Snapshot
from tests.making import commit, file, github_token, memory, snapshot, store

TOKEN = github_token()
WORD = "-".join(["k3Yx9", "Lq2Wz7"])
LINE = f'token = "{TOKEN}"'
FIRST, SECOND = "1" * 40, "2" * 40
NOTE = ".memoryrail/memories/20261001-keep-sqlite.md"


def told(snap: Snapshot) -> tuple[SecretHit, Finding]:
    """The only hit and its finding."""
    (hit,), unread = leaks(snap)
    assert unread == ()
    (finding,) = leak_findings([hit], snap)
    assert TOKEN not in json.dumps([asdict(hit), asdict(finding)], default=str)
    return hit, finding


def test_a_secret_that_stands_at_the_head_is_told_at_its_line() -> None:
    snap = snapshot(
        files=[file("src/a.py", added=f"x = 1\n{LINE}")],
        commits=[
            commit(FIRST, added={"src/a.py": LINE}),
            commit(SECOND, added={"src/a.py": "x = 1"}),
        ],
    )
    hit, finding = told(snap)
    assert (hit.path, hit.line, hit.commit, hit.at_head) == ("src/a.py", 2, FIRST, True)
    assert (finding.weight, finding.path, finding.line) == (Weight.FAILURE, "src/a.py", 2)


def test_a_secret_that_a_later_commit_removes_is_leaked_all_the_same() -> None:
    snap = snapshot(
        files=[file("src/a.py", added="x = 1")],
        commits=[
            commit(FIRST, added={"src/a.py": LINE}),
            commit(SECOND, added={"src/a.py": "x = 1"}),
        ],
    )
    hit, finding = told(snap)
    assert (hit.commit, hit.at_head) == (FIRST, False)
    assert finding.weight is Weight.FAILURE
    assert "stays in the history" in finding.message


def test_a_merge_is_scanned_for_what_it_adds_itself() -> None:
    merge = commit(FIRST, parents=2, added={"src/a.py": LINE})
    (hit,), _ = leaks(snapshot(commits=[merge]))
    assert (hit.commit, hit.at_head) == (FIRST, False)


def test_the_message_of_a_commit_is_scanned() -> None:
    hit, finding = told(snapshot(commits=[commit(FIRST, message=f"Try it\n\n{LINE}")]))
    assert (hit.path, hit.line) == ("(message of commit) 1111111", 3)
    assert (finding.path, finding.weight) == (None, Weight.FAILURE)
    assert "It stands in the message of commit 1111111." in finding.message


@pytest.mark.parametrize("path", [f"src/{TOKEN}.env", f"{TOKEN}/a.py", f"a\n{TOKEN}"])
def test_the_name_of_a_file_is_scanned(path: str) -> None:
    new = file(path, "added", added="x = 1")
    hit, finding = told(snapshot(files=[new], commits=[commit(FIRST, new_paths=(path,))]))
    assert hit.path == f"(file name) {path.replace(TOKEN, '[secret]')}"
    assert (hit.commit, hit.at_head, finding.path) == (FIRST, True, None)
    assert finding.weight is Weight.FAILURE
    assert f"It stands in the file name {hit.path[12:]}. Commit 1111111 adds it." in finding.message


def test_a_name_that_a_later_commit_takes_away_is_leaked_all_the_same() -> None:
    hit, finding = told(snapshot(commits=[commit(FIRST, new_paths=("a.py", f"{TOKEN}.py"))]))
    assert hit.at_head is False
    assert "stays in the history" in finding.message


def test_a_name_that_stood_there_is_not_the_fault_of_this_change() -> None:
    name = f"src/{TOKEN}.env"
    gone = [file(name, "removed"), file("b.py", "renamed", previous_path=f"{TOKEN}.py")]
    assert leaks(snapshot(files=gone, commits=[commit(FIRST, paths=(name,))])) == ((), ())


def test_a_name_must_be_certain() -> None:
    names = [f"heroku/{'3f9c01b7' * 4}.json", f"password={WORD}", "postmark/" + "k8Fq" * 9]
    files = [file(name, "added", added="x = 1") for name in names]
    assert leaks(snapshot(files=files)) == ((), ())


def test_the_name_of_the_branch_is_scanned() -> None:
    snap = snapshot()
    hit, finding = told(replace(snap, pull=replace(snap.pull, head_ref=f"fix-{TOKEN}")))
    assert (hit.path, finding.path, finding.weight) == ("(branch name)", None, Weight.FAILURE)
    assert "It stands in the branch name." in finding.message


def test_names_that_are_not_scanned_whole_are_said() -> None:
    name = "-".join(["AK" + "IA" + "A" * 16] * 2_000)
    _, unread = leaks(snapshot(files=[file(name, "added")]))
    assert [one.what for one in unread] == ["(file name)"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32-be"])
def test_a_memory_file_is_scanned_in_whatever_encoding(encoding: str) -> None:
    stood = store(memory())
    stored = TreeFile(path=NOTE, oid="1", data=f"---\n---\n{LINE}\n".encode(encoding))
    told(snapshot(base=[replace(stood, files={NOTE: stored})]))


def test_many_secrets_and_long_paths_take_little_time() -> None:
    """Every value is looked for in every path, up to a bound; beyond it a path is not shown."""
    seeds = [hashlib.sha256(bytes([index % 256, index // 256])).hexdigest() for index in range(400)]
    lines = "\n".join(f'token = "{github_token(seed[:30])}"' for seed in seeds)
    files = [file(f"{index}/{'x/' * 2_000}a.py", added=LINE) for index in range(600)]
    before = time.process_time()
    hits, _ = leaks(snapshot(files=[file("a.py", added=lines), *files]))
    assert time.process_time() - before < 2
    paths = {hit.path for hit in hits}
    assert {"a.py", "0/" + "x/" * 2_000 + "a.py", "[secret]"} <= paths


def test_a_folder_in_parentheses_is_a_file_like_any_other() -> None:
    hit, finding = told(snapshot(files=[file("(app)/page.tsx", added=LINE)]))
    assert finding.path == hit.path == "(app)/page.tsx"


@pytest.mark.parametrize("where", [TITLE, BODY])
def test_the_words_of_the_pull_request_are_scanned(where: str) -> None:
    snap = snapshot(title=LINE) if where == TITLE else snapshot(body=f"Hi\n\n{LINE}")
    hit, finding = told(snap)
    assert hit.path == where
    assert (finding.path, finding.weight) == (None, Weight.FAILURE)


def test_a_secret_in_a_memory_that_stood_there_is_a_notice() -> None:
    stood = store(memory(), texts={NOTE: LINE})
    snap = snapshot(base=[stood], files=[file("README.md", added="Hello")])
    hit, finding = told(snap)
    assert (hit.path, hit.commit, finding.weight) == (NOTE, None, Weight.NOTICE)


def test_a_secret_that_this_pull_request_puts_into_a_memory_fails() -> None:
    after = store(memory(body=LINE), texts={NOTE: f"---\n---\n{LINE}"})
    snap = snapshot(
        base=[store(memory())],
        head=[after],
        files=[file(NOTE, added=LINE)],
        commits=[commit(FIRST, added={NOTE: LINE})],
    )
    hit, finding = told(snap)
    assert (hit.commit, finding.weight) == (FIRST, Weight.FAILURE)


@pytest.mark.parametrize(
    ("block", "weight"),
    [("high", Weight.WARNING), ("medium", Weight.FAILURE), ("low", Weight.FAILURE)],
)
def test_settings_say_which_level_fails(block: str, weight: Weight) -> None:
    snap = snapshot(
        files=[file("src/a.py", added=f'password = "{WORD}"')],
        settings=RepositorySettings(secrets_block=block),  # type: ignore[arg-type]  # a table
    )
    (hit,), _ = leaks(snap)
    assert hit.level == "medium"
    assert [one.weight for one in leak_findings([hit], snap)] == [weight]


def test_a_mark_does_not_hide_what_is_certain() -> None:
    marked = f"{LINE}  # pragma: allowlist secret"
    assert len(leaks(snapshot(files=[file("src/a.py", added=marked)]))[0]) == 1


@pytest.mark.parametrize("count", [1, 12])
def test_what_marks_hide_of_the_change_is_one_notice(count: int) -> None:
    lines = [f'password = "{WORD}{n}"  # pragma: allowlist secret' for n in range(count)]
    snap = snapshot(files=[file("src/a.py", added="\n".join(lines))])
    found, _ = leaks(snap)
    assert [hit.is_marked for hit in found] == [True] * count
    (finding,) = leak_findings(found, snap)
    assert (finding.weight, finding.path) == (Weight.NOTICE, None)
    assert f"({count}): src/a.py:1 (password)" in finding.message
    assert ("and 2 more" in finding.message) is (count == 12)
    assert WORD not in repr(finding)


def test_marks_on_what_stood_there_or_is_advice_are_not_told() -> None:
    marked = f'password = "{WORD}"  # gitleaks:allow'
    assert leaks(snapshot(base=[store(memory(), texts={NOTE: marked})]))[0] == ()
    advice = 'password = "' + "correcthorse" + '"'
    snap = snapshot(files=[file("src/a.py", added=advice)])
    assert [hit.level for hit in leaks(snap)[0]] == ["low"]
    snap = snapshot(files=[file("src/a.py", added=f"{advice}  # gitleaks:allow")])
    assert leaks(snap)[0] == ()


def test_fingerprints_depend_on_the_key_and_the_value_only() -> None:
    one = told(snapshot(files=[file("src/a.py", added=LINE)]))[0]
    two = told(snapshot(files=[file("src/b.py", added=f"y\n{LINE}")]))[0]
    assert one.fingerprint == two.fingerprint
    other = github_token("Z9y8X7w6V5u4T3s" + "2R1q0P9o8N7m6L5")
    three, _ = leaks(snapshot(files=[file("src/a.py", added=f'token = "{other}"')]))
    assert three[0].fingerprint != one.fingerprint


def listed(text: str) -> TreeFile:
    return TreeFile(path=".gitleaksignore", oid="1" * 40, data=text.encode())


DOUBTFUL = f'password = "{WORD}"'


@pytest.mark.parametrize(
    ("line", "base", "head", "stands"),
    [
        (LINE, "src/a.py:github-token:1", "", True),  # it was written about something else
        (LINE, f"{FIRST}:src/a.py:github-token:1", "", False),
        (LINE, f"{SECOND}:src/a.py:github-token:1", "", True),
        (LINE, "", f"{FIRST}:src/a.py:github-token:1", True),
        (LINE, "", "src/a.py:github-token:1", True),  # its author wrote it with the secret
        (DOUBTFUL, "", "src/a.py:password-assignment:1", False),
        (DOUBTFUL, "", "src/a.py:password-assignment:2", True),
        (DOUBTFUL, "", f"{FIRST}:src/a.py:generic-api-key:1", False),
    ],
)
def test_what_gitleaksignore_hides(line: str, base: str, head: str, stands: bool) -> None:
    snap = snapshot(
        files=[file("src/a.py", added=line)], commits=[commit(FIRST, added={"src/a.py": line})]
    )
    snap = replace(
        snap,
        base=replace(snap.base, ignore_file=listed(base)),
        head=replace(snap.head, ignore_file=listed(head)),
    )
    findings = leak_findings(leaks(snap)[0], snap)
    assert any(one.weight is Weight.FAILURE for one in findings) is stands
    assert bool(findings) is (stands or line == DOUBTFUL)


def test_the_base_lists_what_stands_in_a_memory_though_the_rest_of_it_changes() -> None:
    more = f"{LINE}\nmore"
    snap = snapshot(
        base=[store(memory(), texts={NOTE: LINE})],
        head=[store(memory(), texts={NOTE: more})],
        files=[file(NOTE, added="more")],
    )
    assert len(leaks(snap)[0]) == 1
    entry = listed(f"{NOTE}:github-token:1")
    assert leaks(replace(snap, base=replace(snap.base, ignore_file=entry)))[0] == ()


def test_what_a_maintainer_dismissed_is_a_notice_from_then_on() -> None:
    snap = snapshot(files=[file("src/a.py", added=LINE)])
    hit, finding = told(snap)
    assert f"`/memoryrail ignore {hit.fingerprint} : reason`" in finding.message
    hit, finding = told(replace(snap, dismissed=frozenset({hit.fingerprint})))
    assert (hit.is_dismissed, finding.weight) == (True, Weight.NOTICE)
    assert "A maintainer says that it is none." in finding.message


def test_a_finding_says_what_how_sure_and_what_to_do() -> None:
    _, finding = told(snapshot(files=[file("src/a.py", added=LINE)]))
    assert finding.message.startswith(
        "GitHub token (high: its checksum is right). Revoke it at "
        "https://github.com/settings/tokens, then take it out."
    )


def test_a_repository_adds_and_disables_rules() -> None:
    rule = own_rule({"id": "acme", "regex": "acme_[0-9a-f]{8}", "keywords": ["acme_"]})
    rules = RuleSet(disabled=frozenset({"password-assignment"}), added=(rule,))
    snap = snapshot(
        files=[file("src/a.py", added=f"{DOUBTFUL}\nacme_" + "3f9c01b7")],
        settings=RepositorySettings(secret_rules=rules),
    )
    (hit,), _ = leaks(snap)
    assert (hit.rule, hit.line, hit.level) == ("acme", 2, "medium")
