"""A short run of `make chaos`, and what its checker makes of losses and doubles."""

import re
from collections.abc import Callable
from pathlib import Path

from bot.core.comment import COMMENT_MARKER
from bot.sandbox.state.checks import create_check_run
from bot.sandbox.state.conversation import say
from tests.chaos.checker import Wrong
from tests.chaos.run import Plan, run
from tests.chaos.scenery import Scenery

ACTS = ("open", "open", "open_twin", "choose_base", "queue")  # the second is from a fork
PLAN = Plan(deliveries=10, pulls=3, kills=1, seed=1, quick=True, acts=ACTS)


def test_nothing_is_lost_or_doubled_and_the_checker_would_know(tmp_path: Path) -> None:
    found: list[str] = []

    def spoil(scenery: Scenery, check: Callable[[], list[Wrong]]) -> None:
        pull, fork, _ = (change.pull for change in scenery.changes)
        (group,), taken = scenery.groups, scenery.github.deliveries[-1]
        (said,) = [one for one in pull.comments if one.body.startswith(COMMENT_MARKER)]
        said.body = said.body.replace("change at", "change before")
        say(pull, said.body, user=said.author, app=said.app)
        older = pull.check_runs()[0]
        fields = {name: getattr(older, name) for name in ("name", "head_sha", "external_id")}
        words = {name: getattr(older, name) for name in ("title", "summary", "text")}
        again = {**fields, "conclusion": older.conclusion, "output": words}
        create_check_run(pull.repository, older.app, again)
        shared = fork.check_runs()[0]
        shared.summary = str(shared.summary).partition("Of pull request 2:\n\n")[2]
        group.runs[0].suite.check_runs.pop()
        scenery.changes[0].questions.append(said.id)
        taken.guid = "never recorded"
        found.extend(str(wrong) for wrong in check())

    def quietly(_text: str) -> None:
        """Say nothing."""

    result = run(PLAN, f"sqlite:///{tmp_path / 'bot.sqlite'}", tmp_path, quietly, spoil)
    assert result.wrong == []
    assert (result.figures["pull_requests"], result.figures["kills"]) == (3, 1)
    wanted = [
        r"lost .* \(issue_comment created\): it was never acknowledged",  # of the second comment
        r"lost .*: it was acknowledged, and is not on record",
        r"lost .*#1: the comment is not of \w+",
        r"doubled .*#1: 2 comments with verdicts",
        r"lost .*#1: comment \d+ was not answered",
        r"lost .*#2: memoryrail/\w+ says success .*, not success .*",
        r"lost .*#3: memoryrail/\w+ says success .*, not success .*",
        r"lost +group .*: memoryrail/\w+ has no verdict on \w+",
        r"doubled .*: memoryrail/\w+ says the same 2 times on \w+",
    ]
    assert [
        line for line, one in zip(found, wanted, strict=True) if not re.fullmatch(one, line)
    ] == []
