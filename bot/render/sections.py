"""Which findings the comment tells where: the same answers for its headline and its body."""

from bot.core.report import BlockChange, BlockState, Finding, Section, Weight


def needs_sync(block: BlockChange) -> bool:
    """Whether this pull request leaves a generated block out of date."""
    return block.caused and block.state in {BlockState.OUT_OF_STEP, BlockState.DAMAGED}


def is_to_look_at(finding: Finding) -> bool:
    """Whether a person should look at something that stops nothing."""
    return finding.weight is Weight.WARNING and finding.section in {Section.MEMORY, Section.SYNC}


def is_older_fault(finding: Finding) -> bool:
    """Whether a fault in a memory file stood there before."""
    return finding.is_older and finding.section is Section.MEMORY
