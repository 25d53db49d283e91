"""A plan as a patch: what `git apply` makes of it is what was planned."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.edit_plan import EditPlan, FileEdit
from bot.render.markdown import visible
from bot.render.patch import patch

MEMORY = b'---\nid: "x"\nstatus: "proposed"\n---\n\nBody.\n'
APPROVED = b'---\nid: "x"\nstatus: "active"\n---\n\nBody.\n'


def plan(files: dict[str, bytes | None]) -> EditPlan:
    return EditPlan(
        edits=tuple(
            FileEdit(path=path, data=data, expected_oid=None) for path, data in files.items()
        )
    )


def applied(root: Path, before: dict[str, bytes], after: dict[str, bytes | None]) -> None:
    """Apply the patch for a plan in a real repository, and compare all files with the plan."""
    for path, data in before.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    made = patch(plan(after), before)
    assert not made.withheld
    text = made.text
    assert visible(text) == text, "a comment can show it as it is"
    if text:
        git(root, "apply", "--whitespace=nowarn", input=text.encode())
    wanted = {path: data for path, data in {**before, **after}.items() if data is not None}
    found = {
        str(file.relative_to(root)): file.read_bytes()
        for file in root.rglob("*")
        if file.is_file() and ".git" not in file.relative_to(root).parts
    }
    assert found == wanted
    for path in wanted:
        (root / path).unlink()


def git(root: Path, *args: str, input: bytes = b"") -> None:  # noqa: A002 - as subprocess has it
    done = subprocess.run(["git", *args], cwd=root, input=input, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("repository")
    git(path, "init", "-q")
    return path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"m.md": MEMORY}, {"m.md": APPROVED}),
        ({"m.md": MEMORY}, {"m.md": None}),
        ({}, {"m.md": MEMORY}),
        ({"m.md": MEMORY}, {"m.md": MEMORY}),
        ({"m.md": MEMORY[:-1]}, {"m.md": APPROVED[:-1]}),
        ({"m.md": MEMORY[:-1]}, {"m.md": APPROVED}),
        ({"m.md": MEMORY.replace(b"\n", b"\r\n")}, {"m.md": APPROVED.replace(b"\n", b"\r\n")}),
        ({"m.md": MEMORY + b"\xff\xfe"}, {"m.md": APPROVED + b"\xff\xfe"}),
        ({"m.md": MEMORY + b"\0" * 99}, {"m.md": APPROVED + b"\0" * 99}),
        ({"m.md": b"\xef\xbb\xbf" + MEMORY}, {"m.md": b"\xef\xbb\xbf" + APPROVED}),
        ({"m.md": "u\u0308 decomposed\u200b\n".encode()}, {"m.md": b"plain\n"}),
        ({"m.md": "größe 🚀\u2028\n".encode()}, {"m.md": "größe 🚀\u2028!\n".encode()}),
        ({"m.md": b""}, {"m.md": b"x"}),
        ({"m.md": b"x"}, {"m.md": b""}),
        ({"m.md": b""}, {"m.md": None}),
        ({}, {"m.md": b""}),
        ({"m.md": b"\n\n"}, {"m.md": b"\n"}),
        (
            {"a/b/old.md": MEMORY, "a/b/gone.md": b"x", "AGENTS.md": b"1\n" * 99},
            {"a/b/old.md": APPROVED, "a/b/gone.md": None, "AGENTS.md": b"1\n" * 98 + b"2\n"},
        ),
        ({"a b/with blank.md": MEMORY}, {"a b/with blank.md": APPROVED}),
        ({"größe.md": MEMORY}, {"größe.md": APPROVED}),
        ({'qu"o\\te.md': MEMORY}, {'qu"o\\te.md': None}),
        ({}, {"new dir/größe é.md": MEMORY}),
    ],
)  # fmt: skip
def test_git_applies_it(
    root: Path, before: dict[str, bytes], after: dict[str, bytes | None]
) -> None:
    applied(root, before, after)


def test_a_change_of_text_reads_as_a_diff() -> None:
    assert patch(plan({"m.md": APPROVED}), {"m.md": MEMORY}).text == (
        "diff --git a/m.md b/m.md\n"
        "index c7262f017d7306d79b1923b8de84bb643212513f..453c6a72e3cbbfa8a562a2e912b2e90ab1a3b001 "
        "100644\n"
        "--- a/m.md\n"
        "+++ b/m.md\n"
        "@@ -1,6 +1,6 @@\n"
        " ---\n"
        ' id: "x"\n'
        '-status: "proposed"\n'
        '+status: "active"\n'
        " ---\n"
        " \n"
        " Body.\n"
    )


TOKEN = "ghp_" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz3Xc5"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("m.md", f"Use {TOKEN} here.\n".encode(), None),
        ("m.md", f"Use {TOKEN} here.\n".encode(), b"Use none.\n"),
        ("m.md", None, f"Use {TOKEN} here.\n".encode()),
        ("m.md", b"x\n" * 20 + TOKEN.encode(), b"y\n" + b"x\n" * 19 + TOKEN.encode()),
        ("m.md", f"Use {TOKEN[:9]}\u200b{TOKEN[9:]} here.\n".encode(), None),
        ("m.md", f"Use {TOKEN} here.\n".encode("utf-16"), None),
        ("m.md", f"\xff{TOKEN}\r\n".encode("latin-1"), None),
        ("m.md", f"[secret] {TOKEN} # gitleaks:allow\n".encode(), None),
        (f"größe {TOKEN}.md", b"x", None),
    ],
    ids=[
        "removed", "taken out", "added", "far from the change", "in two halves", "UTF-16",
        "not UTF-8", "marked as allowed", "in the name",
    ],
)  # fmt: skip
def test_no_credential_is_shown_in_any_form(
    path: str, old: bytes | None, new: bytes | None
) -> None:
    other = FileEdit(path="z.md", data=b"new\n", expected_oid=None)
    edit = FileEdit(path=path, data=new, expected_oid=None)
    made = patch(EditPlan(edits=(edit, other)), {} if old is None else {path: old})
    assert made.withheld == (edit,)
    assert made.text == patch(EditPlan(edits=(other,)), {}).text


contents = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from([b"a", b"b", b"", b"- x", b"+", b"\\", b"@@ -1 +1 @@", b"\r"])).map(
        b"\n".join
    ),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(old=contents | st.none(), new=contents | st.none())
def test_git_applies_any_change(root: Path, old: bytes | None, new: bytes | None) -> None:
    applied(root, {} if old is None else {"d/f.md": old}, {"d/f.md": new})
