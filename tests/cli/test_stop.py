"""`memoryrail-bot serve` as a process of its own: what it shows an operator, and how it stops."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx

from bot.sandbox import Sandbox
from bot.settings import PREFIX

_UNEXPECTED_WAIT = 60  # seconds


class Process:
    """A bot that runs, and the lines of its log."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", "import bot.cli; bot.cli.main()", "serve"],
            env={**_without_settings(), **environment},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log = ""
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            with self._news:
                self.log += line
                self._news.notify_all()

    def told(self, pattern: str) -> re.Match[str]:
        """Wait until the log matches."""

        def found() -> re.Match[str] | None:
            return re.search(pattern, self.log)

        with self._news:
            match = self._news.wait_for(found, _UNEXPECTED_WAIT)
        assert match, self.log
        return match

    def terminate(self) -> None:
        self._process.terminate()

    def wait(self) -> int:
        status = self._process.wait(_UNEXPECTED_WAIT)
        self._reader.join()
        return status

    def close(self) -> None:
        self._process.kill()
        self.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()


def _without_settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


@contextlib.contextmanager
def started(environment: Mapping[str, str]) -> Iterator[Process]:
    process = Process(environment)
    try:
        yield process
    finally:
        process.close()


def test_a_stop_ends_the_job_that_runs_and_the_log_and_figures_tell_all(tmp_path: Path) -> None:
    with Sandbox.start(tmp_path / "github") as github:
        app = github.create_app()
        repository = github.create_repository("octo/shop", files={"README.md": "# Shop\n"})
        app.install(repository)
        repository.branch("feature")
        repository.commit("feature", files={"a.py": "import os\n"}, login="alice")
        hanging = github.faults.add("POST /graphql", hang=True)
        environment = {
            "MEMORYRAIL_APP_ID": str(app.id),
            "MEMORYRAIL_PRIVATE_KEY": app.private_key_pem,
            "MEMORYRAIL_WEBHOOK_SECRET": app.webhook_secret,
            "MEMORYRAIL_GITHUB_URL": github.url,
            "MEMORYRAIL_DATABASE_URL": f"sqlite:///{tmp_path / 'bot.sqlite'}",
            "MEMORYRAIL_PORT": "0",
            "MEMORYRAIL_METRICS_PORT": "0",
        }
        with started(environment) as process:
            private = process.told(r"figures at http://127\.0\.0\.1:(\d+)/")[1]
            public = process.told(r"memoryrail-bot \S+ at http://127\.0\.0\.1:(\d+), app")[1]
            app.webhook_url = f"http://127.0.0.1:{public}/webhook"
            pull = repository.open_pull(head="feature", user="alice")
            assert hanging.waiting.wait(_UNEXPECTED_WAIT)
            figures = httpx.get(f"http://127.0.0.1:{private}/metrics").text
            elsewhere = httpx.get(f"http://127.0.0.1:{public}/metrics").status_code
            process.terminate()
            process.told("Waiting for application shutdown")
            hanging.release()
            assert process.wait() == -signal.SIGTERM
            log = process.log
        assert 'memoryrail_deliveries_total{event="pull_request",outcome="accepted"} 1.0' in figures
        assert 'memoryrail_jobs{state="running"} 1.0' in figures
        assert 'route="other"' not in figures
        assert elsewhere == 404
        assert len(pull.check_runs()) == 4
        lines = [json.loads(line) for line in log.splitlines()]
        (guid,) = {one.guid for one in github.deliveries if one.event == "pull_request"}
        about = [line for line in lines if line.get("pull_request") == "octo/shop#1"]
        assert {line["delivery"] for line in about} == {guid}
        assert {line["logger"] for line in about} == {"bot.web.webhook", "bot.handlers.pull"}
        for secret in (app.webhook_secret, app.private_key_pem.splitlines()[1], "ghs_"):
            assert secret not in log
