"""Our GitHub App's way to GitHub: one connection pool, one retry policy.

    client = AppClient()
    reply = await client.send(Request(method="GET", path="/app", read=True), authorization=…)
    …
    await client.aclose()

Who we are is the business of bot/github/tokens.py and bot/github/installation.py.

The policy: a read is repeated a few times after a 5xx, a broken connection or a time-out. A write
is repeated only when it cannot have arrived; else WriteUncertain tells the caller to look. A limit
of any kind is RateLimited, for the worker to put the job back. Redirects of a GET are followed on
the same host, others never (a POST would become a GET that answers 200).
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import httpx
from githubkit import GitHub
from githubkit.cache import MemCacheStrategy
from githubkit.exception import RequestError, RequestFailed
from githubkit.throttling import LocalThrottler
from githubkit.versions import LATEST_VERSION

from bot.core.errors import GitHubError
from bot.github.errors import RateLimited, WriteUncertain
from bot.github.limits import (
    date_of,
    pause_of_graphql,
    pause_of_response,
    seconds_of_retry_after,
)
from bot.github.pacing import Pacing
from bot.github.transport import TIMEOUT, Observe, SharedTransport

API_URL: Final = "https://api.github.com"
USER_AGENT: Final = "memoryrail-bot"
READ_PAUSES: Final = (0.5, 2.0, 5.0)  # seconds before each repetition, give or take a half
_SERVER_VERSION: Final = "2022-11-28"  # the newest that a GitHub Enterprise Server 3.19 knows
_MAX_CONCURRENT: Final = 24  # requests of one process; GitHub refuses more than 100 per app
_MAX_REDIRECTS: Final = 3
_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Clock, sleep (seconds), chance (0 to 1) and pace, so that tests need not wait.

    pacing: how fast an installation writes; None for as fast as it can.
    """

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    pacing: Pacing | None = field(default_factory=Pacing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to ask. path lies below the API's root, or is a full URL of the same host.

    mutations, creates_content: of a write, for its pacing.
    """

    method: str
    path: str
    read: bool  # repeating it changes nothing
    mutations: int = 1
    creates_content: bool = True
    params: Mapping[str, str | int] = field(default_factory=dict)
    json: object = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer of any status that is neither a limit nor a failure of GitHub's."""

    status: int
    headers: Mapping[str, str]
    data: object = field(repr=False)  # the decoded JSON; None where there is none
    request: Request

    @property
    def next(self) -> str | None:
        """The URL of the next page, from the Link header."""
        links = httpx.Response(200, headers={"link": self.headers.get("link", "")}).links
        return links.get("next", {}).get("url")

    def expect(self, status: int) -> "Reply":
        """Give the reply itself when it has this status; raises GitHubError otherwise."""
        if self.status != status:
            raise _refusal(self)
        return self


@dataclass(frozen=True, slots=True)
class _NoAnswer:
    """The connection failed or timed out. sent: GitHub may have received the request."""

    kind: str
    sent: bool


class AppClient:
    """Sends requests under the policy of this module. One for each process; close it at the end."""

    def __init__(
        self,
        *,
        api_url: str = API_URL,
        timing: Timing | None = None,
        timeout: httpx.Timeout = TIMEOUT,
        observe: Observe | None = None,
    ) -> None:
        """observe: hears of each request (bot/github/transport.py)."""
        self.timing = timing or Timing()
        self.api_url = api_url.rstrip("/")
        self._version = _SERVER_VERSION if self._is_server else LATEST_VERSION
        self._transport = SharedTransport(self.api_url, observe=observe)
        self._github = GitHub(
            base_url=self.api_url,
            user_agent=USER_AGENT,
            timeout=timeout,
            follow_redirects=False,
            ssl_verify=self._transport.ssl_context,
            trust_env=False,  # proxies are the transport's business
            async_transport=self._transport,
            async_event_hooks={"response": [self._mend_retry_after]},
            cache_strategy=MemCacheStrategy(),
            http_cache=False,
            throttler=LocalThrottler(_MAX_CONCURRENT),
            auto_retry=False,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.close()

    @property
    def graphql_url(self) -> str:
        """Where GraphQL is served: beside /api/v3 on a GitHub Enterprise Server."""
        if self._is_server:
            return self.api_url.removesuffix("/v3") + "/graphql"
        return f"{self.api_url}/graphql"

    @property
    def _is_server(self) -> bool:
        return self.api_url.endswith("/api/v3")

    async def send(self, request: Request, *, authorization: str) -> Reply:
        """Send a request under the policy; an answer with a status of 4xx is a reply too.

        Raises RateLimited; WriteUncertain for a write that may have landed; GitHubError when no
        answer came.
        """
        for pause in (*READ_PAUSES, None):
            outcome = await self._follow(request, authorization)
            if pause is None or not _worth_repeating(outcome, request):
                break
            await self.timing.sleep(pause * (0.5 + self.timing.chance()))
        return self._settled(outcome, request)

    async def _follow(self, request: Request, authorization: str) -> Reply | _NoAnswer:
        url, params = self._url(request.path), request.params
        for _ in range(_MAX_REDIRECTS):
            outcome = await self._once(request, url, params, authorization)
            if isinstance(outcome, _NoAnswer) or not _is_to_follow(outcome):
                return outcome
            url, params = url.join(outcome.headers.get("location", "")), {}
            if not self._is_ours(url):
                raise GitHubError(f"{_name(request)} was redirected to another host")
        raise GitHubError(f"{_name(request)} was redirected too often")

    async def _once(
        self,
        request: Request,
        url: httpx.URL,
        params: Mapping[str, str | int],
        authorization: str,
    ) -> Reply | _NoAnswer:
        headers = {"Authorization": authorization, "X-GitHub-Api-Version": self._version}
        try:
            answer = await self._github.arequest(
                request.method, url, params=params or None, json=request.json, headers=headers
            )
            response = answer.raw_response
        except RequestFailed as failed:
            response = failed.response.raw_response
        except RequestError as error:
            if not isinstance(error.exc, httpx.TransportError):
                raise
            sent = not isinstance(error.exc, _NEVER_SENT)
            return _NoAnswer(type(error.exc).__name__, sent)
        try:
            data = response.json() if response.content else None
        except ValueError:
            if response.is_success:  # cut short on its way
                return _NoAnswer("an answer that is no JSON", sent=True)
            data = None
        return Reply(
            status=response.status_code, headers=response.headers, data=data, request=request
        )

    def _settled(self, outcome: Reply | _NoAnswer, request: Request) -> Reply:
        if isinstance(outcome, _NoAnswer):
            kind = GitHubError if request.read or not outcome.sent else WriteUncertain
            raise kind(f"{_name(request)} got no answer: {outcome.kind}")
        headers = outcome.headers
        now = date_of(headers) or self.timing.now()  # the end of a limit is told by GitHub's clock
        message = str(outcome.data.get("message", "")) if isinstance(outcome.data, dict) else ""
        pause = pause_of_response(outcome.status, headers, message, now=now)
        pause = pause or pause_of_graphql(graphql_errors(outcome), headers, now=now)
        if pause is not None:
            raise RateLimited(pause.duration, is_told=pause.is_told)
        if outcome.status >= 500:
            raise _refusal(outcome, GitHubError if request.read else WriteUncertain)
        return outcome

    def _url(self, path: str) -> httpx.URL:
        url = httpx.URL(f"{self.api_url}{path}" if path.startswith("/") else path)
        if not self._is_ours(url):
            raise GitHubError("a request to another host than GitHub's was not sent")
        return url

    def _is_ours(self, url: httpx.URL) -> bool:
        """Whether it is GitHub that would receive our token."""
        api = httpx.URL(self.api_url)
        return (url.scheme, url.netloc) == (api.scheme, api.netloc)

    async def _mend_retry_after(self, response: httpx.Response) -> None:
        """Turn a date into seconds: githubkit reads nothing else, and raises ValueError."""
        if value := response.headers.get("retry-after"):
            now = date_of(response.headers) or self.timing.now()
            seconds = seconds_of_retry_after(value, now=now)
            response.headers["retry-after"] = str(60 if seconds is None else seconds)


def graphql_errors(reply: Reply) -> tuple[tuple[str, str], ...]:
    """Type and message of each error in a GraphQL answer, "" where there is none."""
    errors = reply.data.get("errors") if isinstance(reply.data, dict) else None
    if not isinstance(errors, list) or reply.status != 200:
        return ()
    return tuple(
        (str(error.get("type") or _code(error)), str(error.get("message") or ""))
        for error in errors
        if isinstance(error, dict)
    )


def _code(error: Mapping[str, object]) -> str:
    """The code by which GitHub names an error of the query itself, e.g. undefinedField."""
    extensions = error.get("extensions")
    return str(extensions.get("code") or "") if isinstance(extensions, dict) else ""


def _worth_repeating(outcome: Reply | _NoAnswer, request: Request) -> bool:
    if isinstance(outcome, _NoAnswer):
        return request.read or not outcome.sent
    stumbled = any(
        not type_ and "rate limit" not in message for type_, message in graphql_errors(outcome)
    )  # "Something went wrong while executing your query" has no type
    return request.read and (outcome.status >= 500 or stumbled)


def _is_to_follow(reply: Reply) -> bool:
    return reply.request.method == "GET" and reply.status in {301, 302, 307, 308}


def _refusal(reply: Reply, kind: type[GitHubError] = GitHubError) -> GitHubError:
    asked_as = reply.headers.get("x-github-request-id", "unknown")
    text = f"{_name(reply.request)} was answered {reply.status} (request id {asked_as})"
    return kind(text, status=reply.status)


def _name(request: Request) -> str:
    return f"{request.method} {httpx.URL(request.path).path}"
