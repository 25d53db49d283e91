"""Text that is written so that it passes for a binary, and binaries that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.contents import is_media, text_of

TEXT = "first = 1\nTOKEN = 'a value that counts'\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("utf-32-le"),
        b"\0" + TEXT.encode(),
        b"\n" * 9000 + TEXT.encode("utf-16-le"),
    ],
    ids=["plain", "marked", "le", "be", "marked-be", "32", "32-le", "nul", "late"],
)
def test_text_in_any_disguise(data: bytes) -> None:
    found = text_of(data)
    assert found is not None
    assert TEXT in found


def test_of_a_binary_the_words_remain() -> None:
    assert text_of(b"\0\1\2\3" * 50 + b"a value that counts" + b"\xff\0\1short\0") == (
        "a value that counts"
    )
    assert text_of(b"\0\xff" * 40) == ""


def test_a_text_keeps_its_lines_and_what_fits_no_encoding_is_replaced() -> None:
    assert text_of(b"a\r\nGr\xfc\xdfe\n") == "a\r\nGr\ufffd\ufffde\n"
    assert text_of(b"") == ""


@pytest.mark.parametrize(
    "opening",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"GIF89a\1\0\1\0\x80",
        b"RIFF\x10\0\0\0WEBPVP8 ",
        b"PK\3\4\x14\0",
        b"\x1f\x8b\x08\0",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
        b"wOF2\0\1\0\0",
        b"\0\0\0\x20ftypisom",
        b"OggS\0\2",
    ],
    ids=["png", "jpeg", "gif", "webp", "zip", "gzip", "pdf", "woff2", "mp4", "ogg"],
)
def test_pictures_and_archives_are_passed_over(opening: bytes) -> None:
    assert is_media(opening)
    assert text_of(opening + b"\0\xff" * 100 + TEXT.encode()) is None


@pytest.mark.parametrize("opening", [b"GIF89a", b"%PDF-1.7\n", b"BZh9", b"abcdftyp"])
def test_a_text_that_begins_like_one_is_a_text(opening: bytes) -> None:
    assert text_of(opening + TEXT.encode()) == opening.decode() + TEXT


@given(st.binary())
def test_nothing_is_refused(data: bytes) -> None:
    assert is_media(data) is (text_of(data) is None)
