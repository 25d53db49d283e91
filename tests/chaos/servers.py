"""The bot's processes, as an operator would run them: started, killed, and started again."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import httpx

PROGRAM: Final = ("-c", "import bot.cli; bot.cli.main()")
_SLOW_START: Final = 60.0  # seconds
_SLOW_STOP: Final = 40.0


@dataclass(slots=True)
class _Process:
    arguments: Sequence[str]
    log: Path
    running: subprocess.Popen[bytes] | None = None


@dataclass(slots=True)
class Servers:
    """One process on SQLite; on PostgreSQL a web server and two workers. Logs are in folder."""

    environment: Mapping[str, str]
    folder: Path
    port: int
    kinds: Sequence[Sequence[str]] = (("serve",),)
    program: Sequence[str] = PROGRAM
    kills: int = 0
    _processes: list[_Process] = field(default_factory=list)
    _logs: list[IO[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start all of them, and wait until deliveries are taken."""
        for index, kind in enumerate(self.kinds):
            process = _Process(kind, self.folder / f"{index}-{kind[0]}.log")
            self._processes.append(process)
            self._start(process)
        self.wait()

    def wait(self) -> None:
        """Wait until deliveries are taken."""
        end = time.monotonic() + _SLOW_START
        while not self._takes_deliveries():
            if time.monotonic() > end:
                raise TimeoutError(f"the server does not start; see {self.folder}")
            time.sleep(0.05)

    def kill_one(self, dice: random.Random) -> None:
        """Kill a process with no time to put anything right, and start it again at once."""
        process = dice.choice(self._processes)
        if process.running is not None:
            process.running.kill()
            process.running.wait()
            self.kills += 1
        self._start(process)

    def stop(self) -> list[str]:
        """Stop as an operator does; says which process did not end as it should."""
        for process in self._processes:
            if process.running is not None:
                process.running.terminate()
        wrong = []
        for process in self._processes:
            if process.running is None:
                continue
            try:
                status = process.running.wait(_SLOW_STOP)
            except subprocess.TimeoutExpired:
                process.running.kill()
                status = process.running.wait()
            if status not in {0, -signal.SIGTERM}:
                wrong.append(f"{process.log.stem} ended with {status}")
            process.running = None
        for log in self._logs:
            log.close()
        self._processes.clear()
        self._logs.clear()
        return wrong

    def _start(self, process: _Process) -> None:
        log = process.log.open("ab")
        self._logs.append(log)
        process.running = subprocess.Popen(
            [sys.executable, *self.program, *process.arguments],
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )

    def _takes_deliveries(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False
