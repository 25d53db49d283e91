"""What of a file's content can be scanned: text of any usual encoding, or the words in a binary.

GitHub and git give no lines for what they hold to be binary: a file with a NUL byte, UTF-16 (which
PowerShell writes), whatever .gitattributes declares. Text hidden in that way is text all the same.
Pictures, archives and the like are known by their first bytes, never by their name.
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
# ASCII in UTF-32 or UTF-16 without a mark, wherever it begins; of big endian all but the first NUL.
_WIDE: Final = re.compile(rb"(?:[\t\n\r -~]\x00{3}){4,}|(?:[\t\n\r -~]\x00){4,}")


def text_of(data: bytes) -> str | None:
    """The text of a content, bytes that fit no encoding replaced; None for a picture and the like.

    Of a binary the runs of printable ASCII, each on a line of its own.
    """
    if is_media(data[:_OPENING]):
        return None
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data:
        data = _WIDE.sub(lambda wide: wide[0].replace(b"\0", b""), data)
    opening = data[:_OPENING]
    if opening and len(opening.translate(None, _CONTROLS)) < _TEXT_SHARE * len(opening):
        return "\n".join(word.decode("ascii") for word in _WORDS.findall(data))
    return data.decode("utf-8", "replace")


def is_media(opening: bytes) -> bool:
    """Whether a file's first bytes are those of a picture, an archive, a font, sound or a film.

    A text is never taken for one, though it begin like one.
    """
    if _MEDIA.match(opening) is None:
        return False
    return any(byte >= 127 or byte in _CONTROLS for byte in opening[:_OPENING])
