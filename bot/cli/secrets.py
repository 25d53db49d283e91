"""memoryrail-bot secrets: credentials in files, in what is staged, in commits; and the rules."""

import json
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final

import click

from bot.cli import project as projects
from bot.core.contents import is_media, text_of, words_of
from bot.core.errors import GitError, UserError
from bot.core.report import SecretHit, Section, Unread
from bot.core.repository_settings import SETTINGS_PATH, RepositorySettings, parse
from bot.core.secret_hits import Ignores, Source, at_rest, hits, in_a_change
from bot.core.secret_names import file_name, is_name, telling
from bot.core.secrets import IGNORE_PATH, IgnoreFile, Level, RuleSet, Text, parse_ignore_file
from bot.core.secrets.rules import default_rules
from bot.core.snapshot import AddedBlock
from bot.git.commits import in_range
from bot.git.files import listed
from bot.git.repository import LocalRepository, shown
from bot.git.side import read_file
from bot.git.snapshot import settings_at
from bot.git.staged import staged_lines
from bot.render import phrases
from bot.render import secret_hits as rendered
from bot.render.markdown import visible
from bot.render.sarif import sarif_of

MAX_FILE_BYTES: Final = 32 << 20
_CHUNK_BYTES: Final = 8 << 20  # of a film that is larger
_OVERLAP_BYTES: Final = 8 << 10  # of a word that two chunks share
_OF_WORDS: Final = bytes([0, *b"\t\n\r", *range(32, 127)])
_BATCH_BYTES: Final = 8 << 20  # of texts that are held at a time
_STDIN: Final = "(standard input)"

Batch = tuple[list[Source], list[Unread]]


@click.group()
def command() -> None:
    """Find credentials, and list the kinds that are known."""


@command.command(short_help="Find credentials in files, in what is staged, in commits.")
@click.option("--staged", is_flag=True, help="The lines that a commit made now would add.")
@click.option("--range", "range_", metavar="A..B", help="The commits of B that A lacks.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="sarif is for code scanning.",
)
@click.option(
    "--fail-on",
    type=click.Choice([level.value for level in Level]),
    help="The lowest level that makes the exit code 1.  [default: secrets.block of the settings]",
)
@click.argument("paths", metavar="[PATH]…", nargs=-1, type=click.Path())
@click.pass_context
def scan(
    context: click.Context,
    *,
    staged: bool,
    range_: str | None,
    format_: str,
    fail_on: str | None,
    paths: Sequence[str],
) -> None:
    """Find credentials in files (here and below unless told otherwise), or in "-", standard input.

    In a repository what .gitignore names is passed over, unless it is a PATH itself. Lines with
    gitleaks:allow and the places in .gitleaksignore are left out; with --range, whose commits may
    be somebody else's, only a line of A's list with the commit hides a secret that is certain.
    Rules come from the bot and from .github/memoryrail.yml. No value is ever shown; equal
    fingerprints in one output are the same value, and the next run gives others.

    \b
    Examples:
      memoryrail-bot secrets scan
      memoryrail-bot secrets scan --staged                    in a git hook
      memoryrail-bot secrets scan --range origin/main..HEAD
      git log -p | memoryrail-bot secrets scan -

    Exit code: 0 clean, 1 secrets, or not fully scanned; 2 it cannot be done.
    """
    if sum([bool(paths), staged, range_ is not None]) > 1:
        raise UserError("Name files, or use --staged, or --range A..B: one of them.")
    asked = _Asked.of_range(range_) if range_ is not None else _Asked.here()
    if range_ is not None:
        batches, unit = asked.commits(), "commit"
    elif staged:
        batches, unit = asked.staged(), "staged file"
    else:
        batches, unit = asked.files(paths or (".",)), "file"
    found: list[SecretHit] = []
    unread: list[Unread] = []
    places: set[str] = set()
    for sources, unread_here in batches:
        some, unscanned = hits(
            sources, rules=asked.settings.secret_rules, key=asked.key, is_ignored=asked.ignores
        )
        found += some
        unread += unread_here
        unread += [_unread(one.path, one.reason) for one in unscanned]
        texts = [source for source in sources if not is_name(source.text.path)]
        places |= {source.commit or source.text.path for source in texts}
    _show(format_, found, unread, scanned=phrases.count(len(places), unit))
    least = Level(fail_on or asked.settings.secrets_block).weight
    fails = any(Level(hit.level).weight >= least for hit in found)
    context.exit(1 if fails or unread else 0)


@command.command(short_help="List the kinds of credentials that are known.")
@click.option("--json", "as_json", is_flag=True, help="For programs: a list of objects.")
def rules(as_json: bool) -> None:
    """List the kinds of credentials: rule, level, when it was compared with facts, and which.

    A rule that nobody has compared with its provider's pages for six months is marked OLD.
    """
    today = datetime.now(UTC).date()
    if as_json:
        document = rendered.rules_document(default_rules(), today=today)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo(rendered.rules_text(default_rules(), today=today), nl=False)


class _Asked:
    """What a scan goes by, and the texts that it reads."""

    def __init__(
        self, top: Path, repository: LocalRepository | None, settings: RepositorySettings
    ) -> None:
        self.top = top
        self.repository = repository
        self.settings = settings
        self.key = secrets.token_bytes(32)  # of this run: a fingerprint tells equal values in it
        self.ignores: Ignores = at_rest(IgnoreFile({}))
        self.ends = ("", "")  # of a range

    @classmethod
    def here(cls) -> "_Asked":
        """By the settings and marks as they lie on disk."""
        here = Path(os.path.realpath(Path.cwd()))
        repository = None
        with suppress(GitError):
            repository = LocalRepository.discover(here)
        top = (repository.top if repository else None) or here
        file = projects.file(top, SETTINGS_PATH)
        is_read = file is not None and file.data is not None and not file.is_symlink
        settings, problems = parse(file.data if file and is_read else None)
        for problem in problems:
            click.echo(f"{problem.path}:{problem.line}: {visible(problem.message)}", err=True)
        asked = cls(top, repository, settings)
        marks = projects.file(top, IGNORE_PATH)
        data = marks.data if marks and not marks.is_symlink else None
        asked.ignores = at_rest(parse_ignore_file(data, _own_ids(settings.secret_rules)))
        return asked

    @classmethod
    def of_range(cls, range_: str) -> "_Asked":
        """By the settings and marks of the commit that the range begins with."""
        repository = LocalRepository.discover(Path())
        first, dots, last = range_.partition("..")
        if not dots:
            raise UserError(f"{visible(range_)} is no range A..B, such as origin/main..HEAD.")
        ends = (repository.commit(first or "HEAD"), repository.commit(last.lstrip(".") or "HEAD"))
        asked = cls(repository.top or Path(), repository, settings_at(repository, ends[0])[0])
        own_ids = _own_ids(asked.settings.secret_rules)
        files = [read_file(repository, sha, IGNORE_PATH) for sha in ends]
        base, head = (parse_ignore_file(file.data if file else None, own_ids) for file in files)
        asked.ignores, asked.ends = in_a_change(base, head), ends
        return asked

    def commits(self) -> Iterator[Batch]:
        """What each commit of the range adds and says."""
        assert self.repository is not None  # noqa: S101 - of_range has one
        commits, unread = in_range(self.repository, *self.ends)
        sources = [
            Source(text, commit=commit.sha)
            for commit in commits
            for text in (
                *map(_text, commit.added),
                Text(path="(message)", text=commit.message),
            )
        ]
        names = [file_name(path, commit=one.sha) for one in commits for path in one.new_paths]
        yield [*self._telling(names), *sources], list(unread)

    def staged(self) -> Iterator[Batch]:
        """The lines that are staged."""
        if self.repository is None:
            raise UserError("--staged needs a git repository; here name files.")
        blocks, new, unread = staged_lines(self.repository, projects.index())
        names = self._telling(map(file_name, new))
        yield [*names, *(Source(_text(block)) for block in blocks)], list(unread)

    def files(self, paths: Sequence[str]) -> Iterator[Batch]:
        """Files on disk, some at a time. No symlink is followed."""
        sources: list[Source] = []
        names: list[Source] = []
        unread: list[Unread] = []
        size = 0
        for path in dict.fromkeys(self._paths(paths)):
            names += [file_name(self._shown(path))] if path else []
            try:
                read = _text_in(sys.stdin.buffer) if path is None else _read(path)
            except OSError as error:
                unread.append(_unread(self._shown(path), error.strerror or "it cannot be read"))
                continue
            if read is None:
                continue
            text, is_whole = read
            if not is_whole:
                unread.append(_unread(self._shown(path), f"it has over {MAX_FILE_BYTES >> 20} MiB"))
            sources.append(Source(Text(path=self._shown(path), text=text)))
            size += len(text)
            if size >= _BATCH_BYTES:
                yield sources, unread
                sources, unread, size = [], [], 0
        yield [*self._telling(names), *sources], unread

    def _telling(self, names: Iterable[Source]) -> Iterator[Source]:
        return telling(tuple(names), self.settings.secret_rules)

    def _paths(self, paths: Sequence[str]) -> Iterator[Path | None]:
        """The files that are asked for; None for standard input."""
        for name in paths:
            path = Path(os.path.normpath(Path(os.path.realpath(Path.cwd()), name)))
            if name == "-":
                yield None
            elif not os.path.lexists(path):
                raise UserError(f"{visible(name)} is not there.")
            elif path.is_symlink() or not path.is_dir():
                yield path
            elif self.repository and path.is_relative_to(self.top):
                below = os.fsencode(path.relative_to(self.top))
                for found in listed(self.repository, self.top, [below]):
                    yield self.top / os.fsdecode(found)
            else:
                yield from _walk(path)

    def _shown(self, path: Path | None) -> str:
        if path is None:
            return _STDIN
        relative = path.relative_to(self.top) if path.is_relative_to(self.top) else path
        return shown(os.fsencode(relative.as_posix()))


def _walk(directory: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name != ".git")
        yield from (Path(folder, name) for name in sorted(names))


def _read(path: Path) -> tuple[str, bool] | None:
    """The text of a file, and whether it is all of it; None for what is no plain file."""
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        return _text_in(file)


def _text_in(file: IO[bytes]) -> tuple[str, bool]:
    """What can be scanned of a content. Of a film of any size these are a few words."""
    data = file.read(MAX_FILE_BYTES + 1)
    if len(data) <= MAX_FILE_BYTES or not is_media(data):
        return text_of(data[:MAX_FILE_BYTES]), len(data) <= MAX_FILE_BYTES
    words, size = [text_of(data)], 0
    while size <= MAX_FILE_BYTES and (more := file.read(_CHUNK_BYTES)):
        data = data[len(data.rstrip(_OF_WORDS)) :][-_OVERLAP_BYTES:] + more
        found = "\n".join(words_of(data))
        words.append(found)
        size += len(found)
    return "\n".join(words), size <= MAX_FILE_BYTES


def _text(block: AddedBlock) -> Text:
    return Text(path=block.path, text=block.text, first_line=block.start)


def _own_ids(rules: RuleSet) -> list[str]:
    return [rule.id for rule in rules.added]


def _unread(what: str, why: str) -> Unread:
    return Unread(section=Section.SECRETS, what=what, why=why)


def _show(
    format_: str, found: Sequence[SecretHit], unread: Sequence[Unread], *, scanned: str
) -> None:
    if format_ == "text":
        click.echo(rendered.text(found, unread, scanned=scanned), nl=False)
        return
    if format_ == "json":
        value = rendered.document(found, unread)
    else:
        said = rendered.findings(found)
        value = sarif_of(said, unread, {}, version=version("memoryrail-bot"))
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
