import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.cursor.append import InvalidEntries, Refused
from bot.formats.cursor.grammar import block, blocks
from bot.formats.cursor.reappend import reappend, refuse_secrets
from bot.formats.cursor.validate import read_file
from tests.formats.cursor.making import BODY, entry

NAME = "session-handoff.md"
FORK = f"# H\n\n{entry('1-0-state')}"
THEIRS = entry("2-0-state", correlation_id="2-0")
MINE = entry("3-0-state", correlation_id="3-0")


def files(*texts: str) -> dict[str, bytes]:
    return {NAME: "\n".join(texts).encode()}


def test_own_entries_follow_those_of_the_base() -> None:
    done = reappend(files(FORK), files(FORK, THEIRS), files(FORK, MINE))
    assert done.contents == files(FORK, THEIRS, MINE)
    assert (done.ids, done.renamed) == (("3-0-state",), {})


def test_an_id_that_is_taken_gets_a_number_and_links_to_it_follow() -> None:
    rival = entry("2-0-state", correlation_id="2-0", body=f"{BODY} Mine.")
    second = entry("2-0-state-2", correlation_id="2-0", links="[2-0-state, 1-0-state]")
    theirs = (THEIRS, entry("2-0-state-2", correlation_id="2-0", body=f"{BODY} Theirs."))
    done = reappend(files(FORK), files(FORK, *theirs), files(FORK, rival, second))
    assert done.renamed == {"2-0-state": "2-0-state-3", "2-0-state-2": "2-0-state-4"}
    assert done.contents == files(
        FORK,
        *theirs,
        rival.replace("id: 2-0-state\n", "id: 2-0-state-3\n"),
        second.replace("id: 2-0-state-2\n", "id: 2-0-state-4\n").replace(
            "[2-0-state, 1-0-state]", "[2-0-state-3, 1-0-state]"
        ),
    )


@given(
    st.lists(st.sampled_from("abc"), unique=True, max_size=3),
    st.lists(st.sampled_from("bcd"), unique=True, max_size=3),
    st.booleans(),
)
def test_nothing_is_lost_nothing_else_changed_and_twice_is_as_once(
    theirs: list[str], mine: list[str], crlf: bool
) -> None:
    base, head = (
        files(FORK, *[entry(f"{letter}-state", body=f"{BODY} {who}") for letter in letters])
        for who, letters in (("theirs", theirs), ("mine", mine))
    )
    if crlf:
        base = {NAME: base[NAME].replace(b"\n", b"\r\n")}
    done = reappend(files(FORK), base, head)
    result = {**base, **done.contents}[NAME]
    assert result.startswith(base[NAME])
    bodies = [one.body for one in read_file(NAME, result).blocks.entries]
    assert bodies == [BODY, *[f"{BODY} theirs"] * len(theirs), *[f"{BODY} mine"] * len(mine)]
    again = reappend(base, base, {NAME: result})
    assert {**base, **again.contents}[NAME] == result
    assert again.renamed == {}


@pytest.mark.parametrize(
    "head",
    [
        FORK.replace("done", "blocked"),
        "# H\n",
        f"{MINE}\n{FORK}",
        FORK.replace("# H", "# Another"),
        f"{FORK}\n{MINE[:40]}",
    ],
)
def test_who_does_more_than_append_merges_by_hand(head: str) -> None:
    with pytest.raises(Refused):
        reappend(files(FORK), files(FORK, THEIRS), files(head))


def test_what_breaks_rules_is_not_written() -> None:
    with pytest.raises(InvalidEntries):
        reappend(files(FORK), files(FORK), files(FORK, entry("3-0-state", status="nope")))


def test_what_breaks_a_rule_on_the_base_already_is_not_in_the_way() -> None:
    worn = entry("2-0-state", correlation_id="2-0", status="nope")
    done = reappend(files(FORK), files(FORK, worn), files(FORK, MINE))
    assert done.contents == files(FORK, worn, MINE)


def test_a_credential_is_refused_unless_the_base_has_it() -> None:
    token = "ghp_" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz3Xc5"
    leaky = entry("2-0-state", correlation_id="2-0", body=f"The token is {token} here.")
    refuse_secrets(files(FORK, leaky), files(FORK, leaky, MINE))
    with pytest.raises(InvalidEntries):
        refuse_secrets(files(FORK), files(FORK, leaky))


def test_a_file_that_only_the_branch_has_is_all_its_own() -> None:
    head = {**files(FORK), "patterns.md": entry("p-1", kind="pattern").encode()}
    done = reappend(files(FORK), files(FORK, THEIRS), head)
    text = done.contents["patterns.md"].decode()
    assert [block(text, one) for one in blocks(text).entries] == [entry("p-1", kind="pattern")]
    assert list(done.contents) == ["patterns.md"]


def test_thousands_of_entries_take_no_squared_time() -> None:
    """One of 2,000 is as quick as one of ten: each takes well below a millisecond."""
    ids = ["2-0-state", *(f"2-0-state-{number}" for number in range(2, 2_001))]
    sides = [
        files(FORK, *(entry(id_, correlation_id="2-0", body=f"{BODY} {who}") for id_ in ids))
        for who in ("Theirs.", "Mine.")
    ]
    began = time.process_time()
    done = reappend(files(FORK), *sides)
    assert time.process_time() - began < 10
    assert done.ids[-1] == "2-0-state-4000"
