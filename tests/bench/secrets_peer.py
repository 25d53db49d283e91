"""One peer over the files of a directory, in an interpreter that has it: run by bench-secrets.

    python secrets_peer.py PEER DIRECTORY

Prints a JSON object: "cpu_s" in this process and its children, "lines": places that are reported,
as "path:line". Imports nothing of the project: the peers live in an environment of their own.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Lines = set[str]


def main(peer: str, directory: str) -> None:
    """Warm up, measure, print."""
    scan = PEERS[peer]()
    root = Path(directory)
    before = _cpu()
    lines = scan(root)
    print(json.dumps({"cpu_s": _cpu() - before, "lines": sorted(lines)}))


def kingfisher() -> Callable[[Path], Lines]:
    """In this process, file by file; its rules of every confidence."""
    import kingfisher_sdk as sdk

    scanner = sdk.DetectionScanner(sdk.Rules(confidence="low"))
    scanner.scan(b"x")

    def scan(root: Path) -> Lines:
        found = set()
        for path, data in _files(root):
            for one in scanner.scan(data):
                found.add(f"{path}:{_line(one.location)}")
        return found

    return scan


def betterleaks() -> Callable[[Path], Lines]:
    """In this process, the whole directory in one call."""
    import pybetterleaks

    def scan(root: Path) -> Lines:
        result = pybetterleaks.scan_dir(str(root))
        return {f"{os.path.relpath(one.file, root)}:{one.line}" for one in result.findings}

    return scan


def gitleaks() -> Callable[[Path], Lines]:
    """Its command line, start included."""
    program = Path(sys.executable).with_name("gitleaks")
    return lambda root: _gitleaks(program, root)


def _gitleaks(program: Path, root: Path) -> Lines:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [str(program), "dir", "--no-banner", "--log-level=error", "--exit-code=0"]
        command += ["--redact", "--report-format=json", f"--report-path={report}", "."]
        subprocess.run(command, check=True, cwd=root)
        found = json.loads(report.read_text("utf-8") or "[]")
    return {f"{one['File']}:{one['StartLine']}" for one in found}


def detect_secrets() -> Callable[[Path], Lines]:
    """Its command line, start included, with its usual plug-ins and without verification."""
    program = Path(sys.executable).with_name("detect-secrets")

    def scan(root: Path) -> Lines:
        command = [str(program), "scan", "--all-files", "--no-verify", "."]
        done = subprocess.run(command, check=True, cwd=root, capture_output=True)
        found = json.loads(done.stdout)["results"]
        return {f"{path}:{one['line_number']}" for path, all_ in found.items() for one in all_}

    return scan


def secretlint() -> Callable[[Path], Lines]:
    """Its command line, start included, with its recommended rules; SECRETLINT names it."""
    program = os.environ["SECRETLINT"]

    def scan(root: Path) -> Lines:
        home = Path(program).parents[2]
        rules = {"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]}
        (home / ".secretlintrc.json").write_text(json.dumps(rules))
        config = f"--secretlintrc={home / '.secretlintrc.json'}"
        report = home / "secretlint.json"  # its standard output is cut short where it is a pipe
        options = (config, "--format=json", "--maskSecrets", f"--output={report}")
        subprocess.run([program, *options, f"{root}/**/*"], check=False, cwd=home)
        found = json.loads(report.read_text("utf-8") or "[]")
        return {
            f"{os.path.relpath(file['filePath'], root)}:{one['loc']['start']['line']}"
            for file in found
            for one in file["messages"]
        }

    return scan


PEERS: dict[str, Callable[[], Callable[[Path], Lines]]] = {
    "kingfisher": kingfisher,
    "betterleaks": betterleaks,
    "gitleaks": gitleaks,
    "detect-secrets": detect_secrets,
    "secretlint": secretlint,
}


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(root)), path.read_bytes()


def _line(location: Any) -> int:
    """The line of a kingfisher location, however this version spells it."""
    for name in ("line", "start_line", "line_start"):
        if isinstance(value := getattr(location, name, None), int):
            return value
    start = getattr(getattr(location, "source_span", None), "start", None)
    return int(getattr(start, "line", 0))


def _cpu() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
