"""One memory, finding or change as Markdown, for the comment."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.core.model import Memory, Status
from bot.core.report import (
    ChangeKind,
    Finding,
    Match,
    MemoryChange,
    Report,
    SecretHit,
    StaleKind,
    StaleMemory,
)
from bot.render.markdown import cell, code, excerpt, line, url_path
from bot.render.reasons import why


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the pull request is, for links; url is the repository's page, "" for none."""

    url: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What records are shown against. known: refs shown for the last head; None for the first."""

    report: Report
    place: Place
    known: frozenset[str] | None


def full(match: Match, scene: Scene) -> str:
    """A memory that binds, or an attempt that failed: all that is needed to act on it."""
    memory = match.memory
    tags = " · ".join(_tags(match, scene))
    rows = [f"**{memory.ref}** · {tags}{' · ' if tags else ''}{line(memory.title, 300)}"]
    rows.append(f"why: {why(match)}")
    if text := excerpt(memory.body):
        rows += ["", text]
    links = [_read_it(memory, scene), f"cite as `[per {memory.ref}]`"]
    rows += ["", " · ".join([*_since(memory), *_store(memory, scene), *filter(None, links)])]
    return "\n".join(f"> {row}".rstrip() for row in rows)


def short(match: Match, scene: Scene) -> str:
    """A memory that is worth knowing, on one line."""
    memory = match.memory
    tail = filter(None, [*_tags(match, scene), *_store(memory, scene), _read_it(memory, scene)])
    said = [f"**{memory.ref}**", line(memory.title, 300), f"why: {why(match)}", *tail]
    return f"- {' · '.join(said)}"


def secret(hit: SecretHit) -> str:
    """Where a secret stands, and what kind; never its value."""
    commit = f", added by {hit.commit[:7]}" if hit.commit else ""
    gone = "" if hit.at_head else ", and it stays in the history"
    return (
        f"- {line(hit.description)} in {code(f'{hit.path}:{hit.line}')}{commit}{gone} "
        f"(rule {code(hit.rule)}, fingerprint `{hit.fingerprint}`)"
    )


def fault(finding: Finding) -> str:
    """A finding with its place."""
    where = f"{code(f'{finding.path}:{finding.line}')}: " if finding.path else ""
    return f"- {where}{line(finding.message, 600)}"


def proposal(change: MemoryChange, memory: Memory, scene: Scene) -> str:
    """A proposed memory as the row of a table: ref, proposal, from, diff."""
    replaces = f" (replaces {_ref(change.supersedes, memory.supersedes)})"
    author = "agent" if change.by_agent else "person"  # one word, for a narrow column
    title = line(memory.title) + (replaces if memory.supersedes else "")
    cells = [memory.ref, title, author, _diff(change.path, scene)]
    return f"| {' | '.join(map(cell, cells))} |"


def change(one: MemoryChange, scene: Scene) -> str:
    """What happens to a memory, proposals aside."""
    memory = one.memory
    if memory is None:
        what = f"{one.kind} {code(one.path)}"
    else:
        what = f"{_done(one)} {memory.called} **{memory.ref}** · {line(memory.title)}"
        if memory.status is Status.SUPERSEDED and memory.superseded_by:
            what += f", superseded by {_ref(one.superseded_by, memory.superseded_by)}"
    link = _diff(one.path, scene)
    return f"- {what}{f' · {link}' if link else ''}"


def stale(one: StaleMemory) -> str:
    """A memory that may no longer be true."""
    memory = f"**{one.memory.ref}** · {line(one.memory.title)}"
    if one.kind is StaleKind.FILES_CHANGED:
        return f"- {memory}: {code(one.link)} changes here. Is it still true?"
    new = f"renamed to {code(one.renamed_to)}" if one.renamed_to else "removed"
    mend = "Mend its text." if one.memory.kind else "Mend its `links`."  # it has none of its own
    if one.memory.seal:
        mend = "Append an entry that says so."
    return f"- {memory}: {code(one.link)} is {new} here. {mend}"


def _ref(memory: Memory | None, id_: str | None) -> str:
    """A memory as people cite it; by the id where it is not to be found."""
    return memory.ref if memory else code(id_ or "")


def _done(one: MemoryChange) -> str:
    before, after = one.before, one.after
    if one.kind is ChangeKind.CHANGED and before and after and before.status is not after.status:
        return f"made {after.status}:"
    return one.kind


def _tags(match: Match, scene: Scene) -> Iterator[str]:
    if match.pinned:
        yield "pinned"
    if scene.known is not None and match.memory.ref not in scene.known:
        yield "new"


def _since(memory: Memory) -> Iterable[str]:
    day = memory.created[:10]
    return [f"since {day}"] if len(day) == 10 and day.replace("-", "").isdecimal() else []


def _store(memory: Memory, scene: Scene) -> Iterable[str]:
    """From which directory a memory comes, where those that apply come from several."""
    folders = {_folder(match.memory.path) for match in scene.report.matches}
    return [f"from {code(_folder(memory.path))}"] if len(folders) > 1 else []


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _read_it(memory: Memory, scene: Scene) -> str:
    """A link to the file; to the line, where it holds several memories."""
    place = scene.place
    path = url_path(memory.path)
    line_ = f"?plain=1#L{memory.lines.get('id', 1)}" if memory.seal else ""
    return f"[read it]({place.url}/blob/{scene.report.base_sha}/{path}{line_})" if place.url else ""


def _diff(path: str, scene: Scene) -> str:
    """A link to the file's place in the pull request's changes, as GitHub builds its anchors."""
    place = scene.place
    anchor = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[diff]({place.url}/pull/{place.number}/files#diff-{anchor})" if place.url else ""
