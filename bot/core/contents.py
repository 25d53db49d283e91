"""What of a content can be searched: text of any usual encoding, and the words in a binary.

GitHub and git give no lines for what they hold to be binary: a file with a NUL byte, UTF-16 (which
PowerShell writes), whatever .gitattributes declares. Text hidden in that way is text all the same,
and whatever the first bytes claim, the rest is looked at. What is compressed or encoded is not
opened: to find a credential there, one has to run a program first.
"""

import re
from typing import Final

_OPENING: Final = 8000  # bytes that tell what a file is, as in git
_MEDIA: Final = re.compile(
    rb"""
    \x89PNG\r\n\x1a\n | \xff\xd8\xff | GIF8[79]a | RIFF.{4}(?:WEBP|WAVE|AVI\ )
    | II\*\x00 | MM\x00\* | \x00\x00\x01\x00..\x00\x00                         # TIFF, ICO
    | PK[\x03\x05\x07][\x04\x06\x08] | \x1f\x8b\x08 | BZh[1-9] | \xfd7zXZ\x00
    | \x28\xb5\x2f\xfd | 7z\xbc\xaf\x27\x1c | Rar!\x1a\x07                      # archives
    | %PDF-\d
    | wOF[F2] | OTTO\x00 | \x00\x01\x00\x00\x00 | ttcf\x00                      # fonts
    | .{4}ftyp | OggS\x00 | ID3[\x02-\x04] | fLaC\x00 | \x1a\x45\xdf\xa3        # sound, films
    """,
    re.VERBOSE | re.DOTALL,
)
_MARKS: Final = (  # the longest first: the mark of UTF-32 begins like one of UTF-16
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CONTROLS: Final = bytes({*range(32), 127} - {*b"\t\n\f\r\x1b"})
_TEXT_SHARE: Final = 0.9  # of bytes that are no control characters, in a text with stray ones
_WORDS: Final = re.compile(rb"[\t -~]{8,}")  # shorter than that is no credential
# ASCII with as many NULs between the letters, as in UTF-16 and UTF-32, wherever it begins.
_WIDE: Final = r"(\x00\x00?\x00?)[\t\n\r -~](?:\1[\t\n\r -~]){3,}"
_WIDE_BYTES: Final = re.compile(_WIDE.encode())
_WIDE_TEXT: Final = re.compile(_WIDE)


def text_of(data: bytes) -> str:
    """All that reads as text in a content; bytes that fit no encoding are replaced.

    Of a binary the runs of printable ASCII, each on a line of its own. They come below a text, too,
    that begins with the mark of an encoding and holds others: the mark may be false.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text, words = data.decode(encoding, "replace"), words_of(data)
            is_true = words == _words(text.encode("utf-8", "replace"))
            return text if is_true else "\n".join([text, *words])
    narrow = _narrowed(data)
    opening = narrow[:_OPENING]
    is_text = len(opening.translate(None, _CONTROLS)) >= _TEXT_SHARE * len(opening)
    if is_text and not is_media(data):
        return narrow.decode("utf-8", "replace")
    return "\n".join(_words(narrow))


def words_of(data: bytes) -> list[str]:
    """The runs of printable ASCII in a binary, or in a part of one."""
    return _words(_narrowed(data))


def narrowed(text: str) -> str:
    """A text without the NULs that a wider encoding leaves between its letters."""
    return _WIDE_TEXT.sub(lambda wide: wide[0].replace("\0", ""), text) if "\0" in text else text


def is_media(opening: bytes) -> bool:
    """Whether a file's first bytes are those of a picture, an archive, a font, sound or a film.

    A text is never taken for one, though it begin like one.
    """
    if _MEDIA.match(opening) is None:
        return False
    return any(byte >= 127 or byte in _CONTROLS for byte in opening[:_OPENING])


def _words(data: bytes) -> list[str]:
    return [word.decode("ascii") for word in _WORDS.findall(data)]


def _narrowed(data: bytes) -> bytes:
    return (
        _WIDE_BYTES.sub(lambda wide: wide[0].replace(b"\0", b""), data) if b"\0" in data else data
    )
