"""memoryrail-bot lint."""

import json

from tests.cli.running import memory, path_of, run
from tests.git.worktree import WorkTree

KEY = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"


def test_a_clean_project(project: WorkTree) -> None:
    project.write(path_of("20261001-a"), memory("20261001-a", links='["src"]'))
    result = run("lint")
    assert (result.exit_code, result.stdout) == (0, "1 memory file, nothing wrong.\n")


def test_a_memory_that_precheck_can_hardly_find_is_a_notice(project: WorkTree) -> None:
    project.write(path_of("20261001-a"), memory("20261001-a"))
    result = run("lint", "--strict")
    assert result.exit_code == 0
    assert "20261001-a.md:4: notice: It has no links and names no path" in result.stdout
    assert result.stdout.endswith("(names-nothing)\n1 memory file: 1 notice.\n")


def test_every_kind_of_fault_is_told_at_its_line(project: WorkTree) -> None:
    project.write(path_of("20261001-a"), memory("20261001-a", status="actve"))
    project.write(path_of("20261002-b"), memory("20261002-b", supersedes='"none"', links='["b"]'))
    project.write(path_of("20261003-c"), memory("20261003-c") + f"use `{KEY}`\n")
    project.write(path_of("20261004-d"), "no frontmatter\n")
    project.write(".github/memoryrail.yml", "agents: []\nprechek: {}\n")
    result = run("lint", "--json")
    assert result.exit_code == 1
    found = [(one["path"], one["line"], one["kind"]) for one in json.loads(result.stdout)]
    assert found == [
        (".github/memoryrail.yml", 2, "unknown-setting"),
        (path_of("20261001-a"), 5, "bad-status"),
        (path_of("20261002-b"), 8, "unknown-supersedes"),
        (path_of("20261003-c"), 11, "secret"),
        (path_of("20261004-d"), 1, "missing-frontmatter"),
    ]
    assert KEY not in result.stdout
    shown = run("lint").stdout
    assert "20261001-a.md:5: error: `status` must be one of" in shown
    assert "warning: AWS access key id (high: its shape alone is proof), by rule" in shown
    assert shown.endswith("4 memory files: 3 errors and 2 warnings.\n")


def test_warnings_fail_when_they_are_asked_to(project: WorkTree) -> None:
    project.write(path_of("20261002-b"), memory("20261002-b", supersedes='"none"'))
    assert run("lint").exit_code == 0
    assert run("lint", "--strict").exit_code == 1


def test_a_reviewed_mark_beside_a_credential_is_obeyed(project: WorkTree) -> None:
    text = memory("20261003-c") + f"use {KEY}  # gitleaks:allow\n"
    project.write(path_of("20261003-c"), text)
    assert run("lint", "--strict").exit_code == 0


def test_settings_stand_at_the_top_of_the_repository(project: WorkTree) -> None:
    project.write(".github/memoryrail.yml", "a: 1\n")
    project.write("app/.memoryrail/config.json", '{"version": 1}')
    result = run("-C", "app", "lint")
    assert (result.exit_code, ".github/memoryrail.yml:1: error" in result.stdout) == (1, True)


def test_settings_that_are_a_symlink_are_not_read(project: WorkTree) -> None:
    (project.path / ".github").mkdir()
    (project.path / ".github/memoryrail.yml").symlink_to("/etc/passwd")
    assert "symbolic link" in run("lint").stdout


def test_programs_are_shown_no_credential_either(project: WorkTree) -> None:
    project.write(path_of("20261002-b"), memory("20261002-b", supersedes=f'"{KEY}"'))
    assert KEY not in run("lint", "--json").stdout
    title = memory("20261003-c").replace("On 20261003-c", f"Use {KEY}")
    project.write(path_of("20261003-c"), title)
    for command in (["list", "--json"], ["list"], ["show", "20261003-c", "--json"]):
        assert KEY not in run(*command).stdout
    refused = run("approve", "20261003-c")
    assert refused.exit_code == 2
    assert KEY not in refused.stderr
    assert "[secret]" in refused.stderr


def test_no_error_steers_the_terminal(project: WorkTree) -> None:
    text = memory("20261009-new", status="proposed", supersedes='"no\\e]0;pwn\\a"')
    project.write(path_of("20261009-new"), text)
    refused = run("approve", "20261009-new")
    assert refused.exit_code == 2
    assert "\x1b" not in refused.stderr
