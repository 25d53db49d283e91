"""What one installation of the app may reach: its repositories, by REST and by GraphQL."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, number, text
from bot.github.cache import Cache
from bot.github.client import API_URL, AppClient, Reply, Request, Timing, graphql_errors
from bot.github.errors import NotFound, OutOfReach, RateLimited, Renamed, WriteUncertain
from bot.github.limits import Rate, rate_of
from bot.github.pacing import Pace
from bot.github.tokens import Credentials, Identity, Token
from bot.github.transport import Observe

_FRESH: Final = timedelta(seconds=30)  # a token this young may not have reached all of GitHub
_SPREADING: Final = 2.0  # seconds that it is given
_JUST_MINTED: Final = timedelta(seconds=5)
# Seconds after which it is believed that something is not there. A delivery may overtake GitHub's
# replicas, and what they do not know yet must not count as deleted, nor a maintainer as nobody.
_NOT_YET: Final = (1.0, 2.0)
_SUSPENDED: Final = "installation has been suspended"
_LONGEST_WAIT: Final = timedelta(seconds=3)  # for a turn to write; beyond, the job makes room
_LONGEST_GUESS: Final = timedelta(minutes=16)  # where GitHub does not say how long a limit lasts

BeforeWrite = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLProblem:
    """An error of a GraphQL answer; path leads to what is null because of it.

    message: GitHub's words, which may quote what people wrote.
    """

    type: str
    path: tuple[str | int, ...] = ()
    message: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationRequest:
    """A GraphQL request with so many mutations. creates_content: GitHub limits how fast."""

    text: str
    variables: Mapping[str, object] = field(repr=False)
    mutations: int
    creates_content: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A GraphQL answer: what could be had, and why the rest is null."""

    data: Mapping[str, object] = field(repr=False)
    problems: tuple[GraphQLProblem, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Whether something is null that may be there: GitHub failed or refused, not the name."""
        return any(problem.type != "NOT_FOUND" for problem in self.problems)


class GitHubApp:
    """The app on one GitHub: the way in for everything else."""

    def __init__(
        self,
        *,
        app_id: str,
        private_key: str,
        api_url: str = API_URL,
        timing: Timing | None = None,
        observe: Observe | None = None,
    ) -> None:
        """app_id: the numeric id or the client id. private_key: PEM; raises SettingsError.

        observe: hears of each request.
        """
        self.client = AppClient(api_url=api_url, timing=timing, observe=observe)
        self.credentials = Credentials(self.client, app_id=app_id, private_key=private_key)
        self.cache = Cache()
        self._installations: dict[int, Installation] = {}

    def installation(self, id_: int) -> "Installation":
        """The installation with this id: the same object whenever it is asked for."""
        return self._installations.setdefault(id_, Installation(self, id_))

    @property
    def installations(self) -> Mapping[int, "Installation"]:
        """Those that were asked for since the start, by id."""
        return self._installations

    async def identity(self) -> Identity:
        """Who we are on this GitHub; asked once."""
        return await self.credentials.identity()

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()


class Installation:
    """One account's installation. Its writes go out one at a time, and no faster than GitHub says.

    rates: what is left of each primary limit ("core", "graphql"), by the newest answers.
    """

    def __init__(self, app: GitHubApp, id_: int) -> None:
        self.app, self.id = app, id_
        self.rates: dict[str, Rate] = {}
        pacing = app.client.timing.pacing
        self._pace = Pace(pacing) if pacing else None
        self._writing = asyncio.Lock()
        self._limited_until: datetime | None = None
        # Limits in a row of which GitHub did not say how long they last, of reads and of writes.
        self._guesses = {True: 0, False: 0}

    def repository(self, owner: str, name: str, id_: int | None = None) -> "RepositoryAccess":
        """Access to one of its repositories, by its present name; with id_ to no other."""
        return RepositoryAccess(self, owner, name, id_)

    async def name_of(self, repository_id: int) -> str:
        """The present owner/name of a repository. Raises NotFound."""
        path = f"/repositories/{repository_id}"
        reply = await self.send(Request(method="GET", path=path, read=True))
        if reply.status == 404:
            raise NotFound(f"repository {repository_id}")
        return text(child(reply.expect(200).data), "full_name")

    async def permissions(self) -> Mapping[str, str]:
        """What the owner had granted when the token was minted: GitHub's names, "read" or "write".

        Raises OutOfReach.
        """
        return (await self.app.credentials.token(self.id)).permissions

    async def permissions_now(self) -> Mapping[str, str]:
        """What the owner grants now, or granted seconds ago."""
        token = await self.app.credentials.renewed(self.id, older_than=_JUST_MINTED)
        return token.permissions

    async def send(self, request: Request, *, before: BeforeWrite | None = None) -> Reply:
        """Send a request with the installation's token; raises what AppClient.send raises.

        While a limit lasts nothing is sent: GitHub bans apps that go on asking. before: called when
        it is a write's turn; what it raises keeps the write from being sent.
        """
        if request.read:
            return await self._send(request)
        async with self._writing:
            await self._turn_to_write(request)
            if before is not None:
                await before()
            try:
                return await self._send(request)
            finally:
                if self._pace:
                    self._pace.wrote(
                        request.mutations,
                        creates_content=request.creates_content,
                        now=self._timing.now(),
                    )

    async def graphql(self, query: str, variables: Mapping[str, object]) -> Answer:
        """Read in GraphQL. Raises GitHubError where the answer holds no data at all."""
        return await self._graphql(
            Request(
                method="POST",
                path=self.app.client.graphql_url,
                read=True,
                json={"query": query, "variables": variables},
            )
        )

    async def mutate(
        self, request: MutationRequest, *, before: BeforeWrite | None = None
    ) -> Answer:
        """Write in GraphQL; raises WriteUncertain where it may have landed. before: as in send."""
        return await self._graphql(
            Request(
                method="POST",
                path=self.app.client.graphql_url,
                read=False,
                mutations=request.mutations,
                creates_content=request.creates_content,
                json={"query": request.text, "variables": request.variables},
            ),
            before=before,
        )

    async def _graphql(self, request: Request, *, before: BeforeWrite | None = None) -> Answer:
        reply = (await self.send(request, before=before)).expect(200)
        body = reply.data if isinstance(reply.data, dict) else {}
        if not isinstance(body.get("data"), dict):
            types = {type_ for type_, _ in graphql_errors(reply)}
            told = ", ".join(sorted(types - {""})) or "no reason"
            kind = GitHubError if request.read or types - {""} else WriteUncertain
            raise kind(f"GraphQL gave no data: {told}", status=reply.status)
        return Answer(data=body["data"], problems=_problems(body.get("errors")))

    async def _turn_to_write(self, request: Request) -> None:
        """Wait for it; raises RateLimited where that takes long, and while GitHub limits us."""
        self._stop_while_limited()
        if self._pace is None:
            return
        pause = self._pace.pause(
            request.mutations, creates_content=request.creates_content, now=self._timing.now()
        )
        if pause > _LONGEST_WAIT:
            raise RateLimited(pause)
        if pause > timedelta(0):
            await self._timing.sleep(pause.total_seconds())

    def _stop_while_limited(self) -> None:
        now = self._timing.now()
        if self._limited_until is not None and now < self._limited_until:
            raise RateLimited(self._limited_until - now)

    async def _send(self, request: Request) -> Reply:
        self._stop_while_limited()
        asked = self._timing.now()
        try:
            reply = await self._with_token(request)
        except RateLimited as limited:
            pause = self._pause(limited, is_read=request.read, asked=asked)
            end = self._timing.now() + pause
            self._limited_until = max(end, self._limited_until or end)
            raise RateLimited(pause, is_told=limited.is_told) from None
        self._guesses[request.read] = 0
        if (known := rate_of(reply.headers)) is not None:
            self.rates[known[0]] = known[1]
        return reply

    def _pause(self, limited: RateLimited, *, is_read: bool, asked: datetime) -> timedelta:
        """How long to stop: where GitHub does not say, twice as long each time that it refuses.

        asked: when. What was on its way already when the limit began counts as one refusal.
        """
        if limited.is_told:
            return limited.retry_after
        if self._limited_until is None or asked >= self._limited_until:
            self._guesses[is_read] += 1
        pause: timedelta = limited.retry_after * 2 ** max(0, self._guesses[is_read] - 1)
        return min(pause, _LONGEST_GUESS)

    async def _with_token(self, request: Request) -> Reply:
        """Send with the token at hand; where GitHub refuses it, with a new one, once."""
        credentials = self.app.credentials
        token = await credentials.token(self.id)
        reply = await self._with(token, request)
        if reply.status == 401:
            credentials.drop(self.id, token)
            reply = await self._with(await credentials.token(self.id), request)
        if reply.status == 401:
            raise GitHubError(f"GitHub refuses the token of installation {self.id}", status=401)
        return reply

    async def _with(self, token: Token, request: Request) -> Reply:
        """Send with a token; a fresh one is given time to be known everywhere."""
        client = self.app.client
        reply = await client.send(request, authorization=token.authorization)
        if reply.status == 401 and self._is_fresh(token):
            await self._timing.sleep(_SPREADING)
            reply = await client.send(request, authorization=token.authorization)
        if reply.status == 403 and _SUSPENDED in text(child(reply.data), "message"):
            raise OutOfReach(f"installation {self.id} is suspended", status=403)
        return reply

    def _is_fresh(self, token: Token) -> bool:
        return self._timing.now() - token.minted < _FRESH

    @property
    def _timing(self) -> Timing:
        return self.app.client.timing


class RepositoryAccess:
    """A repository as one installation reaches it."""

    def __init__(
        self,
        installation: Installation,
        owner: str,
        name: str,
        id_: int | None = None,
        *,
        before_write: BeforeWrite | None = None,
    ) -> None:
        """before_write: called right before each write; what it raises keeps that from being
        sent."""
        self.installation, self.owner, self.name = installation, owner, name
        self._id, self._before_write = id_, before_write

    @property
    def full_name(self) -> str:
        """owner/name"""
        return f"{self.owner}/{self.name}"

    def confirm(self, repository: Json) -> None:
        """See from an answer's databaseId that it is about the repository that is meant.

        Names change hands: a renamed repository's old name is free for another one. Raises Renamed.
        """
        if self._id is not None and number(repository, "databaseId") != self._id:
            raise Renamed(f"{self.full_name} is not repository {self._id}")

    async def check_claim(self) -> None:
        """Raise what would keep a write from being sent now: for what is kept in the database."""
        if self._before_write is not None:
            await self._before_write()

    async def get(self, path: str, **params: str | int) -> Reply:
        """GET a path below the repository, or a full URL from a Link header.

        Raises NotFound for a 404, GitHubError for any other status than 200.
        """
        full = path if path.startswith("http") else f"/repos/{self.owner}/{self.name}{path}"
        reply = await self.installation.send(
            Request(method="GET", path=full, read=True, params=params)
        )
        if reply.status == 404:
            raise NotFound(f"{path} of {self.full_name}")
        return reply.expect(200)

    async def get_patiently(self, path: str) -> Reply:
        """GET what we were told of: NotFound only where it stays so."""
        for pause in _NOT_YET:
            try:
                return await self.get(path)
            except NotFound:
                await self.installation.app.client.timing.sleep(pause)
        return await self.get(path)

    async def query(self, query: str, variables: Mapping[str, object]) -> Answer:
        """Read in GraphQL; owner and name are added to the variables.

        A repository that is not there is asked for again, as with get_patiently. Raises GitHubError
        where a part is missing for no reason ("Something went wrong while executing your query"):
        it may be there in a minute.
        """
        named = {"owner": self.owner, "name": self.name, **variables}
        answer = await self.installation.graphql(query, named)
        for pause in _NOT_YET:
            if answer.data.get("repository", self) is not None:
                break
            await self.installation.app.client.timing.sleep(pause)
            answer = await self.installation.graphql(query, named)
        if any(not problem.type for problem in answer.problems):
            raise GitHubError("GraphQL answered in part, and does not say why")
        return answer

    async def mutate(self, request: MutationRequest) -> Answer:
        """Write in GraphQL; raises WriteUncertain where it may have landed."""
        return await self.installation.mutate(request, before=self._before_write)

    async def post(self, path: str, body: Json) -> Reply:
        """POST what notifies nobody to a path below the repository; a refusal is a reply too.

        Raises WriteUncertain where it may have landed.
        """
        request = Request(
            method="POST",
            path=f"/repos/{self.owner}/{self.name}{path}",
            read=False,
            creates_content=False,
            json=body,
        )
        return await self.installation.send(request, before=self._before_write)


def _problems(errors: object) -> tuple[GraphQLProblem, ...]:
    if not isinstance(errors, list):
        return ()
    return tuple(
        GraphQLProblem(
            type=str(error.get("type") or ""),
            path=tuple(error.get("path") or ()),
            message=str(error.get("message") or ""),
        )
        for error in errors
        if isinstance(error, dict)
    )
