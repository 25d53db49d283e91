"""What the README says of permissions and events is what app.yml asks for, each with a reason."""

import re
from pathlib import Path

from bot.cli import COMMANDS
from bot.cli.register import manifest

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def table(first: str, second: str) -> list[list[str]]:
    """The rows of the table whose header begins with two names."""
    found = re.search(
        rf"^\| {first} \| {second}[^\n]*\n\|[ |-]+\n((?:\|[^\n]*\n)+)", README, re.MULTILINE
    )
    assert found is not None
    return [
        [cell.strip(" `") for cell in row.strip("|").split("|")] for row in found[1].splitlines()
    ]


def test_every_permission_has_its_reason() -> None:
    rows = table("permission", "access")
    assert {name: access for name, access, _ in rows} == dict(manifest().permissions)
    assert all(len(reason) > 10 for *_, reason in rows)


def test_every_event_has_its_reason() -> None:
    rows = table("event", "why")
    assert tuple(name for name, _ in rows) == manifest().events
    assert all(len(reason) > 10 for _, reason in rows)


def test_the_map_names_every_folder() -> None:
    root = Path(__file__).parents[1]
    folders = {f"bot/{path.parent.name}/" for path in root.glob("bot/*/__init__.py")}
    assert folders | {"spec/", "deploy/"} == {name for name, _ in table("folder", "what it holds")}


def test_the_table_names_every_command() -> None:
    rows = table("command", "what it does")
    assert sorted(re.findall(r"[a-z]+", " ".join(name for name, _ in rows))) == sorted(COMMANDS)
