"""memoryrail-bot doctor: everything that is wrong with a set-up, and how to mend it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from bot.cli import project as projects
from bot.cli.lint import lint
from bot.cli.project import NoSuchStore, Project
from bot.cli.sync import agent_files, size_warning, verdict
from bot.cli.uncommitted import uncommitted
from bot.core.errors import GitError, UserError
from bot.core.model import Severity, Status
from bot.core.report import BlockState
from bot.formats import memoryrail
from bot.git.ignored import ignored
from bot.git.repository import LocalRepository
from bot.git.staleness import staleness
from bot.render import phrases
from bot.render.memories import one_line

_CONFLICT: Final = re.compile(rb"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)
_MAX_NAMED: Final = 5  # files in one finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    about: str
    text: str
    severity: Severity | None = None  # None: it is as it should be
    mend: str = ""  # what to do


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(as_json: bool) -> None:
    """Look at git, the memories, the generated files and the settings of this project.

    Exit code: 0 nothing hinders, 1 something does, 2 it cannot be looked at.
    """
    findings = list(examine(Path()))
    if as_json:
        click.echo(json.dumps([_document(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            click.echo(_line(finding))
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise click.exceptions.Exit(1)


def examine(path: Path) -> Iterator[Finding]:
    """Everything that was looked at, from the ground up."""
    repository = None
    try:
        repository = LocalRepository.discover(path)
    except GitError as error:
        yield Finding(
            about="git",
            text=str(error),
            severity=Severity.WARNING,
            mend="git init: without history, check and stale have nothing to look at",
        )
    else:
        yield Finding(about="git", text=f"repository {repository.name}")
    try:
        project = projects.own(path)
    except NoSuchStore as error:
        project = error.there
    except UserError as error:
        yield Finding(
            about="project",
            text=str(error),
            severity=Severity.ERROR,
            mend="memoryrail-bot init, in the directory that is to hold the memories",
        )
        return
    yield Finding(about="project", text=str(project.root))
    is_ours = project.format is memoryrail
    if is_ours:
        yield from _gate(project)
    yield from _memories(project)
    if is_ours:
        yield from _files(project)
    else:
        text = "none: only memories of MemoryRail are written into them"
        yield Finding(about="agent files", text=text)
    if repository is not None:
        yield from _committed(project, repository)


def _gate(project: Project) -> Iterator[Finding]:
    if any(problem.path == project.store.config for problem in project.store.problems):
        return  # the faults below say so
    if project.store.gated:
        yield Finding(about="review gate", text="on: what agents write waits for a person")
    else:
        yield Finding(
            about="review gate",
            text="off: what agents write binds at once",
            severity=Severity.NOTICE,
            mend=f'"review": "agents" in {project.store.config} turns it on',
        )


def _memories(project: Project) -> Iterator[Finding]:
    problems = lint(project)
    for severity in (Severity.ERROR, Severity.WARNING):
        some = [problem for problem in problems if problem.severity is severity]
        if some:
            first = f"{one_line(some[0].path)}:{some[0].line}: {one_line(some[0].message)}"
            more = f" and {len(some) - 1} more" if len(some) > 1 else ""
            yield Finding(
                about="memory files",
                text=f"{first}{more}",
                severity=severity,
                mend="memoryrail-bot lint names every one",
            )
    conflicts = [
        file.path
        for store in project.stores
        for file in store.files.values()
        if not file.is_symlink and _CONFLICT.search(file.data or b"")
    ]
    if conflicts:
        yield Finding(
            about="memory files",
            text=f"the marks of a merge conflict stand in {_named(conflicts)}",
            severity=Severity.ERROR,
            mend="settle the conflict and take the marks out",
        )
    if not any(problem.severity is Severity.ERROR for problem in problems):
        memories = project.memories
        proposed = sum(memory.status is Status.PROPOSED for memory in memories)
        waiting = f", {phrases.count(proposed, 'proposal')} waiting" if proposed else ""
        where = f" in {project.where}" if project.others else ""
        yield Finding(
            about="memory files",
            text=f"{phrases.count(len(memories), 'memory', 'memories')}{where}{waiting}",
        )


def _files(project: Project) -> Iterator[Finding]:
    """The generated files."""
    files, problems = agent_files(project, (), every=False)
    for problem in problems:
        yield Finding(
            about="agent files", text=problem, severity=Severity.ERROR, mend="see what it says"
        )
    wrong = [file for file in files if file.stands.state is not BlockState.IN_STEP]
    for file in wrong:
        is_damaged = file.stands.state is BlockState.DAMAGED
        yield Finding(
            about="agent files",
            text=verdict(file),
            severity=Severity.ERROR if is_damaged else Severity.WARNING,
            mend="mend the two marker comments" if is_damaged else "memoryrail-bot sync",
        )
    if warning := size_warning(files):
        yield Finding(about="agent files", text=warning, severity=Severity.WARNING, mend="archive")
    if files and not wrong:
        yield Finding(about="agent files", text=f"{_named([f.name for f in files])} in step")


def _committed(project: Project, repository: LocalRepository) -> Iterator[Finding]:
    """Whether others get to see what lies here."""
    below = project.root.relative_to(project.top).as_posix()
    root = "" if below == "." else below
    paths = {path for store in project.stores for path in (*store.files, store.config)}
    if project.format is memoryrail:
        paths |= project.tree.files.keys()
    paths -= {"", *(path for store in project.stores for path in store.unshared)}
    own = [f"{root}/{path}".lstrip("/") for path in sorted(paths)]
    if hidden := ignored(repository, project.top, own):
        yield Finding(
            about="git",
            text=f"ignored by git, so nobody else gets to see it: {_named(hidden)}",
            severity=Severity.ERROR,
            mend="take them out of .gitignore",
        )
    try:
        head = repository.commit("HEAD")
    except GitError as error:
        yield Finding(
            about="git", text=str(error), severity=Severity.WARNING, mend="commit the memories"
        )
        return
    if project.format is memoryrail:
        yield from _stale(project)
    if names := uncommitted(project.root, head, [root]):
        yield Finding(
            about="git",
            text=f"not committed as it lies here: {_named(names)}",
            severity=Severity.NOTICE,
            mend="git add and commit them, so that pull requests see them",
        )


def _stale(project: Project) -> Iterator[Finding]:
    found = staleness(project.root, project.store.memories)
    if found.stale:
        refs = dict.fromkeys(one.memory.ref for one in found.stale)
        yield Finding(
            about="links",
            text=f"gone or changed since: {_named(list(refs))}",
            severity=Severity.WARNING,
            mend="memoryrail-bot stale says which, and what to do",
        )
    if found.unknown:
        yield Finding(
            about="links",
            text=found.unknown,
            severity=Severity.NOTICE,
            mend="fetch the whole history: git fetch --unshallow",
        )


def _named(names: Sequence[str]) -> str:
    shown = [one_line(name) for name in names[:_MAX_NAMED]]
    more = [f"{len(names) - _MAX_NAMED} more"] if len(names) > _MAX_NAMED else []
    return phrases.listed([*shown, *more])


def _line(finding: Finding) -> str:
    mark = finding.severity.value if finding.severity else "ok"
    mend = f"\n{'':24}-> {finding.mend}" if finding.mend else ""
    return f"{mark:<9}{finding.about:<15}{one_line(finding.text)}{mend}"


def _document(finding: Finding) -> dict[str, object]:
    return {
        "about": finding.about,
        "severity": finding.severity.value if finding.severity else "ok",
        "text": finding.text,
        "mend": finding.mend,
    }
