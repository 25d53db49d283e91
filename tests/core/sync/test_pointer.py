"""A CLAUDE.md that leaves it to AGENTS.md."""

import pytest

from bot.core.sync import points_to_agents


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@AGENTS.md\n", True),
        ("# Claude\r\n\r\n@./AGENTS.md\r\n" + "More.\n" * 200, True),
        ("Read `AGENTS.md`.\n", True),
        ("See [AGENTS.md](AGENTS.md) for how to work here.\n", True),
        ("", False),
        ("# Ours\n\nUse tabs.\n", False),
        ("Use tabs.\n" * 40 + "See AGENTS.md.\n", False),
        ("Use tabs.\n" * 40 + "`@AGENTS.md`\n", False),
        ("Use tabs.\n" * 40 + "```\n@AGENTS.md\n```\n", False),
        ("Use tabs.\n" * 40 + "mail@AGENTS.md @AGENTS.mdx\n", False),
    ],
)
def test_whether_a_file_points_to_agents_md(text: str, expected: bool) -> None:
    assert points_to_agents(text.encode()) is expected
