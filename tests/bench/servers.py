"""The two servers of `make bench-ingest`, as processes on one core, and what they cost there.

Linux only: it reads /proc.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.bench.deliveries import SECRET

PROBOT: Final = ("probot@14", "node@22")  # with the Node that it asks for
_APP: Final = """\
import { run } from "probot";
run((app) => { app.on("pull_request.synchronize", async () => {}); });
"""
_SERVE: Final = "import sys; from bot.cli import main; sys.argv[1:] = ['serve']; main()"
_SECONDS: Final = 60  # to start
_ALL: Final = os.sched_getaffinity(0)  # before this process keeps to one


@dataclass(frozen=True, slots=True)
class Server:
    """A server that listens."""

    pid: int
    port: int

    def cpu_seconds(self) -> float:
        """What the process has used until now, in all its threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak_mebibytes(self) -> float:
        """How much was resident at most."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def cores() -> tuple[int, int]:
    """One for the client and another for the servers, if there are two."""
    here = sorted(_ALL)
    return here[0], here[-1]


def install_probot(folder: Path) -> str:
    """Have probot in folder, if it is not there yet; its version. Only this benchmark needs it."""
    if not (folder / "node_modules/probot").exists():
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.which("npm") is None:
            raise SystemExit("npm is needed, to install probot beside")
        print(f"Installing {' and '.join(PROBOT)} with npm, once", flush=True)
        subprocess.run(
            ["npm", "install", "--silent", "--no-save", "--prefix", str(folder), *PROBOT],
            check=True,
        )
    (folder / "app.mjs").write_text(_APP)
    probot, node = (
        json.loads((folder / f"node_modules/{name}/package.json").read_text())["version"]
        for name in ("probot", "node")
    )
    return f"probot {probot}, Node {node}"


@contextmanager
def probot(folder: Path) -> Iterator[Server]:
    """probot with a handler that does nothing, in production."""
    port = _free_port()
    environment = {
        "NODE_ENV": "production",
        "APP_ID": "1",
        "PRIVATE_KEY": _PEM,
        "WEBHOOK_SECRET": SECRET,
        "HOST": "127.0.0.1",
        "PORT": str(port),
    }
    with _running(["node_modules/node/bin/node", "app.mjs"], environment, port, folder) as server:
        yield server


@contextmanager
def memoryrail(database: Path) -> Iterator[Server]:
    """`memoryrail-bot serve` on a SQLite file.

    Its GitHub is silent: jobs begin and wait, so that what is measured is the way in.
    """
    port = _free_port()
    with socket.create_server(("127.0.0.1", 0), backlog=128) as github:
        environment = {
            "MEMORYRAIL_APP_ID": "1",
            "MEMORYRAIL_PRIVATE_KEY": _PEM,
            "MEMORYRAIL_WEBHOOK_SECRET": SECRET,
            "MEMORYRAIL_DATABASE_URL": f"sqlite:///{database}",
            "MEMORYRAIL_GITHUB_URL": f"http://127.0.0.1:{github.getsockname()[1]}",
            "MEMORYRAIL_PORT": str(port),
        }
        with _running([sys.executable, "-c", _SERVE], environment, port, Path.cwd()) as server:
            yield server


@contextmanager
def _running(
    command: Sequence[str], environment: Mapping[str, str], port: int, folder: Path
) -> Iterator[Server]:
    """The command's process until the end of the block, which kills it. Its log goes nowhere."""
    mine, others = cores()
    os.sched_setaffinity(0, {others})  # what is started here stays there
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.sched_setaffinity(0, {mine})
    try:
        _wait_for(port, process)
        yield Server(process.pid, port)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("a server did not start")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


def _private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    ).decode()


_PEM: Final = _private_key()
