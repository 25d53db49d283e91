"""`edit REF`: where GitHub's editor opens the file."""

from dataclasses import replace

from tests.commands.making import context, memory_file, said, texts

NEW = memory_file("20261009-new", title="Use Postgres")
OLD = memory_file("20261001-old", "active")
ON = context(NEW, OLD, head_url="https://github.example/mallory/shop", head_ref="fix/(a) #1")


def test_the_link_leads_to_the_head_branch() -> None:
    (text,) = texts(said("/memoryrail edit DEC-e65d", ON))
    assert text == (
        f"Edit **DEC-e65d** · Use Postgres on `fix/(a) #1`: [`{NEW.path}`]"
        f"(https://github.example/mallory/shop/edit/fix/%28a%29%20%231/{NEW.path})."
    )
    (text,) = texts(said("/memoryrail edit 20261001-old", ON))
    assert text.endswith("What is settled is not reworded: propose a memory that supersedes it.")


def test_what_is_refused() -> None:
    (text,) = texts(said("/memoryrail edit DEC-e65d", replace(ON, head_url="")))
    assert "The repository of this branch is gone" in text
    (text,) = texts(said("/memoryrail edit", ON))
    assert text == "This names no memory. Write `/memoryrail edit REF…`."
