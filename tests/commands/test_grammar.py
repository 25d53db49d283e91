"""Which lines of a comment are commands: every construct of Markdown, and what people mistype."""

import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.commands.grammar import (
    MAX_CHARACTERS,
    MAX_COMMANDS,
    MAX_REFS,
    Command,
    Miss,
    MissKind,
    Parsed,
    parse,
)

VERBS = ("approve", "reject", "recheck", "why", "help")
A = "/memoryrail approve DEC-a3f9"
APPROVE = Command(verb="approve", refs=("DEC-a3f9",))


def commands(text: str) -> tuple[Command, ...]:
    parsed = parse(text, VERBS)
    assert not parsed.misses
    return parsed.commands


@pytest.mark.parametrize(
    "text",
    [
        A,
        f"{A}\n",
        f"{A}\r\n",
        f"   {A}   ",
        "/MemoryRail APPROVE DEC-a3f9",
        "/memoryrail   approve\tDEC-a3f9",
        "/memoryrail approve `DEC-a3f9`",
        "/memoryrail approve [per DEC-a3f9]",
        "/memoryrail approve [PER DEC-a3f9].",
        "/memoryrail approve “DEC-a3f9”,",
        "/memoryrail approve DEC-a3f9 and DEC-a3f9",
        f"Looks good to me.\n\n{A}\n\nThank you!",
        f"Looks good to me.\n{A}\nThank you!",
        f"Two blanks end a line  \n{A}\\\nso does a backslash",
        f"# Review\n{A}",
        f"> You wrote this\n\n{A}",
        f"- a list\n- of things\n\n{A}",
        f"```\ncode\n```\n{A}",
        f"| a |\n| - |\n| b |\n\n{A}",
        f"<!-- hidden -->\n\n{A}",
        f"<details><summary>More</summary>\n\ntext\n\n</details>\n\n{A}",
        f"A picture <img src=x>\n{A}",
        f"**bold** and <b>bold</b>\n{A}",
        f"---\n{A}",
        f"[link]: /url\n\n{A}",
        f"As Kim wrote:\n\n> text\n\n{A}",
        f"On Monday, Kim wrote:\n\n> text\n\n{A}",
        f"{A}\n\nOn Mon, 1 Jan 2026 at 10:00 Kim <kim@example.com>\nwrote:\n\n> {A}",
        f"{A}\n\n-----Original Message-----\nFrom: Bot\n\n{A}",
        f"{A}\n\n**From:** Bot\n**Sent:** Monday\n\n{A}",
        f"{A}\nOn Mon, 1 Jan 2026 Kim wrote:\n{A}",
    ],
)
def test_a_line_of_top_level_text_is_a_command(text: str) -> None:
    assert commands(text) == (APPROVE,)


def test_a_ref_may_be_a_path() -> None:
    (command,) = commands("/memoryrail approve .memoryrail/memories/a_b_c.md, `./x/.y/z.md`.")
    assert command.refs == (".memoryrail/memories/a_b_c.md", "./x/.y/z.md")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        f"please {A}",
        f"@kim {A}",
        f"> {A}",
        f"> text\n{A}",
        f"> > text\n{A}",
        f"> [!NOTE]\n> {A}",
        f"```\n{A}\n```",
        f"```\n{A}",
        f"~~~ text\n{A}\n~~~",
        f"    {A}",
        f"\t{A}",
        f"- {A}",
        f"1. {A}",
        f"- [ ] {A}",
        f"- text\n{A}",
        f"- text\n\n  {A}",
        f"use `{A}` to approve",
        f"`{A}` approves it",
        f"`code\n{A}\ncode`",
        f"``code\n{A}``",
        f"<!-- {A} -->",
        f"<!--\n{A}\n-->",
        f"<!--\n\n{A}\n",
        f"text <!-- comment\n{A}\n-->",
        f"<div>\n{A}\n</div>",
        f"<details>\n\n{A}\n\n</details>",
        f"</details><!--\n\n{A}",
        f"> <!--\n\n{A}",
        f"<!--> <pre> text\n\n{A}",
        f"<details>\n<summary>Log</summary>\n\ntext\n\n{A}",
        f"<blockquote>\n\n{A}\n\n</blockquote>",
        f"<pre>\n\n{A}\n\n</pre>",
        f"<script>\n\n{A}\n</script>",
        f"text <b>\n{A}\n</b>",
        f"<span>{A}</span>",
        f"<a title=\"\n{A}\n\">x</a>",
        f"[text\n\n[x]: /y \"\n{A}\n\"",
        f"| {A} |\n| - |\n| {A} |",
        f"{A} | b\n--- | ---\n",
        f"[^1]: {A}",
        f"[^1]: text\n{A}",
        f"![{A}](x)",
        f"\\{A}",
        f"&#47;{A[1:]}",
        "/memory\u200brail approve DEC-a3f9",
        f"\u200b{A}",
        "/ memoryrail approve DEC-a3f9",
        "/memoryrails approve DEC-a3f9",
        "/memoryrail-approve DEC-a3f9",
        "//memoryrail approve DEC-a3f9",
        f"https://example.com{A}",
        f"-----Original Message-----\n{A}",
        f"From: Bot\nDate: Monday\n\n{A}",
        f"On Mon, 1 Jan 2026 Kim wrote:\n\n{A}",
        f"On Mon, 1 Jan 2026 at 10:00\nKim\nwrote:\n{A}",
        f"{'>' * 30} {A}",
    ],
)  # fmt: skip
def test_text_that_is_quoted_or_shown_runs_nothing(text: str) -> None:
    assert parse(text, VERBS) == Parsed()


@pytest.mark.parametrize(
    "text",
    [
        f"`{A}`",
        f"``{A}``",
        f"text\n`{A}`\ntext",
        f"**{A}**",
        f"*{A}*",
        f"~~{A}~~",
        f"**text\n{A}**",
        f"[{A}](https://example.com)",
        f"# {A}",
        f"{A}\n---",
        f"{A}\n-- \nKim",
        "/memoryrail `approve DEC-a3f9`",
        "/memoryrail **approve** DEC-a3f9",
        "/memoryrail approve **DEC-a3f9**",
        "/memoryrail approve [DEC-a3f9](x)",
        "/memoryrail approve DEC-a3f9 <!-- and more -->",
        "/memoryrail approve <b>DEC-a3f9</b>",
    ],
)
def test_a_command_that_is_formatted_is_a_near_miss(text: str) -> None:
    parsed = parse(text, VERBS)
    assert not parsed.commands
    assert [miss.kind for miss in parsed.misses] == [MissKind.FORMATTED]
    assert parsed.misses[0].written.startswith("/memoryrail approve")


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("/memoryrail aprove DEC-a3f9", "approve"),
        ("/memoryrail Aproved: DEC-a3f9", "approve"),
        ("/memoryrail re-check", "recheck"),
        ("/memoryrail deploy", None),
        ("/memoryrail `deploy`", None),
    ],
)
def test_an_unknown_verb_is_a_near_miss(text: str, suggestion: str | None) -> None:
    (miss,) = parse(text, VERBS).misses
    assert (miss.kind, miss.suggestion) == (MissKind.VERB, suggestion)


@pytest.mark.parametrize(
    ("text", "refs", "reason"),
    [
        ("DEC-1 CON-2", ("DEC-1", "CON-2"), ""),
        ("DEC-1, CON-2; 20261001-a.b", ("DEC-1", "CON-2", "20261001-a.b"), ""),
        ("[per DEC-1, CON-2]", ("DEC-1", "CON-2"), ""),
        ("DEC-1 and `CON-2`: we use SQLite", ("DEC-1", "CON-2"), "we use SQLite"),
        ("DEC-1:too  old", ("DEC-1",), "too old"),
        ("DEC-1 : see [this](https://x.example) and **that**", ("DEC-1",), "see this and that"),
        ("DEC-1: a \\* b: c <b>d</b>", ("DEC-1",), "a * b: c d"),
        (": no ref", (), "no ref"),
        ("20261001-my_long_id", ("20261001-my_long_id",), ""),
        ("", (), ""),
    ],
)
def test_refs_and_reason(text: str, refs: tuple[str, ...], reason: str) -> None:
    (command,) = commands(f"/memoryrail reject {text}")
    assert (command.refs, command.reason) == (refs, reason)


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        ("DEC-1 with DEC-2", ("DEC-1", "with", "DEC-2"), ""),
        ('gotcha "The pool: never grow it"', ("gotcha", "The pool: never grow it"), ""),
        ("gotcha “The pool: a, b”: because", ("gotcha", "The pool: a, b"), "because"),
        ('DEC-1 "a b.py", c.py;d.py', ("DEC-1", "a b.py", "c.py", "d.py"), ""),
        ('gotcha "never closed', ("gotcha", '"never', "closed"), ""),
    ],
)
def test_arguments_as_they_are_written(text: str, words: tuple[str, ...], reason: str) -> None:
    (command,) = commands(f"/memoryrail reject {text}")
    assert (command.words, command.reason) == (words, reason)


@pytest.mark.parametrize("text", ["--dry-run DEC-a3f9", "DEC-a3f9 --dry-run", "DEC-a3f9 —dry-run"])
def test_a_dry_run(text: str) -> None:
    (command,) = commands(f"/memoryrail approve {text}")
    assert command == replace(APPROVE, is_dry_run=True)
    assert command.words == ("DEC-a3f9",)


@pytest.mark.parametrize(
    ("text", "below"),
    [
        (f"{A}\nfirst\r\n\r\n- second\n", "first\n\n- second"),
        (f"{A}\n\n```\n/memoryrail help\n```\n{A}", "```\n/memoryrail help\n```"),
        (f"`a\nb\nc`\n{A}\nbelow `d`", "below `d`"),
        (f"{A}\nfirst\n\nOn Monday Ada wrote:\nquoted", "first"),
        (f"{A}\nfirst\n`{A}`", "first"),
        (A, ""),
    ],
)
def test_what_stands_below_a_command(text: str, below: str) -> None:
    assert parse(text, VERBS).commands[0].below == below


@pytest.mark.parametrize("text", ["/mr approve DEC-a3f9", "/MR approve DEC-a3f9", A])
def test_a_second_name(text: str) -> None:
    assert parse(text, VERBS, ("/memoryrail", "/mr")).commands == (APPROVE,)


@pytest.mark.parametrize("text", ["/mrs approve DEC-a3f9", "/m approve DEC-a3f9", "`/mr`: see"])
def test_what_is_no_second_name(text: str) -> None:
    assert parse(text, VERBS, ("/memoryrail", "/mr")) == Parsed()


def test_the_name_alone_asks_for_help() -> None:
    assert commands("/memoryrail") == (Command(verb="help"),)


def test_several_commands_run_in_order() -> None:
    found = commands(f"{A}\n\ntext\n/memoryrail recheck\n/memoryrail reject X: no")
    assert [one.verb for one in found] == ["approve", "recheck", "reject"]


def test_a_near_miss_does_not_stop_the_others() -> None:
    parsed = parse(f"/memoryrail aprove X\n{A}\n`{A}`", VERBS)
    assert parsed.commands == (APPROVE,)
    assert [miss.kind for miss in parsed.misses] == [MissKind.VERB, MissKind.FORMATTED]


def test_limits() -> None:
    many = parse(f"{A}\n" * (MAX_COMMANDS + 5), VERBS)
    assert len(many.commands) == MAX_COMMANDS
    assert [miss.kind for miss in many.misses] == [MissKind.TOO_MANY_COMMANDS]
    refs = " ".join(f"DEC-{n:04x}" for n in range(MAX_REFS + 1))
    (miss,) = parse(f"/memoryrail approve {refs}", VERBS).misses
    assert miss.kind is MissKind.TOO_MANY_REFS
    assert parse(f"{'x' * MAX_CHARACTERS}\n{A}", VERBS) == Parsed()


@pytest.mark.parametrize(
    "piece",
    ["> ", "- ", "[", "![", "`", "*a ", "**a_", "<", "<a ", "<!--", "&#", "\\", "|", "a|b\n", "_*",
     "\n", "- a\n ", "[a](", "[a]: ", "~~~\n", "/memoryrail ", "on wrote:", "`a``b"],
)  # fmt: skip
def test_hostile_text_is_read_in_time(piece: str) -> None:
    """A quarter of the longest comment: were the square of it read, the whole would take long."""
    text = f"{A}\n\n{piece * (MAX_CHARACTERS // 4 // len(piece))}"
    started = time.process_time()
    parse(text, VERBS)
    assert time.process_time() - started < 1


pieces = st.sampled_from(
    [A, "> ", "```\n", "`", "\n", "\n\n", "- ", "<b>", "</b>", "<!--", "-->", "**", "[", "](x)",
     " ", "    ", "# ", "text", "\\", "| ", "---\n", "\r\n", "<details>\n\n", "~~", "[^1]: ",
     "On x wrote:"]
)  # fmt: skip


class TopLevelText(HTMLParser):
    """The lines of text that stand directly in a paragraph of a rendered comment."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self._inside: list[str] = []
        self.lines: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, _: object) -> None:
        if tag != "br":
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._inside in (["p"], []):  # a stray end tag leaves nothing open
            self.lines.append(data.strip())


@given(st.lists(pieces, max_size=12).map("".join))
@example(f"**\n{A}\n**")
@example(f"<b>\n{A}")
def test_what_runs_is_top_level_text_in_the_rendered_comment(text: str) -> None:
    """An independent look: the comment as HTML, and where the words of each command stand."""
    rendered = MarkdownIt("commonmark", {"breaks": True}).enable(["table", "strikethrough"])
    lines = TopLevelText(rendered.render(text)).lines
    for command in parse(text, VERBS).commands:
        assert command.verb == "approve"
        assert any(line.startswith("/memoryrail approve") for line in lines)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    parsed = parse(f"/memoryrail {text}", VERBS)
    assert len(parsed.commands) <= MAX_COMMANDS
    assert all(isinstance(miss, Miss) for miss in parsed.misses)


@pytest.mark.parametrize(
    "text",
    [
        "text\n[^1]: note\n/memoryrail help",
        "[^1]: note\n/memoryrail help",
        "[^1]: note\n[^2]: note\n/memoryrail help",
        "$$\n/memoryrail help\n$$",
        "a $$ x\n/memoryrail help\ny $$",
    ],
    ids=["footnote below a paragraph", "footnote", "second footnote", "formula", "within a line"],
)
def test_what_github_shows_otherwise_is_no_command(text: str) -> None:
    assert parse(text, VERBS) == Parsed()


@pytest.mark.parametrize(
    "text",
    [
        "text[^1]\n/memoryrail help\n[^1]: note",
        "[^1]: note\n\n/memoryrail help",
        "$$ x $$\n/memoryrail help",
        "it costs $$\n/memoryrail help",
        "$$\nx\n$$\n/memoryrail help\n$$",
        "$x$\n/memoryrail help",
    ],
)
def test_what_stands_beside_a_footnote_or_a_formula_is_one(text: str) -> None:
    assert [command.verb for command in parse(text, VERBS).commands] == ["help"]
