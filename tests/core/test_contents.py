"""Text that is written so that it passes for a binary, and binaries that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.contents import is_media, narrowed, text_of

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
    assert TEXT in text_of(data)


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
def test_of_pictures_and_archives_the_words_remain(opening: bytes) -> None:
    assert is_media(opening)
    assert "TOKEN = 'a value that counts'" in text_of(opening + b"\0\xff" * 100 + TEXT.encode())


@pytest.mark.parametrize("opening", [b"GIF89a", b"%PDF-1.7\n", b"BZh9", b"abcdftyp"])
def test_a_text_that_begins_like_one_is_a_text(opening: bytes) -> None:
    assert text_of(opening + TEXT.encode()) == opening.decode() + TEXT


HIDDEN = "TOKEN=a-value+that/counts"


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"])
@pytest.mark.parametrize("encoding", ["ascii", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("before", [b"", b"x"])
def test_a_mark_that_is_false_hides_nothing(mark: bytes, encoding: str, before: bytes) -> None:
    assert HIDDEN in text_of(mark + before + HIDDEN.encode(encoding))


def test_a_mark_that_is_true_gives_the_text_once() -> None:
    text = "Grüße, café, naïve: line one\r\nand line two of it\n" * 9
    assert text_of(text.encode("utf-16")) == text


@pytest.mark.parametrize("gap", [1, 2, 3])
@pytest.mark.parametrize(
    "around", [b"\n", b"\0\0\0\0", b"\xff", b"#  xftyp \xe9\n", b"\x1f\x8b\x08"]
)
def test_nuls_between_letters_hide_nothing(gap: int, around: bytes) -> None:
    data = around + (b"\0" * gap).join(bytes([one]) for one in HIDDEN.encode()) + around
    assert HIDDEN in text_of(data)


def test_strings_that_end_in_nuls_stay_apart() -> None:
    table = "".join(f"{one}\0" for one in ("first-string", "second-string", "third-string"))
    for encoding in ("ascii", "utf-16-le", "utf-16-be"):
        words = text_of(b"MZ\1\2\3\4\5" * 99 + table.encode(encoding)).split("\n")
        assert {"first-string", "second-string", "third-string"} <= set(words)


@pytest.mark.parametrize(
    "text", ["@@ -0,0 +1 @@\n+" + HIDDEN, "\ud800" + HIDDEN, "a\0" + HIDDEN + "\0b"]
)
def test_a_text_without_wide_letters_stays_as_it_is(text: str) -> None:
    assert narrowed(text) == text


@given(st.binary(), st.sampled_from([b"", b"\xff\xfe", b"\x89PNG\r\n\x1a\n"]))
def test_a_word_is_found_in_whatever_surrounds_it(data: bytes, opening: bytes) -> None:
    assert HIDDEN in text_of(opening + data + b"\n" + HIDDEN.encode() + b"\n" + data)
