"""memoryrail-bot stale, in real repositories."""

import json

import pytest

from bot.cli import stale
from tests.cli.running import run
from tests.git.imports import Import
from tests.git.worktree import CONFIG, WorkTree, memory

ONE, TWO = "20260102-one", "20260102-two"


@pytest.fixture
def project(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """Two memories of the second of January 2026; what they link changed on the third."""
    linked = {
        ONE: 'links: ["src/a.py", "src/old.py", "../x"]\n',
        TWO: 'links: ["src/b.py"]\n',
        "20260102-three": "",
    }
    history = Import()
    history.commit(
        {"src/a.py": "0", "src/b.py": "0", "src/old.py": "0\n1\n"}, at="2026-01-01T00:00"
    )
    history.commit({"src/a.py": "1"}, at="2026-01-03T00:00")
    history.commit({"src/old.py": None, "src/new.py": "0\n1\n"}, at="2026-01-04T00:00")
    history.into(work, checks_out=True)
    work.write(".memoryrail/config.json", CONFIG)
    for id_, links in linked.items():
        text = memory(id_).replace("---\n\n", f"{links}---\n\n")
        work.write(f".memoryrail/memories/{id_}.md", text)
    monkeypatch.chdir(work.path / "src")
    return work


def test_what_is_stale_is_told_by_memory(project: WorkTree) -> None:
    changed, renamed = (sha[:7] for sha in project.git("rev-parse", "HEAD^", "HEAD").split())
    result = run("stale")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == (
        f"DEC-4f5d  Title of {ONE}\n"
        f"  .memoryrail/memories/{ONE}.md:8\n"
        f"  warning: src/a.py was changed by {changed} on 2026-01-03,"
        " after this memory's `updated`. [maybe-stale]\n"
        "  warning: src/old.py is not there: it was renamed to src/new.py"
        f" by {renamed} on 2026-01-04. [stale-link]\n"
        "  error: The link ../x leads out of the repository. [link-outside-repo]\n"
        "  Still true? memoryrail-bot confirm DEC-4f5d says so. If not, supersede it.\n"
        "  Relink it: memoryrail-bot relink DEC-4f5d src/old.py src/new.py does so.\n"
        "  Relink it: name a path inside the repository, or drop the link.\n"
        "\n"
        "3 of 4 links to look at, in 1 memory.\n"
    )


def test_for_programs(project: WorkTree) -> None:
    sha = project.git("rev-parse", "HEAD")
    result = run("stale", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [one["kind"] for one in found] == ["maybe-stale", "stale-link", "link-outside-repo"]
    assert found[1] == {
        "kind": "stale-link",
        "severity": "warning",
        "ref": "DEC-4f5d",
        "id": ONE,
        "path": f".memoryrail/memories/{ONE}.md",
        "line": 8,
        "link": "src/old.py",
        "last_commit": {"sha": sha, "date": "2026-01-04T00:00:00+00:00"},
        "renamed_to": "src/new.py",
    }
    assert (found[2]["last_commit"], found[2]["renamed_to"]) == (None, None)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("ref", "exit_code"), [(ONE, 1), ("[per dec-4f5d]", 1), (TWO, 0)])
def test_some_memories(ref: str, exit_code: int) -> None:
    result = run("stale", ref)
    assert result.exit_code == exit_code
    assert exit_code or result.stdout == "Nothing is stale among 1 link.\n"
    assert json.loads(run("stale", TWO, "--json").stdout) == []


def test_refs_that_name_nothing_active(project: WorkTree) -> None:
    path = project.path / f".memoryrail/memories/{TWO}.md"
    path.write_text(path.read_text().replace('"active"', '"archived"'))
    assert (run("stale", TWO).exit_code, run("stale", "DEC-0000").exit_code) == (2, 2)
    assert run("stale", TWO).stderr.endswith(" is archived; only active memories go stale\n")
    assert run("stale", "nothing").stderr.startswith("Error: There is no memory nothing.")


def test_a_memory_that_cannot_be_read_is_not_passed_over(project: WorkTree) -> None:
    project.write(".memoryrail/memories/20260103-bad.md", "no frontmatter\n")
    result = run("stale", TWO)
    assert (result.exit_code, result.stdout) == (1, "Nothing is stale among 1 link.\n")
    assert result.stderr.startswith(".memoryrail/memories/20260103-bad.md:1: ")
    assert "../x" not in result.stderr


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_history_that_is_cut_is_no_pass(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    clone = project.path.parent / "clone"
    project.commit()  # at the very moment that is the memory's `updated`
    project.git("clone", "-q", "--depth=1", f"file://{project.path}", str(clone))
    monkeypatch.chdir(clone)
    assert run("stale", TWO, *arguments).exit_code == 0
    path = clone / f".memoryrail/memories/{TWO}.md"
    path.write_text(path.read_text().replace('updated: "2026-01-02', 'updated: "2026-01-01'))
    result = run("stale", TWO, *arguments)
    assert (result.exit_code, result.stdout) == (2, "[]\n" if arguments else "")
    assert "this shallow clone ends too early to judge 1 link; fetch more" in result.stderr


def test_outside_of_git(project: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.path / ".git").rename(project.path / "hidden")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.path.parent))
    result = run("stale")
    assert result.exit_code == 2
    assert "stale-link" in result.stdout
    assert "is not in a git repository" in result.stderr


def test_outside_of_a_project(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.path)
    result = run("stale")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no .memoryrail/config.json" in result.stderr


def test_a_hostile_name_does_not_steer_the_terminal(project: WorkTree) -> None:
    path = project.path / f".memoryrail/memories/{TWO}.md"
    path.write_text(path.read_text().replace("src/b.py", r"\u001b[2J\u202e/x\n"))
    result = run("stale", TWO)
    assert (result.exit_code, "\x1b" in result.stdout, "\u202e" in result.stdout) == (
        1,
        False,
        False,
    )
    assert "[2J/x is not there. [stale-link]" in result.stdout


def test_long_work_shows_that_it_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stale._progress() is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show = stale._progress()
    assert show is not None
    show(64, 5)
    assert capsys.readouterr().err == ""
    show(12_800, 5)
    assert capsys.readouterr().err.strip() == "12,800 commits read, 5 paths to go"
    show(12_864, 0)
    assert capsys.readouterr().err.strip() == ""
