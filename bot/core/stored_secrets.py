"""Credentials in memory files that are there already (spec/memoryrail.md, "Lint").

Here a mark that tells scanners to look away is obeyed: the file was reviewed with it.
"""

from collections.abc import Iterable

from bot.core.contents import text_of
from bot.core.model import Problem, Severity, TreeFile
from bot.core.secrets import Level, Text, headline, remedy, scan


def stored_secrets(files: Iterable[TreeFile]) -> tuple[Problem, ...]:
    """One problem for each credential, and for each file that was not searched whole.

    The message names the kind of credential and how sure it is, never the value.
    """
    texts = [
        Text(path=file.path, text=text_of(file.data or b""))
        for file in sorted(files, key=lambda file: file.path)
        if not file.is_symlink
    ]
    result = scan(texts)
    problems = [
        Problem(
            path=found.path,
            line=found.line,
            rule="secret",
            message=f"{headline(found.description, found.level, found.why)}, by rule {found.rule}. "
            f"{remedy(found.revoke)} If it is none, put gitleaks:allow on its line.",
            severity=Severity.NOTICE if found.level is Level.LOW else Severity.WARNING,
        )
        for found in result.findings
    ]
    for one in result.incomplete:
        message = f"The file was not searched whole for credentials: {one.reason}."
        problems.append(
            Problem(path=one.path, rule="secret", message=message, severity=Severity.WARNING)
        )
    return tuple(sorted(problems))
