"""memoryrail-bot precheck: what a project has learnt about a plan, before it is carried out."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from bot.cli import project as projects
from bot.cli.named import Ground, ground, named
from bot.core import precheck
from bot.core.errors import UserError
from bot.core.model import MemoryStore, Problem, Severity
from bot.core.precheck.history import MAX_PLAN
from bot.core.refs import AmbiguousRef, Refs, UnknownRef, citations
from bot.core.repository_settings import SETTINGS_PATH, RepositorySettings, parse
from bot.core.snapshot import ChangedFile, History
from bot.formats.discovery import candidate_roots, may_be_memory
from bot.formats.trees import is_memory_file
from bot.git import names
from bot.git.commits import earlier, messages
from bot.git.repository import LocalRepository
from bot.git.side import stores_at
from bot.git.snapshot import MAX_EARLIER, settings_at
from bot.render import phrases
from bot.render.markdown import visible
from bot.render.recall import Recall, document, text
from bot.render.terminal import plain

MAX_PLAN_BYTES: Final = 1 << 20  # of standard input; more than counts


@click.command()
@click.option("--plan", metavar="TEXT|-", help="What is to be done; - reads it from the input.")
@click.option("--staged", is_flag=True, help="The files that are staged for the next commit.")
@click.option("--base", metavar="REV", help="The commits that REV lacks: their files and messages.")
@click.option("--fail", is_flag=True, help="Exit with 1 for what must be read first; see above.")
@click.option("--explain", is_flag=True, help="Print how strong the words of each match are.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document, for programs.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.pass_context
def command(
    context: click.Context,
    *,
    plan: str | None,
    staged: bool,
    base: str | None,
    fail: bool,
    explain: bool,
    as_json: bool,
    files: tuple[str, ...],
) -> None:
    """Show the constraints, failed attempts, gotchas and decisions that apply to a plan.

    What is asked about adds up: a plan, files and directories (there or not yet), what is staged,
    the commits since REV. A plan alone is about the working directory. The memories are those of
    the working tree, of all stores at or above the files. With --base they come from REV, as on a
    pull request: a change cannot lift a rule that it is judged by. What is neither committed nor
    staged has to be named.

    With --fail the exit code is 1 when a constraint or a failed attempt applies because it is
    pinned or links what changes, and no word of the change cites it as [per REF]; or when a memory
    cannot be read. What applies for its words alone is shown and never fails. In a commit-msg hook
    name the file with the message: what it cites is read and accepted.

    \b
    Examples:
      memoryrail-bot precheck --plan "cache prices in Redis" src/prices
      memoryrail-bot precheck --staged --fail            in a git hook
      memoryrail-bot precheck --staged --fail "$1"       in a commit-msg hook
      memoryrail-bot precheck --base origin/main --json
      memoryrail-bot precheck --plan "pool connections" --explain

    Exit code: 0 done, 1 something fails (see above), 2 it cannot be done.
    """
    if plan is None and base is None and not staged and not files:
        raise click.UsageError(
            "Nothing is asked about. Name files, or use --plan TEXT, --staged or --base REV."
        )
    where = ground(Path())
    recall = _recall(where, _asked(where, plan, staged=staged, base=base, files=files))
    fails = fail and bool(recall.failing or recall.unread)
    for problem in recall.unread:
        click.echo(plain(f"{problem.path}:{problem.line}: {problem.message}", 600), err=True)
    if as_json:
        click.echo(json.dumps(document(recall, fails=fails, explains=explain), indent=2))
    else:
        click.echo(text(recall, fails=fails, explains=explain), nl=False)
        if recall.stores and not recall.matches and not fail:  # a hook says nothing then
            memories = sum(len(store.active) for store in recall.stores)
            click.echo(phrases.none_applies(memories))
        if not recall.stores and not fail:
            place = "here" if base is None else f"at {visible(base)}"
            click.echo(f"There is no project memory {place}: {projects.LACKS}.", err=True)
    context.exit(1 if fails else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked about."""

    files: tuple[ChangedFile, ...]
    directories: tuple[str, ...]
    plan: str
    base: str | None  # the commit whose memories count; None for the working tree


def _asked(
    where: Ground, plan: str | None, *, staged: bool, base: str | None, files: Sequence[str]
) -> _Asked:
    own = named(files, where)
    words = [_plan(plan), own.message]
    changed = [ChangedFile(path=path, status="modified") for path in own.files]
    tip = None
    if not (files or staged or base is not None) and where.here:
        changed.append(ChangedFile(path=_inside(where.here), status="unchanged"))
    if staged or base is not None:
        repository = where.repository
        if repository is None:
            raise UserError("--staged and --base need a git repository; here name files")
        if base is not None:
            tip, head = repository.commit(base), repository.commit("HEAD")
            changed += names.changed(repository, repository.merge_base(tip, head), head)
            words += messages(repository, tip, head)
        if staged:
            changed += names.staged(repository, projects.index())
    return _Asked(
        files=tuple(changed),
        directories=own.directories,
        plan="\n\n".join(filter(None, words)),
        base=tip,
    )


def _plan(plan: str | None) -> str:
    if plan == "-":
        data: bytes = sys.stdin.buffer.read(MAX_PLAN_BYTES)
        return data.decode("utf-8", "replace")
    return os.fsencode(plan or "").decode("utf-8", "replace")


def _recall(where: Ground, asked: _Asked) -> Recall:
    settings = _settings(where, asked)
    stores = _stores(where, asked, settings)
    files = [file for file in asked.files if not _is_memory(file.path, stores)]
    paths = [*(file.path for file in files), *_below(asked.directories, stores)]
    old_paths = [path for file in files for path in file.paths[1:]]
    if len(asked.plan) > MAX_PLAN:
        click.echo(f"Only the first {MAX_PLAN:,} characters of the plan count.", err=True)
    return Recall(
        matches=precheck.precheck(
            stores,
            paths,
            asked.plan,
            history=_history(where, asked),
            old_paths=old_paths,
            thresholds=settings.thresholds,
        ),
        stores=stores,
        unread=tuple(_unread(stores)),
        cited=_cited(asked.plan, stores),
        paths=tuple(sorted({*paths, *old_paths})),
        plan=asked.plan,
        base=asked.base,
    )


def _stores(where: Ground, asked: _Asked, settings: RepositorySettings) -> tuple[MemoryStore, ...]:
    """Those at or above what is asked about, below a directory of it, or named in settings."""
    looked_at = [*asked.files]
    for directory in asked.directories:
        below = [_inside(directory), *_store_files(where.repository, directory)]
        looked_at += [ChangedFile(path=path, status="unchanged") for path in below]
    roots = candidate_roots(looked_at, settings.stores)
    if where.repository and asked.base:
        return stores_at(where.repository, asked.base, roots)
    return projects.stores(where.top, roots)


def _store_files(repository: LocalRepository | None, directory: str) -> Iterator[str]:
    if repository:
        yield from filter(may_be_memory, names.tracked(repository, directory))


def _settings(where: Ground, asked: _Asked) -> RepositorySettings:
    if where.repository and asked.base:
        return settings_at(where.repository, asked.base)[0]
    file = projects.file(where.top, SETTINGS_PATH)
    return parse(None if file is None or file.is_symlink else file.data)[0]


def _is_memory(path: str, stores: Iterable[MemoryStore]) -> bool:
    """Whether a path is a memory's own file: that is not what a memory is about."""
    return any(is_memory_file(store, path) for store in stores)


def _below(directories: Iterable[str], stores: Iterable[MemoryStore]) -> Iterator[str]:
    """Paths in directories, those that memories link among them: any of it may change."""
    for directory in directories:
        yield _inside(directory)
        for store in stores:
            links = (link for memory in store.active for link in memory.links)
            linked = ("/".join(parts) for parts in filter(None, map(precheck.parts_of, links)))
            for path in ("*", *linked):
                full = f"{store.root}/{path}".lstrip("/")
                if precheck.covers(directory or ".", full):
                    yield full


def _inside(directory: str) -> str:
    """Anything in a directory, as a path that people understand."""
    return f"{directory}/*".lstrip("/")


def _history(where: Ground, asked: _Asked) -> History:
    """Which words say little here: those of the earlier changes."""
    repository = where.repository
    tip = asked.base or (repository.head() if repository else None)
    if repository is None or tip is None:
        return History()
    return precheck.count(earlier(repository, tip, max_count=MAX_EARLIER))


def _unread(stores: Iterable[MemoryStore]) -> Iterator[Problem]:
    """What keeps memories from being read; a fault of one that is read leaves it binding."""
    for store in stores:
        harmless = {store.config, *(memory.path for memory in store.memories)}
        for problem in store.problems:
            if problem.severity is Severity.ERROR and (
                problem.path not in harmless or problem.rule == "unsupported-version"
            ):
                yield problem


def _cited(words: str, stores: Iterable[MemoryStore]) -> frozenset[str]:
    """The paths of the memories that a text cites."""
    memories = [memory for store in stores for memory in store.memories]
    refs = Refs(memories)
    found: set[str] = set()
    for ref in citations(words, {memory.id for memory in memories}):
        try:
            found.add(refs.resolve(ref, suggests=False).path)
        except (UnknownRef, AmbiguousRef):
            continue
    return frozenset(found)
