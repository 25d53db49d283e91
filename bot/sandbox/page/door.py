"""Addresses of the pages, and who may come in.

The sandbox listens on this machine alone, but a browser on this machine visits other sites too: a
request must name this machine as its host (no DNS rebinding), and a form must carry the token that
only these pages show. The content policy lets nothing run but the script that is served here.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from bot.sandbox.git import Commit, GitError
from bot.sandbox.page import markdown, view
from bot.sandbox.refusal import Refusal, forbidden, not_found
from bot.sandbox.state.checks import CheckRun
from bot.sandbox.state.people import User, permission_booleans
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository

if TYPE_CHECKING:
    from bot.sandbox.state.world import World

_FOLDER: Final = Path(__file__).parent
_REPOSITORY: Final = "/{owner}/{name}"
_PULL: Final = f"{_REPOSITORY}/pull/{{number:int}}"
_HERE: Final = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "cache-control": "no-cache",  # the browser asks whether its copy still holds
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_FILES: Final = {
    "/-/page.css": ("page.css", "text/css"),
    "/-/page.js": ("page.js", "text/javascript"),
    "/favicon.ico": ("icon.svg", "image/svg+xml"),
}

Form = Mapping[str, str]


def routes(world: "World") -> list[Route]:
    """The routes of every page; none of them is an address of GitHub's API but `/`."""
    pages = Pages(world)
    shown = {
        "/": pages.index,
        _PULL: pages.conversation,
        f"{_PULL}/files": pages.files,
        f"{_REPOSITORY}/commit/{{sha}}": pages.commit,
        f"{_REPOSITORY}/blob/{{ref}}/{{path:path}}": pages.blob,
        f"{_REPOSITORY}/runs/{{run:int}}": pages.run,
    }
    taken = {
        f"{_PULL}/comment": pages.comment,
        f"{_PULL}/rerequest/{{run:int}}": pages.rerequest,
        f"{_PULL}/press/{{run:int}}/{{identifier:str}}": pages.press,
    }
    return [
        _RepositoryRoute(world, _REPOSITORY, _show(world, pages.repository)),
        *(_route(path, _show(world, page), "GET") for path, page in shown.items()),
        *(_route(path, _take(world, pages.token, act), "POST") for path, act in taken.items()),
        *(_route(path, _file(*file), "GET") for path, file in _FILES.items()),
    ]


class Pages:
    """Each method answers one address; they raise Refusal, whose text a person can read."""

    def __init__(self, world: "World") -> None:
        self.token = secrets.token_urlsafe(16)
        self._world = world
        self._templates = Environment(
            loader=FileSystemLoader(_FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["markdown"] = markdown.render
        self._templates.globals.update(view=view, token=self.token)

    def index(self, _: Request) -> Response:
        return self._page("index.html", repositories=tuple(self._world.repositories.values()))

    def repository(self, request: Request) -> Response:
        return self._page("index.html", repositories=(self._repository(request),))

    def conversation(self, request: Request) -> Response:
        return self._page("conversation.html", pull=self._pull(request))

    def files(self, request: Request) -> Response:
        return self._page("files.html", pull=self._pull(request))

    def commit(self, request: Request) -> Response:
        repository = self._repository(request)
        commit = _commit(repository, request.path_params["sha"])
        return self._page(
            "commit.html",
            repository=repository,
            commit=view.commit_line(self._world, commit),
            changes=repository.git.changes_of(commit),
        )

    def blob(self, request: Request) -> Response:
        repository = self._repository(request)
        path = request.path_params["path"]
        commit = _commit(repository, request.path_params["ref"])
        found = repository.git.read(f"{commit.oid}:{path}")
        if found is None or found.type != "blob":
            raise not_found(f"There is no file {path} at {commit.oid[:7]}.")
        lines = None if found.is_binary else found.data.decode("utf-8", "replace").splitlines()
        return self._page(
            "blob.html", repository=repository, sha=commit.oid, path=path, blob=found, lines=lines
        )

    def run(self, request: Request) -> Response:
        """A check run is shown on the pull request whose head it judges."""
        repository = self._repository(request)
        run = repository.check_runs.get(request.path_params["run"])
        pulls = (p for p in repository.pulls.values() if run and p.head_sha == run.head_sha)
        pull = next(pulls, None)
        if run is None or pull is None:
            raise not_found("No pull request shows this check run.")
        return _go(pull, f"#check-{run.id}")

    def comment(self, request: Request, form: Form) -> Response:
        pull = self._pull(request)
        said = pull.comment(_sender(pull, form).login, form.get("body", "").replace("\r\n", "\n"))
        return _go(pull, f"#issuecomment-{said.id}")

    def rerequest(self, request: Request, form: Form) -> Response:
        pull, run, sender = self._check(request, form)
        run.rerequest(sender)
        return _go(pull, f"#check-{run.id}")

    def press(self, request: Request, form: Form) -> Response:
        pull, run, sender = self._check(request, form)
        run.press(sender, request.path_params["identifier"])
        return _go(pull, f"#check-{run.id}")

    def _check(self, request: Request, form: Form) -> tuple[PullRequest, CheckRun, User]:
        """A check run, and who uses a button on it; GitHub shows those to who may write."""
        pull = self._pull(request)
        run = pull.repository.check_runs.get(request.path_params["run"])
        sender = _sender(pull, form)
        if run is None:
            raise not_found("There is no such check run.")
        if not permission_booleans(pull.repository.role(sender))["push"]:
            raise forbidden(f"{sender.login} may not use it: that takes the role write.")
        return pull, run, sender

    def _page(self, template: str, **values: Any) -> Response:
        html = self._templates.get_template(template).render(values)
        etag = f'"{sha256(html.encode()).hexdigest()[:32]}"'
        return Response(html, media_type="text/html", headers={"etag": etag})

    def _repository(self, request: Request) -> Repository:
        name = f"{request.path_params['owner']}/{request.path_params['name']}"
        found = self._world.repository(name)
        if found is None:
            raise not_found(f"There is no repository {name}.")
        return found

    def _pull(self, request: Request) -> PullRequest:
        repository = self._repository(request)
        found = repository.pulls.get(request.path_params["number"])
        if found is None:
            raise not_found(f"{repository.full_name} has no such pull request.")
        return found


def _commit(repository: Repository, name: str) -> Commit:
    found = repository.git.commit_at(name)
    if found is None:
        raise not_found(f"{repository.full_name} has no commit {name}.")
    return found


def _sender(pull: PullRequest, form: Form) -> User:
    named = (u for u in view.commenters(pull.repository) if u.login == form.get("user"))
    sender = next(named, None)
    if sender is None:
        raise forbidden("Choose who says this.")
    return sender


def _go(pull: PullRequest, fragment: str) -> Response:
    page = f"/{pull.repository.full_name}/pull/{pull.number}"
    return RedirectResponse(page + fragment, status_code=303)


class _RepositoryRoute(Route):
    """The page of a repository that is there: other addresses of two parts are the API's."""

    def __init__(
        self, world: "World", path: str, endpoint: Callable[[Request], Awaitable[Response]]
    ) -> None:
        super().__init__(path, endpoint, methods=["GET"], middleware=[_HERE])
        self._world = world

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        if match is not Match.NONE:
            names = child["path_params"]
            with self._world.lock:
                if self._world.repository(f"{names['owner']}/{names['name']}") is None:
                    return Match.NONE, {}
        return match, child


def _route(path: str, endpoint: Callable[[Request], Awaitable[Response]], method: str) -> Route:
    return Route(path, endpoint, methods=[method], middleware=[_HERE])


def _show(
    world: "World", page: Callable[[Request], Response]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        answer = await run_in_threadpool(_answer, world, lambda: page(request))
        if request.headers.get("if-none-match") == answer.headers.get("etag", ""):
            return Response(status_code=304, headers={**_HEADERS, "etag": answer.headers["etag"]})
        return answer

    return endpoint


def _take(
    world: "World", token: str, act: Callable[[Request, Form], Response]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        fields = parse_qs((await request.body()).decode("utf-8", "replace"))
        form = {name: values[0] for name, values in fields.items()}
        if not secrets.compare_digest(form.get("token", "").encode(), token.encode()):
            return _refused(403, "This form is not from here. Load the page again.")
        return await run_in_threadpool(_answer, world, lambda: act(request, form))

    return endpoint


def _file(name: str, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(_: Request) -> Response:
        path = _FOLDER / "static" / name
        return FileResponse(path, media_type=media_type, headers=_HEADERS)

    return endpoint


def _answer(world: "World", work: Callable[[], Response]) -> Response:
    try:
        with world.lock:
            answer = work()
    except (Refusal, GitError) as refusal:
        status = refusal.status if isinstance(refusal, Refusal) else 404
        return _refused(status, str(refusal))
    answer.headers.update(_HEADERS)
    return answer


def _refused(status: int, why: str) -> Response:
    return PlainTextResponse(why, status, headers=_HEADERS)
