from datetime import date

import pytest

from bot.formats.cursor.append import InvalidEntries, Refused
from bot.formats.cursor.grammar import block, blocks
from bot.formats.cursor.rotate import rotate
from tests.formats.cursor.making import entry

TODAY = date(2026, 10, 10)
NAME = "session-handoff.md"
ENTRIES = [entry(f"1-{n}-state", at=f"2026-04-0{n}T00:00:00Z") for n in range(1, 4)]
FILE = "# H\n\n" + "\n## July\n\n".join(ENTRIES) + "\nThe end.\n"


def test_every_entry_is_in_one_of_the_two_files_as_it_was() -> None:
    done = rotate(NAME, {NAME: FILE.encode()}, today=TODAY, since="2026-04-02")
    archive, live = (data.decode() for data in done.contents.values())
    assert list(done.contents) == ["session-handoff.archive-2026-10-10.md", NAME]
    assert done.moved == ("1-1-state",)
    kept = [block(text, one) for text in (archive, live) for one in blocks(text).entries]
    assert kept == ENTRIES
    assert live == f"# H\n\n## July\n\n{ENTRIES[1]}\n## July\n\n{ENTRIES[2]}\nThe end.\n"


def test_a_second_rotation_of_a_day_goes_behind_the_first() -> None:
    files = {NAME: FILE.encode()}
    for keep in (2, 1):
        files |= rotate(NAME, files, today=TODAY, keep_last=keep).contents
    archive = files["session-handoff.archive-2026-10-10.md"].decode()
    assert archive == f"# H\n\n{ENTRIES[0]}\n{ENTRIES[1]}\n"
    assert files[NAME].decode() == f"# H\n\n## July\n\n## July\n\n{ENTRIES[2]}\nThe end.\n"


def test_nothing_moves_where_all_stay() -> None:
    done = rotate(NAME, {NAME: FILE.encode()}, today=TODAY, keep_last=9)
    assert (done.moved, done.kept, done.contents) == ((), 3, {})


def test_all_move_only_where_that_is_wanted() -> None:
    with pytest.raises(Refused, match="Nothing would be left"):
        rotate(NAME, {NAME: FILE.encode()}, today=TODAY, keep_last=0)
    done = rotate(NAME, {NAME: FILE.encode()}, today=TODAY, keep_last=0, force=True)
    assert done.contents[NAME] == b"# H\n\nThe end.\n"


def test_a_broken_file_is_left_alone() -> None:
    with pytest.raises(InvalidEntries):
        rotate(NAME, {NAME: ENTRIES[0].removesuffix("-->\n").encode()}, today=TODAY, keep_last=1)
    with pytest.raises(Refused):
        rotate(NAME, {}, today=TODAY, keep_last=1)


def test_the_archive_of_what_is_shared_is_shared() -> None:
    name = "decisions.shared.md"
    text = "".join(entry(f"a-{n}", kind="decision") for n in range(2))
    done = rotate(name, {name: text.encode()}, today=TODAY, keep_last=1)
    assert done.archive == "decisions.archive-2026-10-10.shared.md"


def test_lines_end_as_they_did() -> None:
    done = rotate(NAME, {NAME: FILE.replace("\n", "\r\n").encode()}, today=TODAY, keep_last=1)
    for data in done.contents.values():
        assert data.count(b"\n") == data.count(b"\r\n")


def test_a_run_that_stopped_between_the_two_files_goes_on() -> None:
    files = {NAME: FILE.encode()}
    done = rotate(NAME, files, today=TODAY, keep_last=1)
    half = {**files, done.archive: done.contents[done.archive]}
    assert rotate(NAME, half, today=TODAY, keep_last=1).contents == done.contents
