from bot.core.snapshot import Side
from bot.formats import jumpybrain
from bot.formats.differences import differences
from tests.formats.jumpybrain.making import config, text
from tests.formats.jumpybrain.making import file as tree_file
from tests.making import file, memory, store


def test_each_format_compares_its_own_stores() -> None:
    """Those of either side, each once; what has no such rule is left to the core."""
    path = "app/memory/notes/a.md"
    mark = config("app/memory/jumpybrain.json")
    old, new = (
        jumpybrain.read("app", [mark, tree_file(path, text(source=source))])
        for source in ("manual", "forged")
    )
    assert old is not None
    assert new is not None
    base = Side(sha="b", stores=(old, store(memory())))
    head = Side(sha="a", stores=(new, store()))
    (problem,) = differences(base, head, [file(path, removed=1)])
    assert (problem.rule, problem.path) == ("protected-field:source", path)
    assert differences(base, base, [file(path, removed=1)]) == ()
    assert differences(Side(sha="b"), head, [file("app/memory/.jumpybrain/x", "added")]) != ()
