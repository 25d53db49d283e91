"""GitHub's published example deliveries (tests/data/webhooks)."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[1] / "data" / "webhooks"


def examples(event: str, action: str | None = None) -> list[dict[str, Any]]:
    """All examples of an event, or those with an action."""
    document = json.loads((_FOLDER / f"{event}.json").read_text())
    payloads = document["examples"] if isinstance(document, dict) else document
    found: list[dict[str, Any]] = [one for one in payloads if action in (None, one.get("action"))]
    assert found, f"there is no example of {event} {action}"
    return found
