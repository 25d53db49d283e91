"""Who asks: an app by its JWT, or an installation by a token, and what it may do.

https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app
"""

import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import jwt

from bot.sandbox.refusal import Breach, Refusal, forbidden, not_found
from bot.sandbox.state.apps import App, Installation, Token

if TYPE_CHECKING:
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.world import World

JWT_LIFE: Final = timedelta(minutes=10)
TOKEN_LIFE: Final = timedelta(hours=1)
_LEVELS: Final = ("none", "read", "write", "admin")
_ALPHABET: Final = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """token is None when the app itself asks, by a JWT."""

    app: App
    token: Token | None

    def may(self, permission: str) -> bool:
        """permission: "checks:write"; several with "|" between them: any of these."""
        granted: Mapping[str, str] = self.token.permissions if self.token else {}
        wanted = (each.split(":") for each in permission.split("|"))
        return any(
            _LEVELS.index(granted.get(name, "none")) >= _LEVELS.index(level)
            for name, level in wanted
        )


def authenticate(world: "World", authorization: str | None) -> Caller | None:
    """The caller by the header, None without one; raises Refusal (401) for a bad one."""
    if not authorization:
        return None
    scheme, _, credential = authorization.partition(" ")
    if scheme.lower() not in {"bearer", "token"}:
        raise _bad("Bad credentials", breach="credentials")
    token = world.tokens.get(credential)
    if token is not None:
        if token.expires_at <= world.now():
            raise _bad("Bad credentials")
        if token.installation.suspended_at is not None:
            raise Refusal(403, "This installation has been suspended", kind="FORBIDDEN")
        return Caller(app=token.installation.app, token=token)
    if credential.startswith("ghs_"):
        raise _bad("Bad credentials")  # revoked, or of another sandbox
    return Caller(app=_app_of(world, credential), token=None)


def mint(
    world: "World",
    installation: Installation,
    *,
    permissions: Mapping[str, str] | None,
    repositories: "tuple[Repository, ...] | None",
) -> tuple[str, Token]:
    """Make a token, in turn in the short and in the long format that GitHub uses side by side."""
    for name, level in (permissions or {}).items():
        granted = installation.permissions.get(name, "none")
        if _LEVELS.index(level) > _LEVELS.index(granted):
            what = "The permissions requested are not granted to this installation."
            raise Refusal(422, what, field="permissions", breach="permission")
    chosen = dict(installation.permissions if permissions is None else permissions)
    token = Token(
        installation=installation,
        permissions={"metadata": "read", **chosen},
        repositories=repositories,
        expires_at=world.now() + TOKEN_LIFE,
    )
    text = f"ghs_{_random(36)}"
    if len(world.tokens) % 2:
        parts = (_random(36), _random(180), _random(86))
        text = f"ghs_{installation.app.id}_{'.'.join(parts)}"
    world.tokens[text] = token
    return text, token


def check_access(caller: Caller, repository: "Repository", permission: str, *, reads: bool) -> None:
    """Raise Refusal (404 or 403) unless a token reaches a repository with a permission.

    What is public may be read by any token, wherever its app is installed.
    """
    reached = caller.token is not None and caller.token.reaches(repository)
    if not reached:
        if repository.private:
            raise not_found()
        if not reads:
            raise forbidden()
        return
    if not caller.may(permission):
        raise Refusal(
            403, "Resource not accessible by integration", kind="FORBIDDEN", breach="permission"
        )


def _app_of(world: "World", credential: str) -> App:
    try:
        unverified = jwt.decode(credential, options={"verify_signature": False})
        issuer = str(unverified.get("iss", ""))
        by_issuer = {str(app.id): app for app in world.apps.values()}
        by_issuer |= {app.client_id: app for app in world.apps.values()}
        if issuer not in by_issuer:
            raise _bad("Integration not found", breach="credentials")
        app = by_issuer[issuer]
        claims = jwt.decode(
            credential,
            app.public_key_pem,
            ["RS256"],
            options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
        )
    except jwt.PyJWTError as error:
        raise _bad("A JSON web token could not be decoded", breach="credentials") from error
    now = world.now().timestamp()
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int | float) or not isinstance(expires, int | float):
        raise _bad("Claims iat and exp must be numbers", breach="credentials")
    if issued > now + 1:  # now is in whole seconds
        raise _bad("'Issued at' claim ('iat') must be an Integer in the past")
    if expires <= now:
        raise _bad("'Expiration time' claim ('exp') must be in the future")
    if expires > now + 1 + JWT_LIFE.total_seconds():
        raise _bad("'Expiration time' claim ('exp') is too far in the future", breach="credentials")
    return app


def _bad(message: str, *, breach: Breach | None = None) -> Refusal:
    return Refusal(401, message, kind="UNAUTHENTICATED", breach=breach)


def _random(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))
