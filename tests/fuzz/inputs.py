"""Inputs made of good files that are damaged, the same for the same seed on every machine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

MAX_BYTES: Final = 4096  # of an input; most are shorter

# What trips up readers of text in general.
_COMMON: Final = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\x7f", b"\xff", b"\xc3", b"\xed\xb2\x80"),
    *("\ufeff", "\u2028", "\u0085", "\u202e", "\u200b", "\u00a0", "\ue000", "\ufffd"),
    *("é", "e\u0301", "𝕏", "🚀", "\U0010ffff"),
    *(b"0", b"-1", b"1e999", b"'", b'"', b"`", b"\\", b"%s", b"{}", b"..", b"/", b"a" * 300),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What inputs of one kind are made of."""

    whole: tuple[bytes, ...]  # good ones
    tokens: tuple[bytes, ...]  # pieces that mean something to its reader


def grammar(whole: Sequence[str | bytes], tokens: Sequence[str | bytes]) -> Grammar:
    """A grammar from texts or bytes."""
    return Grammar(
        whole=tuple(map(_bytes, whole)), tokens=tuple(map(_bytes, (*3 * tuple(tokens), *_COMMON)))
    )


def make(grammar: Grammar, seed: str) -> bytes:
    """The one input of a seed."""
    random = Random(seed)
    if random.random() < 0.05:
        data = b"".join(random.choices(grammar.tokens, k=random.randrange(1, 40)))
    else:
        data = random.choice(grammar.whole)
    for _ in range(random.choice((0, 1, 1, 1, 1, 2, 2, 5))):
        data = random.choice(_DAMAGES)(data, grammar, random)
    return data[:MAX_BYTES]


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((0, 1, 2, 5, 20, 100)))


def _replaced(data: bytes, grammar: Grammar, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + random.choice(grammar.tokens) + data[end:]


def _inserted(data: bytes, grammar: Grammar, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(grammar.tokens) + data[at:]


def _line_added(data: bytes, grammar: Grammar, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    line = b"".join(random.choices(grammar.tokens, k=random.randint(1, 3))) + b"\n"
    lines.insert(random.randint(0, len(lines)), line)
    return b"".join(lines)


def _value_replaced(data: bytes, grammar: Grammar, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    named = [number for number, line in enumerate(lines) if b": " in line]
    if named:
        number = random.choice(named)
        name, _, value = lines[number].partition(b": ")
        made = b"".join(random.choices((*grammar.tokens, value.strip()), k=random.randint(1, 3)))
        lines[number] = name + b": " + made + value[len(value.rstrip()) :]
    return b"".join(lines)


def _repeated(data: bytes, grammar: Grammar, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(grammar.tokens) * random.choice((2, 9, 70)) + data[at:]


def _cut(data: bytes, _: Grammar, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _doubled(data: bytes, _: Grammar, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:end] + data[start:]


def _flipped(data: bytes, _: Grammar, random: Random) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _random(data: bytes, _: Grammar, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + random.randbytes(random.randrange(1, 12)) + data[end:]


def _shuffled(data: bytes, _: Grammar, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        first, second = random.randrange(len(lines)), random.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def _spliced(data: bytes, grammar: Grammar, random: Random) -> bytes:
    other = random.choice(grammar.whole)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _truncated(data: bytes, _: Grammar, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _other_line_ends(data: bytes, _: Grammar, random: Random) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\n ")))


_DAMAGES: Final[tuple[Callable[[bytes, Grammar, Random], bytes], ...]] = (
    *(_value_replaced, _value_replaced, _value_replaced, _line_added, _line_added, _line_added),
    *(_replaced, _replaced, _inserted, _inserted, _repeated, _cut, _doubled, _shuffled, _shuffled),
    *(_flipped, _random, _spliced, _truncated, _other_line_ends),
)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()
