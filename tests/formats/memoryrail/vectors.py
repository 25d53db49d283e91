"""The conformance vectors of spec/vectors/memoryrail, read as its README says."""

import base64
import json
from pathlib import Path
from typing import Any

from bot.core.model import MemoryStore, TreeFile
from bot.formats import memoryrail

FOLDER = Path(__file__).parents[3] / "spec" / "vectors" / "memoryrail"


def cases(*operations: str) -> list[dict[str, Any]]:
    """All cases of these operations, in the order of the files."""
    found = [
        case
        for path in sorted(FOLDER.glob("*.json"))
        for case in json.loads(path.read_text("utf-8"))["cases"]
        if case["op"] in operations
    ]
    assert found, f"no case has one of the operations {operations}"
    return found


def content(value: Any) -> bytes:
    """The bytes of a text given plainly, in parts or in base64."""
    if isinstance(value, str):
        return value.encode()
    if "join" in value:
        return "".join(value["join"]).encode()
    return base64.b64decode(value["base64"])


def tree(files: dict[str, Any]) -> list[TreeFile]:
    """The files of a case, as a commit's tree has them."""
    return [TreeFile(path=path, oid="", data=content(value)) for path, value in files.items()]


def store(files: dict[str, Any], root: str = "") -> MemoryStore:
    """The store of a case's files."""
    found = memoryrail.read(root, tree(files))
    assert found is not None
    return found
