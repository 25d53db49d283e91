"""A short run of `make chaos`, and what its checker makes of losses and doubles."""

import re
from collections.abc import Callable
from pathlib import Path

from bot.core.comment import COMMENT_MARKER
from bot.sandbox.state.checks import create_check_run
from tests.chaos.checker import Wrong
from tests.chaos.run import Plan, run
from tests.chaos.scenery import Scenery

PLAN = Plan(deliveries=10, pulls=2, kills=1, seed=1, quick=True)


def test_nothing_is_lost_or_doubled_and_the_checker_would_know(tmp_path: Path) -> None:
    found: list[str] = []

    def spoil(scenery: Scenery, check: Callable[[], list[Wrong]]) -> None:
        change = scenery.changes[0]
        pull, taken = change.pull, scenery.github.deliveries[-1]
        (said,) = [one for one in pull.comments if one.body.startswith(COMMENT_MARKER)]
        said.body = said.body.replace("change at", "change before")
        older = pull.check_runs()[0]
        fields = {name: getattr(older, name) for name in ("name", "head_sha", "external_id")}
        words = {name: getattr(older, name) for name in ("title", "summary", "text")}
        again = {**fields, "conclusion": older.conclusion, "output": words}
        create_check_run(pull.repository, older.app, again)
        change.questions.append(said.id)
        taken.guid = "never recorded"
        found.extend(str(wrong) for wrong in check())

    def quietly(_text: str) -> None:
        """Say nothing."""

    result = run(PLAN, f"sqlite:///{tmp_path / 'bot.sqlite'}", tmp_path, quietly, spoil)
    assert result.wrong == []
    assert (result.figures["pull_requests"], result.figures["kills"]) == (2, 1)
    wanted = [
        r"lost .*: it was acknowledged, and is not on record",
        r"lost .*: the comment is not of \w+",
        r"doubled .*: memoryrail/\w+ says the same 2 times on \w+",
        r"lost .*: comment \d+ was not answered",
    ]
    assert [
        line for line, one in zip(found, wanted, strict=True) if not re.fullmatch(one, line)
    ] == []
