"""Who may run what: role by verb by who the sender is, and what settings make of it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest

from bot.commands.authorise import (
    Asking,
    authors_of,
    may_command,
    needs_permission,
    read_permission,
    remembers_active,
    team_to_ask,
)
from bot.commands.context import Authors
from bot.commands.registry import HANDLERS
from bot.core.command_settings import Membership
from bot.core.repository_settings import RepositorySettings, parse
from bot.core.snapshot import Actor
from bot.core.verbs import VERBS
from tests.commands.matrix import ROLES, is_allowed, permission, table, written
from tests.making import ALICE, ROBOT, commit, snapshot

SETTINGS = RepositorySettings(agents=("our-writer",))
OUR_WRITER = Actor(id=3, login="Our-Writer")
SENDERS = {
    "person": Asking(sender=ALICE),
    "bot": Asking(sender=ROBOT),
    "app in a person's name": Asking(sender=ALICE, via_app=True),
    "agent": Asking(sender=OUR_WRITER),
    "ghost": Asking(sender=Actor(id=None, login="ghost")),
    "nobody": Asking(sender=None),
}
PULL = snapshot(author=ROBOT).pull


def settings_of(commands: str) -> RepositorySettings:
    settings, problems = parse(f"agents: [our-writer]\ncommands: {commands}".encode())
    assert problems == ()
    return settings


def alice(role: str, **teams: Membership) -> Asking:
    return Asking(sender=ALICE, permission=permission(role), teams=teams)


def refusal(verb: str, asking: Asking, settings: RepositorySettings = SETTINGS) -> str | None:
    refused = may_command(verb, asking, pull=PULL, settings=settings)
    return refused.text if refused else None


def test_every_command_has_its_default() -> None:
    assert set(HANDLERS) <= set(VERBS)


def test_the_table_of_the_document_is_up_to_date() -> None:
    """`python -m tests.commands.matrix` writes it anew."""
    assert written() == table()


@pytest.mark.parametrize("verb", VERBS)
def test_the_matrix(verb: str) -> None:
    """Role by sender by what is theirs. Custom roles are the same booleans; see below."""
    ranks = {"anyone": 0, "triage": 2, "push": 3, "maintain": 4, "admin": 5}
    for role, who, opened, wrote in product(ROLES, SENDERS, (False, True), (False, True)):
        asking = replace(SENDERS[who], permission=permission(role))
        is_enough = who == "person" and ROLES.index(role) >= ranks[VERBS[verb]]
        is_own = verb == "approve" and (opened or wrote)
        expected = VERBS[verb] == "anyone" or (is_enough and not is_own)
        found = is_allowed(verb, asking, opened=opened, wrote=wrote, settings=SETTINGS)
        assert found == expected, (role, who, opened, wrote)


@pytest.mark.parametrize("verb", VERBS)
def test_a_fork_changes_nothing(verb: str) -> None:
    """What its owner may do there counts for nothing: GitHub is asked about the repository."""
    for role in ROLES:
        said = {
            may_command(verb, alice(role), pull=replace(PULL, is_fork=fork), settings=SETTINGS)
            for fork in (False, True)
        }
        assert len(said) == 1


@pytest.mark.parametrize("verb", [verb for verb, least in VERBS.items() if least != "anyone"])
def test_an_unknown_permission_is_a_no(verb: str) -> None:
    text = refusal(verb, Asking(sender=ALICE), settings_of("{default: {users: [alice]}}"))
    assert text is not None
    assert "GitHub did not say" in text


def test_github_is_asked_only_where_it_matters() -> None:
    person = SENDERS["person"]
    assert needs_permission(["why", "reject"], person, SETTINGS)
    assert not needs_permission(["why", "help", "recheck"], person, SETTINGS)
    assert needs_permission(["why"], person, settings_of("{why: {permission: triage}}"))
    for who in SENDERS.keys() - {"person"}:
        assert not needs_permission(["approve"], SENDERS[who], SETTINGS)


def test_what_counts_are_the_booleans_not_the_name_of_the_role() -> None:
    """A custom role may have any name, also that of a stronger one."""
    booleans = {"pull": True, "triage": True, "push": True, "maintain": False, "admin": False}
    answer = {"permission": "write", "role_name": "admin", "user": {"permissions": booleans}}
    read = read_permission(answer)
    assert read == frozenset({"pull", "triage", "push"})
    assert refusal("approve", Asking(sender=ALICE, permission=read))
    answer = {"role_name": "Release crew", "user": {"permissions": {**booleans, "maintain": True}}}
    read = read_permission(answer)
    assert refusal("approve", Asking(sender=ALICE, permission=read)) is None


MEMBER, OUTSIDER = Membership.MEMBER, Membership.OUTSIDER
CREW = "{approve: {permission: admin, users: [Alice], teams: [crew]}}"
TEAM = "{approve: {teams: [crew]}}"


@pytest.mark.parametrize(
    ("commands", "verb", "role", "teams", "allowed"),
    [
        ("{approve: {permission: admin}}", "approve", "maintain", {}, False),
        ("{approve: {permission: admin}}", "reject", "maintain", {}, True),
        ("{approve: {permission: triage}}", "approve", "read", {}, False),
        ("{approve: {permission: triage}}", "approve", "triage", {}, True),
        ("{default: {permission: admin}}", "sync", "maintain", {}, False),
        ("{default: {permission: admin}}", "why", "none", {}, True),
        ("{why: {permission: push}}", "why", "triage", {}, False),
        (CREW, "approve", "read", {}, True),
        (CREW, "approve", "none", {}, False),  # who cannot even read is nobody's colleague
        (CREW, "approve", "none", {"crew": MEMBER}, False),
        (CREW, "reject", "read", {}, False),
        (TEAM, "approve", "read", {"crew": MEMBER}, True),
        (TEAM, "approve", "read", {"crew": OUTSIDER}, False),
        (TEAM, "approve", "read", {"other": MEMBER}, False),
        (TEAM, "approve", "maintain", {"crew": OUTSIDER}, True),  # a list takes from nobody
        ("{default: {teams: [crew]}}", "undo", "read", {"crew": MEMBER}, True),
        ("{default: {users: [alice]}, pin: {users: [kim]}}", "pin", "read", {}, False),
    ],
)
def test_settings_decide(
    commands: str, verb: str, role: str, teams: Mapping[str, Membership], allowed: bool
) -> None:
    assert is_allowed(verb, alice(role, **teams), settings=settings_of(commands)) is allowed


@pytest.mark.parametrize("who", sorted(SENDERS.keys() - {"person"}))
def test_a_list_lets_no_agent_in(who: str) -> None:
    settings = settings_of("{default: {users: [alice, our-writer, robot, ghost], teams: [crew]}}")
    asking = replace(SENDERS[who], permission=permission("admin"), teams={"crew": MEMBER})
    assert refusal("approve", asking, settings) is not None
    assert team_to_ask(["approve"], replace(asking, teams={}), settings) is None


def test_who_opened_or_wrote_approves_only_where_settings_let_them() -> None:
    admin = alice("admin")
    for own_pull, own_memory, opened, wrote in product((False, True), repeat=4):
        settings = settings_of(
            f"{{approve: {{own-pull-request: {str(own_pull).lower()}, "
            f"own-memory: {str(own_memory).lower()}}}}}"
        )
        expected = (own_pull or not opened) and (own_memory or not wrote)
        found = is_allowed("approve", admin, opened=opened, wrote=wrote, settings=settings)
        assert found is expected
    mine = snapshot(author=ALICE).pull
    refused = may_command("approve", admin, pull=mine, settings=SETTINGS)
    assert refused is not None
    assert "`commands.approve.own-pull-request`" in refused.text


def test_a_team_is_asked_for_only_while_it_may_decide() -> None:
    settings = settings_of("{approve: {teams: [a, b]}, pin: {teams: [b, c], users: [alice]}}")
    everything = list(VERBS)
    assert team_to_ask(everything, alice("maintain"), settings) is None
    assert team_to_ask(everything, alice("none"), settings) is None
    assert team_to_ask(everything, Asking(sender=ALICE), settings) is None
    assert team_to_ask(["why", "reject", "pin"], alice("read"), settings) is None
    assert team_to_ask(everything, alice("read"), settings) == "a"
    assert team_to_ask(everything, alice("read", a=OUTSIDER), settings) == "b"
    assert team_to_ask(everything, alice("read", a=MEMBER), settings) is None
    assert team_to_ask(everything, alice("read", a=OUTSIDER, b=OUTSIDER), settings) is None


@pytest.mark.parametrize(
    ("membership", "said"),
    [
        (OUTSIDER, "has read. Nothing was changed."),
        (Membership.NOT_PERMITTED, "in `octo/crew` is not known: the app may not read members"),
        (Membership.UNKNOWN, "in `octo/crew` is not known: GitHub did not say"),
        (Membership.ELSEWHERE, "`octo/crew` is not a team of the repository's owner"),
    ],
)
def test_a_refusal_says_what_would_be_enough_and_what_is_not_known(
    membership: Membership, said: str
) -> None:
    settings = settings_of("{approve: {teams: [octo/crew]}}")
    asking = Asking(sender=ALICE, permission=permission("read"), teams={"octo/crew": membership})
    text = refusal("approve", asking, settings)
    assert text is not None
    assert text.startswith(
        "Only people with the maintain or admin permission and those whom settings name can "
        "approve here; `@alice` has read. Nothing was changed."
    )
    assert said in text


def test_a_memory_is_remembered_as_active_where_settings_say_so_and_its_writer_may_approve() -> (
    None
):
    active = settings_of("{remember: {active: true}, approve: {teams: [crew]}}")
    assert remembers_active(alice("maintain"), pull=PULL, settings=active)
    assert not remembers_active(alice("maintain"), pull=PULL, settings=SETTINGS)
    assert not remembers_active(alice("write"), pull=PULL, settings=active)
    agent = replace(alice("admin"), sender=OUR_WRITER)
    assert not remembers_active(agent, pull=PULL, settings=active)
    assert team_to_ask(["remember"], alice("write"), active) == "crew"
    assert remembers_active(alice("write", crew=MEMBER), pull=PULL, settings=active)
    assert not remembers_active(Asking(sender=ALICE), pull=PULL, settings=active)
    own = replace(PULL, author=ALICE)
    assert not remembers_active(alice("maintain"), pull=own, settings=active)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"user": None, "permission": "admin"},
        {"user": {}},
        {"user": {"permissions": 1}},
    ],
)
def test_an_answer_that_does_not_tell_is_none(answer: object) -> None:
    assert read_permission(answer) is None


def test_only_true_is_true() -> None:
    answer = {"user": {"permissions": {"admin": "false", "maintain": 1, "pull": True}}}
    assert read_permission(answer) == frozenset({"pull"})


def people(authors: Authors, path: str) -> set[int]:
    return set(authors.of(path))


def test_authors_are_people_and_agents_are_not() -> None:
    trailer = "Add it\n\nCo-authored-by: Claude <noreply@anthropic.com>"
    commits = [
        commit(paths=("a.md", "b.md")),
        commit(paths=("a.md",), author=Actor(id=9, login="kim")),
        commit(paths=("c.md",), message=trailer),
        commit(paths=("d.md",), author=ROBOT),
        commit(paths=("e.md",), author=None, message=trailer),
    ]
    authors = authors_of(commits, snapshot().pull, SETTINGS)
    assert {path: people(authors, path) for path in ("a.md", "b.md", "c.md", "d.md", "e.md")} == {
        "a.md": {1, 9},
        "b.md": {1},
        "c.md": set(),
        "d.md": set(),
        "e.md": set(),
    }
    assert authors.of("a.md")[9] == f"commit {commits[1].sha[:7]} names you as its author"


def test_an_agents_pull_request_does_not_hide_who_wrote_a_commit() -> None:
    opened = replace(snapshot().pull, author=ROBOT)
    authors = authors_of([commit(paths=("a.md",))], opened, SETTINGS)
    assert people(authors, "a.md") == {1}


@pytest.mark.parametrize(
    ("opener", "committer", "expected"),
    [
        (ALICE, None, {1}),
        (ROBOT, None, set()),
        (None, None, set()),
        (ROBOT, Actor(id=9, login="kim"), {9}),
        (ALICE, Actor(id=9, login="kim"), {1, 9}),
        (ROBOT, Actor(id=3, login="Our-Writer"), set()),
    ],
)
def test_what_nobody_is_known_to_have_written_may_be_the_openers_or_the_committers(
    opener: Actor | None, committer: Actor | None, expected: set[int]
) -> None:
    pull = replace(snapshot().pull, author=opener)
    unlinked = replace(commit(paths=("a.md",), author=None), committer=committer)
    authors = authors_of([unlinked], pull, SETTINGS)
    assert people(authors, "a.md") == expected
    assert people(authors, "b.md") == set()


def test_authorship_follows_a_rename_whoever_renames() -> None:
    commits = [
        commit(paths=("tmp.md",)),
        commit(paths=("tmp.md", "mid.md"), renames=(("tmp.md", "mid.md"),), author=ROBOT),
        commit(
            paths=("a.md", "mid.md"),
            renames=(("mid.md", "a.md"),),
            author=Actor(id=9, login="kim"),
        ),
    ]
    assert people(authors_of(commits, snapshot().pull, SETTINGS), "a.md") == {1, 9}


def test_who_changed_what_cannot_be_read_may_have_written_anything() -> None:
    commits = [commit(paths_known=False), commit(paths_known=False, author=ROBOT)]
    authors = authors_of(commits, snapshot().pull, SETTINGS)
    assert people(authors, "a.md") == {1}
