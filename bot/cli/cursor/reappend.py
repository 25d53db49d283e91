"""memoryrail-bot cursor reappend: end the conflict of two branches that both appended."""

from pathlib import Path

import click

from bot.cli.cursor import place
from bot.cli.cursor.commits import files_at, repository_of
from bot.core.errors import GitError, UserError
from bot.formats.cursor.reappend import reappend


@click.command()
@click.option("--dry-run", is_flag=True, help="Write nothing; print the ids.")
@place.path_option
def command(*, dry_run: bool, path: Path | None) -> None:
    """In a merge that stopped, put this branch's own entries behind those of the other one.

    They stay as they are, under other ids where the other branch has theirs. The files are
    validated and written; add them and go on with the merge.

    \b
    Example:
      git merge main                       stops: both appended to decisions.md
      memoryrail-bot cursor reappend
      git add .cursor/memory && git commit

    Exit code: 0 written, 1 the result would break a rule, 2 no merge is under way, or this branch
    does more than to append.
    """
    where = place.find(path)
    repository = repository_of(where)
    try:
        base = repository.commit("MERGE_HEAD")
    except GitError as error:
        raise UserError("No merge is under way here. Begin one: git merge main, say.") from error
    head = repository.commit("HEAD")
    fork = repository.merge_base(base, head)
    with where.locked():
        planned = reappend(*(files_at(repository, sha, where) for sha in (fork, base, head)))
        if not dry_run:
            where.write(planned.contents)
    old = {new: old for old, new in planned.renamed.items()}
    for id_ in planned.ids:
        click.echo(f"{id_} (was {old[id_]})" if id_ in old else id_)
