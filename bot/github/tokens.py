"""Credentials: the app's own short JWT, and a token for each installation.

https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.core.errors import GitHubError, SettingsError
from bot.github.client import AppClient, Reply, Request
from bot.github.errors import OutOfReach
from bot.github.limits import date_of

log = logging.getLogger(__name__)

_BACK: Final = timedelta(seconds=60)  # a JWT must not come from GitHub's future
_AHEAD: Final = timedelta(minutes=9)  # nor live longer than 10 minutes
_MARGIN: Final = timedelta(minutes=2)  # before its end a credential is no longer used
_SKEW: Final = timedelta(seconds=5)  # that does not matter: an answer's date is in whole seconds
_SPREADING: Final = (1.0, 2.0)  # seconds that a new installation is given to be known everywhere
_WHIM: Final = 1.0  # seconds after which a refusal of the app itself counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An installation's token, and what it may do: GitHub's names, "read" or "write"."""

    value: str = field(repr=False)
    minted: datetime  # by our clock
    expires: datetime  # by GitHub's
    permissions: Mapping[str, str]

    @property
    def authorization(self) -> str:
        """The header that uses it."""
        return f"Bearer {self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who we are: the app's id and slug. Its bot is "slug" in GraphQL, "slug[bot]" elsewhere."""

    app_id: int
    slug: str


class Credentials:
    """Signs and mints what requests need; each token once, however many ask for it together."""

    def __init__(self, client: AppClient, *, app_id: str, private_key: str) -> None:
        """app_id: the numeric id or the client id. private_key: PEM; raises SettingsError."""
        self._client, self._app_id = client, app_id
        self._key = _load(private_key)  # parsing it takes 29 ms, signing 0.2
        self._skew = timedelta(0)  # what GitHub's clock is ahead of ours
        self._tokens: dict[int, Token] = {}
        self._locks: dict[int, asyncio.Lock] = {}
        self._identity: Identity | None = None
        self.refusal = ""  # why GitHub takes neither id nor key, by its last answer to the app

    async def token(self, installation: int) -> Token:
        """The installation's token, minted when there is none. Raises GitHubError, OutOfReach."""
        async with self._locks.setdefault(installation, asyncio.Lock()):
            token = self._tokens.get(installation)
            if token is None or token.expires - _MARGIN <= self._now():
                token = await self._mint(installation)
                self._tokens[installation] = token
            return token

    async def renewed(self, installation: int, *, older_than: timedelta) -> Token:
        """A token with what the owner grants by now, unless the one at hand is younger."""
        token = await self.token(installation)
        if self._client.timing.now() - token.minted <= older_than:
            return token
        self.drop(installation, token)
        return await self.token(installation)

    def drop(self, installation: int, token: Token) -> None:
        """Forget a token that GitHub refused, unless another has taken its place already."""
        if self._tokens.get(installation) is token:
            del self._tokens[installation]

    async def identity(self) -> Identity:
        """Ask GitHub once who we are."""
        return self._identity or await self.prove()

    async def prove(self) -> Identity:
        """Ask GitHub who we are now, which also tells whether it still takes id and key."""
        reply = await self.as_app(Request(method="GET", path="/app", read=True))
        if reply.status == 404:  # "Integration not found"
            self.refusal = f"GitHub knows no app {self._app_id} (404)"
            raise GitHubError(self.refusal, status=404)
        data = reply.expect(200).data
        if not isinstance(data, dict):
            raise GitHubError("GET /app gave no app", status=reply.status)
        self._identity = Identity(app_id=int(data["id"]), slug=str(data["slug"]))
        return self._identity

    async def as_app(self, request: Request) -> Reply:
        """Send a request as the app itself.

        What our clock is wrong by is learned from each answer. A 401 may mean just that, or nothing
        at all: the request is sent once more, with a new JWT. Raises GitHubError for a second one.
        """
        reply = await self._client.send(request, authorization=f"Bearer {self._jwt()}")
        was_wrong = self._learn_skew(reply)
        if reply.status == 401:
            if not was_wrong:
                await self._client.timing.sleep(_WHIM)
            reply = await self._client.send(request, authorization=f"Bearer {self._jwt()}")
        if reply.status == 401:
            self.refusal = f"the private key does not belong to app {self._app_id} (401)"
            raise GitHubError(self.refusal, status=401)
        if reply.status < 400:
            self.refusal = ""
        return reply

    async def _mint(self, installation: int) -> Token:
        path = f"/app/installations/{installation}/access_tokens"
        # Minting twice does no harm, so this POST may be repeated as a read is.
        request = Request(method="POST", path=path, read=True, json={})
        reply = await self.as_app(request)
        for pause in _SPREADING:
            if reply.status != 404:
                break
            await self._client.timing.sleep(pause)
            reply = await self.as_app(request)
        if reply.status in {403, 404}:  # suspended, removed
            raise OutOfReach(f"installation {installation} is out of reach", status=reply.status)
        data = reply.expect(201).data
        if not isinstance(data, dict):
            raise GitHubError("GitHub gave no token", status=reply.status)
        return Token(
            value=str(data["token"]),
            minted=self._client.timing.now(),
            expires=datetime.fromisoformat(str(data["expires_at"])),
            permissions=dict(data.get("permissions") or {}),
        )

    def _jwt(self) -> str:
        now = self._now()
        claims = {"iat": now - _BACK, "exp": now + _AHEAD, "iss": self._app_id}
        return jwt.encode(claims, self._key, algorithm="RS256")

    def _now(self) -> datetime:
        """GitHub's time, as far as we know it."""
        return self._client.timing.now() + self._skew

    def _learn_skew(self, reply: Reply) -> bool:
        """Whether the answer shows that GitHub's clock is not where we took it to be."""
        if (date := date_of(reply.headers)) is None:
            return False
        skew = date - self._client.timing.now()
        if abs(skew - self._skew) <= _SKEW:
            return False
        log.warning("clock skew: GitHub is %d s ahead of this machine", skew.total_seconds())
        self._skew = skew
        return True


def _load(pem: str) -> RSAPrivateKey:
    try:  # the settings have proved the key's numbers sound, which takes long
        key = load_pem_private_key(pem.encode(), password=None, unsafe_skip_rsa_key_validation=True)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, RSAPrivateKey):
        raise SettingsError(("the app's private key is no RSA key in PEM form",))
    return key
