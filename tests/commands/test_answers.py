"""Answers neutralise what others wrote, and fit into a comment."""

from bot.commands.answers import fit, refused, with_merge, with_patch
from bot.core.comment import MAX_REPLY
from bot.core.edit_plan import EditPlan, FileEdit, Merge
from bot.core.errors import UserError


def plan(data: bytes) -> EditPlan:
    return EditPlan(edits=(FileEdit(path="a.md", data=data, expected_oid=""),))


def test_a_patch_comes_with_what_to_do() -> None:
    answer = with_patch(plan(b"```\nnew\n"), {"a.md": b"```\nold\n"}, "The bot may not push here.")
    head, _, rest = answer.partition("\n\n")
    assert head == (
        "The bot may not push here. Apply this patch on the branch and push it: copy it into a "
        "file, then run `git apply FILE`."
    )
    assert rest.startswith("````diff\ndiff --git a/a.md b/a.md\n")
    assert rest.endswith("\n-old\n+new\n````")


def test_a_merge_by_hand_comes_with_its_steps() -> None:
    merge = Merge(sha="b" * 40, ref="main; ls", theirs={})
    answer = with_merge(plan(b"old\nnew\n"), merge, {"a.md": b"old\n"}, "The bot may not.")
    assert answer.startswith("The bot may not.\n\nOn the branch, this does it.")
    assert (
        "\n```sh\ngit fetch origin 'main; ls'\ngit merge FETCH_HEAD\n"
        "memoryrail-bot cursor reappend\ngit add .\ngit commit\n```\n"
    ) in answer
    assert answer.endswith("@@ -1 +1,2 @@\n old\n+new\n```")
    long = with_merge(plan(b"x\n" * MAX_REPLY), merge, {}, "The bot may not.")
    assert long.endswith("git commit\n```")


def test_a_patch_that_is_too_long_is_not_shown() -> None:
    answer = with_patch(plan(b"x\n" * MAX_REPLY), {}, "The bot may not push here.")
    assert answer.endswith("The change is too long to be shown as a patch in a comment.")


TOKEN = "ghp_" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz3Xc5"
LOOKS = "it holds what looks like a credential, which must not be shown again."


def test_a_deletion_that_would_show_a_credential_is_a_command() -> None:
    edits = (
        FileEdit(path="a b.md", data=None, expected_oid=""),
        FileEdit(path="c.md", data=b"new\n", expected_oid=""),
    )
    before = {"a b.md": TOKEN.encode(), "c.md": b"old\n"}
    answer = with_patch(EditPlan(edits=edits), before, "The bot may not push here.")
    assert "a/c.md" in answer
    assert "a/a b.md" not in answer
    assert answer.endswith(
        f"\n\nThere is no patch for `a b.md`: {LOOKS} Delete the file with `git rm 'a b.md'`."
    )


def test_a_change_that_would_show_a_credential_is_not_shown() -> None:
    answer = with_patch(plan(b"new\n"), {"a.md": TOKEN.encode()}, "The bot may not push here.")
    assert answer == (
        f"The bot may not push here.\n\nThere is no patch for `a.md`: {LOOKS} Take that out on the "
        "branch, then write the command again."
    )


def test_what_others_wrote_is_neutralised() -> None:
    assert refused(UserError("no <b>@kim</b>")) == (
        "Nothing was changed. no &lt;b&gt;@&#8203;kim&lt;/b&gt;"
    )


def test_as_many_records_as_fit() -> None:
    assert fit([], 1000) == ""
    assert fit(["a", "b"], 1000) == "a\n\nb"
    many = fit(["x" * 90] * 100, 1000)
    assert many.startswith("x" * 90)
    assert many.endswith("\n\n91 more records did not fit in here.")
    assert len(many) <= 1000


def test_a_long_record_keeps_out_no_other_one() -> None:
    assert fit(["x" * 1000, "short"], 1000) == "short\n\n1 more record did not fit in here."
