"""What the demo prints of a pull request: what was asked, the checks, the comments, new commits."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.traffic import Exchange


def heading(text: str) -> None:
    """Print what stands above a step of the story."""
    click.echo(f"\n{'─' * 80}\n{text}\n{'─' * 80}")


def asked(requests: Sequence["Exchange"]) -> None:
    """What the bot asked GitHub, in the words of its API."""
    names = Counter(
        (request.operation or request.path).removeprefix("graphql ")
        + ("" if request.status in {200, 201} else f" ({request.status})")
        for request in requests
    )
    each = (name if times == 1 else f"{name} x{times}" for name, times in names.items())
    text = f"the bot asked GitHub {names.total()} times: {', '.join(each)}"
    wrapped = textwrap.wrap(text, 78, subsequent_indent="  ", break_on_hyphens=False)
    click.echo("\n".join(f"  {line}" for line in wrapped))


def commits(pull: "PullRequest", bot: str) -> None:
    """What the bot committed to the pull request."""
    for commit in pull.commits:
        if commit.author.email.endswith(f"+{bot}@users.noreply.github.com"):
            title = commit.message.partition("\n")[0]
            click.echo(
                f"\n  the bot committed {commit.oid[:7]}: {title}\n"
                "  (GitHub would sign it; here it is only marked as verified)"
            )


def checks(pull: "PullRequest") -> None:
    """The verdicts on its head, and where they point."""
    click.echo(f"\n  checks on {pull.head_sha[:7]}")
    for run in sorted(pull.check_runs(), key=lambda run: run.id):
        click.echo(f"    {run.conclusion!s:<16} {run.name:<20}  {run.title}")
        for note in run.annotations:
            click.echo(f"      {note.path}:{note.start_line}: {note.message}")


def comments(pull: "PullRequest", bot: str, known: dict[int, str]) -> None:
    """What the bot says: whole the first time, later what is new. known: bodies shown, by id."""
    said = [one for one in pull.comments if one.author.login == bot]
    if not said:
        click.echo("\n  no comment: nothing to say")
    for comment in said:
        before = known.get(comment.id)
        known[comment.id] = comment.body
        lines = comment.body.splitlines()[1:]  # the first is hidden
        if before is None:
            click.echo(f"\n  the comment of {bot}\n")
            _indented(lines)
        elif before != comment.body:
            click.echo(f"\n  the comment of {bot}, edited: what is new in it\n")
            _indented(_news(before.splitlines()[1:], lines))


def _news(before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    """The headline, the lines that were not there before, and how many are gone."""
    yield now[0]
    new = [line for line in now[1:] if not line or _is_news(line, before)]
    while new and not new[-1]:
        new.pop()
    yield from (line for last, line in pairwise([now[0], *new]) if line or last)
    if gone := sum(_is_news(line, now) for line in before[1:]):
        yield ""
        yield f"({gone} earlier {'line is' if gone == 1 else 'lines are'} gone)"


def _is_news(line: str, known: Sequence[str]) -> bool:
    return line not in known and not line.startswith("<sub>")  # which only counts and dates


def _indented(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(f"    {line}".rstrip())
