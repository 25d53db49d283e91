"""`make bench-precheck DATA=FOLDER`: which memories precheck finds for real changes, by text alone.

The folder holds pairs NAME.memories.jsonl and NAME.queries.jsonl, one JSON object a line:

- memory: `v` (its number in the file), `memory_id`, `title`, `tags`, `body`;
- query: `query_id`, `kind` (`positive`, `negative…` or `background`), `title`, `body`, `paths`,
  `date`, `repo`, `memories` (the `v` that stood then) and `relevant` (memory ids; of positives).

The earlier queries of a repository are its history. Links are left out. Prints the figures as a
table, and as the last line as one JSON object; writes the predictions to OUT, one object a line:
`query_id`, `hits` (memory ids, the strongest first) and their `scores`. Precision is a lower bound:
what applies and was not cited counts as wrong.

ARGS=--cut-each judges each repository by the cut that brings the negatives of all others to 0.3
hits each, in place of the shipped one. ARGS="--characters N" cuts bodies, as short memories are.
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bot.core.model import Memory, MemoryType, Status
from bot.core.precheck import keys
from bot.core.precheck.text import TextIndex
from bot.core.snapshot import History
from bot.core.thresholds import Thresholds

NOISE: Final = 0.3  # hits a negative query
SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What precheck found for a query; of all that it scored above 0 the strongest."""

    query_id: str
    repository: str
    kind: str
    relevant: frozenset[str]
    hits: tuple[tuple[str, float], ...]  # memory id and strength, the strongest first
    seconds: float = 0.0

    def above(self, cut: float) -> "Answer":
        """The same with what is at least that strong."""
        return replace(self, hits=tuple(hit for hit in self.hits if hit[1] >= cut))


def main() -> None:
    """Run precheck over a folder and print how well it did."""
    asked = _arguments()
    files = sorted(asked.data.glob("*.queries.jsonl"))
    if not files:
        sys.exit(f"{asked.data} holds no *.queries.jsonl")
    answers = [one for file in files for one in _answers(file, asked.characters)]
    cut = Thresholds().min_strength if asked.cutoff is None else asked.cutoff
    cuts = _cuts(answers) if asked.cut_each else defaultdict(lambda: cut)
    shown = [one.above(cuts[one.repository]) for one in answers]
    asked.out.write_text("".join(map(_prediction, shown)), "utf-8")
    figures = {"all": _figures(shown)}
    for name in sorted({one.repository for one in shown}):
        figures[name] = _figures([one for one in shown if one.repository == name])
    _print(figures)
    print(f"predictions: {asked.out}")
    print(json.dumps(figures))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-precheck", description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=Path("predictions.jsonl"))
    parser.add_argument("--characters", type=int, help="of a body; the rest is cut off")
    parser.add_argument("--cutoff", type=float, help="in place of the shipped one")
    parser.add_argument("--cut-each", action="store_true", help="leave one repository out")
    return parser.parse_args()


def _answers(queries: Path, characters: int | None) -> Iterator[Answer]:
    """The answers to a file's queries, the oldest first: each is the history of the next ones."""
    texts = queries.with_name(queries.name.replace(".queries.", ".memories."))
    versions = {one["v"]: _memory(one, characters) for one in _rows(texts)}
    counts: Counter[str] = Counter()
    index, standing = TextIndex(), frozenset[int]()
    for changes, query in enumerate(sorted(_rows(queries), key=lambda one: str(one["date"]))):
        wanted = frozenset(query["memories"])
        for number in standing - wanted:
            index.remove(number)
        for number in wanted - standing:
            index.add(number, versions[number])
        standing = wanted
        words = f"{query['title']}\n{query['body']}"
        history = History(changes=changes, counts=counts)
        started = time.perf_counter()
        found = index.search(words, query["paths"], history, thresholds=Thresholds(min_strength=0))
        seconds = time.perf_counter() - started
        yield Answer(
            query_id=query["query_id"],
            repository=query["repo"],
            kind=query["kind"],
            relevant=frozenset(query.get("relevant") or ()),
            hits=tuple((versions[one.number].id, one.hit.strength) for one in found),
            seconds=seconds,
        )
        counts.update(keys(words, query["paths"]))


def _memory(row: Mapping[str, Any], characters: int | None) -> Memory:
    return Memory(
        id=row["memory_id"],
        type=MemoryType.DECISION,
        title=row["title"],
        status=Status.ACTIVE,
        created="",
        updated="",
        tags=tuple(row.get("tags") or ()),
        body=row["body"][:characters],
        path=f"{row['memory_id']}/{row['v']}",
    )


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield json.loads(line)
            except ValueError:
                sys.exit(f"{file}:{number}: is not JSON")


def _cuts(answers: Sequence[Answer]) -> dict[str, float]:
    """For each repository the cut that keeps the others' negatives at NOISE."""
    found = {}
    for name in {one.repository for one in answers}:
        negatives = [one for one in answers if _is_negative(one) and one.repository != name]
        strengths = sorted((hit[1] for one in negatives for hit in one.hits), reverse=True)
        may = int(NOISE * len(negatives))
        found[name] = strengths[may] + 1e-9 if may < len(strengths) else 0.0
    return found


def _prediction(one: Answer) -> str:
    hits, scores = [hit[0] for hit in one.hits], [round(hit[1], 4) for hit in one.hits]
    return json.dumps({"query_id": one.query_id, "hits": hits, "scores": scores}) + "\n"


def _is_negative(one: Answer) -> bool:
    return one.kind.startswith("negative")


def _figures(answers: Sequence[Answer]) -> dict[str, float]:
    positives = [one for one in answers if one.kind == "positive"]
    good = sum(len(_met(one, SHOWN)) for one in positives)
    return {
        **{
            f"recall@{k}": _mean(len(_met(one, k)) / max(1, len(one.relevant)) for one in positives)
            for k in (1, 3, 5)
        },
        "MRR": _mean(map(_reciprocal_rank, positives)),
        "precision": good / max(1, sum(len(one.hits) for one in positives)),
        "hits/negative": _mean(len(one.hits) for one in answers if _is_negative(one)),
        "hits/uncited": _mean(len(one.hits) for one in answers if one.kind == "background"),
        "positives": len(positives),
        "negatives": sum(map(_is_negative, answers)),
        "ms": statistics.median(one.seconds for one in answers) * 1000 if answers else 0.0,
    }


def _met(one: Answer, k: int) -> frozenset[str]:
    return one.relevant.intersection(hit[0] for hit in one.hits[:k])


def _reciprocal_rank(one: Answer) -> float:
    ranks = (rank for rank, hit in enumerate(one.hits, start=1) if hit[0] in one.relevant)
    return 1 / next(ranks, float("inf"))


def _mean(numbers: Iterable[float]) -> float:
    return statistics.fmean(found) if (found := list(numbers)) else 0.0


def _print(figures: Mapping[str, Mapping[str, float]]) -> None:
    names = list(figures["all"])
    print(f"{'repository':<28}" + "".join(f"{name:>14}" for name in names))
    for repository, row in figures.items():
        cells = (
            f"{row[name]:>14.3f}" if isinstance(row[name], float) else f"{row[name]:>14}"
            for name in names
        )
        print(f"{repository[-27:]:<28}" + "".join(cells))


if __name__ == "__main__":
    main()
