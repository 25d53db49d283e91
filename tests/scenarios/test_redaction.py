"""Every credential of the vectors in whatever GitHub sends, and in nothing that the bot leaves.

The text of each stands in a file, in a commit's message, in the description and in comments that
command; what shows by itself what it is stands in a branch's and a file's name too.
"""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot.logs import LogFormat, set_up
from tests.databases import contents
from tests.scenarios.commanding import SHOP, say
from tests.scenarios.conftest import Team, memory, verdicts
from tests.test_redaction import BARE, CASES, SECRETS, leaked

NOTES = memory(
    "20260301-noted",
    "constraint",
    "Of what is noted",
    "\n\n".join(case.text for case in CASES if case.path.endswith(".md")),
    more="pinned: true\n",
)
NAME = next(one for one in sorted(SECRETS) if one.startswith("gh" + "p_"))


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the bot writes to its log, at its most talkative."""
    root = logging.getLogger()
    handlers, level, stream = root.handlers.copy(), root.level, io.StringIO()
    root.handlers.clear()
    set_up(LogFormat.JSON, stream=stream)
    root.setLevel(logging.DEBUG)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)


def test_no_value_is_in_what_the_bot_says_logs_counts_or_keeps(
    team: Team, log: io.StringIO
) -> None:
    everything = "\n".join(case.text for case in CASES)
    files = {f"planted/{number}/{case.path}": case.text for number, case in enumerate(CASES)}
    files |= {f"bare/{secret}": "x = 1\n" for secret in BARE[::6] if "/" not in secret}
    hostile = "".join(f"{json.dumps(secret)}: 1\n" for secret in BARE)
    standing = {".github/memoryrail.yml": hostile, **NOTES}
    repository = team.repository({**SHOP, **standing})
    repository.grant("ada", "maintain")
    repository.branch(f"feature-{NAME}")
    repository.commit(
        f"feature-{NAME}", files={**files, f"{NAME}/a.env": CASES[0].text}, message=everything
    )
    pull = repository.open_pull(
        head=f"feature-{NAME}", user="ada", title=f"Use {NAME}", body=everything[:60_000]
    )
    team.settle()
    say(
        team,
        pull,
        "ada",
        f"/memoryrail approve {NAME}\n/memoryrail why {NAME}\n{everything[:60_000]}",
    )
    say(team, pull, "ada", f"/memoryrail {NAME}\n/memoryrail reject DEC-{NAME}")
    said_of = "\n".join(f"/memoryrail remember decision Use {secret}" for secret in BARE[:10])
    shown = "\n".join(f"/memoryrail show {ref}" for ref in ("20260301-noted", NAME))
    say(team, pull, "ada", f"{shown}\n/memoryrail list {NAME}\n/memoryrail edit {NAME}\n{said_of}")
    team.settle()

    assert verdicts(pull)["secrets"] == "failure"
    said = [comment.body for comment in pull.comments if comment.author.login != "ada"]
    assert len(said) >= 3  # the comment and two answers
    runs = [[run.title, run.summary, run.text, str(run.annotations)] for run in pull.check_runs()]
    figures = team.figures()
    team.stop()
    assert leaked(said) == []
    assert leaked(runs) == []
    assert leaked(figures) == []
    assert "octo/shop#1" in log.getvalue()
    assert leaked(log.getvalue()) == []
    stored = contents(team.database_url)
    assert pull.head_sha in stored
    assert leaked(stored) == []
