"""The table of common stems."""

from importlib.resources import files

from bot.core.precheck.stems import UNKNOWN_IDF, general_idf


def test_a_common_word_weighs_less_than_a_rare_one_and_that_less_than_an_unknown_one() -> None:
    assert general_idf("use") < general_idf("connect") < general_idf("idempotencykey")
    assert general_idf("idempotencykey") == UNKNOWN_IDF


def test_the_table_holds_stems_from_the_commonest_down() -> None:
    text = files("bot.core.precheck").joinpath("stems.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    stems, shares = [row[0] for row in rows], [float(row[1]) for row in rows]
    assert len(stems) == len(set(stems)) == 2000
    assert shares == sorted(shares, reverse=True)
    assert 0 < shares[-1] < shares[0] <= 1
    assert not {"the", "and", "of"} & set(stems)
    assert {"connect", "retri"} <= set(stems)
