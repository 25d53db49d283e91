"""Who decides about a match: is it a credential, how sure, and where does the value end?

A judge gets a candidate (one confirmed match of a rule) and gives a verdict, or None when the match
is a placeholder, a reference or a look-alike. The value lives only inside these calls.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from bot.core.secrets import names, values
from bot.core.secrets.candidate import Candidate
from bot.core.secrets.checksums import CHECKSUMS
from bot.core.secrets.model import Level
from bot.core.secrets.paths import Syntax

_PEM_LINE = re.compile(rb"[0-9A-Za-z+/=]{20,}")
_PEM_BREAK = re.compile(  # between two lines; of a spelled one the n reads as base64
    rb"[ \t]{0,4}(?:\r?\n|\\(?:r\\)?)[ \t]{0,12}"
)
_PEM_LEAST: Final = 40  # characters of a body, on one line or on several short ones
_PEM_HEAD_BYTES: Final = 600  # headers such as Proc-Type or Comment that may stand before the body
_PEM_BYTES: Final = 16_384  # a key of 16,384 bits is 13 KB
_QUOTES: Final = b"\"'`"
_HOST = re.compile(rb"@([\w.\[\]-]{1,100})")
_LOCAL_HOST = re.compile(
    r"localhost|127\.[\d.]+|0\.0\.0\.0|host|hostname|(?:.+\.)?(?:example|test|invalid|local)"
    r"|(?:.+\.)?example\.(?:com|net|org)|(?:db|database|postgres|mysql|redis|mongo|rabbitmq)"
)
# What stands where a password would, and is none.
_FILLER_WORDS: Final = """
    admin anonymous any auth bool boolean bytes changeme default define demo disabled empty
    enabled false files foo guest hidden int key mypass mypassword nil no none null number object
    optional options pass passwd password prompt pw pwd redacted required root secret select str
    string swordfish test text token true type undefined user username value void yes
"""
_FILLERS: Final = frozenset(_FILLER_WORDS.split())
_WEAK = re.compile(
    r"(?:pass(?:w(?:or)?d)?|p4ss\w*|p@ss\w*|test(?:ing)?|admin|user|root|guest|secret|hello|foo|bar|demo"
    r"|temp|qwerty|abc|my\w{0,10})[0-9]{0,8}\W{0,2}",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s")
_A_UUID: Final = "a UUID may be a token, or the name of something"
_LABEL = re.compile(r"[A-Z][a-z]+|[A-Z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A match that is a credential."""

    level: Level
    start: int
    end: int
    why: str = ""  # it is as sure as that; "" for what its level says by itself


def token(candidate: Candidate) -> Verdict | None:
    """A value whose shape speaks for itself: no placeholder, random enough, right checksum."""
    value = candidate.value
    rule = candidate.rule
    if (
        values.is_placeholder(value)
        or values.entropy(value) < rule.entropy
        or _is_published(candidate)
    ):
        return None
    checksum = CHECKSUMS.get(rule.checksum)
    if checksum is None:
        return _verdict(candidate, rule.level)
    if checksum(candidate.data[candidate.start : candidate.end]):
        return _verdict(candidate, rule.level, "its checksum is right")
    # another proof can raise it
    return _verdict(candidate, Level.LOW, "it has the shape, but its checksum is wrong")


def mixed(candidate: Candidate) -> Verdict | None:
    """As token, and letters and digits must both be there."""
    return token(candidate) if values.is_mixed(candidate.value) else None


def sign(candidate: Candidate) -> Verdict | None:
    """Words that stand beside a credential: by themselves they are worth a look."""
    return _verdict(candidate, candidate.rule.level, "a sign of a credential, and none itself")


def named(candidate: Candidate) -> Verdict | None:
    """As token, under a name that is not one of an id, a path or an address."""
    return None if names.is_about(candidate.name) else token(candidate)


def pem(candidate: Candidate) -> Verdict | None:
    """The header of a private key with a body after it; the value reaches to the end line."""
    data, end, level = candidate.data, candidate.end, candidate.rule.level
    fence = data.find(b"-----", end, end + _PEM_BYTES)
    body, body_end = _pem_body(data, end, end + _PEM_BYTES if fence < 0 else fence)
    opening = data[body : min(body_end, body + _PEM_LEAST)].decode("latin-1")
    if len(opening) < _PEM_LEAST or values.is_monotonous(opening):
        return None
    if not data.startswith(b"-----END", fence):
        return Verdict(level=level, start=candidate.start, end=body_end)
    closing = data.find(b"-----", fence + 8, fence + 100)
    return Verdict(level=level, start=candidate.start, end=max(closing + 5, fence + 8))


def _pem_body(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The first lines of base64 that are long enough together, or else the last that are not."""
    body, body_end = start, start
    for line in _PEM_LINE.finditer(data, start, end):
        if body < body_end and _PEM_BREAK.fullmatch(data, body_end, line.start()):
            body_end = line.end()
        elif body_end - body >= _PEM_LEAST or line.start() > start + _PEM_HEAD_BYTES:
            break
        else:
            body, body_end = line.span()
    return body, body_end


def mnemonic(candidate: Candidate) -> Verdict | None:
    """A number of words that BIP-39 allows, hardly any of them twice."""
    words = candidate.value.split(" ")
    if len(words) not in {12, 15, 18, 21, 24} or len(set(words)) < len(words) * 3 // 4:
        return None
    return _verdict(candidate, candidate.rule.level)


def jwt(candidate: Candidate) -> Verdict | None:
    """A token whose header is JSON with an algorithm, a type or a key id."""
    header = _base64(candidate.value.partition(".")[0])
    try:
        decoded = json.loads(header)
    except (ValueError, RecursionError):
        return None
    if not isinstance(decoded, dict) or decoded.keys().isdisjoint({"alg", "typ", "kid"}):
        return None
    return token(candidate)


def basic(candidate: Candidate) -> Verdict | None:
    """Base64 of `user:password`."""
    user, colon, password_ = _base64(candidate.value).decode("latin-1").partition(":")
    if not colon or not (user + password_).isprintable() or _is_published(candidate):
        return None
    return _graded(candidate, _grade(password_, quoted=True))


def header(candidate: Candidate) -> Verdict | None:
    """What follows the scheme of an Authorization header."""
    if candidate.between.lower().rstrip().endswith(b"basic"):
        return basic(candidate)
    value = candidate.value
    if len(value) < 16 or values.is_reference(value) or values.is_name(value):
        return None
    verdict = mixed(candidate)
    return _verdict(candidate, Level.LOW, _A_UUID) if verdict and values.is_uuid(value) else verdict


def login(candidate: Candidate) -> Verdict | None:
    """A password on a command line or in a login file."""
    return _graded(candidate, _grade(candidate.value, quoted=True))


def url(candidate: Candidate) -> Verdict | None:
    """The password of an address; low when the host is this machine or an example."""
    data, value = candidate.data, candidate.value
    user = data[candidate.match_start : candidate.start - 1].rpartition(b"/")[2].decode("latin-1")
    host = _HOST.match(data, candidate.end, candidate.end + 101)
    if host is None or value.isdigit() or values.has_fence(user):
        return None
    level = _grade(unquote(value).replace(" ", ""), quoted=True)  # %2F is no digit
    if level and (_LOCAL_HOST.fullmatch(host[1].decode("latin-1").lower()) or value == user):
        return _verdict(candidate, Level.LOW, "its address is this machine's or an example's")
    return _graded(candidate, level)


def password(candidate: Candidate) -> Verdict | None:
    """A value under the name of a password."""
    if not names.is_password(candidate.name) or not _is_assigned(candidate):
        return None
    if candidate.data[candidate.start - 1] in _QUOTES:
        level = _grade(candidate.value, quoted=True)
        passed = b"," in candidate.between  # the next argument of a call: seldom its value
        return None if passed and level is Level.LOW else _graded(candidate, level)
    trimmed = candidate.value.rstrip(")]}.|&*")
    level = _grade(trimmed, quoted=candidate.syntax is Syntax.CONFIGURATION)
    if level is None or _is_expression(candidate):
        return None
    return Verdict(level=level, start=candidate.start, end=candidate.start + len(trimmed))


def secret(candidate: Candidate) -> Verdict | None:
    """A random value under the name of a key or token."""
    if not names.is_secret(candidate.name) or not _is_assigned(candidate):
        return None
    value = candidate.value
    quoted = candidate.data[candidate.start - 1] in _QUOTES
    if not quoted and _is_expression(candidate):
        return None
    if (
        not values.is_mixed(value)
        or values.is_reference(value)
        or values.is_fact(value)
        or values.is_made_up(value)
        or values.is_name(value)
        or values.entropy(value) < (3.5 if len(value) >= 24 and not _is_hex(value) else 3.0)
    ):
        return None
    if values.is_uuid(value):
        return None if values.is_placeholder(value) else _verdict(candidate, Level.LOW, _A_UUID)
    return token(candidate)


def own(candidate: Candidate) -> Verdict | None:
    """What a repository's own rule matches: all but placeholders."""
    if candidate.start == candidate.end or values.is_placeholder(candidate.value):
        return None
    return _verdict(candidate, candidate.rule.level, "a rule of this repository says so")


Judge = Callable[[Candidate], Verdict | None]
JUDGES: Final[Mapping[str, Judge]] = {
    "token": token,
    "mixed": mixed,
    "sign": sign,
    "named": named,
    "pem": pem,
    "mnemonic": mnemonic,
    "jwt": jwt,
    "basic": basic,
    "header": header,
    "login": login,
    "url": url,
    "password": password,
    "secret": secret,
    "own": own,
}


def _verdict(candidate: Candidate, level: Level, why: str = "") -> Verdict:
    return Verdict(level=level, start=candidate.start, end=candidate.end, why=why)


def _graded(candidate: Candidate, level: Level | None) -> Verdict | None:
    return _verdict(candidate, level) if level else None


def _is_published(candidate: Candidate) -> bool:
    """Whether it is a value that documentation shows to everybody."""
    return any(known in candidate.value for known in candidate.rule.published)


def _base64(text: str) -> bytes:
    """The bytes that base64 or base64url stands for; none when it does not decode."""
    bare = text.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_")
    except (binascii.Error, ValueError):
        return b""


def _grade(value: str, *, quoted: bool) -> Level | None:
    """How much a value looks like a password; None when it is none.

    quoted: it is a literal beyond doubt, so that a plain word is worth advice.
    """
    value = _once(value)
    is_mixed = values.is_mixed(value)
    if not quoted and not is_mixed:
        return None
    if (
        len(value) < 4
        or value.lower() in _FILLERS
        or _SPACE.search(value)
        or values.is_placeholder(value)
        or values.is_made_up(value)
        or values.is_reference(value)
        or values.is_fact(value)
    ):
        return None
    if not any(map(str.isalpha, value)):
        return Level.LOW if len(value) >= 6 else None
    if is_mixed:
        is_weak = (
            _WEAK.fullmatch(value)
            or values.is_uuid(value)
            or values.entropy(value) < 2.0
            or (values.is_name(value) and any(c in "-_./" for c in value))
        )
        if not is_weak:
            return Level.MEDIUM
        return Level.LOW if quoted else None
    is_label = _LABEL.fullmatch(value) or not value.isascii()
    return None if is_label else Level.LOW


def _once(value: str) -> str:
    """A password that was written several times to be long enough: as good as once."""
    for times in range(2, len(value) // 6 + 1):
        part = value[: len(value) // times]
        if part * times == value and values.is_mixed(part):
            return part
    return value


def _is_hex(value: str) -> bool:
    return all(c in "0123456789abcdefABCDEF" for c in value)


def _is_assigned(candidate: Candidate) -> bool:
    """Whether the operator assigns: a comma does so only inside a call, after a quoted name."""
    between = candidate.between
    if b"," not in between:
        return True
    before = candidate.data[max(0, candidate.match_start - 4) : candidate.match_start].rstrip()
    return between[:1] in {b'"', b"'"} and before[-2:-1] == b"("


def _is_expression(candidate: Candidate) -> bool:
    """Whether a value without quotes is code: called or indexed, or a bare word of a program."""
    data = candidate.data
    if data[candidate.end : candidate.end + 1] in {b"(", b"[", b"{", b"$"}:
        return True
    if candidate.syntax is not Syntax.CODE:
        return False
    if candidate.between[:1] in {b'"', b"'", b"`", b"]"}:
        return True  # the name is the quoted one
    before = data[max(0, candidate.match_start - 300) : candidate.match_start].rpartition(b"\n")[2]
    return all(before.count(quote) % 2 == 0 for quote in (b'"', b"'", b"`"))
