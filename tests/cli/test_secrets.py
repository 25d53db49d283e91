"""memoryrail-bot secrets, in real repositories."""

import json

import pytest

from bot.cli import secrets
from tests.cli.running import run
from tests.git.worktree import WorkTree
from tests.making import github_token

TOKEN = github_token()
WORD = "k8Fqz" + "R2m9W"
CERTAIN = f"token = '{TOKEN}'\n"
DOUBTFUL = f"password = '{WORD}'\n"


@pytest.fixture
def repository(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """A repository with one commit, as the working directory."""
    work.commit({"src/a.py": "x = 1\n", ".gitignore": "build/\n"})
    monkeypatch.chdir(work.path)
    return work


def places(*arguments: str) -> list[tuple[str, int, str]]:
    """Path, line and rule of each secret that is found."""
    document = json.loads(run("secrets", "scan", "--format", "json", *arguments).stdout)
    return [(one["path"], one["line"], one["rule"]) for one in document["secrets"]]


def test_files_here_and_below_are_scanned_but_not_what_git_ignores(repository: WorkTree) -> None:
    assert run("secrets", "scan").stdout == "2 files: nothing.\n"
    repository.write("src/b.py", f"\n{CERTAIN}")
    repository.write("build/c.py", CERTAIN)
    (repository.path / "link").symlink_to("build/c.py")
    assert places() == [("src/b.py", 2, "github-token")]
    assert places("src") == [("src/b.py", 2, "github-token")]
    assert places("src/a.py", "build/c.py") == [("build/c.py", 1, "github-token")]


def test_a_finding_says_what_to_do_and_never_the_value(repository: WorkTree) -> None:
    repository.write("src/b.py", CERTAIN)
    result = run("secrets", "scan", "src/b.py")
    assert result.exit_code == 1
    first, advice, rest, end = result.stdout.splitlines()
    assert first == "src/b.py:1:10: GitHub token (high: its checksum is right)."
    assert advice == "  Revoke it at https://github.com/settings/tokens, then take it out."
    assert rest.startswith("  40 characters, rule github-token, fingerprint ")
    assert rest.endswith("or in .gitleaksignore: src/b.py:github-token:1")
    assert end == "1 file: 1 secret (1 high)."
    for format_ in ("text", "json", "sarif"):
        assert TOKEN[4:] not in run("secrets", "scan", "--format", format_).stdout


@pytest.mark.usefixtures("repository")
def test_standard_input_is_a_text_like_any_other() -> None:
    result = run("secrets", "scan", "-", stdin=DOUBTFUL)
    assert result.exit_code == 1
    assert result.stdout.startswith("(standard input):1:13: Password (medium: ")


def test_a_name_in_bytes_and_one_that_spells_it_are_two_files(repository: WorkTree) -> None:
    repository.write(b"src/\xff.env", CERTAIN)
    repository.write(rb"src/\xff.env", "x = 1\n")
    repository.git("add", "-A")
    assert places("--staged") == places("src") == [("src/\\xff.env", 1, "github-token")]
    repository.write(b"src/\xff.env", "x = 1\n")
    repository.write(rb"src/\xff.env", CERTAIN)
    repository.git("add", "-A")
    assert places("--staged") == places("src") == [("src/\\\\xff.env", 1, "github-token")]


def test_names_of_files_and_folders_count_too(repository: WorkTree) -> None:
    expected = [("(file name) src/[secret]/a.py", 1, "github-token")]
    repository.write(f"src/{TOKEN}/a.py", "x = 1\n")
    assert places() == places("src") == expected
    assert places("--staged") == []
    repository.git("add", "-A")
    assert places("--staged") == expected
    repository.git("commit", "-qm", "Add it")
    repository.git("mv", f"src/{TOKEN}/a.py", "src/b.py")
    repository.git("commit", "-qm", "Rename it")
    assert places("--range", "HEAD~2..HEAD") == expected
    assert places("--range", "HEAD~1..HEAD") == places() == []
    shown = run("secrets", "scan", "--range", "HEAD~2..HEAD").stdout
    assert shown.startswith("(file name) src/[secret]/a.py:1:5 in ")
    assert "gitleaksignore" not in shown  # no line there could name the file
    assert shown.endswith("2 commits: 1 secret (1 high).\n")


def test_pictures_and_files_that_claim_to_be_some_are_searched(repository: WorkTree) -> None:
    repository.write("a.png", b"\x89PNG\r\n\x1a\n" + b"\0\1" * 99 + CERTAIN.encode() + b"\0")
    repository.write("b.txt", "#  xftyp \u00e9\n".encode("latin-1") + CERTAIN.encode())
    repository.write("c.txt", b"\xff\xfe" + CERTAIN.encode())
    assert [path for path, _, _ in places()] == ["a.png", "b.txt", "c.txt"]


def test_a_large_picture_is_searched_to_its_end(
    repository: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "MAX_FILE_BYTES", 20_000)
    monkeypatch.setattr(secrets, "_CHUNK_BYTES", 10_000)
    picture = b"\x89PNG\r\n\x1a\n" + b"\0\1" * 15_990 + CERTAIN.encode() + b"\0\1" * 9_000
    repository.write("a.png", picture)
    repository.write("b.txt", "x = 1\n" * 4_000)
    assert [path for path, _, _ in places()] == ["a.png"]
    shown = run("secrets", "scan").stdout
    assert "b.txt: not fully scanned" in shown
    assert "a.png: not" not in shown


def test_only_what_is_staged_counts(repository: WorkTree) -> None:
    repository.write("src/a.py", f"x = 1\n{CERTAIN}")
    assert places("--staged") == []
    repository.git("add", "src/a.py")
    repository.write("src/a.py", "x = 1\n")
    assert places("--staged") == [("src/a.py", 2, "github-token")]


def test_before_the_first_commit_everything_staged_is_new(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.path)
    work.write("a.py", CERTAIN)
    work.git("add", "a.py")
    assert places("--staged") == [("a.py", 1, "github-token")]


def test_every_commit_of_a_range_counts_with_its_message(repository: WorkTree) -> None:
    repository.commit({"src/b.py": CERTAIN})
    repository.commit({"src/b.py": "gone\n"}, message=f"Say {TOKEN}")
    assert places("--range", "HEAD~2..HEAD") == [
        ("src/b.py", 1, "github-token"),
        ("(message)", 1, "github-token"),
    ]
    assert places("--range", "HEAD~1..") == [("(message)", 1, "github-token")]
    shown = run("secrets", "scan", "--range", "HEAD~2..HEAD").stdout
    assert "It stays in the history: it is leaked." in shown
    assert shown.endswith("2 commits: 2 secrets (2 high).\n")


def test_marks_hide_in_files_but_nothing_certain_in_a_range(repository: WorkTree) -> None:
    marked = CERTAIN.replace("\n", "  # gitleaks:allow\n")
    repository.commit({"src/b.py": f"{marked}{DOUBTFUL}"})
    repository.write(".gitleaksignore", "src/b.py:generic-api-key:2\n")
    assert places() == []
    assert places("--range", "HEAD~1..HEAD") == [
        ("src/b.py", 1, "github-token"),
        ("src/b.py", 2, "password-assignment"),
    ]
    repository.commit({".gitleaksignore": "src/b.py:generic-api-key:2\n"})
    assert places("--range", "HEAD~2..HEAD") == [("src/b.py", 1, "github-token")]


def test_settings_add_rules_and_say_what_fails(repository: WorkTree) -> None:
    repository.write("src/b.py", f"{DOUBTFUL}acme_" + "3f9c01b7\n")
    repository.write(
        ".github/memoryrail.yml",
        "secrets:\n  block: high\n  disable: [password-assignment]\n  rules:\n"
        "    - {id: acme, regex: 'acme_[0-9a-f]{8}', keywords: [acme_]}\n",
    )
    assert places("src") == [("src/b.py", 2, "acme")]
    assert run("secrets", "scan").exit_code == 0
    assert run("secrets", "scan", "--fail-on", "medium").exit_code == 1


def test_a_directory_without_git_is_walked(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("plain")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    monkeypatch.chdir(folder)
    (folder / "a.txt").write_text(CERTAIN)
    assert places() == [("a.txt", 1, "github-token")]
    assert run("secrets", "scan", "--staged").exit_code == 2


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere"], "nowhere is not there."),
        (["--range", "HEAD"], "HEAD is no range A..B"),
        (["--range", "nope..HEAD"], "no commit here is known as 'nope'"),
        (["--staged", "src"], "one of them"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], says: str) -> None:
    result = run("secrets", "scan", *arguments)
    assert (result.exit_code, says in result.stderr) == (2, True)


def test_what_was_not_read_whole_is_no_pass(repository: WorkTree) -> None:
    repository.write("src/b.env", "password=\n" * 60_000)
    result = run("secrets", "scan", "src/b.env")
    assert result.exit_code == 1
    assert "src/b.env: not fully scanned: too much looks like credentials" in result.stdout


def test_the_rules_are_listed_with_their_age() -> None:
    text = run("secrets", "rules").stdout
    assert "\ngithub-token " in text
    listed = json.loads(run("secrets", "rules", "--json").stdout)
    assert text.endswith(
        f"{len([one for one in listed if not one['checked']])} with lengths from others only.\n"
    )
    [github] = [one for one in listed if one["id"] == "github-token"]
    assert github["revoke"] == "https://github.com/settings/tokens"
