"""How dbos keeps a job's arguments and outcome: as JSON.

Its default is pickle, which lets whoever can write to the database run code here. A plain JSON
encoder would be worse still: it cannot write an exception down, so a failing job would never end.
"""

import json
from typing import Any, Final

from dbos import Serializer

NAME: Final = "memoryrail_json"


class JsonSerializer(Serializer):
    """JSON; an exception by its class name alone: its text may quote what we must not keep."""

    def name(self) -> str:
        return NAME

    def serialize(self, data: Any) -> str:
        if isinstance(data, BaseException):
            data = {"exception": type(data).__name__}
        return json.dumps(data, separators=(",", ":"))

    def deserialize(self, serialized_data: str) -> Any:
        data = json.loads(serialized_data)
        if isinstance(data, dict) and data.keys() == {"exception"}:
            return JobError(data["exception"])
        return data


class JobError(Exception):
    """Stands for an exception that ended a job; its text is that exception's class name."""
