"""Upkeep of a memory root in one of three modes (spec/jumpybrain.md, "Processing")."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.ids import Stamped, ensure_ids
from bot.formats.jumpybrain.layout import bucket_of
from bot.formats.jumpybrain.lint import Finding, findings, report
from bot.formats.jumpybrain.pages import MAX_SOURCES, Page, synthesize
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.root import require_writable, root_of
from bot.formats.jumpybrain.times import instant

MODES: Final = ("lint", "synthesize", "ensure-ids")

_AGO: Final = re.compile(r"([0-9]{1,4})([dw])", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Processed:
    """What a run came to, by its mode."""

    files: Mapping[str, bytes] = field(repr=False)  # to be written, by path from the memory root
    findings: tuple[Finding, ...] = ()  # of lint; files has their report
    page: Page | None = None  # of synthesize
    stamped: Stamped | None = None  # of ensure-ids


def process(
    files: Mapping[str, bytes],
    *,
    mode: str,
    apply: bool,
    topic: str = "",
    since: str = "",
    limit: int = MAX_SOURCES,
    now: datetime,
    new_id: Callable[[], str],
) -> Processed:
    """Plan a run over a memory root's files, by their paths from it.

    since: a date, a moment, or so many days or weeks back as in 14d or 2w; "" for ever. Raises
    Refused: `bad-mode`, `apply-required` (every mode writes), `bad-since`, what keeps a root from
    being written, and what synthesize raises.
    """
    if mode not in MODES:
        raise Refused("bad-mode", f"The mode is one of {', '.join(MODES)}.")
    if not apply:
        raise Refused("apply-required", f"{mode} writes files. Say --apply to have it done.")
    require_writable(root_of(files))
    if mode == "ensure-ids":
        stamped = ensure_ids(files, now=now, new_id=new_id)
        return Processed(files=stamped.files, stamped=stamped)
    documents = [read_document(path, files[path]) for path in sorted(files) if bucket_of(path)]
    if mode == "synthesize":
        page = synthesize(
            documents,
            topic=topic,
            now=now,
            new_id=new_id(),
            since=_moment(since, now) if since else None,
            limit=limit,
        )
        return Processed(files={page.place: page.data}, page=page)
    found = findings(documents, topic)
    place, data = report(found, now=now, topic=topic)
    return Processed(files={place: data}, findings=found)


def _moment(since: str, now: datetime) -> datetime:
    if ago := _AGO.fullmatch(since):
        return now - timedelta(days=int(ago[1]) * (7 if ago[2] == "w" else 1))
    if (moment := instant(since)) is None:
        raise Refused("bad-since", "--since is a date, or so many days or weeks: 14d, 2w.")
    return moment
