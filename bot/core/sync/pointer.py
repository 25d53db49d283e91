"""Whether an instruction file leaves it to AGENTS.md: then it needs no block of its own.

Claude Code reads what CLAUDE.md imports as `@AGENTS.md`, outside of code; others write a sentence
that sends the agent there. https://docs.anthropic.com/en/docs/claude-code/memory
"""

import re
from typing import Final

_IMPORT: Final = re.compile(r"(?<!\S)@(?:\./)?AGENTS\.md\b")
_CODE: Final = re.compile(r"^(```|~~~).*?(?:^\1|\Z)|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_SENTENCE: Final = re.compile(
    r"[^.]{0,80}\b(?:see|read|follow|use|refer to|defer to|go to|(?:is|are|stands?|lives?) in)"
    r"[ `\"'*_(\[]+(?:\./)?AGENTS\.md\b[^.]{0,80}\.?",
    re.IGNORECASE,
)  # the whole of what a file says besides headings


def points_to_agents(data: bytes) -> bool:
    """Whether a file imports AGENTS.md, or says nothing but that it should be read."""
    text = data.decode("utf-8", "replace")
    if _IMPORT.search(_CODE.sub(" ", text)):
        return True
    said = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return len(said) == 1 and _SENTENCE.fullmatch(said[0].replace("](AGENTS.md)", "]")) is not None
