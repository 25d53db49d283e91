"""Finds credentials in text: which kind, where and how sure, never the value.

    found = scan([Text(path="deploy.sh", text=...)])

Importing this is cheap; the engine and its rules load with the first scan.
"""

from bot.core.secrets.advice import headline, remedy
from bot.core.secrets.ignore_file import IGNORE_PATH, IgnoreFile, parse_ignore_file
from bot.core.secrets.model import Level, Scan, SecretFinding, Text, Unscanned, fingerprint
from bot.core.secrets.redaction import REDACTED, redacted
from bot.core.secrets.ruleset import RuleSet
from bot.core.secrets.scanner import scan

__all__ = [
    "IGNORE_PATH",
    "REDACTED",
    "IgnoreFile",
    "Level",
    "RuleSet",
    "Scan",
    "SecretFinding",
    "Text",
    "Unscanned",
    "fingerprint",
    "headline",
    "parse_ignore_file",
    "redacted",
    "remedy",
    "scan",
]
