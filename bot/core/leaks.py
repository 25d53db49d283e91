"""The secrets that a pull request brings: in every commit, its names and words, in memory files.

A secret that a later commit removes again is leaked all the same. Of a merge the lines count that
none of its parents has; the rest came from elsewhere. A mark that tells scanners to look away is
obeyed below the highest level only: whoever adds a secret can add the mark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from bot.core.contents import text_of
from bot.core.report import Finding, SecretHit, Section, Unread, Weight
from bot.core.secret_hits import Ignores, Source, hit_of, in_a_change
from bot.core.secret_names import BRANCH, file_name, is_name, new_paths, telling
from bot.core.secrets import (
    REDACTED,
    Level,
    SecretFinding,
    Text,
    headline,
    parse_ignore_file,
    remedy,
    scan,
)
from bot.core.snapshot import AddedBlock, Snapshot

TITLE: Final = "(title)"  # stand in for a path where the pull request's own words leak
BODY: Final = "(description)"
MESSAGE: Final = "(message of commit)"  # the commit follows
_MIN_MASKED: Final = 12  # characters of a value that is masked in paths; shorter ones may be words
_MAX_MASKED: Final = 500  # values
_MARKED_RULE: Final = "marked-secrets"
_MARKED_SHOWN: Final = 10  # places
_MAX_COMPARED: Final = 200_000_000  # characters of paths, for each value: some 0.1 s


def leaks(snapshot: Snapshot) -> tuple[tuple[SecretHit, ...], tuple[Unread, ...]]:
    """Every secret once, and what was not fully scanned. The surest come first, then by place.

    A hit names the first commit that adds the value, and the head's line where it still stands.
    One of medium level that marks hide is there if the pull request adds it, and says so.
    """
    sources = tuple(_sources(snapshot))
    rules = snapshot.settings.secret_rules
    result = scan([source.text for source in sources], rules=rules, inline_marks=False)
    is_ignored = _ignoring(snapshot)
    found: dict[tuple[str, ...], SecretHit] = {}
    ignored: set[tuple[str, ...]] = set()
    for finding in result.findings:
        source = sources[finding.text_index]
        hit = hit_of(finding, source, snapshot.fingerprint_key)
        key = (hit.rule, hit.path, hit.fingerprint, hit.level)
        if is_ignored(finding, source):
            ignored.add(key)
        known = found.get(key)
        if known is None or (source.at_head and not known.at_head):
            found[key] = replace(
                hit,
                commit=known.commit if known else source.commit,
                is_dismissed=hit.fingerprint in snapshot.dismissed,
            )
    shown = _Paths(sources, result.findings)
    unread = tuple(
        Unread(
            section=Section.SECRETS,
            what=shown.masked(one.path),
            why=f"not fully scanned ({one.reason})",
        )
        for one in result.incomplete
    )
    hits = (replace(shown.of(hit), is_marked=key in ignored) for key, hit in found.items())
    return tuple(sorted((hit for hit in hits if _is_told(hit, snapshot)), key=_order)), unread


def leak_findings(hits: Sequence[SecretHit], snapshot: Snapshot) -> tuple[Finding, ...]:
    """One finding a hit; what stood in a memory file before is a notice only.

    Of all that marks hide there is one notice together.
    """
    marked = [hit for hit in hits if hit.is_marked]
    told = [_finding(hit, snapshot) for hit in hits if not hit.is_marked]
    return (*told, _marked(marked)) if marked else tuple(told)


def _ignoring(snapshot: Snapshot) -> Ignores:
    """What the repository's own marks hide."""
    own_ids = [rule.id for rule in snapshot.settings.secret_rules.added]
    base, head = (
        parse_ignore_file(side.ignore_file.data if side.ignore_file else None, own_ids)
        for side in (snapshot.base, snapshot.head)
    )
    return in_a_change(base, head)


def _sources(snapshot: Snapshot) -> Iterator[Source]:
    """All that is scanned: names, commits from the oldest, the difference, words, memory files."""
    yield from telling(tuple(_names(snapshot)), snapshot.settings.secret_rules)
    for commit in snapshot.commits:
        for block in commit.added:
            yield Source(_text(block), commit=commit.sha)
        message = Text(path=f"{MESSAGE} {commit.sha[:7]}", text=commit.message)
        yield Source(message, commit=commit.sha)
    for file in snapshot.files:
        for block in file.added:
            yield Source(_text(block), at_head=True)
    yield Source(Text(path=TITLE, text=snapshot.pull.title), at_head=True)
    yield Source(Text(path=BODY, text=snapshot.pull.body), at_head=True)
    for store in snapshot.head.stores:
        for path, stored in sorted(store.files.items()):
            text = Text(path=path, text=text_of(stored.data or b""))
            was = snapshot.base.memory_file(path)
            before = text_of(was.data or b"") if was else ""
            yield Source(text, at_head=True, was=before)


def _names(snapshot: Snapshot) -> Iterator[Source]:
    for commit in snapshot.commits:
        for path in commit.new_paths:
            yield file_name(path, commit=commit.sha)
    for path in new_paths(snapshot.files):
        yield file_name(path, at_head=True)
    yield Source(Text(path=BRANCH, text=snapshot.pull.head_ref), at_head=True)


class _Paths:
    """Paths without the values that were found, which only their context may have told.

    Where so many values stand against so long paths that it would take long, a path is masked
    whole.
    """

    def __init__(self, sources: Sequence[Source], findings: Sequence[SecretFinding]) -> None:
        values = (
            sources[one.text_index].text.text[one.start : one.end]
            for one in findings
            if one.level is not Level.LOW and one.length >= _MIN_MASKED
        )
        self._values = tuple(islice(dict.fromkeys(values), _MAX_MASKED))
        self._left = _MAX_COMPARED
        self._known: dict[str, str] = {}

    def of(self, hit: SecretHit) -> SecretHit:
        path = self.masked(hit.path)
        return hit if path == hit.path else replace(hit, path=path)

    def masked(self, path: str) -> str:
        if path not in self._known:
            self._known[path] = self._masked(path)
        return self._known[path]

    def _masked(self, path: str) -> str:
        self._left -= len(path) * len(self._values)
        if self._left < 0:
            return REDACTED
        for value in self._values:
            if value in path:
                path = path.replace(value, REDACTED)
        return path


def _text(block: AddedBlock) -> Text:
    return Text(path=block.path, text=block.text, first_line=block.start)


def _finding(hit: SecretHit, snapshot: Snapshot) -> Finding:
    is_message = hit.path.startswith(MESSAGE)
    is_file = not (is_name(hit.path) or is_message or hit.path in {TITLE, BODY})
    said = [f"{headline(hit.description, hit.level, hit.why)}. {remedy(hit.revoke)}"]
    if not is_file:
        said.append(f"It stands in the {hit.path[1:].replace(')', '', 1)}.")
    if hit.commit and not is_message:
        said.append(f"Commit {hit.commit[:7]} adds it.")
    if not hit.at_head and not is_message:
        said.append("A later commit removes it, but it stays in the history: it is leaked.")
    if hit.is_dismissed:
        said.append("A maintainer says that it is none.")
        said.append(f"To take that back: `/memoryrail undo ignore {hit.fingerprint}`.")
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


def _marked(hits: Sequence[SecretHit]) -> Finding:
    """That marks were used, and where: so that a person looks at what no check speaks of."""
    places = [f"{hit.path}:{hit.line} ({hit.description})" for hit in hits[:_MARKED_SHOWN]]
    if more := len(hits) - len(places):
        places.append(f"and {more} more")
    message = (
        f"What may be secrets of this change, hidden by gitleaks:allow, a mark like it or "
        f".gitleaksignore ({len(hits)}): {', '.join(places)}. Look at them; revoke what is real."
    )
    return Finding(
        section=Section.SECRETS, weight=Weight.NOTICE, rule=_MARKED_RULE, message=message
    )


def _is_told(hit: SecretHit, snapshot: Snapshot) -> bool:
    """Whether anybody hears of it: of what marks hide, only of what is likely and new."""
    if not hit.is_marked:
        return True
    return hit.level == Level.MEDIUM and not hit.is_dismissed and not _stood(hit, snapshot)


def _notice(hit: SecretHit, snapshot: Snapshot) -> Weight | None:
    """A notice is what a maintainer dismissed, and what stood in a memory file before."""
    return Weight.NOTICE if hit.is_dismissed or _stood(hit, snapshot) else None


def _stood(hit: SecretHit, snapshot: Snapshot) -> bool:
    if hit.commit is not None:
        return False
    was, is_ = snapshot.base.memory_file(hit.path), snapshot.head.memory_file(hit.path)
    return bool(was and is_ and was.oid == is_.oid)


def _order(hit: SecretHit) -> tuple[int, str, int, str]:
    return -Level(hit.level).weight, hit.path, hit.line, hit.rule
