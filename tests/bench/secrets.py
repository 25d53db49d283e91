"""`make bench-secrets`: speed and noise of the search for secrets, beside its peers.

Two bodies of text: what the commits of a git history add (HISTORY, by default this one's), and
10,000 Markdown files (those in MARKDOWN, by default this repository, its environment and /usr;
where there are fewer, each again with its paragraphs in another order, 5,000 characters at most).
Every tool reads the same files, on one core's worth of CPU seconds. The slow ones get a tenth of
them. Then hostile texts of 5 MB, a pull request of 500 lines, and how long the first scan takes.
Prints tables, and as the last line the same figures as one JSON object.

Noise is what is reported on 10,000 lines; nobody has looked whether it is right.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

from bot.core.secrets import Level, Scan, Text, scan
from bot.core.secrets.ruleset import ALL_RULES
from bot.git.commits import in_range
from bot.git.repository import LocalRepository
from tests.core.secrets.test_hostile import OWN_RULES, OWN_UNITS, UNITS

MARKDOWN_FILES: Final = 10_000
MIXED: Final = 5_000  # characters: what such files have on average
HOSTILE_BYTES: Final = 5_000_000
CHANGE_LINES: Final = 500
PEERS: Final = ("gitleaks", "betterleaks", "kingfisher", "detect-secrets", "secretlint")
SLOW: Final = frozenset({"detect-secrets", "secretlint"})  # they read a tenth
TARGETS: Final = {  # MB per CPU second and medium findings per 10,000 lines
    "added lines": (150, 2.5),
    "Markdown": (250, 1.7),
}
HERE: Final = Path(__file__).parents[2]
TENTH: Final = 10


def main() -> None:
    """Measure, and print what was found."""
    ready = _first_scan()
    bodies = {"added lines": _added(), "Markdown": _markdown()}
    figures: dict[str, object] = {"ready_s": ready}
    for name, texts in bodies.items():
        figures[name] = _compared(name, texts)
    figures["hostile"] = _hostile()
    figures["change_of_500_lines_ms"] = _change(bodies["added lines"])
    print(f"first scan {ready:.2f} s of CPU", end="; ")
    print(f"500 added lines {figures['change_of_500_lines_ms']} ms (median)")
    print(json.dumps(figures))


def _compared(name: str, texts: Sequence[Text]) -> dict[str, object]:
    size, lines = _size(texts), sum(text.text.count("\n") + 1 for text in texts)
    print(f"\n{name}: {len(texts):,} files, {size:.1f} MB, {lines:,} lines")
    print(f"{'':<26}{'MB/CPU s':>10}{'ours is':>10}{'reported / 10,000 lines':>26}")
    cpu, found = _ours(texts)
    ours = size / cpu
    levels = {
        least.value: round(_reported(found, least) / lines * 10_000, 2)
        for least in (Level.LOW, Level.MEDIUM, Level.HIGH)
    }
    shown = " / ".join(f"{each:.1f}" for each in levels.values())
    print(f"{'ours, all / medium / high':<26}{ours:>10.1f}{'':>10}{shown:>26}")
    result: dict[str, object] = {
        "files": len(texts),
        "mb": round(size, 1),
        "lines": lines,
        "ours": {"mb_per_cpu_s": round(ours, 1), "per_10000_lines": levels},
    }
    for peer in PEERS:
        some = texts[::TENTH] if peer in SLOW else texts
        if (run := _peer(peer, some)) is None:
            print(f"{peer:<26}{'not here':>10}")
            continue
        spent, reported = run
        speed = _size(some) / spent
        some_lines = sum(text.text.count("\n") + 1 for text in some)
        noise = round(reported / some_lines * 10_000, 2)
        print(f"{peer:<26}{speed:>10.2f}{f'{ours / speed:.1f} x':>10}{noise:>26}")
        result[peer] = {
            "mb_per_cpu_s": round(speed, 2),
            "ratio": round(ours / speed, 1),
            "per_10000_lines": noise,
            "of_files": len(some),
        }
    fast, quiet = TARGETS[name]
    result["targets"] = {"mb_per_cpu_s": fast, "medium_per_10000_lines": quiet}
    result["met"] = ours >= fast and levels["medium"] <= quiet
    return result


def _ours(texts: Sequence[Text]) -> tuple[float, list[Scan]]:
    """CPU seconds of the better of two rounds, file by file."""
    best, found = float("inf"), list[Scan]()
    for _ in range(2):
        before = time.process_time()
        found = [scan([text]) for text in texts]
        best = min(best, time.process_time() - before)
    return best, found


def _reported(found: Sequence[Scan], least: Level) -> int:
    """Lines with a finding of a level or above."""
    return len(
        {
            (number, one.line)
            for number, each in enumerate(found)
            for one in each.findings
            if one.level.weight >= least.weight
        }
    )


def _peer(peer: str, texts: Sequence[Text]) -> tuple[float, int] | None:
    """CPU seconds that a peer spends, and lines that it reports; None where it is not installed."""
    python = HERE / ".venv" / "peers" / "bin" / "python"
    linter = HERE / ".venv" / "peers" / "node_modules" / ".bin" / "secretlint"
    if not python.exists() or (peer == "secretlint" and not linter.exists()):
        return None
    with tempfile.TemporaryDirectory() as folder:
        for text in texts:
            path = Path(folder, text.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.text, "utf-8", errors="replace")
        script = Path(__file__).with_name("secrets_peer.py")
        done = subprocess.run(
            [python, script, peer, folder],
            env={**os.environ, "SECRETLINT": str(linter.resolve() if linter.exists() else "")},
            capture_output=True,
            check=False,
        )
    if done.returncode != 0:
        print(f"{peer}: {done.stderr.decode(errors='replace').strip().splitlines()[-1:]}")
        return None
    result = json.loads(done.stdout)
    return result["cpu_s"], len(result["lines"])


def _hostile() -> dict[str, object]:
    """The dearest of the hostile texts, at full size."""
    spent = []
    for unit, rules in (*product(UNITS, [ALL_RULES]), *product(OWN_UNITS, [OWN_RULES])):
        scan([Text(path="a", text="")], rules=rules)  # what is compiled when first used
        for line in (unit, unit * (80 // len(unit) + 1) + "\n"):
            text = Text(path="a.env", text=line * (HOSTILE_BYTES // len(line.encode())))
            before = time.process_time()
            scan([text], rules=rules)
            spent.append(time.process_time() - before)
    worst = max(spent)
    print(f"\n{len(spent)} hostile texts of 5 MB: the dearest takes {worst:.2f} s of CPU, ", end="")
    print(f"the median {statistics.median(spent):.2f} s")
    return {"texts": len(spent), "worst_s": round(worst, 2), "met": worst < 1}


def _change(texts: Sequence[Text]) -> float:
    """Milliseconds of CPU for 500 added lines, the median of many such changes."""
    random = Random(7)  # noqa: S311 - the same each time
    times = []
    for _ in range(200):
        change, lines = list[Text](), 0
        while lines < CHANGE_LINES:
            text = random.choice(texts)
            part = "\n".join(text.text.split("\n")[: CHANGE_LINES - lines])
            change.append(Text(path=text.path, text=part))
            lines += part.count("\n") + 1
        before = time.process_time()
        scan(change)
        times.append(time.process_time() - before)
    return round(statistics.median(times) * 1000, 2)


def _first_scan() -> float:
    """CPU seconds until a new process has scanned its first text, less those of Python's start."""
    code = (
        "import time; b = time.process_time(); from bot.core.secrets import Text, scan; "
        "scan([Text(path='a', text='password=x')]); print(time.process_time() - b)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True, check=True)
    return round(float(done.stdout), 2)


def _added() -> list[Text]:
    """What each commit of a history adds to each file."""
    repository = LocalRepository.discover(Path(os.environ.get("HISTORY", HERE)))
    head = repository.commit("HEAD")
    commits, _ = in_range(repository, repository.empty_tree, head)
    texts = []
    for number, commit in enumerate(commits):
        files: dict[str, list[str]] = {}
        for block in commit.added:
            files.setdefault(block.path, []).append(block.text)
        texts += [
            Text(path=f"{number:06}/{path}", text="\n".join(parts))
            for path, parts in files.items()
            if ".." not in path.split("/")
        ]
    return texts


def _markdown() -> list[Text]:
    """Markdown files of this machine, each content once; then each again, mixed anew."""
    contents: dict[str, str] = {}
    for path in _found(os.environ.get("MARKDOWN", f"{HERE} /usr").split()):
        contents.setdefault(path.read_text("utf-8", errors="replace"), str(path).lstrip("/"))
        if len(contents) == MARKDOWN_FILES:
            break
    if not contents:
        sys.exit("no Markdown file was found; name folders in MARKDOWN")
    print(f"{len(contents):,} different Markdown files")
    texts = [Text(path=path, text=text) for text, path in contents.items()]
    random = Random(7)  # noqa: S311 - the same each time
    for number in range(len(texts), MARKDOWN_FILES):
        known = texts[number % len(contents)]
        paragraphs = known.text.split("\n\n")
        random.shuffle(paragraphs)
        texts.append(Text(path=f"mixed{number}/{known.path}", text="\n\n".join(paragraphs)[:MIXED]))
    return texts


def _found(folders: Sequence[str]) -> Iterator[Path]:
    for folder in folders:
        for at, below, names in os.walk(folder):
            below.sort()
            for name in sorted(names):
                path = Path(at, name)
                if name.lower().endswith(".md") and path.is_file() and not path.is_symlink():
                    yield path


def _size(texts: Sequence[Text]) -> float:
    return sum(len(text.text.encode("utf-8", "replace")) for text in texts) / 1e6


if __name__ == "__main__":
    if shutil.which("git") is None:
        sys.exit("git is needed")
    main()
