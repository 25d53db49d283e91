"""What one installation of the app may reach: its repositories, by REST and by GraphQL."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, number, text
from bot.github.cache import Cache
from bot.github.client import API_URL, AppClient, Reply, Request, Timing, graphql_errors
from bot.github.errors import NotFound, OutOfReach, RateLimited, Renamed
from bot.github.tokens import Credentials, Identity, Token

_FRESH: Final = timedelta(seconds=30)  # a token this young may not have reached all of GitHub
_JUST_MINTED: Final = timedelta(seconds=5)
_SPREADING: Final = 2.0  # seconds that it is given
_TRIES: Final = 4  # an old token, a new one, and each once more
_SUSPENDED: Final = "installation has been suspended"
_BETWEEN_WRITES: Final = timedelta(seconds=1)  # GitHub's advice for requests that create content


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLProblem:
    """An error of a GraphQL answer; path leads to what is null because of it.

    message: GitHub's words, which may quote what people wrote.
    """

    type: str
    path: tuple[str | int, ...] = ()
    message: str = field(default="", repr=False)


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
    ) -> None:
        """app_id: the numeric id or the client id. private_key: PEM; raises SettingsError."""
        self.client = AppClient(api_url=api_url, timing=timing)
        self.credentials = Credentials(self.client, app_id=app_id, private_key=private_key)
        self.cache = Cache()
        self._installations: dict[int, Installation] = {}

    def installation(self, id_: int) -> "Installation":
        """The installation with this id: the same object whenever it is asked for."""
        return self._installations.setdefault(id_, Installation(self, id_))

    async def identity(self) -> Identity:
        """Who we are on this GitHub; asked once."""
        return await self.credentials.identity()

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()


class Installation:
    """One account's installation. Its writes go out one at a time, a second apart."""

    def __init__(self, app: GitHubApp, id_: int) -> None:
        self.app, self.id = app, id_
        self._writing = asyncio.Lock()
        self._wrote: datetime | None = None
        self._limited_until: datetime | None = None

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

    async def send(self, request: Request) -> Reply:
        """Send a request with the installation's token; raises what AppClient.send raises.

        While a limit lasts nothing is sent: GitHub bans apps that go on asking.
        """
        if request.read:
            return await self._send(request)
        async with self._writing:
            if (pause := self._until_next_write()) > timedelta(0):
                await self._timing.sleep(pause.total_seconds())
            try:
                return await self._send(request)
            finally:
                self._wrote = self._timing.now()

    async def graphql(self, query: str, variables: Mapping[str, object], *, read: bool) -> Answer:
        """Ask in GraphQL. Raises GitHubError where the answer holds no data at all."""
        request = Request(
            method="POST",
            path=self.app.client.graphql_url,
            read=read,
            json={"query": query, "variables": variables},
        )
        reply = (await self.send(request)).expect(200)
        body = reply.data if isinstance(reply.data, dict) else {}
        if not isinstance(body.get("data"), dict):
            types = ", ".join(sorted({type_ or "no reason" for type_, _ in graphql_errors(reply)}))
            raise GitHubError(f"GraphQL gave no data: {types}", status=reply.status)
        return Answer(data=body["data"], problems=_problems(body.get("errors")))

    def _until_next_write(self) -> timedelta:
        if self._wrote is None:
            return timedelta(0)
        return self._wrote + _BETWEEN_WRITES - self._timing.now()

    async def _send(self, request: Request) -> Reply:
        now = self._timing.now()
        if self._limited_until is not None and now < self._limited_until:
            raise RateLimited(self._limited_until - now)
        try:
            return await self._with_token(request)
        except RateLimited as limited:
            self._limited_until = self._timing.now() + limited.retry_after
            raise

    async def _with_token(self, request: Request) -> Reply:
        credentials, waited_for = self.app.credentials, None
        for _ in range(_TRIES):
            token = await credentials.token(self.id)
            reply = await self.app.client.send(request, authorization=token.authorization)
            if reply.status == 403 and _SUSPENDED in text(child(reply.data), "message"):
                raise OutOfReach(f"installation {self.id} is suspended", status=403)
            if reply.status != 401:
                return reply
            if self._is_fresh(token) and token is not waited_for:
                waited_for = token
                await self._timing.sleep(_SPREADING)
            else:
                credentials.drop(self.id, token)
        raise GitHubError(f"GitHub refuses the token of installation {self.id}", status=401)

    def _is_fresh(self, token: Token) -> bool:
        return self._timing.now() - token.minted < _FRESH

    @property
    def _timing(self) -> Timing:
        return self.app.client.timing


class RepositoryAccess:
    """A repository as one installation reaches it."""

    def __init__(
        self, installation: Installation, owner: str, name: str, id_: int | None = None
    ) -> None:
        self.installation, self.owner, self.name = installation, owner, name
        self._id = id_

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

    async def query(self, query: str, variables: Mapping[str, object]) -> Answer:
        """Read in GraphQL; owner and name are added to the variables.

        Raises GitHubError where a part is missing for no reason ("Something went wrong while
        executing your query"): it may be there in a minute.
        """
        named = {"owner": self.owner, "name": self.name, **variables}
        answer = await self.installation.graphql(query, named, read=True)
        if any(not problem.type for problem in answer.problems):
            raise GitHubError("GraphQL answered in part, and does not say why")
        return answer

    async def mutate(self, mutation: str, variables: Mapping[str, object]) -> Answer:
        """Write in GraphQL; raises WriteUncertain where it may have landed."""
        return await self.installation.graphql(mutation, variables, read=False)


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
