"""Repositories, people and GitHub itself."""

import pytest

from tests.sandbox.conftest import Client, Shop


def test_a_repository(shop: Shop, http: Client) -> None:
    shown = http.get("/repos/octo/shop").json()
    assert (shown["id"], shown["full_name"]) == (shop.repository.id, "octo/shop")
    assert (shown["default_branch"], shown["private"], shown["fork"]) == ("main", False, False)


@pytest.mark.parametrize(
    ("role", "permission", "pushes", "maintains"),
    [
        ("read", "read", False, False),
        ("triage", "read", False, False),
        ("write", "write", True, False),
        ("maintain", "write", True, True),
        ("admin", "admin", True, True),
    ],
)
def test_what_a_collaborator_may_do(
    shop: Shop, http: Client, role: str, permission: str, *, pushes: bool, maintains: bool
) -> None:
    shop.repository.grant("bob", role)
    shown = http.get("/repos/octo/shop/collaborators/bob/permission").json()
    assert (shown["permission"], shown["role_name"]) == (permission, role)
    flags = shown["user"]["permissions"]
    assert (flags["pull"], flags["push"], flags["maintain"]) == (True, pushes, maintains)


def test_custom_roles_strangers_and_unknown_people(shop: Shop, http: Client) -> None:
    shop.repository.grant("bob", "write", role_name="Release crew")
    shop.github.user("eve")
    people = "/repos/octo/shop/collaborators"
    assert http.get(f"{people}/bob/permission").json()["role_name"] == "Release crew"
    assert http.get(f"{people}/eve/permission").json()["permission"] == "read"
    assert http.get(f"{people}/nobody/permission").status_code == 404


def test_users_limits_and_addresses(shop: Shop, http: Client) -> None:
    bot = http.get("/users/memoryrail%5Bbot%5D").json()
    assert (bot["id"], bot["type"]) == (shop.app.bot.id, "Bot")
    limits = http.get("/rate_limit").json()
    assert limits["resources"]["core"]["limit"] == 5_000
    assert ("rate" in limits) == (http.headers["x-github-api-version"] == "2022-11-28")
    assert http.get("/meta").json()["hooks"] == ["127.0.0.0/8"]


def test_branch_rules_tell_of_protection(shop: Shop, http: Client) -> None:
    path = "/repos/octo/shop/rules/branches/main"
    assert http.get(path).json() == []
    shop.repository.protected.add("main")
    assert [each["type"] for each in http.get(path).json()] == ["update"]
    assert http.get("/repos/octo/shop/branches/main").json()["protected"] is True
