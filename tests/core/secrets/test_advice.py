"""What a finding says to people."""

from bot.core.secrets import Level, headline, remedy


def test_what_it_is_how_sure_and_why() -> None:
    assert headline("npm token", Level.HIGH, "its checksum is right") == (
        "Npm token (high: its checksum is right)"
    )
    assert headline("password", "low", "") == "Password (low)"


def test_what_to_do() -> None:
    assert remedy("https://a.b/c") == "Revoke it at https://a.b/c, then take it out."
    assert remedy("") == "Revoke or change it where it was issued, then take it out."
