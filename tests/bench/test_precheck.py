"""The benchmark of precheck runs on any folder of its shape."""

import json
from pathlib import Path

import pytest

from tests.bench import precheck


def test_a_folder_is_judged_and_its_predictions_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    titles = ["Use a connection pooler", "Money is whole cents", "Timestamps are in UTC"]
    memories = [
        {"v": number, "memory_id": f"octo/shop#{number}", "title": title, "tags": [], "body": title}
        for number, title in enumerate(titles)
    ]
    query = {"body": "", "paths": ["src/a.py"], "repo": "octo/shop", "memories": [0, 1, 2]}
    queries = [
        {**query, "query_id": "b", "kind": "negative", "title": "Fix it", "date": "2026-02-01"},
        {
            **query,
            "query_id": "a",
            "kind": "positive",
            "title": "Put the connection pooler in place",
            "date": "2026-01-01",
            "relevant": ["octo/shop#0"],
        },
    ]
    for name, rows in (("memories", memories), ("queries", queries)):
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (tmp_path / f"shop.{name}.jsonl").write_text(text, "utf-8")
    out = tmp_path / "out.jsonl"
    monkeypatch.setattr("sys.argv", ["bench", str(tmp_path), "--out", str(out)])
    precheck.main()
    written = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(one["query_id"], one["hits"]) for one in written] == [
        ("a", ["octo/shop#0"]),
        ("b", []),
    ]
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(figures) == {"all", "octo/shop"}
    assert figures["all"]["recall@5"] == figures["all"]["MRR"] == figures["all"]["precision"] == 1
    assert figures["all"]["hits/negative"] == 0


def test_a_folder_without_queries_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["bench", str(tmp_path)])
    with pytest.raises(SystemExit, match="holds no"):
        precheck.main()
