"""A repository's settings, and its owner's for what they leave open."""

import pytest

from bot.github.installation import Answer, GraphQLProblem, RepositoryAccess
from bot.github.settings import is_partial
from bot.github.snapshot import load
from bot.sandbox.git import File
from bot.sandbox.state.repositories import Repository
from tests.github.conftest import Shop

PATH = ".github/memoryrail.yml"
OWNERS = "agents: [our-writer]\nsecrets: {block: low}\ncommands: {approve: {permission: admin}}\n"


def owners(shop: Shop, text: str | File = OWNERS, *, private: bool = False) -> Repository:
    """The owner's repository with a settings file; the app is not installed on it."""
    return shop.github.create_repository("octo/.github", files={PATH: text}, private=private)


@pytest.mark.parametrize("installed", [True, False], ids=["installed", "public"])
async def test_the_owners_settings_hold_where_the_repositorys_say_nothing(
    shop: Shop, access: RepositoryAccess, installed: bool
) -> None:
    repository = owners(shop, private=installed)
    if installed:
        shop.app.install(repository)
    own = "secrets: {block: high}\ncommands: {reject: {permission: push}}\n"
    shop.repository.commit("main", files={PATH: own})
    snapshot = (await load(access, shop.open({"a.py": "1\n"}).number)).snapshot
    settings = snapshot.settings
    assert (settings.agents, settings.secrets_block) == (("our-writer",), "high")
    rules = [settings.commands.rule(verb).permission for verb in ("approve", "reject", "pin")]
    assert rules == ["admin", "push", "maintain"]
    assert (snapshot.settings_problems, snapshot.owners_settings_problems) == ((), ())
    assert snapshot.unread == ()


async def test_what_the_app_cannot_read_says_nothing(shop: Shop, access: RepositoryAccess) -> None:
    owners(shop, private=True)
    snapshot = (await load(access, shop.open({"a.py": "1\n"}).number)).snapshot
    assert (snapshot.settings.agents, snapshot.unread) == ((), ())


async def test_each_reading_has_what_the_owner_says_then_and_costs_the_same(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"a.py": "1\n"})
    await load(access, pull.number)
    repository, counts = owners(shop), []
    for text, expected in ((None, "low"), ("secrets: {block: high}\n", "high"), ("", "medium")):
        if text is not None:
            repository.commit("main", files={PATH: text})
        before = len(shop.github.requests)
        snapshot = (await load(access, pull.number)).snapshot
        counts.append(len(shop.github.requests) - before)
        assert snapshot.settings.secrets_block == expected
    assert counts == [2, 2, 2]


async def test_what_was_the_owners_repository_is_it_no_more(
    shop: Shop, access: RepositoryAccess
) -> None:
    """Its old name leads to it, and it may be somebody else's by now."""
    owners(shop).transfer("mallory")
    snapshot = (await load(access, shop.open({"a.py": "1\n"}).number)).snapshot
    assert snapshot.settings.agents == ()


async def test_a_repository_that_changed_hands_has_its_new_owners_settings(
    shop: Shop, access: RepositoryAccess
) -> None:
    owners(shop)
    pull = shop.open({"a.py": "1\n"})
    shop.repository.transfer("acme")
    shop.app.install(shop.repository)
    snapshot = (await load(access, pull.number)).snapshot
    assert snapshot.settings.agents == ()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("agents: []\nprechek: {}\n", 2, "Did you mean `precheck`?"),
        (File(data=b"../README.md", mode="120000"), 1, "it is a symbolic link"),
        (File(data=b"\nagents: [\xff]\n"), 2, "not UTF-8"),
    ],
)
async def test_what_is_wrong_there_is_reported_with_its_place(
    shop: Shop, access: RepositoryAccess, text: str | File, line: int, said: str
) -> None:
    owners(shop, text)
    snapshot = (await load(access, shop.open({"a.py": "1\n"}).number)).snapshot
    (problem,) = snapshot.owners_settings_problems
    assert (problem.path, problem.line) == ("octo/.github:.github/memoryrail.yml", line)
    assert said in problem.message
    assert snapshot.settings_problems == ()


async def test_the_owners_own_repository_reports_its_file_once(
    shop: Shop, access: RepositoryAccess
) -> None:
    repository = owners(shop, "nonsense: 1\n")
    shop.app.install(repository)
    repository.branch("feature")
    repository.commit("feature", files={PATH: "agents: []\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    there = access.installation.repository("octo", ".github")
    snapshot = (await load(there, pull.number)).snapshot
    assert (len(snapshot.settings_problems), snapshot.owners_settings_problems) == (1, ())
    assert snapshot.proposed_settings_problems == ()


@pytest.mark.parametrize(
    ("type_", "path", "expected"),
    [
        ("NOT_FOUND", ("repository", "owner", "repository"), False),
        ("FORBIDDEN", ("repository", "owner", "repository"), False),
        ("SERVICE_UNAVAILABLE", ("repository", "owner", "repository"), True),
        ("FORBIDDEN", ("repository", "defaultBranchRef"), True),
    ],
)
def test_only_a_refusal_of_the_owners_repository_leaves_an_answer_whole(
    type_: str, path: tuple[str, ...], expected: bool
) -> None:
    answer = Answer(data={}, problems=(GraphQLProblem(type=type_, path=path),))
    assert is_partial(answer) is expected
