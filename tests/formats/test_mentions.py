import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.precheck import parts_of
from bot.formats.mentions import MAX_MENTIONS, paths_in


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("The gateway in src/gateway/cache.py owns it.", ("src/gateway/cache.py",)),
        (
            "See `docs/my notes.md`, then ./Makefile.in.",
            ("docs/my notes.md", "docs/my", "notes.md", "Makefile.in"),
        ),
        ("`src/a.py:12` and src/b.py#L3-L9", ("src/a.py", "src/b.py")),
        ("below src/db/ and src/db", ("src/db",)),
        (".github/workflows/ci.yml", (".github/workflows/ci.yml",)),
        ("app/[id]/page.tsx", ("app/[id]/page.tsx",)),
        ("https://example.com/a/b.html is no path", ()),
        ("Version 1.10, 3.5 times, done.", ()),
        ("/etc/passwd and ../outside/x", ()),
        ("", ()),
    ],
)
def test_paths_are_found_in_prose(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


def test_a_text_names_only_so_many() -> None:
    assert len(paths_in(" ".join(f"src/{n}.py" for n in range(1000)))) == MAX_MENTIONS


@given(st.text(alphabet="ab./`:# \n-[]é@~", max_size=60))
def test_what_is_found_leads_inside(text: str) -> None:
    assert all(parts_of(path) for path in paths_in(text))
