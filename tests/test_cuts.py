"""A token across the place where a text is cut: no surface shows a part of it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from bot.commands.context import NotARef
from bot.core.edit_plan import Action, EditPlan
from bot.core.quoting import MARGIN
from bot.core.refs import UnknownRef
from bot.core.report import Finding, Match, Section, Unread, Weight
from bot.core.review import review
from bot.core.sync.block import rendering
from bot.formats import memoryrail
from bot.formats.cursor.append import Refused as RefusedEntry
from bot.formats.cursor.append import file_name
from bot.formats.cursor.validate import problems_of, read_file
from bot.formats.jumpybrain.pages import synthesize
from bot.formats.jumpybrain.refused import Refused
from bot.render import terminal
from bot.render.check_runs import check_runs
from bot.render.comment import Place, comment
from bot.render.markdown import code, excerpt, html, line, visible
from bot.render.recall import Recall
from bot.render.recall import text as recall
from bot.render.sarif import sarif
from bot.render.workflow import workflow
from tests.commands.making import context, file, memory_file, said, texts
from tests.formats.cursor.making import entry
from tests.formats.jumpybrain.making import document, id_of
from tests.formats.jumpybrain.making import text as note
from tests.making import github_token, memory, snapshot
from tests.render.test_comment import report

TOKEN = github_token()
PIECES = [TOKEN[start : start + 8] for start in range(4, len(TOKEN) - 8)]
PLACE = Place(url="https://github.example/octo/shop", number=12)
NOTHING = review(snapshot())
NOTE = memory_file("20261005-utc", "active", title="UTC")


def of_reports(text: str) -> object:
    """All that the renderers of reports make of a text, wherever it may stand."""
    bound = memory(type_="constraint", title=text, body=text, pinned=True)
    weighty = Finding(section=Section.SYNC, weight=Weight.FAILURE, rule="r", message=text, path="a")
    made = report(
        matches=(Match(memory=bound, store="", pinned=True),),
        findings=(weighty,),
        unread=(Unread(section=Section.MEMORY, what=text, why=text),),
        base_ref=text,
        conclusions=NOTHING.conclusions,
        states=NOTHING.states,
    )
    shown = [terminal.text(made), workflow(made), json.dumps(sarif(made, version="1"))]
    return [*shown, check_runs(made), comment(made, PLACE)]


def of_recall(text: str) -> object:
    found = Match(memory=memory(title=text, body=text), store="", pinned=True)
    return recall(Recall(matches=(found,), stores=()), fails=False)


def of_commits(text: str) -> object:
    plan = EditPlan(actions=(Action(verb="approve", memory=memory(title=text), reason=text),))
    return f"{plan.title}\n{plan.body}"


def of_messages(text: str) -> object:
    """What errors and findings quote of a word, as it is shown."""
    word = text.replace(" ", "-")
    with pytest.raises(RefusedEntry) as refused:
        file_name(f"{word}/")
    twice = f'---\n"{word}": 1\n"{word}": 2\n---\n'.encode()
    store = memoryrail.read("", [file(".memoryrail/config.json", b"{}"), file(NOTE.path, twice)])
    assert store is not None
    said_of_it = [
        str(UnknownRef(word, None)),
        str(NotARef(word)),
        str(refused.value),
        problems_of([read_file("decisions.md", entry(word, status="finished").encode())]),
        store.problems,
        texts(said(f"/memoryrail remember {word} Title of it", context(NOTE))),
        texts(said(f"/memoryrail approve {word}", context(NOTE))),
    ]
    return visible(str(said_of_it))


def of_pages(text: str) -> object:
    """A page that quotes a document. Whole tokens are refused."""
    quoted = document("notes/a.md", note(body=f"\n# Queue\n\n- {text}\n"))
    now = datetime(2026, 10, 10, tzinfo=UTC)
    try:
        return synthesize([quoted], topic="queue", now=now, new_id=id_of(9)).data.decode()
    except Refused as refused:
        return str(refused)


def of_show(text: str) -> object:
    shown = context(file(NOTE.path, (NOTE.data or b"") + text.encode()))
    return texts(said("/memoryrail show 20261005-utc", shown))


SURFACES: list[tuple[Callable[[str], object], list[int]]] = [
    (line, [200, 4_000]),
    (code, [200, 4_000]),
    (html, [200, 4_000]),
    (excerpt, [400, 8_000]),
    (terminal.plain, [200]),
    (of_recall, [160, 200, 8_000]),
    (of_reports, [100, 200, 250, 300, 400, 500, 600, 2_000, 4_000, 8_000]),
    (lambda text: rendering([memory(title=text, links=[text])]), [200, 400]),
    (of_commits, [40, 72, 300, 500]),
    (of_messages, [20, 40, 60, 80, 100]),
    (of_pages, [240]),
    (of_show, [30_000]),
]


@pytest.mark.parametrize(("surface", "limits"), SURFACES)
@pytest.mark.parametrize("hidden", ["", "\u200b"])
def test_no_part_of_a_token_is_shown(
    surface: Callable[[str], object], limits: list[int], hidden: str
) -> None:
    """Before it stand words, or blanks that are not shown, so that a first cut is far behind."""
    for limit in limits:
        for into in (12, 25, 38):  # characters of the token before the cut
            room = limit - 1 - into * (1 + len(hidden))
            for before in (("word " * limit)[: max(room, 0)], "a" + " " * (room - 1)):
                shown = str(surface(f"{before[:-1]} {hidden.join(TOKEN)} end"))
                assert [one for one in PIECES if one in shown] == []


@pytest.mark.parametrize("surface", [line, excerpt, terminal.plain, of_recall])
def test_what_is_cut_before_blanks_are_folded_is_not_shown(
    surface: Callable[[str], object],
) -> None:
    for limit in (200, 400, 4_000, 8_000):
        for more in (0, MARGIN):
            shown = str(surface("a" + " " * (limit + more - 26) + TOKEN + " " * MARGIN + "end"))
            assert [one for one in PIECES if one in shown] == []
