"""A sandbox with an app installed on one repository with one open pull request."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from bot.sandbox import Sandbox
from bot.sandbox.state.apps import App, Installation
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # made once, for it takes long
VERSIONS = ("2022-11-28", "2026-03-10")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Sandbox]:
    """Fails the test when anything broke GitHub's contract and the test did not clear it."""
    with Sandbox.start(tmp_path / "github") as sandbox:
        yield sandbox
        assert [str(each) for each in sandbox.violations] == []


@dataclass(frozen=True, kw_only=True)
class Shop:
    """octo/shop: `feature` of alice is open as pull request 1; the app is installed."""

    github: Sandbox
    app: App
    installation: Installation
    repository: Repository
    pull: PullRequest


@pytest.fixture
def shop(github: Sandbox) -> Shop:
    repository = github.create_repository(
        "octo/shop", files={"README.md": "# Shop\n", "src/a.py": "one = 1\ntwo = 2\n"}
    )
    app = github.create_app()
    installation = app.install(repository)
    repository.branch("feature")
    repository.commit("feature", files={"src/b.py": "three = 3\n"}, login="alice")
    pull = repository.open_pull(head="feature", title="Add b", body="Because", user="alice")
    return Shop(github=github, app=app, installation=installation, repository=repository, pull=pull)


def app_token(app: App, *, key: str | None = None, **claims: Any) -> str:
    """A JWT as an app makes it, with claims of one's own."""
    now = datetime.now(UTC)
    usual = {"iss": str(app.id), "iat": now - timedelta(seconds=60), "exp": now + timedelta(0, 540)}
    return jwt.encode(usual | claims, key or app.private_key_pem, algorithm="RS256")


class Client(httpx.Client):
    """Speaks to the sandbox with an installation token, or with none."""

    def graphql(self, query: str, **variables: Any) -> Any:
        answer = self.post("/graphql", json={"query": query, "variables": variables})
        assert answer.status_code == 200, answer.text
        return answer.json()


def client(github: Sandbox, token: str | None = None, *, version: str = VERSIONS[-1]) -> Client:
    headers = {"user-agent": "test", "x-github-api-version": version}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    return Client(base_url=github.url, headers=headers, trust_env=False, verify=NO_TLS)


def mint(shop: Shop, **wanted: Any) -> str:
    with client(shop.github, app_token(shop.app)) as http:
        path = f"/app/installations/{shop.installation.id}/access_tokens"
        answer = http.post(path, json=wanted)
        assert answer.status_code == 201, answer.text
        token: str = answer.json()["token"]
        return token


@pytest.fixture
def http(shop: Shop) -> Iterator[Client]:
    """A client with a token of the installation."""
    with client(shop.github, mint(shop)) as opened:
        yield opened
