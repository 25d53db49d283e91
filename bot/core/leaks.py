"""The secrets that a pull request brings: in every commit, in its words, in the memory files.

A secret that a later commit removes again is leaked all the same. Of a merge the lines count that
none of its parents has; the rest came from elsewhere. A mark that tells scanners to look away is
obeyed below the highest level only: whoever adds a secret can add the mark.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.report import Finding, SecretHit, Section, Unread, Weight
from bot.core.secrets import (
    Level,
    SecretFinding,
    Text,
    fingerprint,
    headline,
    parse_ignore_file,
    remedy,
    scan,
)
from bot.core.snapshot import AddedBlock, Snapshot

TITLE: Final = "(title)"  # stand in for a path where the pull request's own words leak
BODY: Final = "(description)"
MESSAGE: Final = "(message of commit)"  # the commit follows


def leaks(snapshot: Snapshot) -> tuple[tuple[SecretHit, ...], tuple[Unread, ...]]:
    """Every secret once, and what was not fully scanned. The surest come first, then by place.

    A hit names the first commit that adds the value, and the head's line where it still stands.
    """
    sources = tuple(_sources(snapshot))
    rules = snapshot.settings.secret_rules
    result = scan([source.text for source in sources], rules=rules, inline_marks=False)
    is_ignored = _ignoring(snapshot)
    hits: dict[tuple[str, str, str], SecretHit] = {}
    ignored: set[tuple[str, str, str]] = set()
    for finding in result.findings:
        source = sources[finding.text_index]
        value = source.text.text[finding.start : finding.end]
        key = (finding.rule, finding.path, fingerprint(value, snapshot.fingerprint_key))
        if is_ignored(finding, source.commit):
            ignored.add(key)
        known = hits.get(key)
        if known is None or (source.at_head and not known.at_head):
            hits[key] = SecretHit(
                rule=finding.rule,
                description=finding.description,
                level=finding.level.value,
                path=finding.path,
                line=finding.line,
                column=finding.column,
                length=finding.length,
                fingerprint=key[-1],
                commit=known.commit if known else source.commit,
                at_head=source.at_head,
                why=finding.why,
                revoke=finding.revoke,
                is_dismissed=key[-1] in snapshot.dismissed,
            )
    unread = tuple(
        Unread(section=Section.SECRETS, what=one.path, why=f"not fully scanned ({one.reason})")
        for one in result.incomplete
    )
    standing = (hit for key, hit in hits.items() if key not in ignored)
    return tuple(sorted(standing, key=_order)), unread


def leak_findings(hits: Sequence[SecretHit], snapshot: Snapshot) -> tuple[Finding, ...]:
    """One finding a hit; what stood in a memory file before is a notice only."""
    return tuple(_finding(hit, snapshot) for hit in hits)


def _ignoring(snapshot: Snapshot) -> Callable[[SecretFinding, str | None], bool]:
    """Tells of a finding whether the repository's own marks hide it.

    For the highest level only the base's list counts: whoever adds a secret can add a mark too.
    """
    own_ids = [rule.id for rule in snapshot.settings.secret_rules.added]
    base, head = (
        parse_ignore_file(side.ignore_file.data if side.ignore_file else None, own_ids)
        for side in (snapshot.base, snapshot.head)
    )

    def is_ignored(finding: SecretFinding, commit: str | None) -> bool:
        lists = (base,) if finding.level is Level.HIGH else (base, head)
        return (finding.marked and finding.level is not Level.HIGH) or any(
            one.covers(rule=finding.rule, path=finding.path, line=finding.line, commit=commit)
            for one in lists
        )

    return is_ignored


@dataclass(frozen=True, slots=True)
class _Source:
    text: Text
    commit: str | None = None
    at_head: bool = False


def _sources(snapshot: Snapshot) -> Iterator[_Source]:
    """All that is scanned: commits from the oldest, the net difference, words, memory files."""
    for commit in snapshot.commits:
        for block in commit.added:
            yield _Source(_text(block), commit=commit.sha)
        message = Text(path=f"{MESSAGE} {commit.sha[:7]}", text=commit.message)
        yield _Source(message, commit=commit.sha)
    for file in snapshot.files:
        for block in file.added:
            yield _Source(_text(block), at_head=True)
    yield _Source(Text(path=TITLE, text=snapshot.pull.title), at_head=True)
    yield _Source(Text(path=BODY, text=snapshot.pull.body), at_head=True)
    for store in snapshot.head.stores:
        for path, stored in sorted(store.files.items()):
            text = (stored.data or b"").decode("utf-8", "replace")
            yield _Source(Text(path=path, text=text), at_head=True)


def _text(block: AddedBlock) -> Text:
    return Text(path=block.path, text=block.text, first_line=block.start)


def _finding(hit: SecretHit, snapshot: Snapshot) -> Finding:
    is_file = hit.path not in {TITLE, BODY} and not hit.path.startswith(MESSAGE)
    said = [f"{headline(hit.description, hit.level, hit.why)}. {remedy(hit.revoke)}"]
    if not is_file:
        said.append(f"It stands in the {hit.path.replace('(', '').replace(')', '')}.")
    elif hit.commit:
        said.append(f"Commit {hit.commit[:7]} adds it.")
    if is_file and not hit.at_head:
        said.append("A later commit removes it, but it stays in the history: it is leaked.")
    if hit.is_dismissed:
        said.append(f"A maintainer says that it is none. Fingerprint {hit.fingerprint}.")
    elif snapshot.pull.number:
        said.append(f"If it is none: `/memoryrail ignore {hit.fingerprint} : reason`.")
    else:
        said.append(f"Fingerprint {hit.fingerprint}.")
    blocks = Level(hit.level).weight >= Level(snapshot.settings.secrets_block).weight
    return Finding(
        section=Section.SECRETS,
        weight=_notice(hit, snapshot) or (Weight.FAILURE if blocks else Weight.WARNING),
        rule=hit.rule,
        message=" ".join(said),
        path=hit.path if is_file else None,
        line=hit.line,
    )


def _notice(hit: SecretHit, snapshot: Snapshot) -> Weight | None:
    """A notice is what a maintainer dismissed, and what stood in a memory file before."""
    if hit.is_dismissed:
        return Weight.NOTICE
    if hit.commit is not None:
        return None
    was, is_ = snapshot.base.memory_file(hit.path), snapshot.head.memory_file(hit.path)
    return Weight.NOTICE if was and is_ and was.oid == is_.oid else None


def _order(hit: SecretHit) -> tuple[int, str, int, str]:
    return -Level(hit.level).weight, hit.path, hit.line, hit.rule
