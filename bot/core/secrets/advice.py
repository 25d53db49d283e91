"""What a finding says to people: what it is, how sure and why, and what to do about it."""

from bot.core.secrets.model import Level


def headline(description: str, level: Level | str, why: str) -> str:
    """Such as `GitHub token (high: its checksum is right)`."""
    name = f"{description[:1].upper()}{description[1:]}"
    return f"{name} ({level}: {why})" if why else f"{name} ({level})"


def remedy(revoke: str) -> str:
    """What to do. revoke: the page where it is revoked; "" where nobody knows it."""
    how = f"Revoke it at {revoke}" if revoke else "Revoke or change it where it was issued"
    return f"{how}, then take it out."
