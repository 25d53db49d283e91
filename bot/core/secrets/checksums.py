"""The public checksums that some tokens carry: a value that fails is not one of its kind.

Formulas: https://github.blog/engineering/behind-githubs-new-authentication-token-formats/ (npm uses
the same one); Atlassian's in the README of spec/vectors/secrets.
"""

import re
import zlib
from collections.abc import Callable, Mapping
from typing import Final

_BASE62: Final = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CLASSIC = re.compile(rb"[a-z]{3}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})")


def github(value: bytes) -> bool:
    """Whether the last six characters are the CRC-32 of the thirty before, in base 62.

    Only tokens of the classic length carry it; longer ones pass.
    """
    match = _CLASSIC.fullmatch(value)
    return match is None or _base62(zlib.crc32(match[1])) == match[2]


def atlassian(value: bytes) -> bool:
    """Whether the last eight characters are the CRC-32 of all before, in upper-case hex."""
    return value[-8:] == b"%08X" % zlib.crc32(value[:-8])


CHECKSUMS: Final[Mapping[str, Callable[[bytes], bool]]] = {
    "github": github,
    "atlassian": atlassian,
}


def _base62(number: int) -> bytes:
    digits = bytearray()
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits.append(_BASE62[digit])
    return bytes(reversed(digits))
