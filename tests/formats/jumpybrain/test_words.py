from bot.formats.jumpybrain.words import Topics, words
from tests.formats.jumpybrain.making import document, text


def test_words_have_no_letter_case() -> None:
    assert words("alpha-Cache, LIFETIME!") == ("alpha", "cache", "lifetime")


def test_a_topic_has_the_documents_with_all_its_words_the_newest_first() -> None:
    body = "\nThe alpha cache.\n"
    documents = [
        document("notes/old.md", text(body=body, updated_at="2020-01-01")),
        document("notes/undated.md", "alpha CACHE"),
        document("notes/new.md", text(body=body)),
        document("notes/other.md", text(body="\nalpha\n")),
        document("pages/p.md", text(body=body, type="page")),
    ]
    found = Topics(documents).about("Alpha cache")
    assert [one.place for one in found] == ["notes/new.md", "notes/old.md", "notes/undated.md"]
    assert Topics(documents).about("…") == []
