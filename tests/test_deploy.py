"""The examples in deploy/ fit each other, the README and the code."""

import configparser
import re
from pathlib import Path

from bot.cli.serve import SECONDS_TO_ANSWER
from bot.jobs.engine import GRACE
from bot.jobs.worker import SECONDS_TO_CANCEL
from bot.settings import DEFAULTS
from bot.web.private import SECONDS_TO_END
from bot.web.server import MAX_BODY

ROOT = Path(__file__).parents[1]
COMMAND = "memoryrail-bot serve --env-file "


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def service() -> configparser.SectionProxy:
    unit = configparser.RawConfigParser(strict=False)  # a unit may repeat a name
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case
    unit.read_string(text("deploy/memoryrail-bot.service"))
    return unit["Service"]


def test_one_command_starts_the_bot_everywhere() -> None:
    assert COMMAND in text("README.md")
    assert COMMAND in text("deploy/example.env")
    assert COMMAND in service()["ExecStart"]


def test_the_service_keeps_the_database_where_it_may_write() -> None:
    """The settings lie where it may not; systemd names the other place in STATE_DIRECTORY."""
    assert DEFAULTS["DATABASE_URL"] == "sqlite:///memoryrail.sqlite"
    assert "%d/" in service()["ExecStart"]
    assert service()["StateDirectory"]


def test_a_stop_is_over_before_the_service_is_killed() -> None:
    """Requests, figures, running jobs, what is cancelled; a second for threads to look up."""
    limits = (SECONDS_TO_ANSWER, SECONDS_TO_END, GRACE.total_seconds(), SECONDS_TO_CANCEL)
    seconds = sum(limits) + 1
    assert seconds < 20 < float(service()["TimeoutStopSec"])


def test_the_proxy_asks_where_the_bot_listens() -> None:
    proxy = text("deploy/Caddyfile")
    assert f"reverse_proxy {DEFAULTS['HOST']}:{DEFAULTS['PORT']}\n" in proxy
    assert "handle /webhook {" in proxy
    found = re.search(r"max_size (\d+)MiB", proxy)
    assert found is not None
    assert int(found[1]) << 20 == MAX_BODY
