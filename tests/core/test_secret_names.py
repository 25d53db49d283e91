"""Which names are told of, and which a change brings."""

from bot.core.secret_names import BRANCH, file_name, is_name, new_paths, telling
from bot.core.secrets import RuleSet
from tests.making import file, github_token

TOKEN = github_token()


def test_only_names_that_hold_a_secret_are_told() -> None:
    names = [file_name(path, commit="c" * 40) for path in ("a.py", f"b\n{TOKEN}", "c", TOKEN)]
    assert list(telling(names, RuleSet())) == [names[1], names[3]]
    assert list(telling([], RuleSet())) == []
    disabled = RuleSet(disabled=frozenset({"github-token"}))
    assert list(telling(names, disabled)) == []


def test_a_name_is_told_from_a_file() -> None:
    assert is_name(file_name("a.py").text.path)
    assert is_name(BRANCH)
    assert not is_name("src/(file name) a.py")


def test_what_is_added_renamed_or_copied_is_new() -> None:
    statuses = ["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]
    files = [file(status, status, previous_path="old") for status in statuses]
    assert new_paths(files) == ("added", "renamed", "copied")
