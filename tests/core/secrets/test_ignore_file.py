"""`.gitleaksignore`, as gitleaks writes it and as other tools' rules are named in it."""

import pytest

from bot.core.secrets import parse_ignore_file

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "rule", "commit", "covered"),
    [
        ("src/a.py:github-token:3", "github-token", None, True),
        ("src/a.py:github-token:3", "github-token", SHA, True),
        ("./src/a.py:github-token:3  # looked at\n", "github-token", None, True),
        (f"{SHA}:src/a.py:github-token:3", "github-token", SHA, True),
        (f"{SHA}:src/a.py:github-token:3", "github-token", None, False),
        (f"{SHA}:src/a.py:github-token:3", "github-token", "f" * 40, False),
        ("src/a.py:jwt:3", "github-token", None, False),
        ("src/a.py:generic-api-key:3", "github-token", None, True),  # gitleaks' name
        ("src/a.py:our-own:3", "github-token", None, False),
        ("src/a.py:github-token:4", "github-token", None, False),
        ("# src/a.py:github-token:3", "github-token", None, False),
        ("nonsense\n\nsrc/a.py:github-token:3", "github-token", None, True),
    ],
)
def test_which_findings_a_line_covers(
    text: str, rule: str, commit: str | None, covered: bool
) -> None:
    file = parse_ignore_file(text.encode(), ["our-own"])
    assert file.covers(rule=rule, path="src/a.py", line=3, commit=commit) is covered


def test_a_path_may_hold_colons_and_bytes_may_be_anything() -> None:
    file = parse_ignore_file(b"a:b/c.py:jwt:1\r\n\xff\xfe:x:jwt:2\r\n")
    assert file.covers(rule="jwt", path="a:b/c.py", line=1)


@pytest.mark.parametrize("data", [None, b"", b"a:jwt:1\n" * 200_000])
def test_no_file_and_a_file_that_is_too_large_ignore_nothing(data: bytes | None) -> None:
    assert not parse_ignore_file(data).covers(rule="jwt", path="a", line=1)
