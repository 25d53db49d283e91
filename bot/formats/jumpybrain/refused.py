"""What is not done as it was asked for."""

from bot.core.errors import UserError


class Refused(UserError):  # noqa: N818 - reads as what it is
    """Nothing was changed; rule says why in a word, the text in a sentence.

    paths: of the files that it is about, from the memory root. missing and empty: the sections of a
    wrap-up that it lacks.
    """

    def __init__(
        self,
        rule: str,
        problem: str,
        *,
        paths: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
        empty: tuple[str, ...] = (),
    ) -> None:
        super().__init__(problem)
        self.rule, self.paths, self.missing, self.empty = rule, paths, missing, empty
