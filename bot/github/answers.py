"""Take GitHub's JSON apart: one place where null, missing and misshapen mean the same.

GitHub answers null for deleted accounts and repositories, for nodes that a token may not see and
for whatever failed in part, so every step into an answer allows for it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from bot.core.snapshot import Actor

Json: TypeAlias = Mapping[str, object]

_EMPTY: Final[Json] = {}
# What GitHub itself reads from the address that it gives to an app's commits.
_BOT_ADDRESS: Final = re.compile(r"([0-9]{1,18})\+([A-Za-z0-9-]{1,64}\[bot\])@users\.noreply\.")


def child(value: object, *names: str) -> Json:
    """The object found by following names; an empty one where the way ends early."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else _EMPTY


def children(value: object, *names: str) -> Iterator[Json]:
    """The objects in the list found by following names; anything else in it is passed over."""
    *way, last = names or ("",)
    items = child(value, *way).get(last) if names else value
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            yield item


def text(value: Json, name: str) -> str:
    """A string, "" where there is none."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def text_or_none(value: Json, name: str) -> str | None:
    """A string or None."""
    found = value.get(name)
    return found if isinstance(found, str) else None


def number(value: Json, name: str) -> int:
    """An integer, 0 where there is none."""
    return number_or_none(value, name) or 0


def number_or_none(value: Json, name: str) -> int | None:
    """An integer or None."""
    found = value.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def graphql_actor(value: Json) -> Actor | None:
    """An account from GraphQL; None for a deleted one. A bot's login gets the suffix of REST.

    Where the schema wants a User, a bot is one with the suffix, which no user's login can have.
    """
    if not (login := text(value, "login")):
        return None
    plain = login.removesuffix("[bot]")
    is_bot = plain != login or value.get("__typename") == "Bot"
    name = f"{plain}[bot]" if is_bot else login
    return Actor(id=number_or_none(value, "databaseId"), login=name, is_bot=is_bot)


def rest_actor(value: Json) -> Actor | None:
    """An account from REST; None for a deleted or unknown one."""
    if not (login := text(value, "login")):
        return None
    return Actor(id=number_or_none(value, "id"), login=login, is_bot=text(value, "type") == "Bot")


def commit_author(author: Json) -> Actor | None:
    """The account behind a commit's author in GraphQL.

    A bot that GitHub does not link is known by its address. Anyone can write that address, but
    it only takes rights away.
    """
    if user := child(author, "user"):
        return graphql_actor(user)
    if known := _BOT_ADDRESS.match(text(author, "email")):
        return Actor(id=int(known[1]), login=known[2], is_bot=True)
    return None
