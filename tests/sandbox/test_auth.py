"""Who may ask for what: app tokens, installation tokens, permissions."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.sandbox import Sandbox
from tests.sandbox.conftest import Shop, app_token, client, mint

HOUR = timedelta(hours=1)


def _foreign_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def _kinds(github: Sandbox) -> list[str]:
    """The kinds of the violations so far, which the test thereby has expected."""
    kinds = [each.kind for each in github.violations]
    github.violations.clear()
    return kinds


def test_an_app_sees_itself_by_id_and_by_client_id(shop: Shop) -> None:
    for issuer in (str(shop.app.id), shop.app.client_id):
        with client(shop.github, app_token(shop.app, iss=issuer)) as http:
            seen = http.get("/app").json()
            assert (seen["slug"], seen["permissions"]["checks"]) == ("memoryrail", "write")
            ids = [each["id"] for each in http.get("/app/installations").json()]
            assert ids == [shop.installation.id]
            one = http.get(f"/app/installations/{shop.installation.id}").json()
            assert one["account"]["login"] == "octo"


@pytest.mark.parametrize(
    ("claims", "kinds"),
    [
        pytest.param({"exp": datetime.now(UTC) + HOUR}, ["credentials"], id="lives too long"),
        pytest.param({"exp": datetime.now(UTC) - HOUR}, [], id="expired"),
        pytest.param({"iat": datetime.now(UTC) + HOUR}, [], id="from the future"),
        pytest.param({"iss": "12"}, ["credentials"], id="unknown app"),
    ],
)
def test_a_wrong_app_token_is_refused(shop: Shop, claims: dict[str, Any], kinds: list[str]) -> None:
    with client(shop.github, app_token(shop.app, **claims)) as http:
        assert http.get("/app").status_code == 401
    assert _kinds(shop.github) == kinds


def test_an_app_token_signed_by_another_key_is_refused(shop: Shop) -> None:
    with client(shop.github, app_token(shop.app, key=_foreign_key())) as http:
        assert http.get("/app").status_code == 401
    assert _kinds(shop.github) == ["credentials"]


def test_tokens_come_in_both_formats(shop: Shop) -> None:
    short, long = mint(shop), mint(shop)
    assert (len(short), short.count(".")) == (40, 0)
    assert long.startswith(f"ghs_{shop.app.id}_")
    assert long.count(".") == 2
    for token in (short, long):
        with client(shop.github, token) as http:
            assert http.get("/installation/repositories").json()["total_count"] == 1


def test_a_token_lives_for_an_hour(shop: Shop) -> None:
    with client(shop.github, mint(shop)) as http:
        shop.github.advance(timedelta(minutes=59))
        assert http.get("/repos/octo/shop").status_code == 200
        shop.github.advance(timedelta(minutes=2))
        assert http.get("/repos/octo/shop").status_code == 401


def test_app_and_installation_have_routes_of_their_own(shop: Shop) -> None:
    with client(shop.github, mint(shop)) as http:
        assert http.get("/app").status_code == 401
    with client(shop.github, app_token(shop.app)) as http:
        assert http.get("/repos/octo/shop").status_code == 401
        assert http.post("/graphql", json={"query": "{ viewer { login } }"}).status_code == 401
    with client(shop.github) as http:
        assert http.get("/repos/octo/shop").status_code == 401
    assert _kinds(shop.github) == ["credentials"] * 4


def test_a_narrowed_token_does_only_what_it_was_made_for(shop: Shop) -> None:
    token = mint(shop, permissions={"contents": "read"}, repository_ids=[shop.repository.id])
    sha = shop.pull.head_sha
    with client(shop.github, token) as http:
        assert http.get(f"/repos/octo/shop/git/trees/{sha}").status_code == 200
        refused = http.get("/repos/octo/shop/pulls/1")
        assert refused.status_code == 403
        assert refused.json()["message"] == "Resource not accessible by integration"
        run = {"name": "x", "head_sha": sha}
        assert http.post("/repos/octo/shop/check-runs", json=run).status_code == 403
        answer = http.graphql(
            '{ repository(owner: "octo", name: "shop")'
            ' { name object(expression: "main") { oid } pullRequest(number: 1) { title } } }'
        )
    repository = answer["data"]["repository"]
    assert (repository["name"], repository["pullRequest"]) == ("shop", None)
    assert repository["object"]["oid"] == shop.pull.base_sha
    assert [(each["type"], each["path"]) for each in answer["errors"]] == [
        ("FORBIDDEN", ["repository", "pullRequest"])
    ]
    assert _kinds(shop.github) == ["permission"] * 3


def test_a_token_cannot_have_more_than_was_granted(shop: Shop) -> None:
    path = f"/app/installations/{shop.installation.id}/access_tokens"
    with client(shop.github, app_token(shop.app)) as http:
        answer = http.post(path, json={"permissions": {"administration": "write"}})
        assert answer.status_code == 422
        assert http.post(path, json={"repository_ids": [1]}).status_code == 422
        assert http.post("/app/installations/1/access_tokens").status_code == 404
    assert _kinds(shop.github) == ["permission"]


def test_repositories_beyond_the_installation(shop: Shop) -> None:
    shop.github.create_repository("octo/hidden", files={"a": "1"}, private=True)
    shop.github.create_repository("octo/open", files={"a": "1"})
    with client(shop.github, mint(shop)) as http:
        assert http.get("/repos/octo/hidden").status_code == 404
        assert http.get("/repos/octo/open").status_code == 200
        sha = http.get("/repos/octo/open/git/ref/heads/main").json()["object"]["sha"]
        run = {"name": "x", "head_sha": sha}
        assert http.post("/repos/octo/open/check-runs", json=run).status_code == 403


def test_suspending_and_removing_end_the_tokens(shop: Shop) -> None:
    with client(shop.github, mint(shop)) as http:
        shop.app.suspend(shop.installation)
        assert http.get("/repos/octo/shop").status_code == 403
        shop.app.unsuspend(shop.installation)
        assert http.get("/repos/octo/shop").status_code == 200
        shop.app.uninstall(shop.installation)
        assert http.get("/repos/octo/shop").status_code == 401
