"""Where stores are looked for."""

from bot.github.trees import Entry, listing, store_paths


def test_the_directories_of_stores() -> None:
    assert store_paths(["", "a"]) == (
        *(".memoryrail", ".cursor/memory", "jumpybrain.json", "memory/jumpybrain.json"),
        *("a/.memoryrail", "a/.cursor/memory", "a/jumpybrain.json", "a/memory/jumpybrain.json"),
    )


def test_a_listing_has_files_only_and_allows_for_null() -> None:
    below = [
        {"name": "x.md", "mode": 0o100644, "type": "blob", "oid": "1", "size": 3, "object": {}},
        {"name": "l.md", "mode": 0o120000, "type": "blob", "oid": "2", "size": 4},
        {"name": "sub", "mode": 0o160000, "type": "commit", "oid": "3", "size": 0, "object": None},
        {"name": "dir", "mode": 0o040000, "type": "tree", "oid": "4", "size": 0, "object": None},
    ]
    tree = {"type": "tree", "mode": 0o040000, "oid": "5", "object": {"entries": below}}
    assert listing({"p0": tree, "p1": None}, ["s", "t"]) == {
        "s/x.md": Entry(path="s/x.md", oid="1", size=3),
        "s/l.md": Entry(path="s/l.md", oid="2", size=4, is_symlink=True),
    }
