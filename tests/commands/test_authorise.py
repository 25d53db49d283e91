"""Who may run what: role by verb by kind of account."""

from dataclasses import replace

import pytest

from bot.commands.authorise import (
    authors_of,
    may_command,
    needs_permission,
    read_permission,
)
from bot.commands.context import Authors
from bot.commands.registry import HANDLERS
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import Actor
from tests.making import ALICE, ROBOT, commit, snapshot

ROLES = ["pull", "triage", "push", "maintain", "admin"]
WRITING = [verb for verb, handler in HANDLERS.items() if handler.usage.for_maintainers]
SETTINGS = RepositorySettings(agents=("our-writer",))


def permission(role: str) -> frozenset[str]:
    return frozenset(ROLES[: ROLES.index(role) + 1])


def test_the_verbs_that_write_are_for_maintainers() -> None:
    assert set(HANDLERS) - set(WRITING) == {"recheck", "why", "show", "list", "edit", "help"}
    assert needs_permission(["why", "reject"])
    assert not needs_permission(["why", "help", "recheck"])


@pytest.mark.parametrize("verb", HANDLERS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("sender", "via_app"),
    [
        (ALICE, False),
        (ALICE, True),
        (ROBOT, False),
        (Actor(id=3, login="Our-Writer"), False),
        (Actor(id=None, login="ghost"), False),
        (None, False),
    ],
)
def test_the_matrix(verb: str, role: str, sender: Actor | None, via_app: bool) -> None:
    refused = may_command(
        verb, sender=sender, permission=permission(role), settings=SETTINGS, via_app=via_app
    )
    is_maintainer = role in {"maintain", "admin"} and sender is ALICE and not via_app
    assert (refused is None) == (verb not in WRITING or is_maintainer)


@pytest.mark.parametrize("verb", WRITING)
def test_an_unknown_permission_is_a_no(verb: str) -> None:
    refused = may_command(verb, sender=ALICE, permission=None, settings=SETTINGS)
    assert refused is not None
    assert "GitHub did not say" in refused.text


def test_what_counts_are_the_booleans_not_the_name_of_the_role() -> None:
    """A custom role may have any name, also that of a stronger one."""
    booleans = {"pull": True, "triage": True, "push": True, "maintain": False, "admin": False}
    answer = {"permission": "write", "role_name": "admin", "user": {"permissions": booleans}}
    read = read_permission(answer)
    assert read == frozenset({"pull", "triage", "push"})
    assert may_command("approve", sender=ALICE, permission=read, settings=SETTINGS)
    answer = {"role_name": "Release crew", "user": {"permissions": {**booleans, "maintain": True}}}
    read = read_permission(answer)
    assert may_command("approve", sender=ALICE, permission=read, settings=SETTINGS) is None


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
