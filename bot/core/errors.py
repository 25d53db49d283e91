"""What this software raises on purpose, by who can act on it. Anything else is a bug."""


class BotError(Exception):
    """The root of every error raised on purpose."""


class MemoryFormatError(BotError):
    """A memory file breaks a rule of its format: which rule, where, and what would be right."""

    def __init__(self, rule: str, problem: str, *, path: str, line: int) -> None:
        super().__init__(f"{path}:{line}: {problem} ({rule})")
        self.rule, self.problem, self.path, self.line = rule, problem, path, line  # line from 1


class UserError(BotError):
    """What a commenter or a caller of the command line asked for cannot be done.

    Its text is shown to that person as it stands.
    """


class SettingsError(BotError):
    """The operator's settings cannot be used; problems names every one of them at once."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class GitHubError(BotError):
    """GitHub could not be asked, or refused; status is its HTTP status, None without an answer."""

    def __init__(self, problem: str, *, status: int | None = None) -> None:
        super().__init__(problem)
        self.status = status


class GitError(BotError):
    """Git could not read a local repository as asked."""
