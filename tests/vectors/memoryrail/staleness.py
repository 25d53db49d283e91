"""stale: which links of active memories are broken or may be out of date, by a real history."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.git.staleness import staleness
from tests.vectors.memoryrail.directory import directory
from tests.vectors.memoryrail.project import Project
from tests.vectors.verdict import Outcome, as_set


def stale(project: Project, _: Mapping[str, Any], case: Mapping[str, Any]) -> Outcome:
    """The links in doubt."""
    return Outcome(judges={"findings": as_set(stale_findings(project, case.get("git")))})


def stale_findings(
    project: Project, git: Sequence[Mapping[str, Any]] | None
) -> list[dict[str, str]]:
    """The links in doubt, as the vectors write them."""
    with directory(project, git) as root:
        return [
            {
                "kind": one.fault.value,
                "severity": one.fault.severity.value,
                "id": one.memory.id,
                "link": one.link,
            }
            for one in staleness(root, project.store.memories).stale
        ]
