"""The retry policy and the connection, against a GitHub that fails in every way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from bot.core.errors import GitHubError
from bot.github.client import AppClient, Request
from bot.github.errors import NotFound, RateLimited, WriteUncertain
from bot.github.installation import RepositoryAccess
from tests.github.conftest import FakeTime, Shop

READ = Request(method="GET", path="/repos/octo/shop", read=True)
WRITE = Request(method="POST", path="/repos/octo/shop/check-runs", read=False, json={})


@dataclass
class Scripted:
    """A server that answers each request with the next raw text.

    "" closes the connection; "never" gives no answer.
    """

    answers: list[str]
    requests: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    open: int = 0
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                self.requests.append(head)
                length = next(
                    (
                        int(line[15:])
                        for line in head.lower().split("\r\n")
                        if line.startswith("content-length:")
                    ),
                    0,
                )
                await reader.readexactly(length)
                answer = self.answers.pop(0)
                if not answer:
                    break
                if answer == "never":
                    continue
                writer.write(answer.encode())
                await writer.drain()
        except asyncio.IncompleteReadError:
            pass
        finally:
            self.open -= 1
            self.closed.set()
            writer.close()


def reply(status: str, body: str = "{}", **headers: str) -> str:
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *lines, "", ""]
    return "\r\n".join(head) + body


@asynccontextmanager
async def served(
    *answers: str, seconds: float = 20
) -> AsyncIterator[tuple[AppClient, Scripted, FakeTime]]:
    script, clock = Scripted(list(answers)), FakeTime()
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    script.port = server.sockets[0].getsockname()[1]
    client = AppClient(
        api_url=f"http://127.0.0.1:{script.port}",
        timing=clock.timing,
        timeout=httpx.Timeout(seconds),
    )
    try:
        yield client, script, clock
    finally:
        await client.aclose()
        server.close()
        await server.wait_closed()


OK = reply("200 OK", '{"id": 1}')


@pytest.mark.parametrize(
    "failure",
    [reply("502 Bad Gateway", "<html>"), reply("500 No"), "", reply("200 OK", '{"cut": ')],
    ids=["502", "500", "a closed connection", "an answer cut short"],
)
async def test_a_read_is_repeated_until_it_succeeds(failure: str) -> None:
    async with served(failure, failure, OK) as (client, script, clock):
        answer = await client.send(READ, authorization="Bearer t")
    assert answer.data == {"id": 1}
    assert (len(script.requests), clock.slept) == (3, [0.5, 2.0])


async def test_a_read_is_given_up_after_four_tries() -> None:
    async with served(*[reply("503 No", x_github_request_id="AB12")] * 4) as (client, script, _):
        with pytest.raises(
            GitHubError, match=r"GET /repos/octo/shop was answered 503 .*AB12"
        ) as got:
            await client.send(READ, authorization="Bearer t")
    assert (got.value.status, len(script.requests)) == (503, 4)


@pytest.mark.parametrize("failure", [reply("502 Bad Gateway"), ""], ids=["502", "closed"])
async def test_a_write_that_may_have_landed_is_never_repeated(failure: str) -> None:
    async with served(failure) as (client, script, _):
        with pytest.raises(WriteUncertain):
            await client.send(WRITE, authorization="Bearer t")
    assert len(script.requests) == 1


async def test_a_write_that_cannot_have_arrived_is_repeated_as_a_read_is() -> None:
    clock = FakeTime()
    client = AppClient(api_url="http://127.0.0.1:1", timing=clock.timing)  # nobody listens
    with pytest.raises(GitHubError, match="ConnectError") as got:
        await client.send(WRITE, authorization="Bearer t")
    await client.aclose()
    assert not isinstance(got.value, WriteUncertain)
    assert clock.slept == [0.5, 2.0, 5.0]


@pytest.mark.parametrize("request_", [READ, WRITE], ids=["read", "write"])
@pytest.mark.parametrize(
    "limit",
    [
        reply("429 Slow", retry_after="7"),
        reply("429 Slow", "<html>"),
        reply("403 No", '{"message": "secondary rate limit"}'),
        reply("403 No", retry_after="Fri, 02 Jan 2099 03:05:05 GMT"),
        reply("200 OK", '{"data": null, "errors": [{"type": "RATE_LIMITED", "message": ""}]}'),
    ],
    ids=["429", "no JSON", "words", "a date", "GraphQL"],
)
async def test_a_limit_is_for_the_worker(limit: str, request_: Request) -> None:
    async with served(limit) as (client, script, clock):
        with pytest.raises(RateLimited) as got:
            await client.send(request_, authorization="Bearer t")
    assert got.value.retry_after >= timedelta(seconds=7)
    assert (len(script.requests), clock.slept) == (1, [])


async def test_a_graphql_query_that_stumbled_is_repeated_and_a_mutation_is_not() -> None:
    stumble = reply(
        "200 OK", '{"data": {"a": null}, "errors": [{"message": "Something went wrong"}]}'
    )
    query = Request(method="POST", path="/graphql", read=True, json={})
    mutation = Request(method="POST", path="/graphql", read=False, json={})
    async with served(stumble, OK, stumble) as (client, script, _):
        assert (await client.send(query, authorization="t")).data == {"id": 1}
        assert (await client.send(mutation, authorization="t")).status == 200
    assert len(script.requests) == 3


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Moved", "308 Moved"])
async def test_a_redirect_of_a_read_is_followed_on_the_same_host(status: str) -> None:
    moved = reply(status, location="/repositories/7")
    async with served(moved, OK) as (client, script, _):
        assert (await client.send(READ, authorization="Bearer t")).status == 200
    assert [text.split()[:2] for text in script.requests][1] == ["GET", "/repositories/7"]


@pytest.mark.parametrize(
    "target", ["http://example.invalid/steal", "https://127.0.0.1:{port}/", "//127.0.0.1:1/"]
)
async def test_no_other_host_gets_our_token(target: str) -> None:
    async with served() as (client, script, _):
        script.answers.append(reply("301 Moved", location=target.format(port=script.port)))
        with pytest.raises(GitHubError, match="another host"):
            await client.send(READ, authorization="Bearer t")
    assert len(script.requests) == 1


@pytest.mark.parametrize("path", ["http://127.0.0.1:{port}0/x", "http://example.invalid/", "x"])
async def test_nor_where_it_is_asked_for(path: str) -> None:
    async with served() as (client, script, _):
        request = Request(method="GET", path=path.format(port=script.port), read=True)
        with pytest.raises(GitHubError, match="not sent"):
            await client.send(request, authorization="Bearer t")
    assert script.connections == 0


@pytest.mark.parametrize("read", [True, False], ids=["a query", "a mutation"])
@pytest.mark.parametrize("status", ["301 M", "302 F", "303 S", "307 T", "308 P"])
async def test_no_post_follows_a_redirect(status: str, read: bool) -> None:
    request = Request(method="POST", path="/graphql", read=read, json={})
    async with served(reply(status, location="/graphql/"), OK) as (client, script, _):
        answer = await client.send(request, authorization="Bearer t")
    assert (answer.status, len(script.requests)) == (int(status[:3]), 1)


async def test_redirects_in_a_circle_end() -> None:
    async with served(*[reply("301 M", location="/a")] * 9) as (client, script, _):
        with pytest.raises(GitHubError, match="too often"):
            await client.send(READ, authorization="Bearer t")
    assert len(script.requests) == 3


async def test_connections_are_closed_at_the_end() -> None:
    async with served(OK) as (client, script, _):
        await client.send(READ, authorization="Bearer t")
        assert script.open == 1
        await client.aclose()
        await asyncio.wait_for(script.closed.wait(), timeout=5)
    assert script.open == 0


@pytest.mark.parametrize(("chance", "pauses"), [(0.0, [0.25, 1.0, 2.5]), (1.0, [0.75, 3.0, 7.5])])
async def test_repetitions_are_spread(chance: float, pauses: list[float]) -> None:
    clock = FakeTime()
    timing = replace(clock.timing, chance=lambda: chance)
    client = AppClient(api_url="http://127.0.0.1:1", timing=timing)  # nobody listens
    with pytest.raises(GitHubError):
        await client.send(READ, authorization="Bearer t")
    await client.aclose()
    assert clock.slept == pauses


@pytest.mark.parametrize("request_", [READ, WRITE], ids=["read", "write"])
async def test_a_time_out_is_a_lost_answer(request_: Request) -> None:
    async with served(*["never"] * 4, seconds=0.05) as (client, script, _):
        with pytest.raises(GitHubError, match="ReadTimeout") as got:
            await client.send(request_, authorization="Bearer t")
    assert isinstance(got.value, WriteUncertain) is not request_.read
    assert len(script.requests) == (4 if request_.read else 1)


async def test_requests_share_one_connection_and_say_who_asks() -> None:
    async with served(*[OK] * 20) as (client, script, _):
        for _ in range(20):
            await asyncio.create_task(client.send(READ, authorization="Bearer t"))
    assert script.connections == 1
    head = script.requests[0].lower()
    assert "user-agent: memoryrail-bot" in head
    assert "x-github-api-version: 20" in head
    assert "authorization: bearer t" in head


async def test_errors_carry_neither_token_nor_body() -> None:
    token = "ghs_" + "x" * 36
    async with served(*[reply("500 No", '{"message": "private text"}')] * 4) as (client, _, _):
        with pytest.raises(GitHubError) as got:
            await client.send(READ, authorization=f"Bearer {token}")
    told = repr(got.value) + str(got.value.__cause__) + repr(READ)
    assert token not in told
    assert "private text" not in told


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://api.x.ghe.com/", "https://api.x.ghe.com/graphql"),
        ("https://host/api/v3", "https://host/api/graphql"),
    ],
)
async def test_where_graphql_is_served(api: str, graphql: str) -> None:
    client = AppClient(api_url=api)
    assert client.graphql_url == graphql
    await client.aclose()


async def test_an_enterprise_server_is_spoken_to_in_its_own_version() -> None:
    script = Scripted([OK, OK])
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = AppClient(api_url=f"http://127.0.0.1:{port}/api/v3")
    await client.send(READ, authorization="Bearer t")
    query = Request(method="POST", path=client.graphql_url, read=True, json={})
    await client.send(query, authorization="Bearer t")
    await client.aclose()
    server.close()
    await server.wait_closed()
    assert script.requests[0].startswith("GET /api/v3/repos/octo/shop ")
    assert script.requests[1].startswith("POST /api/graphql ")
    assert "x-github-api-version: 2022-11-28" in script.requests[0].lower()


@pytest.mark.parametrize("form", ["a reset", "a date"])
async def test_the_end_of_a_limit_is_told_by_githubs_clock(form: str) -> None:
    """Ours may be wrong by more than a limit lasts."""
    async with served() as (client, script, clock):
        clock.ahead = timedelta(minutes=30)
        now = datetime.now(UTC).replace(microsecond=0)
        end = now + timedelta(seconds=90)
        headers = (
            {"retry_after": format_datetime(end, usegmt=True)}
            if form == "a date"
            else {
                "x_ratelimit_limit": "5000",
                "x_ratelimit_remaining": "0",
                "x_ratelimit_reset": str(int(end.timestamp())),
            }
        )
        script.answers.append(reply("403 No", date=format_datetime(now, usegmt=True), **headers))
        with pytest.raises(RateLimited) as got:
            await client.send(READ, authorization="Bearer t")
    assert (got.value.retry_after, got.value.is_told) == (timedelta(seconds=90), True)


async def test_what_is_not_there_is_not_found(access: RepositoryAccess) -> None:
    with pytest.raises(NotFound):
        await access.get("/git/blobs/" + "0" * 40)


async def test_a_renamed_repository_is_still_read(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.rename("store")
    assert (await access.get("/compare/main...main")).status == 200
