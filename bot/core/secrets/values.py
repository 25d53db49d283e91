"""What a value's own characters say: filled in by hand, a reference, a name, or random.

Entropy and these shapes only ever reject a match; none of them makes a finding by itself. Values
are at most some hundred characters, so each test here is cheap and bounded.
"""

import math
import re
from collections import Counter
from typing import Final

_ALPHABET: Final = "".join(map(chr, range(256)))
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_FENCE = re.compile(r"[$#]\{|\{\{|\}\}|[$%]\(|<|\.\.\.|\*\*\*|xxxx|&#|&lt;")
_FILLED_IN = re.compile(
    r"example|placeholder|change[_-]?me|changeit|redacted|dummy|deadbeef|lorem|foobar|censored"
    r"|your[_ .-]?(?:own|api|app|access|auth|token|secret|key|pass|client|db|user|name|org|bot)"
    r"|replace[_-]?(?:me|with|this)|put[_-]your|not[_-]?a?[_-]?real"
    r"|(?:^|[^a-z])(?:fake|sample|todo|fixme|masked|removed|hidden|your)(?:[^a-z]|$)"
)
_MADE_UP = re.compile(
    r"^[a-z_ :.-]*passw(?:or)?d[a-z_ :.-]*$|"
    r"(?:my|some|the|test|fake|sample|demo|secret|super|insert|enter|random|long|dev|default)[_ -]?"
    r"(?:super|secret|token|key|password|passwd|pass|api|value|string)"
)
_REFERENCE = re.compile(
    r"\$\{?[A-Za-z_][\w.:}-]*|&[A-Za-z_]+|@[A-Za-z_.]+(?:/\w+)?|![a-z][\w:/.-]*"  # marked
    r"|%[\w.]+%|[\[{(].*[\])}]"  # fenced
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[\w.]+(?:::|->)[\w.:>-]*"  # names
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # constants
    r"|\w[\w.]*[(\[].*|(?:ENC|env|vault|file|ref|secret|ssm|arn):?[(:/].*"  # calls, stores
)
_TEMPLATE = re.compile(r"%[sdv]|\{[\w.]*\}|\[[a-z]+-[a-z]|\\[dws]|\.\*|\(\?")
_PATH = re.compile(r"(?:~|\.{0,2})/|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]*://")
_VERSION = re.compile(r"[\^~v=<>]{0,2}[0-9]+(?:\.[0-9x*]+)+(?:-[\w.]+)?")
_CRYPT = re.compile(
    r"\$(?:2[abxy]|1|5|6|y|apr1|argon2\w*|pbkdf2[\w-]*|scrypt)\$|\{\w{3,10}\}|pbkdf2"
)
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SEPARATOR = re.compile(r"[_./+=~:-]+")
_WORD_OR_NUMBER = re.compile(r"[A-Za-z]+[0-9]{0,3}|[0-9]{1,5}")


def entropy(value: str) -> float:
    """Shannon entropy in bits a character; 0 for an empty value."""
    length = len(value)
    return -sum(n / length * math.log2(n / length) for n in Counter(value).values())


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_mixed(value: str) -> bool:
    """Whether there are letters and digits."""
    return _DIGIT.search(value) is not None and _LETTER.search(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether a person filled this in for the reader to replace: fences, masks, fill-in words."""
    low = value.lower()
    return has_fence(low) or _FILLED_IN.search(low) is not None or is_monotonous(low)


def has_fence(value: str) -> bool:
    """Whether it holds the marks of a template, a mask or an ellipsis."""
    return _FENCE.search(value) is not None


def is_made_up(value: str) -> bool:
    """Whether it says what it would be, such as `my-secret-key1`: for values without a shape."""
    return _MADE_UP.search(value.lower()) is not None


def is_monotonous(value: str) -> bool:
    """Few distinct characters, one of them over half, one block repeated, or a run such as 1-9."""
    length = len(value)
    if length >= 8 and len(set(value)) < 5:
        return True
    if length and value.count(sorted(value)[length // 2]) * 2 > length:  # none other can be
        return True
    if length >= 8 and (value + value).find(value, 1) < length:
        return True
    return _has_run(value)


def _has_run(value: str) -> bool:
    """Whether nine characters follow each other: eight pairs, so one place in eight will do."""
    return any(
        value[start : start + 9] in _ALPHABET
        for at in range(0, len(value) - 1, 8)
        if value[at : at + 2] in _ALPHABET
        for start in range(max(0, at - 7), min(at, len(value) - 9) + 1)
    )


def is_reference(value: str) -> bool:
    """Whether the value stands elsewhere: a variable, a call, a template, a path, an address."""
    return (
        _REFERENCE.fullmatch(value) is not None
        or _TEMPLATE.search(value) is not None
        or _PATH.match(value) is not None
    )


def is_fact(value: str) -> bool:
    """Whether it is a version, or a hash that a password was turned into."""
    return _VERSION.fullmatch(value) is not None or _CRYPT.match(value) is not None


def is_name(value: str) -> bool:
    """Whether it reads as words and numbers, such as `key-value-store-0001` or `UserToken2Test`.

    Words are long and numbers few; in random characters letters and digits alternate.
    """
    parts = [part for part in _SEPARATOR.split(value) if part]
    if len(parts) > 1 and all(map(_WORD_OR_NUMBER.fullmatch, parts)):
        return True
    words = _CAMEL.findall(value)
    letters = [len(word) for word in words if not word.isdigit()]
    return len(words) - len(letters) <= 1 and bool(letters) and sum(letters) / len(letters) >= 4
