"""`ignore`: what was found and is no secret, by its fingerprint and with a reason."""

from dataclasses import replace

from bot.commands.context import Context
from bot.commands.outcome import Ignored, Refused, Shown
from bot.core.report import SecretHit
from tests.commands.making import context, report, said, texts

HIT = SecretHit(
    rule="generic-password",
    description="Password",
    level="medium",
    path="src/a.py",
    line=3,
    fingerprint="0123456789abcdef",
    commit=None,
    at_head=True,
)


def found() -> Context:
    return context(report=replace(report(), secrets=(HIT,)))


def test_a_finding_is_ignored_with_a_reason() -> None:
    batch = said("/memoryrail ignore `0123456789ABCDEF` : an example", found())
    assert batch.outcomes[0][1] == Ignored(fingerprints=("0123456789abcdef",))
    assert (batch.plan, texts(batch)) == (None, [""])


def test_without_a_reason_or_a_fingerprint_nothing_is() -> None:
    (text,) = texts(said("/memoryrail ignore 0123456789abcdef", found()))
    assert "gives no reason. Write `/memoryrail ignore FINGERPRINT… : reason`" in text
    assert "names no fingerprint" in texts(said("/memoryrail ignore : because", found()))[0]


def test_only_what_this_pull_request_has_is_ignored() -> None:
    batch = said("/memoryrail ignore 0123456789abcdef fedcba9876543210 : no", found())
    assert isinstance(batch.outcomes[0][1], Refused)
    assert "No finding of this pull request has the fingerprint `fedc" in texts(batch)[0]


def test_a_dry_run_ignores_nothing() -> None:
    batch = said("/memoryrail ignore --dry-run 0123456789abcdef : no", found())
    assert isinstance(batch.outcomes[0][1], Shown)


def test_what_was_undone_since_is_not_ignored_again() -> None:
    late = replace(found(), undone_since=frozenset({("ignore", HIT.fingerprint)}))
    batch = said("/memoryrail ignore 0123456789abcdef : an example", late)
    assert isinstance(batch.outcomes[0][1], Refused)
    assert "somebody undid the ignoring of `0123456789abcdef`." in texts(batch)[0]
