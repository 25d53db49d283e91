"""Rules on bodies that GitHub enforces though its description does not state them.

What needs the state of a repository (duplicate refs, permissions, missing objects) is not here.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from bot.sandbox.contract.violation import Violation

MAX_COMMENT_CHARACTERS: Final = 65_536  # comments, reviews, bodies of pull requests
MAX_TITLE_CHARACTERS: Final = 256  # of a pull request
# https://docs.github.com/en/rest/checks/runs says characters; what is enforced is bytes of UTF-8:
# https://github.com/github/docs/issues/35252
MAX_OUTPUT_BYTES: Final = 65_535  # summary and text of a check run, each
MAX_ANNOTATIONS: Final = 50  # per request; further requests append
MAX_ANNOTATION_BYTES: Final = 65_536  # message and raw_details, each ("64 KB")
MAX_ANNOTATION_TITLE_CHARACTERS: Final = 255
MAX_ACTIONS: Final = 3  # buttons of a check run
MAX_ACTION_CHARACTERS: Final = {"label": 20, "description": 40, "identifier": 20}
MAX_PER_PAGE: Final = 100

Json = dict[str, Any]


def beyond_schema(operation_id: str, body: Json) -> list[Violation]:
    """Judge the body of a request that fits its schema; order is that of the body."""
    rule = _RULES.get(operation_id)
    return list(rule(body)) if rule is not None else []


def _check_run(body: Json) -> Iterator[Violation]:
    status, conclusion = body.get("status"), body.get("conclusion")
    if status == "completed" and conclusion is None:
        yield Violation(where="body/conclusion", what="a completed check run needs a conclusion")
    if conclusion is not None and status not in {None, "completed"}:
        what = f"a check run with a conclusion is completed, not {status}"
        yield Violation(where="body/status", what=what)
    if conclusion == "stale":
        yield Violation(where="body/conclusion", what="only GitHub itself concludes stale")
    actions = body.get("actions", ())
    if len(actions) > MAX_ACTIONS:
        what = f"has {len(actions)} buttons, at most {MAX_ACTIONS} are taken"
        yield Violation(where="body/actions", what=what, kind="limit")
    for index, action in enumerate(actions):
        for name, most in MAX_ACTION_CHARACTERS.items():
            yield from _length(action[name], f"body/actions/{index}/{name}", least=1, most=most)
    output = body.get("output", {})
    for name in ("summary", "text"):
        yield from _at_most_bytes(output.get(name), MAX_OUTPUT_BYTES, f"body/output/{name}")
    for index, annotation in enumerate(output.get("annotations", ())):
        yield from _annotation(annotation, f"body/output/annotations/{index}")


def _annotation(annotation: Json, where: str) -> Iterator[Violation]:
    start, end = annotation["start_line"], annotation["end_line"]
    if start < 1:
        yield Violation(where=f"{where}/start_line", what="lines count from 1")
    if start > end:
        yield Violation(
            where=f"{where}/end_line", what=f"ends at {end}, before it starts ({start})"
        )
    if start != end and not annotation.keys().isdisjoint({"start_column", "end_column"}):
        yield Violation(where=where, what="columns are for annotations of a single line")
    for name in ("message", "raw_details"):
        yield from _at_most_bytes(annotation.get(name), MAX_ANNOTATION_BYTES, f"{where}/{name}")
    title = annotation.get("title")
    yield from _length(title, f"{where}/title", most=MAX_ANNOTATION_TITLE_CHARACTERS)


def _comment(body: Json) -> Iterator[Violation]:
    yield from _length(body["body"], "body/body", least=1, most=MAX_COMMENT_CHARACTERS)


def _pull_request(body: Json) -> Iterator[Violation]:
    yield from _length(body.get("title"), "body/title", least=1, most=MAX_TITLE_CHARACTERS)
    yield from _length(body.get("body"), "body/body", most=MAX_COMMENT_CHARACTERS)
    if ("title" in body) == ("issue" in body):
        yield Violation(where="body", what="a pull request has either a title or an issue")


def _review(body: Json) -> Iterator[Violation]:
    text, event = body.get("body"), body.get("event")
    yield from _length(text, "body/body", most=MAX_COMMENT_CHARACTERS)
    if event in {"REQUEST_CHANGES", "COMMENT"} and not text:
        yield Violation(where="body/body", what=f"a review with event {event} needs a body")


def _length(text: str | None, where: str, *, most: int, least: int = 0) -> Iterator[Violation]:
    if text is None:
        return
    if len(text) > most:
        what = f"is too long (maximum is {most} characters, given are {len(text)})"
        yield Violation(where=where, what=what, kind="limit")
    if least and not text.strip():
        yield Violation(where=where, what="can't be blank", kind="limit")


def _at_most_bytes(text: str | None, most: int, where: str) -> Iterator[Violation]:
    size = len((text or "").encode("utf-8", "surrogatepass"))
    if size > most:
        what = f"exceeds a maximum bytesize of {most} (given are {size})"
        yield Violation(where=where, what=what, kind="limit")


_RULES: Final[dict[str, Callable[[Json], Iterator[Violation]]]] = {
    "checks/create": _check_run,
    "checks/update": _check_run,
    "issues/create-comment": _comment,
    "issues/update-comment": _comment,
    "pulls/create": _pull_request,
    "pulls/create-review": _review,
}
