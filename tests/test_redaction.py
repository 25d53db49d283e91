"""Every credential of the vectors, spread over every entrance, and in no output.

The text of each stands in files, commit messages, title, description, memories, comments and what
they command; the value of each that shows what it is by itself stands in paths and names too.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import cycle

from bot.cli import check
from bot.core.model import MemoryStore, TreeFile
from bot.core.report import Section, Unread
from bot.core.repository_settings import parse
from bot.core.review import review
from bot.core.secrets import redacted
from bot.core.snapshot import Snapshot
from bot.formats import memoryrail
from bot.render.check_runs import check_runs
from bot.render.comment import Place, comment
from tests.core.secrets.vectors import cases
from tests.making import commit, file, snapshot
from tests.scenarios.conftest import memory

# A sign of a credential is none; and a word of less than eight characters may stand anywhere.
CASES = [
    case
    for case in cases()
    if case.expect
    and case.expect[0].rule != "gcp-service-account-file"
    and len(case.expect[0].secret) >= 8
]
SECRETS = {one.secret for case in CASES for one in case.expect}
BARE = sorted(
    secret
    for case in CASES
    if case.expect[0].level == "high" and not case.also_ok
    for secret in [case.secret]
    if secret not in redacted(f"bare/{secret}")
    and len(secret) < 200
    and not set(secret) & set("\n\t\"':~^?*[\\ ")
    and ".." not in secret
)


def leaked(*outputs: object) -> list[str]:
    """The cases whose value, or half of it, stands in an output."""
    shown = "\n".join(
        one if isinstance(one, str) else json.dumps(one, default=str) for one in outputs
    )
    return [case.id for case in CASES if any(part in shown for part in _parts(case.secret))]


def _parts(secret: str) -> list[str]:
    half = secret[len(secret) // 4 : len(secret) * 3 // 4]
    return [secret, half] if len(half) >= 10 else [secret]


def planted() -> Snapshot:
    """A pull request with all of them in all places that a review looks at."""
    notes = {
        path: text
        for number, case in enumerate(CASES[::4])
        for path, text in memory(
            f"202604{number % 28 + 1:02}-m{number}", "decision", _line(case.text), case.text
        ).items()
    }
    binding = {
        path: text
        for number, case in enumerate(CASES[2::4])
        for path, text in memory(
            f"202603{number % 28 + 1:02}-b{number}",
            "constraint",
            _line(case.text),
            case.text,
            more=f'pinned: true\ntags: ["{_line(case.text)}"]\n'
            f'links: ["bare/{BARE[number % len(BARE)]}"]\n',
        ).items()
    }
    texts = {f"{number}/{case.path}": case.text for number, case in enumerate(CASES)}
    halves = ["\n".join(case.text for case in CASES[start::2]) for start in (0, 1)]
    hostile = "".join(f"{json.dumps(secret)}: 1\n" for secret in BARE)
    _, problems = parse(f"secrets:\n  disable: {json.dumps(BARE)}\n{hostile}".encode())
    assert problems
    made = snapshot(
        base=[_store(binding)],
        head=[_store(binding | notes)],
        title=_line(CASES[0].text),
        body=halves[0],
        files=[
            *(file(path, added=text) for path, text in texts.items()),
            *(file(f"bare/{secret}", added=CASES[0].text) for secret in BARE[::3]),
            *(file(path, "added", added=text) for path, text in notes.items()),
        ],
        commits=[
            commit("1" * 40, message=halves[1], added=texts, new_paths=tuple(BARE[1::3])),
            commit("3" * 40, message=" ".join(f"[per {secret}]" for secret in BARE)),
        ],
        settings_problems=problems,
        unread=[
            Unread(section=section, what=secret, why=secret)
            for secret, section in zip(BARE[2::3], cycle(Section), strict=False)
        ],
    )
    return replace(made, pull=replace(made.pull, head_ref=BARE[0], base_ref=BARE[1]))


def _store(files: Mapping[str, str]) -> MemoryStore:
    tree = [TreeFile(path=path, oid="1" * 40, data=text.encode()) for path, text in files.items()]
    tree.append(TreeFile(path=".memoryrail/config.json", oid="2" * 40, data=b'{"version": 1}'))
    store = memoryrail.read("", tree)
    assert store is not None
    return store


def _line(text: str) -> str:
    """A text as a title, if it is short enough to be one as it is."""
    return " ".join(text.split()) if len(text) < 150 and not set(text) & set('"\\') else "A title"


def test_no_rendering_of_a_review_shows_a_value() -> None:
    report = review(planted())
    found = {hit.rule for hit in report.secrets}
    assert {one.rule for case in CASES for one in case.expect} <= found | {"npmrc-auth"}
    for format_, render in check._FORMATS.items():  # what the command line prints
        assert (format_, leaked(render(report))) == (format_, [])
    place = Place(url="https://github.example/octo/shop", number=12)
    assert leaked(comment(report, place) or "") == []
    assert leaked(repr(check_runs(report))) == []
    assert leaked(repr(report.secrets)) == []
