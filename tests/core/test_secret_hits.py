"""Findings for people, and which of them marks hide."""

import pytest

from bot.core.secret_hits import Source, at_rest, hits, in_a_change
from bot.core.secrets import RuleSet, Text, fingerprint, parse_ignore_file
from tests.making import github_token

TOKEN = github_token()
CERTAIN = f"token = '{TOKEN}'"
DOUBTFUL = "password = '" + "k8Fqz" + "R2m9W'"
NONE = parse_ignore_file(None)
ALL = parse_ignore_file(b"a.py:github-token:1\na.py:password-assignment:1\n")


def found(text: str, ignores: object, *, commit: str | None = "c" * 40, was: str = "") -> int:
    source = Source(Text(path="a.py", text=text), commit=commit, was=was)
    some, unread = hits([source], rules=RuleSet(), key=b"k", is_ignored=ignores)  # type: ignore[arg-type]  # each is one
    assert unread == ()
    return len(some)


def test_a_hit_has_all_but_the_value() -> None:
    source = Source(Text(path="a.py", text=CERTAIN, first_line=7), commit="c" * 40)
    (hit,), _ = hits([source], rules=RuleSet(), key=b"k", is_ignored=at_rest(NONE))
    assert (hit.line, hit.column, hit.length, hit.commit) == (7, 10, 40, "c" * 40)
    assert hit.fingerprint == fingerprint(TOKEN, b"k")
    assert TOKEN not in repr(hit)
    assert TOKEN not in repr(source)


@pytest.mark.parametrize("text", [CERTAIN, DOUBTFUL])
def test_at_rest_any_mark_hides(text: str) -> None:
    assert found(text, at_rest(NONE)) == 1
    assert found(f"{text}  # gitleaks:allow", at_rest(NONE)) == 0
    assert found(text, at_rest(ALL)) == 0


def test_in_a_change_its_own_marks_do_not_hide_what_is_certain() -> None:
    assert found(f"{CERTAIN}  # gitleaks:allow", in_a_change(NONE, ALL)) == 1
    assert found(f"{DOUBTFUL}  # gitleaks:allow", in_a_change(NONE, NONE)) == 0
    assert found(DOUBTFUL, in_a_change(NONE, ALL)) == 0
    assert found(DOUBTFUL, in_a_change(NONE, NONE)) == 1


@pytest.mark.parametrize(
    ("sha", "stands"),
    [("c" * 40, 0), ("d" * 40, 1), ("c" * 12, 1), ("", 1)],
    ids=["whole", "other", "short", "none"],
)
def test_the_base_hides_what_is_certain_in_the_commit_that_it_names(sha: str, stands: int) -> None:
    """An entry without a commit, or with a part of its sha, was written about something else."""
    base = parse_ignore_file(f"{sha}:a.py:github-token:1".removeprefix(":").encode())
    assert found(CERTAIN, in_a_change(base, NONE)) == stands
    assert found(CERTAIN, in_a_change(NONE, base)) == 1


@pytest.mark.parametrize(("was", "stands"), [(f"x = 1\n{CERTAIN}", 0), ("x = 1", 1), ("", 1)])
def test_an_entry_without_a_commit_holds_for_a_value_of_the_base(was: str, stands: int) -> None:
    assert found(CERTAIN, in_a_change(ALL, NONE), commit=None, was=was) == stands
