"""One run: processes, GitHub and people at once, with kills and faults; then what became of it."""

import os
import random
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bot.sandbox import Sandbox
from bot.sandbox.state.apps import App
from bot.settings import PREFIX, Settings
from bot.store import overview
from bot.store.database import Database
from tests.chaos.checker import Wrong, all_that_is_wrong, not_taken
from tests.chaos.faults import Chaos
from tests.chaos.scenery import Scenery
from tests.chaos.servers import PROGRAM, Servers

SETTLE: Final = timedelta(minutes=15)
_SECONDS_A_KILL: Final = 5.0
_QUIET: Final = 2.0  # seconds without work after which all is done
_ONE_PROCESS: Final = (("serve",),)
_SEVERAL: Final = (("serve", "--no-worker"), ("worker",), ("worker",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much of everything. share: of GitHub's answers that are false.

    sabotage: how the bot is to lose something on purpose, "" for not at all. quick: without what
    takes long, and GitHub holds deliveries back while the server is away: nothing waits for the
    comparison with GitHub that a start brings. acts: what people do first, by name.
    """

    deliveries: int
    pulls: int
    kills: int
    seed: int
    share: float = 0.05
    sabotage: str = ""
    quick: bool = False
    acts: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Result:
    """What happened. wrong: empty when nothing was lost and nothing doubled."""

    wrong: list[Wrong]
    figures: dict[str, Any] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)


def run(
    plan: Plan,
    url: str,
    folder: Path,
    tell: Callable[[str], None],
    inspect: Callable[[Scenery, Callable[[], list[Wrong]]], None] | None = None,
) -> Result:
    """Run on the database at url; logs and GitHub's repositories are kept in folder.

    inspect: gets at the end what there is, and the check, to see what it finds.
    """
    dice = random.Random(plan.seed)  # noqa: S311 - no secret
    chaos = Chaos(plan.seed, quick=plan.quick)
    began = time.monotonic()
    with Sandbox.start(folder / "github", faults=chaos) as github:
        app = github.create_app()
        port = _free_port()
        environment = _environment(app, github, url, port)
        sabotaged = ("-m", "tests.chaos.sabotage", plan.sabotage)
        servers = Servers(
            environment=environment,
            folder=folder,
            port=port,
            kinds=_ONE_PROCESS if url.startswith("sqlite") else _SEVERAL,
            program=sabotaged if plan.sabotage else PROGRAM,
        )
        app.webhook_url = f"{servers.url}/webhook"
        servers.start()
        try:
            scenery = Scenery(github, app, pulls=plan.pulls, dice=dice)
            chaos.share = plan.share
            _drive(plan, scenery, servers, dice, tell)
            driven = time.monotonic()
            database = Database(url, migrates=False)
            try:
                stuck = _settle(github, database, tell)
            finally:
                ended = servers.stop()
            chaos.share = 0
            wrong = [Wrong(kind="lost", where="process", what=what) for what in (*ended, *stuck)]
            settings = Settings.read(environment)
            check = partial(all_that_is_wrong, scenery, github, database, settings)
            wrong += check()
            if inspect is not None:
                inspect(scenery, check)
            database.close()
        finally:
            servers.stop()
        figures = {
            "deliveries": scenery.deliveries,
            "deliveries_with_the_bots_own": len(github.deliveries),
            "not_acknowledged_at_first": sum(
                not one.redelivery and not 200 <= (one.status or 0) < 300
                for one in github.deliveries
            ),
            "redelivered": sum(one.redelivery for one in github.deliveries),
            "pull_requests": len(scenery.changes),
            "commands": sum(len(one.asked) for one in scenery.changes),
            "questions": sum(len(one.questions) for one in scenery.changes),
            "pushes": sum(one.pushes for one in scenery.changes),
            **scenery.figures,
            "kills": servers.kills,
            "requests": chaos.tally.requests,
            "faults": sum(chaos.tally.faults.values()),
            "seconds": round(time.monotonic() - began),
            "seconds_to_settle": round(time.monotonic() - driven),
        }
        return Result(wrong=wrong, figures=figures, faults=dict(chaos.tally.faults))


def _drive(
    plan: Plan, scenery: Scenery, servers: Servers, dice: random.Random, tell: Callable[[str], None]
) -> None:
    """Let people act until so many deliveries went out, and kill in between."""
    kills = sorted(dice.uniform(0, plan.deliveries) for _ in range(plan.kills))
    pause = 0.2 if plan.quick else _SECONDS_A_KILL * plan.kills / (plan.deliveries / 2.5)
    told = done = 0
    acts = iter(plan.acts)
    while done < plan.deliveries or len(scenery.changes) < plan.pulls:
        scenery.act(next(acts, ""))
        time.sleep(dice.uniform(0, 2 * pause))
        done = scenery.deliveries
        while kills and kills[0] <= done:
            kills.pop(0)
            time.sleep(dice.uniform(0, 0.5))
            if plan.quick:
                scenery.github.pause_deliveries()
                scenery.github.settle_deliveries()
            servers.kill_one(dice)
            if plan.quick:
                servers.wait()
                scenery.github.resume_deliveries()
        if done >= told + max(1, plan.deliveries // 10):
            told = done
            tell(f"{done} deliveries, {len(scenery.changes)} pull requests, {servers.kills} kills")
    scenery.reopen_all()
    for _ in kills:
        servers.kill_one(dice)


def _settle(github: Sandbox, database: Database, tell: Callable[[str], None]) -> list[str]:
    """Wait until all is delivered and done; says what is not after a long time."""
    end, quiet_since, told = time.monotonic() + SETTLE.total_seconds(), None, 0.0
    while time.monotonic() < end:
        missing, jobs = _missing(github, database), _unfinished(database)
        now = time.monotonic()
        if missing or jobs:
            quiet_since = None
        elif quiet_since is None:
            quiet_since = now
        elif now - quiet_since > _QUIET:
            return []
        if now - told > 15:
            told = now
            tell(f"{missing} deliveries not yet taken, {jobs} jobs not yet done")
        time.sleep(0.2)
    return [f"{missing} deliveries not taken and {jobs} jobs not done after {SETTLE}"]


def _missing(github: Sandbox, database: Database) -> int:
    """Deliveries that the bot has not got, or that are on their way; -1 when it cannot be asked."""
    try:
        lacking = not_taken(github, database)
    except sa.exc.OperationalError:  # another process writes for long
        return -1
    on_their_way = {one.guid for one in github.deliveries if one.status is None}
    return len(lacking.keys() | on_their_way)


def _unfinished(database: Database) -> int:
    try:
        with database.engine.connect() as connection:
            found = overview.backlog(connection, now_ms=0)
    except sa.exc.OperationalError:  # another process writes for long
        return -1
    return found.waiting + found.delayed + found.running


def _environment(app: App, github: Sandbox, url: str, port: int) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return inherited | {
        "MEMORYRAIL_APP_ID": str(app.id),
        "MEMORYRAIL_PRIVATE_KEY": app.private_key_pem,
        "MEMORYRAIL_WEBHOOK_SECRET": app.webhook_secret,
        "MEMORYRAIL_GITHUB_URL": github.url,
        "MEMORYRAIL_DATABASE_URL": url,
        "MEMORYRAIL_PORT": str(port),
        "MEMORYRAIL_WORKERS": "16",
        "MEMORYRAIL_RECONCILE_MINUTES": "1",
        "MEMORYRAIL_SECONDS_BETWEEN_WRITES": "0",
        "MEMORYRAIL_WRITES_A_MINUTE": "0",
        "MEMORYRAIL_WRITES_AN_HOUR": "0",
    }


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def table(results: Sequence[tuple[str, Result]]) -> str:
    """The figures side by side, one column for each database."""
    lines = [f"{'':<34}" + "".join(f"{name:>14}" for name, _ in results)]
    for key in results[0][1].figures:
        cells = "".join(f"{result.figures[key]:>14,}" for _, result in results)
        lines.append(f"{key.replace('_', ' '):<34}{cells}")
    for fault in sorted({name for _, result in results for name in result.faults}):
        cells = "".join(f"{result.faults.get(fault, 0):>14,}" for _, result in results)
        lines.append(f"  {fault:<32}{cells}")
    for kind in ("lost", "doubled"):
        cells = "".join(
            f"{sum(one.kind == kind for one in result.wrong):>14,}" for _, result in results
        )
        lines.append(f"{kind:<34}{cells}")
    return "\n".join(lines)
