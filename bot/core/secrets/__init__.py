"""Finds credentials in text: which kind, where and how sure, never the value.

    found = scan([Text(path="deploy.sh", text=...)])

Importing this is cheap; the engine and its rules load with the first scan.
"""

from bot.core.secrets.model import Level, Scan, SecretFinding, Text, Unscanned, fingerprint
from bot.core.secrets.redaction import REDACTED, redacted
from bot.core.secrets.ruleset import RuleSet
from bot.core.secrets.scanner import scan

__all__ = [
    "REDACTED",
    "Level",
    "RuleSet",
    "Scan",
    "SecretFinding",
    "Text",
    "Unscanned",
    "fingerprint",
    "redacted",
    "scan",
]
