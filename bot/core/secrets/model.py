"""What a scan takes and gives: texts in, findings out. No value of a secret is ever held here.

A finding says which rule, where and how sure. Whoever still has the text can name the value
without showing it: `fingerprint(text.text[finding.start:finding.end], key)`.
"""

import hashlib
import hmac
from dataclasses import dataclass, field
from enum import StrEnum


class Level(StrEnum):
    """How sure a finding is: `HIGH > MEDIUM > LOW` by `weight`."""

    HIGH = "high"  # the shape alone is proof enough
    MEDIUM = "medium"  # shape and context together
    LOW = "low"  # advice: worth a look

    @property
    def weight(self) -> int:
        """3 for high, 2 for medium, 1 for low."""
        return {"high": 3, "medium": 2, "low": 1}[self.value]

    @property
    def below(self) -> "Level":
        """The level below; low stays low."""
        return Level.MEDIUM if self is Level.HIGH else Level.LOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One block of text that is said to come from a path."""

    path: str  # repository-relative POSIX path; decides how strict the rules are
    text: str = field(repr=False)
    first_line: int = 1  # the line of the file on which the block starts


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFinding:
    """One credential: what kind, where, how sure. The value is not here."""

    rule: str
    description: str  # the kind of credential in plain words, such as "GitHub token"
    level: Level
    path: str
    line: int  # where the value starts, counted from the text's first_line
    column: int  # characters from 1
    start: int  # offsets into the text, in characters
    end: int
    text_index: int  # which of the given texts, from 0
    why: str = ""  # why it is as sure as that, such as "its checksum is right"
    revoke: str = ""  # the provider's page on how to revoke it, or on what it is
    marked: bool = False  # the line carries an ignore mark (only when marks are not obeyed)

    @property
    def length(self) -> int:
        """Length of the value in characters."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscanned:
    """A text that was not scanned whole, or several of them."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """All findings, by the order of the texts, then line, column and rule."""

    findings: tuple[SecretFinding, ...] = ()
    incomplete: tuple[Unscanned, ...] = ()


def fingerprint(value: str, key: bytes) -> str:
    """The same 16 hex digits for the same value under the same key, and no way back to the value.

    HMAC-SHA-256 cut to 64 bits: a plain hash of a short password could be searched for.
    """
    data = value.encode("utf-8", "surrogatepass")
    return hmac.new(key, data, hashlib.sha256).hexdigest()[:16]
