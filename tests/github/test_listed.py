"""Changed files as REST lists them: a patch that does not show all lines is none."""

import pytest

from bot.github.listed import listed_files


@pytest.mark.parametrize(
    ("patch", "additions", "whole"),
    [
        ("@@ -1 +1,2 @@\n-a\n+b\n+c", 2, True),
        ("@@ -1 +1,2 @@\n-a\n+b", 2, False),
        ("@@ -1,2 +1 @@\n-a\n-b\n+c", 1, True),
        ("", 0, False),
        (None, 0, False),
    ],
)
def test_contents_are_needed_where_a_patch_lacks_lines(
    patch: str | None, additions: int, whole: bool
) -> None:
    facts = {"filename": "a", "status": "modified", "sha": "1" * 40, "deletions": 1}
    (file,) = listed_files([{**facts, "patch": patch, "additions": additions}])
    assert (file.patch is not None, file.needs_contents) == (whole, not whole)
    assert file.removed == (1 if whole else None)
