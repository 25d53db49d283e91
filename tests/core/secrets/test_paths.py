"""What a path says: where findings count less, and how values stand in the file."""

import pytest

from bot.core.secrets.paths import Place, Syntax, place, syntax


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", Place.SOURCE),
        ("README.md", Place.SOURCE),
        ("src/contest/latest.py", Place.SOURCE),
        ("pkg/app_test.go", Place.LENIENT),
        ("src/app.spec.ts", Place.LENIENT),
        ("Docs/guide.md", Place.LENIENT),
        ("a/fixtures/x.json", Place.LENIENT),
        ("go.sum", Place.GENERATED),
        ("web/Yarn.lock", Place.GENERATED),
        ("dist/app.js.map", Place.GENERATED),
        ("node_modules/x/test/a.js", Place.GENERATED),
    ],
)
def test_the_place_of_a_path(path: str, expected: Place) -> None:
    assert place(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/App.TSX", Syntax.CODE),
        ("conf/app.yml", Syntax.CONFIGURATION),
        (".env.production", Syntax.CONFIGURATION),
        ("notes.md", Syntax.OTHER),
        ("Makefile", Syntax.OTHER),
    ],
)
def test_how_values_stand_in_a_file(path: str, expected: Syntax) -> None:
    assert syntax(path) is expected
