"""What the name before a value promises: `dbPassword` a password, `passwordLabel` nothing.

Decided by the words of the name, so that `author` is not `auth` and `max_tokens` not a token.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORD = re.compile(r"(?:passw(?:or)?d|passphrase|passcode|pwd)$|^pass$")
_SECRET = re.compile(r"(?:secret|token|api_?key|access_?key|secret_?key|private_?key|auth_?key)$")
_CREDENTIALS: Final = frozenset({"credential", "credentials", "secrets"})
# "key" alone names half of all fields; after one of these words it names a secret.
_OPENS_A_KEY_WORDS: Final = """
    access account admin aes api app application auth cipher client consumer cookie crypto deploy
    encrypt encryption hmac jwt licence license master private root rsa secret security server
    service session shared sign signing ssh storage subscription webhook
"""
_OPENS_A_KEY: Final = frozenset(_OPENS_A_KEY_WORDS.split())
# What may follow the word: which password it is. Anything else makes it something about passwords.
_WHOSE_WORDS: Final = """
    0 1 2 3 4 5 admin app current db default dev e2e integration live local new old plain plaintext
    prod production raw root stage staging str string user value
"""
_WHOSE: Final = frozenset(_WHOSE_WORDS.split())
# Words that turn the name of a secret into the name of something about it.
_ABOUT_WORDS: Final = """
    age alg algo algorithm arn attr attribute bucket cache change checksum class column component
    continuation count csrf cursor desc description digest dir disable disabled enable enabled
    encoder encrypted endpoint env error errors expiration expire expires expiry factory field
    fields file filename foreign forgot form format generator group has hash hashed header help
    hide hint host id ids index input is kind label labels len length lifetime limit location
    manager max md5 message messages min mode msg name names next num number page param parameter
    partition path pattern placeholder policy prefix primary prompt provider pub public ref refs
    regex required reset role rule rules scope scopes screen sha sha1 sha256 show site size sort
    source store strength suffix text timeout title ttl type uri url usage valid validation
    validator var variable version view visible xsrf
"""
_ABOUT: Final = frozenset(_ABOUT_WORDS.split())


@lru_cache(maxsize=4096)
def is_password(name: str) -> bool:
    """Whether a value under this name would be a password."""
    words = _words(name)
    last = max((at for at, word in enumerate(words) if _PASSWORD.search(word)), default=-1)
    return last >= 0 and _WHOSE.issuperset(words[last + 1 :]) and not is_about(name)


@lru_cache(maxsize=4096)
def is_secret(name: str) -> bool:
    """Whether a value under this name would be a key or token."""
    words = _words(name)
    named = any(_SECRET.search(word) or word in _CREDENTIALS for word in words)
    keyed = any(word == "key" and before in _OPENS_A_KEY for before, word in pairwise(words))
    return (named or keyed) and not is_about(name)


@lru_cache(maxsize=4096)
def is_about(name: str) -> bool:
    """Whether the last part of a dotted name speaks about a secret, such as its length or id."""
    return not _ABOUT.isdisjoint(_words(name.rstrip(".").rpartition(".")[2]))


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]
