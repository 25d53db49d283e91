"""What a scan found, and the rules, as text and as values."""

from dataclasses import replace
from datetime import date

from bot.core.report import SecretHit, Section, Unread, Weight
from bot.core.secrets.rules import default_rules
from bot.render.secret_hits import document, findings, rules_document, rules_text, text
from tests.making import github_token

HIT = SecretHit(
    rule="github-token",
    description="GitHub token",
    level="high",
    path="src/a.py",
    line=3,
    column=9,
    length=40,
    fingerprint="0123456789abcdef",
    commit="c" * 40,
    at_head=False,
    why="its checksum is right",
)
UNREAD = Unread(section=Section.SECRETS, what="big.bin", why="it is too large")


def test_the_text_of_a_finding_in_a_commit() -> None:
    assert text([HIT], [UNREAD], scanned="2 commits") == (
        "big.bin: not fully scanned: it is too large\n"
        "src/a.py:3:9 in cccccccccccc: GitHub token (high: its checksum is right).\n"
        "  Revoke or change it where it was issued, then take it out."
        " It stays in the history: it is leaked.\n"
        "  40 characters, rule github-token, fingerprint 0123456789abcdef."
        " No secret? Have the base's .gitleaksignore list it: "
        f"{'c' * 40}:src/a.py:github-token:3\n"
        "2 commits: 1 secret (1 high).\n"
    )


def test_a_mark_is_named_where_it_counts() -> None:
    """For what is certain in a change, whoever adds it may not vouch for it."""
    for hit in (replace(HIT, level="medium"), replace(HIT, commit=None)):
        assert "No secret? Put gitleaks:allow on its line, or in" in text([hit], [], scanned="")


def test_a_path_that_is_a_secret_itself_is_not_shown() -> None:
    hit = replace(HIT, path=f"src/{github_token()}.py")
    assert github_token() not in text([hit], [], scanned="1 file") + str(document([hit], []))


def test_levels_become_weights() -> None:
    low = replace(HIT, level="low")
    assert [one.weight for one in findings([HIT, low])] == [Weight.FAILURE, Weight.NOTICE]


def test_a_rule_that_was_not_compared_for_half_a_year_is_marked() -> None:
    rules = [rule for rule in default_rules() if rule.id in {"github-token", "vercel-token"}]
    young, old = date(2026, 12, 1), date(2027, 7, 1)
    assert "OLD" not in rules_text(rules, today=young)
    assert rules_text(rules, today=old).endswith(
        "2 rules. 1 not compared with the provider's facts for six months, "
        "1 with lengths from others only.\n"
    )
    assert [one["is_old"] for one in rules_document(rules, today=old)] == [True, False]
